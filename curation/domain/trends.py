"""How judges and metrics went from week to week."""

from datetime import date, timedelta

from curation.domain.base import Value


class MetricWeek(Value):
    """One metric's scores of one week; `failed` counts those that are no number."""

    week: date  # its Monday
    metric: str
    judge: str | None = None
    prompt_version: str | None = None
    scored: int
    failed: int
    mean: float | None = None
    mean_shortfall: float | None = None


class FailureWeek(Value):
    """How many scores a judge failed to give in one week, by kind, out of how many."""

    week: date
    judge: str | None = None
    kinds: dict[str, int]
    scores: int

    @property
    def failed(self) -> int:
        """How many of the scores failed."""
        return sum(self.kinds.values())


class Trends(Value):
    """The weeks of each metric and of each judge's failures, oldest first."""

    metrics: tuple[MetricWeek, ...] = ()
    failures: tuple[FailureWeek, ...] = ()


def week_of(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())
