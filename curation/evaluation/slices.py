"""Means over the cases that share a slice, a type, an answerability or a category."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from curation.evaluation.report import CaseScore, Group
from curation.metrics.aggregate import Mean, macro_mean
from curation.metrics.latency import cost_per_query, nearest_rank
from curation.metrics.metric import Metric

__all__ = ["group_by", "metric_mean", "run_means"]


def run_means(scores: Sequence[CaseScore]) -> dict[Metric, Mean]:
    """Return the mean of every metric over the cases; pooled ones over the run."""
    means = {metric: metric_mean(metric, scores) for metric in Metric if not metric.pooled}
    return means | {Metric.LATENCY_P95: _latency(scores), Metric.COST: _cost(scores)}


def metric_mean(metric: Metric, scores: Sequence[CaseScore]) -> Mean:
    """Return the mean of one metric over the cases for which it is defined."""
    return macro_mean(
        [score.values.get(metric) for score in scores],
        weights=[score.weight for score in scores],
        bounds=[score.ends(metric) for score in scores] if metric.bounded else None,
    )


def group_by(
    scores: Iterable[CaseScore], names: Callable[[CaseScore], Iterable[str]]
) -> dict[str, Group]:
    """Return the means of each group of cases, by name; a case may belong to several."""
    members: dict[str, list[CaseScore]] = defaultdict(list)
    for score in scores:
        for name in names(score):
            members[name].append(score)
    return {
        name: Group(
            n=len(members[name]),
            metrics=run_means(members[name]),
            unsure=sum(bool(score.unsure) for score in members[name]),
        )
        for name in sorted(members)
    }


def _latency(scores: Sequence[CaseScore]) -> Mean:
    """Return the nearest-rank 95th percentile, repeats pooled; time-outs count at their value."""
    pooled = [latency for score in scores for latency in score.latency_ms]
    timed = sum(bool(score.latency_ms) for score in scores)
    return Mean(value=nearest_rank(pooled, 95), n=timed, unscored=len(scores) - timed)


def _cost(scores: Sequence[CaseScore]) -> Mean:
    """Return the cost per query; None when any case has none."""
    costs = [score.cost_usd for score in scores]
    known = sum(cost is not None for cost in costs)
    return Mean(value=cost_per_query(costs), n=known, unscored=len(scores) - known)
