"""How sure a share is."""

from math import exp, sqrt

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
    low, high = wilson_ends(hits / n, n)
    return Rate(hits=hits, n=n, value=hits / n, low=low, high=high)


def wilson_ends(share: float, n: float, z: float = Z) -> tuple[float, float]:
    """Return the ends of the Wilson interval of a share of n; at 0 and 1 the share is an end."""
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = half_width(share, n, z)
    return (
        0.0 if share == 0 else max(0.0, middle - half),
        1.0 if share == 1 else min(1.0, middle + half),
    )


def half_width(share: float, n: float, z: float = Z) -> float:
    """Return half the width of the Wilson interval of a share of n."""
    return z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)


def t_point(freedom: float) -> float:
    """Return the two-sided 95 % point of Student's t (Wallace 1959), within 5 % from 2 on."""
    scaled = Z * (8 * freedom + 3) / (8 * freedom + 1)
    return sqrt(freedom * (exp(scaled * scaled / freedom) - 1))


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
