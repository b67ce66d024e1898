"""What a draft has in common with other logged answers; cheap enough for every keystroke's check.

Candidates come from a search index of the answers' texts; only a few are read and matched.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from threading import Lock

from curation.checks import SimilarAnswer
from curation.checks.completeness import COMMON
from curation.corpus import CorpusBusyError, CorpusIndex, CorpusIndexError
from curation.domain.answer import Answer
from curation.domain.case import Case, Fact, FactKind, FactRole
from curation.domain.chunk import Chunk
from curation.domain.verdict import Presence
from curation.domain.wording import quoted_words, word_list
from curation.metrics.lookup import holds
from curation.services.cases import corrections
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store import answers as stored

MOST_FOUND = 200  # answers that a search for a fact gives back
MOST_READ = 30  # answers to different questions that are matched against the fact
MOST_WORDS = 12  # the longest words of a reference say best which answer it is like
FEW_WORDS = 6  # so few free words are alike by chance
NEIGHBOURS = 5
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_KEPT = 4096


def catch_up(workspace: Workspace) -> int:
    """Add to the index the answers that were stored since it was written; return how many.

    An index that another process is writing is left to it: the next import adds what is missing.
    """
    index = workspace.answer_index
    try:
        with workspace.store.reading() as session:
            newest = stored.newest_stored(session)
            since = _moment(index.position())
            return index.add(_chunks(session, since), position=_position(newest))
    except CorpusIndexError:
        return rebuild(workspace)
    except CorpusBusyError:
        return 0


def rebuild(workspace: Workspace) -> int:
    """Make the index of the answers anew; return how many it has."""
    with workspace.store.reading() as session:
        position = _position(stored.newest_stored(session))
        return workspace.answer_index.rebuild(_chunks(session, None), position=position)


def _position(moment: datetime | None) -> int:
    return 0 if moment is None else (moment - _EPOCH) // _MICROSECOND


def _moment(position: int) -> datetime | None:
    return _EPOCH + timedelta(microseconds=position) if position else None


def _chunks(session: Session, since: datetime | None) -> Iterator[Chunk]:
    """Yield the answers as the index takes them: the question group is the document."""
    for some in stored.texts_since(session, since):
        for logged in some:
            yield Chunk(chunk_id=logged.answer_id, doc_id=logged.group_id, text=logged.text)


class LoggedAnswers:
    """The other logged answers, as the check of one draft asks for them."""

    def __init__(self, session: Session, index: CorpusIndex | None, own: Answer | None) -> None:
        self._session, self._index, self._own = session, index, own

    def common(self, case: Case, base: Case | None) -> dict[str, int]:
        """Return for each new fact in how many answers to other questions it was found.

        Counted up to 30; a fact that fewer answers could hold than would matter is not read.
        """
        index = self._index
        if index is None:
            return {}
        group = stored.group_of(self._session, self._own.id) if self._own else None
        known = {fact.text for _, fact in base.facts.each} if base else set()
        facts = [
            fact
            for kind in (FactKind.REQUIRED, FactKind.FORBIDDEN)
            for fact in case.facts.of(kind)
            if fact.role is FactRole.STATEMENT and fact.text not in known
        ]
        try:
            size = index.size() if facts else 0
            return {fact.id: self._count(index, size, fact, group) for fact in facts}
        except CorpusIndexError:
            return {}

    def _count(self, index: CorpusIndex, size: int, fact: Fact, group: str | None) -> int:
        key = (str(index.folder), str(size), fact.text, group or "")
        found = _COUNTS.get(key)
        if found is None:
            found = self._counted(index, fact, group)
            _COUNTS.put(key, found)
        return found

    def _counted(self, index: CorpusIndex, fact: Fact, group: str | None) -> int:
        """Return how many of the answers that hold every word of a fact hold the fact."""
        by_group: dict[str, str] = {}
        for hit in index.search(fact.text, every=True, as_typed=True, limit=MOST_FOUND):
            if hit.doc_id != group:
                by_group.setdefault(hit.doc_id, hit.chunk_id)
        chosen = list(by_group.values())[:MOST_READ]
        if len(chosen) < COMMON:
            return 0
        texts = stored.answer_texts(self._session, chosen)
        plain = fact.model_copy(update={"any_of": ()})
        count = 0
        for read, text in enumerate(texts.values(), start=1):
            count += holds(text, plain) is Presence.PRESENT
            if count + len(texts) - read < COMMON:
                return count
        return count

    def similar(self, case: Case, base: Case | None) -> tuple[SimilarAnswer, ...]:
        """Return the logged answers that share most of what a reference says in own words."""
        if self._index is None or (base is not None and base.reference == case.reference):
            return ()
        sources = [item.quote for item in case.evidence if item.quote]
        sources += corrections(self._own)
        words = word_list(case.reference)
        quoted = quoted_words(case.reference, sources)
        free = [word for word, known in zip(words, quoted, strict=True) if not known]
        if len(free) < FEW_WORDS:
            return ()
        longest = sorted(dict.fromkeys(free), key=len, reverse=True)[:MOST_WORDS]
        try:
            hits = self._index.search(" ".join(longest), as_typed=True, limit=NEIGHBOURS + 1)
        except CorpusIndexError:
            return ()
        own = self._own.id if self._own else None
        ids = [hit.chunk_id for hit in hits if hit.chunk_id != own]
        texts: Mapping[str, str] = stored.answer_texts(self._session, ids)
        return tuple(SimilarAnswer(text=texts[i], answer_id=i) for i in ids if i in texts)


class _Counts:
    """The counts of the facts asked for last, shared by every window of the process."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str, str, str], int] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[str, str, str, str]) -> int | None:
        """Return a count that was kept."""
        with self._lock:
            return self._known.get(key)

    def put(self, key: tuple[str, str, str, str], count: int) -> None:
        """Keep a count; the oldest goes when there are many."""
        with self._lock:
            self._known[key] = count
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)


_COUNTS = _Counts()
