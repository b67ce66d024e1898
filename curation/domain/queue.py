"""The queue: which answers somebody asks for, and the rows that stand for question groups."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from curation.domain.answer import SignalKind
from curation.domain.base import Value
from curation.domain.coverage import Holes
from curation.domain.review import AnswerState, Lease


class QueueState(StrEnum):
    """The lists of the queue: what is to review, what is mine or held, what is finished."""

    TO_REVIEW = "to_review"
    MINE = "mine"
    HELD = "held"
    DONE = "done"
    DISMISSED = "dismissed"
    COVERED = "covered"


class MetricBelow(Value):
    """Answers whose score of a metric is worse than a value, in the metric's own direction."""

    metric: str
    value: float


class QueueFilter(Value):
    """Which answers are asked for; every part that is set must hold.

    With `sample` the next answer is the next of the newest sample, in the order that was drawn;
    the other parts then say nothing.
    """

    state: QueueState = QueueState.TO_REVIEW
    slice: str | None = None
    signal: SignalKind | None = None
    metric_below: MetricBelow | None = None
    pipeline_version: str | None = None
    words: str = ""
    sample: bool = False


class QueueCounts(Value):
    """Answers by state; the states add up to all."""

    open: int = 0
    held: int = 0
    done: int = 0
    dismissed: int = 0
    covered: int = 0

    @property
    def all(self) -> int:
        """All answers."""
        return self.open + self.held + self.done + self.dismissed + self.covered


class QueueRow(Value):
    """A question group in a list: its worst answer and why it is there.

    `priority` is what may be shown (None: no user signal); the order follows the full priority.
    `near` counts the open answers to questions that ask nearly the same; they have rows of their
    own. `given` says which case or waiting change the question has, where it has one.
    """

    answer_id: str
    question: str
    priority: float | None
    reasons: tuple[str, ...]
    asked: int
    slice: str | None
    date: datetime | None
    more: int
    near: int = 0
    given: str = ""
    state: AnswerState
    lease: Lease | None = None


class HeldAnswer(Value):
    """An answer that somebody holds."""

    answer_id: str
    lease: Lease


class QueuePage(Value):
    """One page of a list; `shown` counts the rows of the whole list, `pages` its pages."""

    rows: tuple[QueueRow, ...] = ()
    counts: QueueCounts = QueueCounts()
    shown: int = 0
    page: int = 1
    pages: int = 1
    leases: tuple[HeldAnswer, ...] = ()


class FilterChoices(Value):
    """What can be chosen in the filters."""

    slices: tuple[str, ...] = ()
    signals: tuple[SignalKind, ...] = ()
    pipeline_versions: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()


class PriorityWeights(Value):
    """The weights of the priority (measures.md section 9), and the cells that want cases."""

    signals: dict[SignalKind, float]
    judge: float
    hole: float
    window_days: int = Field(ge=1)
    slices: dict[str, float] = Field(default_factory=dict)
    holes: Holes = Holes()
