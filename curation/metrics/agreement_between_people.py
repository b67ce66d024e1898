"""Krippendorff's alpha: whether the people agree with each other, whatever the judge says."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ratings: TypeAlias = Sequence[Sequence[float | None]]
_Counts: TypeAlias = NDArray[np.float64]


class Measure(StrEnum):
    """What the numbers are: names, an order, or distances."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


def alpha(ratings: Ratings, measure: Measure) -> float | None:
    """Return 1 - observed / expected disagreement (Krippendorff, Content Analysis, 2004, ch. 11).

    None where fewer than two people rated anything in common, or all gave the same value.

    Args:
        ratings: a row a unit, a column a rater; None where a rater did not rate the unit.
        measure: what the numbers are.
    """
    units = [[value for value in row if value is not None] for row in ratings]
    paired = [row for row in units if len(row) > 1]
    values = sorted({value for row in paired for value in row})
    if len(values) < 2:
        return None
    pairs = _coincidences(paired, values)
    totals = pairs.sum(axis=1)
    distance = _DISTANCES[measure](np.array(values), totals)
    observed = float((pairs * distance).sum())
    expected = float((np.outer(totals, totals) * distance).sum() / (totals.sum() - 1))
    return 1 - observed / expected


def _coincidences(units: Sequence[Sequence[float]], values: Sequence[float]) -> _Counts:
    """Return how often each two values stand in one unit, a unit of m ratings weighing m."""
    place = {value: at for at, value in enumerate(values)}
    pairs = np.zeros((len(values), len(values)))
    for row in units:
        counts = np.bincount([place[value] for value in row], minlength=len(values)).astype(float)
        pairs += (np.outer(counts, counts) - np.diag(counts)) / (len(row) - 1)
    return pairs


def _nominal(values: _Counts, totals: _Counts) -> _Counts:
    del totals
    apart: _Counts = (values[:, None] != values[None, :]).astype(float)
    return apart


def _interval(values: _Counts, totals: _Counts) -> _Counts:
    del totals
    apart: _Counts = (values[:, None] - values[None, :]) ** 2
    return apart


def _ordinal(values: _Counts, totals: _Counts) -> _Counts:
    """Return the squared number of ratings between two values, the ends counted half."""
    del values
    middles = np.cumsum(totals) - totals / 2
    apart: _Counts = (middles[:, None] - middles[None, :]) ** 2
    return apart


_DISTANCES: dict[Measure, Callable[[_Counts, _Counts], _Counts]] = {
    Measure.NOMINAL: _nominal,
    Measure.ORDINAL: _ordinal,
    Measure.INTERVAL: _interval,
}
