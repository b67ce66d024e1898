"""A report, or two, as rows of text: what every rendering shows."""

from collections.abc import Iterable
from dataclasses import dataclass

from curation.evaluation.compare import Comparison, Delta
from curation.evaluation.report import Report
from curation.evaluation.wording import signed
from curation.metrics.metric import Metric, display_name

__all__ = ["NONE", "Row", "comparison_rows", "figure", "report_rows", "slice_rows"]

NONE = "\u2013"  # a number that is not there: never 0, blank or "None"
_WHOLE = frozenset({Metric.LATENCY_P95})
_FINE = frozenset({Metric.COST})  # a query costs far less than a thousandth


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One metric: its name, both values, the difference, how many cases, the interval."""

    name: str
    baseline: str = NONE
    value: str = NONE
    delta: str = NONE
    n: str = NONE
    interval: str = NONE
    worse: bool = False


def figure(metric: Metric, value: float | None) -> str:
    """Return a value as it is shown."""
    if value is None:
        return NONE
    return f"{value:.{_decimals(metric)}f}"


def _decimals(metric: Metric) -> int:
    """Return how many decimals a metric is shown with."""
    if metric in _WHOLE:
        return 0
    return 6 if metric in _FINE else 3


def report_rows(report: Report) -> list[Row]:
    """Return a row for each metric that is scored, with scored and unscored cases."""
    return [
        Row(
            name=display_name(metric, report.pins.k),
            value=figure(metric, mean.value) + _ends(mean.low, mean.high),
            n=f"{mean.n} of {mean.n + mean.unscored}" if mean.n else NONE,
        )
        for metric, mean in report.metrics.items()
        if mean.value is not None or metric.headline
    ]


def _ends(low: float | None, high: float | None) -> str:
    """Return the ends that unsure facts leave open."""
    return "" if low is None or high is None else f" [{low:.3f}, {high:.3f}]"


def comparison_rows(comparison: Comparison) -> list[Row]:
    """Return a row for each metric that either side scored."""
    return [_delta_row(delta, comparison.candidate.k) for delta in _told(comparison.deltas)]


def slice_rows(comparison: Comparison) -> dict[str, list[Row]]:
    """Return the rows of each slice."""
    return {
        name: [_delta_row(delta, comparison.candidate.k) for delta in _told(deltas)]
        for name, deltas in comparison.slices.items()
    }


def _told(deltas: Iterable[Delta]) -> Iterable[Delta]:
    return (d for d in deltas if d.baseline is not None or d.candidate is not None)


def _delta_row(delta: Delta, k: int) -> Row:
    noise = None if delta.uncertainty is None else delta.uncertainty
    interval = NONE
    if noise is not None and noise.interval is not None:
        interval = f"[{signed(noise.interval.low)}, {signed(noise.interval.high)}]"
    elif noise is not None and noise.note and (noise.gained or noise.lost):
        interval = f"{noise.gained} gained, {noise.lost} lost; {noise.note}"
    return Row(
        name=display_name(delta.metric, k),
        baseline=figure(delta.metric, delta.baseline),
        value=figure(delta.metric, delta.candidate),
        delta=NONE if delta.delta is None else _difference(delta.metric, delta.delta),
        n=NONE if delta.n is None else str(delta.n),
        interval=interval,
        worse=delta.gain is not None and delta.gain < 0,
    )


def _difference(metric: Metric, value: float) -> str:
    return f"{value:+.{_decimals(metric)}f}".replace("-", "\u2212")
