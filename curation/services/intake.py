"""Bringing in logs and corpora: streaming, idempotent, bad records to a rejects file."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from curation.domain.answer import Answer
from curation.domain.base import Value
from curation.domain.queue import PriorityWeights
from curation.domain.same_answer import merged, record_sha, what_differs
from curation.importers.files import Format, check_files, read_records
from curation.importers.native import NOT_ON_SCALE, answer_of
from curation.importers.reading import Raw, Refused
from curation.services import logged_answers
from curation.services.priority import current_weights
from curation.services.rejects import Rejects
from curation.services.signals import Touched
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store.answers import load_answers
from curation.store.intake import (
    add_answers,
    begin_import,
    known_records,
    note_records,
    update_answers,
)
from curation.store.priority import settle

BATCH = 500
SETTLE_AFTER = 20
BATCH_CHARACTERS = 8_000_000
ROW_CHARACTERS = 16_000

CHANGED = "changed"
DUPLICATE = "duplicate"


def failed_scores_words(number: int) -> str:
    """Return what is said of scores whose value is no number on their scale."""
    if number == 1:
        return "1 score is no number on its scale; it is kept as failed and counts nowhere."
    return (
        f"{number} scores are no number on their scale; they are kept as failed and count nowhere."
    )


class IntakeSummary(Value):
    """What an import did; read = stored + updated + unchanged + refused.

    Aside from that: chunks that were `removed`, and `failed_scores`, whose value was no number on
    their scale, so that they count as a judge that failed.
    """

    read: int = 0
    stored: int = 0
    updated: int = 0
    unchanged: int = 0
    refused: int = 0
    removed: int = 0
    failed_scores: int = 0
    rejects_file: str | None = None


Progress = Callable[[Path, IntakeSummary], None]


@dataclass
class Tally:
    """The running counts of an import, and where its refusals go."""

    rejects: Rejects
    read: int = 0
    stored: int = 0
    updated: int = 0
    unchanged: int = 0
    refused: int = 0
    removed: int = 0
    failed_scores: int = 0
    touched: Touched | None = None

    def refuse(self, source: Path, refused: Refused) -> None:
        """Count a refusal and write it down."""
        self.refused += 1
        self.rejects.write(source, refused)

    def summary(self) -> IntakeSummary:
        """Return the counts so far."""
        return IntakeSummary(
            read=self.read,
            stored=self.stored,
            updated=self.updated,
            unchanged=self.unchanged,
            refused=self.refused,
            removed=self.removed,
            failed_scores=self.failed_scores,
            rejects_file=str(self.rejects.path) if self.rejects.path else None,
        )


@dataclass
class Arrivals:
    """Answers of one file that wait to be written together."""

    records: list[tuple[Raw, Answer]] = field(default_factory=list)
    characters: int = 0

    def add(self, raw: Raw, answer: Answer) -> bool:
        """Take an answer; return whether it is time to write."""
        self.records.append((raw, answer))
        self.characters += len(raw.text) or ROW_CHARACTERS
        return len(self.records) >= BATCH or self.characters >= BATCH_CHARACTERS


class SeenIds:
    """The ids of one file by 8-byte digests, since a file may hold millions."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def again(self, *key: str) -> bool:
        """Return whether the id came before; remember it."""
        text = "\0".join(key).encode("utf-8", "surrogatepass")
        digest = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest())
        before = len(self._seen)
        self._seen.add(digest)
        return len(self._seen) == before


