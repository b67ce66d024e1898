"""What the screen shows besides the draft: the answer, its passages, the checks, the lease."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from curation.domain.answer import Answer, Score
from curation.domain.case import Case
from curation.domain.policy import Policy
from curation.evaluation.drafting import Checked
from curation.ui.review.counterparts import Start
from curation.ui.review.picks import Passage


@dataclass(frozen=True, kw_only=True)
class ChunkBlock:
    """A chunk on the screen, with the same passage of other versions beneath it.

    `asked` says whether it is of the version asked for; None where none is asked for. `pair` is
    the retrieved text that this one is another version of.
    """

    passage: Passage
    version: str | None = None
    name: str = ""
    title: str = ""
    rank: int | None = None
    score: float | None = None
    tags: tuple[str, ...] = ()
    asked: bool | None = None
    pair: str | None = None
    versions: int = 0
    versions_open: bool = False
    problem: str = ""
    hits: tuple[tuple[int, int], ...] = ()
    under: tuple["ChunkBlock", ...] = ()

    def each(self) -> Iterator["ChunkBlock"]:
        """Yield the chunk and those beneath it."""
        yield self
        yield from self.under


@dataclass(frozen=True, kw_only=True)
class SearchBlock:
    """The block of a corpus search at the top of the chunk pane."""

    shown: bool = False
    query: str = ""
    said: str = ""
    hits: tuple[ChunkBlock, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A case that may ask the same; `change` is the number of the change that it waits in."""

    case_id: str
    question: str
    match: str
    change: str = ""


@dataclass(frozen=True, kw_only=True)
class Notice:
    """Something that keeps or threatens the review, and what can be done about it."""

    text: str
    urgent: bool = False
    acts: tuple[tuple[str, str, Mapping[str, str]], ...] = ()  # label, act, arguments


@dataclass(frozen=True, kw_only=True)
class Header:
    """The header line: counts and signals at the left, hold and saving at the right."""

    left: tuple[str, ...] = ()
    held_until: datetime | None = None
    held: str = ""
    saved: str = ""
    not_saved: str = ""
    frozen: str = ""


@dataclass(frozen=True, kw_only=True)
class Sight:
    """Everything that the screen shows besides the board."""

    answer: Answer
    case: Case
    policy: Policy
    checked: Checked
    base: Case | None = None
    judge: tuple[Score, ...] | None = None
    asked_for: tuple[str, ...] = ()
    chunks: tuple[ChunkBlock, ...] = ()
    chunks_note: str = ""
    search: SearchBlock = SearchBlock()
    candidates: tuple[Candidate, ...] = ()
    candidates_note: str = ""
    start: Start | None = None
    header: Header = Header()
    notice: Notice | None = None
    prefilled_reason: str = ""
    zone: tzinfo = UTC
    categories: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()

    @property
    def blocks(self) -> tuple[ChunkBlock, ...]:
        """Every chunk on the screen in reading order."""
        hits = [block for hit in self.search.hits for block in hit.each()]
        return (*hits, *(block for chunk in self.chunks for block in chunk.each()))
