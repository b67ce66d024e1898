"""Each metric and each judge's failures by week."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, datetime

from curation.domain.trends import FailureWeek, MetricWeek, Trends, week_of
from curation.services.workspace import Workspace
from curation.store.trends import FailureDay, ScoreDay, failure_days, score_days

__all__ = ["FailureWeek", "MetricWeek", "Trends", "trends"]

_MetricKey = tuple[date, str, str | None, str | None]


def trends(workspace: Workspace, *, since: datetime | None = None) -> Trends:
    """Return the means of each metric by the week in which the answers were asked.

    Failures of judges stand by the week in which the judge was asked.
    """
    with workspace.store.reading() as session:
        scores = score_days(session, since)
        failures = failure_days(session, since)
    return Trends(metrics=_metric_weeks(scores), failures=_failure_weeks(failures))


def _metric_weeks(days: Iterable[ScoreDay]) -> tuple[MetricWeek, ...]:
    """Return the days put together by week."""
    weeks: defaultdict[_MetricKey, list[ScoreDay]] = defaultdict(list)
    for day in days:
        weeks[week_of(day.day), day.metric, day.judge, day.prompt_version].append(day)
    return tuple(_metric_week(*key, days=weeks[key]) for key in sorted(weeks, key=_in_order))


def _metric_week(
    week: date, metric: str, judge: str | None, prompt: str | None, *, days: Sequence[ScoreDay]
) -> MetricWeek:
    scored = sum(day.scored for day in days)
    scaled = sum(day.scaled for day in days)
    return MetricWeek(
        week=week,
        metric=metric,
        judge=judge,
        prompt_version=prompt,
        scored=scored,
        failed=sum(day.failed for day in days),
        mean=sum(day.total for day in days) / scored if scored else None,
        mean_shortfall=sum(day.short for day in days) / scaled if scaled else None,
    )


def _in_order(key: tuple[date, str | None, str | None, str | None]) -> tuple[date, str, str, str]:
    week, *names = key
    first, second, third = (name or "" for name in names)
    return (week, first, second, third)


def _failure_weeks(days: Iterable[FailureDay]) -> tuple[FailureWeek, ...]:
    """Return how many scores of each judge and week failed, by kind."""
    kinds: defaultdict[tuple[date, str | None], Counter[str]] = defaultdict(Counter)
    scores: Counter[tuple[date, str | None]] = Counter()
    for day in days:
        key = (week_of(day.day), day.judge)
        scores[key] += day.number
        if day.kind is not None:
            kinds[key][day.kind] += day.number
    return tuple(
        FailureWeek(week=key[0], judge=key[1], kinds=dict(kinds[key]), scores=scores[key])
        for key in sorted(scores, key=lambda key: (key[0], key[1] or ""))
    )
