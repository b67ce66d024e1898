"""Samples: which answers were drawn with which probability, and what they say of all of them."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from math import prod

from pydantic import Field

from curation.domain.base import Value
from curation.domain.person import Person
from curation.domain.review import Verdict

FINISHED_ENOUGH = 0.8


def chance_of_any(draws: Iterable[tuple[int, float]]) -> float:
    """Return how probable it is to be in any of several draws, each a seed and a share.

    Of draws with one seed the larger holds the smaller; those of different seeds are independent.
    """
    by_seed: dict[int, float] = {}
    for seed, share in draws:
        by_seed[seed] = max(by_seed.get(seed, 0.0), share)
    return 1 - prod(1 - share for share in by_seed.values())


class Arm(StrEnum):
    """How an answer came into a sample: at random alone, or the likelier the worse it looks."""

    CONTROL = "control"
    TARGETED = "targeted"


class SampleRequest(Value):
    """What is to be drawn: how many, which share of them by chance alone, from which period.

    `double` is the share that two people look at without knowing of each other.
    """

    n: int = Field(ge=1)
    seed: int = 0
    control: float = Field(default=0.1, ge=0, le=1)
    double: float = Field(default=0.0, ge=0, le=1)
    since: datetime | None = None
    until: datetime | None = None


class Sample(Value):
    """A drawn sample; the frame is how many answers nobody had reviewed when it was drawn."""

    id: int
    drawn_at: datetime
    person: Person
    request: SampleRequest
    frame: int
    control: int
    targeted: int

    @property
    def size(self) -> int:
        """How many answers were drawn."""
        return self.control + self.targeted


class Drawn(Value):
    """A drawn answer: `pi` is its inclusion probability given the control share.

    The control share is a stratum that is taken whole, so its own `pi` is 1.
    """

    answer_id: str
    arm: Arm
    pi: float = Field(gt=0, le=1)
    slots: int = Field(default=1, ge=1, le=2)


class Outcome(StrEnum):
    """What a sampled answer says: it was bad, it was not, or why it says nothing."""

    BAD = "bad"
    GOOD = "good"
    UNFINISHED = "unfinished"
    SKIPPED = "skipped"
    NOT_ACTIONABLE = "not_actionable"

    @property
    def answered(self) -> bool:
        """Whether it says anything."""
        return self in {Outcome.BAD, Outcome.GOOD}

    @property
    def finished(self) -> bool:
        """Whether somebody gave the verdict."""
        return self not in {Outcome.UNFINISHED, Outcome.SKIPPED}


def outcome(verdict: Verdict | None, *, skipped: bool) -> Outcome:
    """Return what a verdict says of an answer (measures.md section 9); None: there is none."""
    if verdict is None:
        return Outcome.SKIPPED if skipped else Outcome.UNFINISHED
    if verdict is Verdict.NOT_ACTIONABLE:
        return Outcome.NOT_ACTIONABLE
    return Outcome.GOOD if verdict is Verdict.RIGHT else Outcome.BAD


class Sighting(Value):
    """A sampled answer with what came of it."""

    answer_id: str
    arm: Arm
    pi: float
    outcome: Outcome


class ShareEstimate(Value):
    """The estimated share of bad answers of the frame.

    `low` and `high` are the 95 % interval, None where it is undefined; `if_all_good` and
    `if_all_bad` are the share if every item that says nothing were good, or bad.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    bad: int = 0
    silent: int = 0
    if_all_good: float | None = None
    if_all_bad: float | None = None

    @property
    def silent_share(self) -> float | None:
        """The share of the drawn items that say nothing: non-response."""
        drawn = self.n + self.silent
        return self.silent / drawn if drawn else None


class Progress(Value):
    """How far a sample is; nothing here tells the control share from the rest."""

    size: int
    finished: int
    unfinished: int
    skipped: int
    not_actionable: int
    to_settle: int = 0

    @property
    def share(self) -> float:
        """The share that is finished."""
        return self.finished / self.size if self.size else 0.0

    @property
    def enough(self) -> bool:
        """Whether so much is finished that an estimate may be given."""
        return self.share >= FINISHED_ENOUGH - 1e-9


class SampleEstimate(Value):
    """What a sample says of its frame; both are None while too little is finished.

    `control` rests on the control share alone and is the headline; `combined` takes it as a
    stratum of its own beside the targeted items, each weighted by its probability.
    """

    sample: Sample
    progress: Progress
    control: ShareEstimate | None = None
    combined: ShareEstimate | None = None
