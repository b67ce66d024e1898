"""A logged production answer with what was retrieved, judged and signalled."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from curation.domain.base import Value
from curation.domain.case import Turn


def _in_utc(moment: datetime) -> datetime:
    """Return the moment in UTC; one without a zone is taken as UTC."""
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError as problem:
        raise ValueError("is beyond the years 1 to 9999") from problem


MOST_RANKS = 2**31 - 1  # what every database can count to
Moment = Annotated[datetime, AfterValidator(_in_utc)]


class Outcome(StrEnum):
    """What the pipeline did with the question."""

    ANSWERED = "answered"
    ABSTAINED = "abstained"
    CLARIFIED = "clarified"


class ScoreStatus(StrEnum):
    """A judge that failed has a failed score: never 0, never dropped."""

    OK = "ok"
    FAILED = "failed"


class SignalKind(StrEnum):
    """What a user did: the first four explicit, the others implicit."""

    THUMBS_UP = "thumbs_up"
    THUMBS_DOWN = "thumbs_down"
    CORRECTION = "correction"
    ESCALATION = "escalation"
    FOLLOW_UP = "follow_up"
    REFORMULATION = "reformulation"
    ABANDONED = "abandoned"

    @property
    def explicit(self) -> bool:
        """Whether the user said it, rather than it being derived from the session."""
        return self in _EXPLICIT


_EXPLICIT = frozenset(
    {
        SignalKind.THUMBS_UP,
        SignalKind.THUMBS_DOWN,
        SignalKind.CORRECTION,
        SignalKind.ESCALATION,
    }
)


class RetrievedChunk(Value):
    """A chunk as the pipeline retrieved it; `used` says whether it reached the prompt."""

    rank: int = Field(ge=1, le=MOST_RANKS)
    chunk_id: str
    doc_id: str | None = None
    doc_version: str | None = None
    text: str | None = None
    score: float | None = None
    used: bool = True


class Citation(Value):
    """A chunk that the answer cites; offsets are code points of the answer."""

    chunk_id: str
    doc_version: str | None = None
    start: int | None = None
    end: int | None = None
    marker: str | None = None


class Score(Value):
    """One judge's number for one metric of an answer, or of one retrieved chunk."""

    metric: str
    value: float | None = None
    scale: tuple[float, float] | None = None  # worst, best
    judge: str | None = None
    prompt_version: str | None = None
    reason: str | None = None
    status: ScoreStatus = ScoreStatus.OK
    error_kind: str | None = None
    chunk_id: str | None = None
    at: Moment | None = None


class Signal(Value):
    """What a user did after an answer; confidence is 1 for explicit ones."""

    kind: SignalKind
    value: float | str | bool | None = None
    comment: str | None = None
    at: Moment | None = None
    confidence: float = Field(default=1.0, ge=0, le=1)
    rule: str | None = None


class Label(Value):
    """One person's number for one metric of an answer."""

    metric: str
    value: float | None = None
    scale: tuple[float, float] | None = None
    label: str | None = None
    person: str | None = None
    at: Moment | None = None


class Answer(Value):
    """One logged production answer."""

    id: str
    asked_at: Moment | None = None
    question: str
    conversation: tuple[Turn, ...] = ()
    answer: str
    retrieved: tuple[RetrievedChunk, ...] = ()
    citations: tuple[Citation, ...] = ()
    outcome: Outcome | None = None
    pipeline_version: str | None = None
    model: str | None = None
    latency_ms: float | None = None
    cost_usd: float | None = None
    session_id: str | None = None
    user_id: str | None = None
    tags: tuple[str, ...] = ()
    slice: str | None = None
    scores: tuple[Score, ...] = ()
    signals: tuple[Signal, ...] = ()
    labels: tuple[Label, ...] = ()
    metadata: dict[str, Any] = Field(default_factory=dict)
