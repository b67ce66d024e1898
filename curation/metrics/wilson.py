"""How sure a share is."""

from math import sqrt

from curation.domain.base import Value

Z = 1.959963984540054  # the two-sided 95 % point of the normal distribution
HALF = 0.5


class Rate(Value):
    """A share with its 95 % Wilson interval; all None where nothing was counted."""

    hits: int
    n: int
    value: float | None = None
    low: float | None = None
    high: float | None = None


def rate(hits: int, n: int) -> Rate:
    """Return hits / n with its Wilson score interval (Wilson 1927); undefined for n = 0."""
    if n == 0:
        return Rate(hits=0, n=0)
    share = hits / n
    middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = half_width(share, n)
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    high = 1.0 if hits == n else min(1.0, middle + half)
    return Rate(hits=hits, n=n, value=share, low=low, high=high)


def half_width(share: float, n: int) -> float:
    """Return half the width of the Wilson interval of a share of n."""
    return Z * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)


def needed(share: float | None, half: float) -> int:
    """Return how many are needed until the interval of such a share is that narrow.

    Args:
        share: the share as far as it is known; None stands for the widest interval, at one half.
        half: half the width that is wanted.
    """
    at = HALF if share is None else share
    n = 1
    while half_width(at, n) > half:
        n += 1
    return n
