"""Signals derived from sessions: what the next question, or its absence, says of an answer."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice

from curation.domain.answer import Answer, Signal
from curation.domain.base import Value
from curation.metrics.session_signals import RULES, SessionTurn, derived_signals
from curation.services.priority import current_weights
from curation.services.regressions import look_for_regressions
from curation.services.workspace import Workspace
from curation.store import session_signals as stored
from curation.store.answer_rows import group_row
from curation.store.priority import newest_asked, settle

BATCH = 2_000
MANY = 20_000

Found = tuple[str, tuple[Signal, ...]]


class DerivedSummary(Value):
    """What deriving did: how many signals there are now, and how many came and went."""

    sessions: int
    answers: int
    signals: dict[str, int]
    added: int
    removed: int
    rules: int = RULES


def derive_signals(
    workspace: Workspace, *, now: datetime, sessions: Iterable[str] | None = None
) -> DerivedSummary:
    """Derive the signals of all sessions anew, or of some; what the log itself says stays.

    Args:
        workspace: the store.
        now: when.
        sessions: only these sessions; None for all.
    """
    weights = current_weights(workspace)
    counted: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    with workspace.store.reading() as reading:
        found = _derived(stored.sessions(reading, _ids(sessions)), newest_asked(reading), counted)
        while batch := dict(islice(found, BATCH)):
            kinds.update(signal.kind.value for signals in batch.values() for signal in signals)
            with workspace.store.writing() as writing:
                added, removed = stored.replace_derived(writing, batch, weights, now=now)
            counted["added"] += added
            counted["removed"] += removed
    with workspace.store.writing() as writing:
        settle(writing, weights)
        if sessions is None:
            stored.note_derived_by(writing, RULES)
    return DerivedSummary(
        sessions=counted["sessions"],
        answers=counted["answers"],
        signals=dict(sorted(kinds.items())),
        added=counted["added"],
        removed=counted["removed"],
    )


def _ids(sessions: Iterable[str] | None) -> Sequence[str] | None:
    return None if sessions is None else sorted(set(sessions))


def _derived(
    found: Iterable[Sequence[SessionTurn]], newest: datetime | None, counted: Counter[str]
) -> Iterator[Found]:
    """Yield the answers of all sessions with their signals, counting both."""
    for turns in found:
        counted["sessions"] += 1
        counted["answers"] += len(turns)
        yield from derived_signals(turns, newest).items()


class Touched:
    """The sessions and question groups that an import brings answers of; beyond many it is all."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._ids: set[str] | None = set()
        self._groups: set[str] | None = set()
        with workspace.store.reading() as session:
            if stored.derived_by(session) != RULES:
                self._ids = None
            else:
                self._ids = stored.running_sessions(session, newest_asked(session))

    def add(self, answers: Iterable[Answer]) -> None:
        """Remember what these answers belong to."""
        for answer in answers:
            if self._ids is not None and answer.session_id is not None:
                self._ids.add(answer.session_id)
            if self._groups is not None:
                self._groups.add(group_row(answer)["id"])
        self._ids = _few(self._ids)
        self._groups = _few(self._groups)

    def follow_up(self, *, now: datetime) -> None:
        """Derive the signals of the sessions, and look whether a finished question came back."""
        if self._ids is None or self._ids:
            derive_signals(self._workspace, now=now, sessions=self._ids)
        if self._groups is None or self._groups:
            look_for_regressions(self._workspace, self._groups)


def _few(ids: set[str] | None) -> set[str] | None:
    """Return the ids while they are few; None stands for all there are."""
    return None if ids is None or len(ids) > MANY else ids
