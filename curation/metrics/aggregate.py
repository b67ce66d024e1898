"""Means that say how many cases were scored and how many were left out."""

from collections.abc import Iterable, Sequence
from math import fsum

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
    numbers = [_number(listed[at]) for at in scored]
    heavy = [1.0 if weights is None else float(weights[at]) for at in scored]
    ends = [_ends(None if bounds is None else bounds[at], listed[at]) for at in scored]
    low = fsum(end[0] for end in ends) / len(scored)
    high = fsum(end[1] for end in ends) / len(scored)
    return Mean(
        value=fsum(numbers) / len(scored),
        n=len(scored),
        unscored=len(listed) - len(scored),
        weighted=fsum(w * v for w, v in zip(heavy, numbers, strict=True)) / fsum(heavy),
        low=low if high > low else None,
        high=high if high > low else None,
    )


def _number(value: float | None) -> float:
    return 0.0 if value is None else float(value)


def _ends(bound: tuple[float, float] | None, value: float | None) -> tuple[float, float]:
    return (_number(value), _number(value)) if bound is None else bound
