"""Means that say how many cases were scored and how many were left out."""

from collections.abc import Iterable, Sequence
from math import fsum
from operator import mul

from curation.domain.base import Value

__all__ = ["Mean", "macro_mean"]


class Mean(Value):
    """A mean over the scored cases; None where none was scored.

    `weighted` counts each case by its weight. `low` and `high` are the mean with every unsure
    fact counted against and for the output, where that makes a difference.
    """

    value: float | None
    n: int
    unscored: int = 0
    weighted: float | None = None
    low: float | None = None
    high: float | None = None


def macro_mean(
    values: Iterable[float | None],
    *,
    weights: Sequence[float] | None = None,
    bounds: Sequence[tuple[float, float] | None] | None = None,
) -> Mean:
    """Return the mean of the values that are defined, each case counted once.

    Macro average: the sum of the case values over the number of scored cases. The weighted one
    is the sum of weight times value over the sum of the weights of the scored cases.

    Args:
        values: One value a case; None is left out and counted.
        weights: One weight a case; 1 each where left out.
        bounds: The low and high end of each value; None where the two are the value.
    """
    listed = list(values)
    scored = [at for at, value in enumerate(listed) if value is not None]
    if not scored:
        return Mean(value=None, n=0, unscored=len(listed))
    numbers = [float(value) for value in listed if value is not None]
    heavy = [1.0] * len(scored) if weights is None else [float(weights[at]) for at in scored]
    low, high = _ends(numbers, [bounds[at] for at in scored]) if bounds else (None, None)
    return Mean(
        value=fsum(numbers) / len(scored),
        n=len(scored),
        unscored=len(listed) - len(scored),
        weighted=fsum(map(mul, heavy, numbers)) / fsum(heavy),
        low=low,
        high=high,
    )


def _ends(
    numbers: Sequence[float], bounds: Sequence[tuple[float, float] | None]
) -> tuple[float, float] | tuple[None, None]:
    """Return the means of the low and of the high ends; None where they are the same."""
    ends = [bound or (value, value) for bound, value in zip(bounds, numbers, strict=True)]
    low = fsum(end[0] for end in ends) / len(ends)
    high = fsum(end[1] for end in ends) / len(ends)
    return (low, high) if high > low else (None, None)