def ingest(
    workspace: Workspace,
    files: Sequence[Path],
    *,
    now: datetime,
    format: str = "auto",  # noqa: A002 - the option's name
    progress: Progress | None = None,
) -> IntakeSummary:
    """Bring in logged answers and return what was read, stored, updated and refused.

    The signals of the sessions that the answers belong to are derived anew at the end.
    What was committed stays when this is interrupted; bringing the same file in again goes on.

    Raises:
        UnknownFormatError, UnreadableFileError: before anything is written.
        StoreUnavailableError: the store could not be written; whole batches before it are kept.
    """
    form = check_files(tuple(files), format)
    touched = Touched(workspace)
    tally = Tally(Rejects(workspace.settings.rejects_path, now=now), touched=touched)
    weights = current_weights(workspace)
    _settle(workspace, weights)
    try:
        for path in files:
            for number, batch in enumerate(_batches(path, form, tally), start=1):
                with workspace.store.writing() as session:
                    _write(session, path, batch, tally, weights, now=now)
                    if number % SETTLE_AFTER == 0:
                        settle(session, weights)
                if progress is not None:
                    progress(path, tally.summary())
    finally:
        tally.rejects.close()
        touched.follow_up(now=now)
        _settle(workspace, weights)
        if tally.stored:
            logged_answers.catch_up(workspace)
    return tally.summary()


def _settle(workspace: Workspace, weights: PriorityWeights) -> None:
    """Let every priority rest on the same weights and window."""
    with workspace.store.writing() as session:
        settle(session, weights)


def _batches(path: Path, form: Format, tally: Tally) -> Iterator[list[tuple[Raw, Answer]]]:
    """Return the answers of a file in parts; refusals are counted on the way."""
    seen = SeenIds()
    waiting = Arrivals()
    for raw in _counted(read_records(path, form), tally):
        if isinstance(raw, Refused):
            tally.refuse(path, raw)
            continue
        found = answer_of(raw)
        if isinstance(found, Refused):
            tally.refuse(path, found)
            continue
        if seen.again(found.id):
            tally.refuse(path, _duplicate(raw, found.id))
            continue
        tally.failed_scores += sum(score.error_kind in NOT_ON_SCALE for score in found.scores)
        if waiting.add(raw, found):
            yield waiting.records
            waiting = Arrivals()
    yield waiting.records


def _counted(records: Iterable[Raw | Refused], tally: Tally) -> Iterator[Raw | Refused]:
    """Return the records, counting them as read."""
    for record in records:
        tally.read += 1
        yield record


def _duplicate(raw: Raw, known: str) -> Refused:
    return Refused(raw.line, "id", f"{DUPLICATE}: this file has the id before", raw.shown, known)


def _write(
    session: Session,
    path: Path,
    batch: list[tuple[Raw, Answer]],
    tally: Tally,
    weights: PriorityWeights,
    *,
    now: datetime,
) -> None:
    """Store the new answers of a batch and update the known ones."""
    begin_import(session)
    known = known_records(session, [answer.id for _, answer in batch])
    fresh = [answer for _, answer in batch if answer.id not in known]
    again = [(raw, answer) for raw, answer in batch if answer.id in known]
    if fresh:
        add_answers(session, fresh, weights, now=now)
        tally.stored += len(fresh)
    same = [pair for pair in again if record_sha(pair[1]) == known[pair[1].id]]
    tally.unchanged += len(same)
    news = [pair for pair in again if record_sha(pair[1]) != known[pair[1].id]]
    if news:
        _update(session, path, news, tally, weights, now=now)
    if tally.touched is not None:
        tally.touched.add([*fresh, *(answer for _, answer in news)])


def _update(
    session: Session,
    path: Path,
    news: list[tuple[Raw, Answer]],
    tally: Tally,
    weights: PriorityWeights,
    *,
    now: datetime,
) -> None:
    """Update what is still the same answer; refuse what is another one under its id."""
    stored = load_answers(session, [answer.id for _, answer in news])
    changed: list[tuple[Answer, str]] = []
    noted: list[tuple[str, str]] = []
    for raw, answer in news:
        old = stored[answer.id]
        differs = what_differs(old, answer)
        if differs:
            tally.refuse(path, _changed(raw, answer.id, differs))
            continue
        whole = merged(old, answer)
        if whole == old:
            noted.append((answer.id, record_sha(answer)))
        else:
            changed.append((whole, record_sha(answer)))
    update_answers(session, changed, weights, now=now)
    note_records(session, noted)
    tally.updated += len(changed)
    tally.unchanged += len(noted)


def _changed(raw: Raw, known: str, differs: str) -> Refused:
    reason = f"{CHANGED}: the store has this id with another {differs}"
    return Refused(raw.line, differs, reason, raw.shown, known)
