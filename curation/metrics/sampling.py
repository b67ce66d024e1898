"""Drawing a sample: at random, and with probabilities that follow a size, both exact.

measures.md section 9: control share by simple random sampling, the rest of the sample by
randomised systematic sampling with probability proportional to size (Hartley and Rao 1962).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Draw", "draw", "inclusion_probabilities", "share_of", "systematic"]

LEAST_SIZE = 0.1
_SLACK = 1e-9
Numbers = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Draw:
    """Which places of the frame were drawn, and with which probability the targeted ones were."""

    control: Places
    targeted: Places
    pi: Numbers


def inclusion_probabilities(sizes: Numbers, m: int) -> Numbers:
    """Return pi = min(1, m s / sum s), iterated until the rest adds up to what is left of m.

    Args:
        sizes: positive sizes.
        m: how many are to be drawn; all where there are no more.
    """
    if m >= len(sizes):
        return np.ones(len(sizes))
    pi = np.zeros(len(sizes))
    sure = np.zeros(len(sizes), dtype=bool)
    while True:
        left = m - int(sure.sum())
        rest = np.where(sure, 0.0, sizes)
        pi = np.where(sure, 1.0, left * rest / rest.sum())
        over = (pi >= 1.0 - _SLACK) & ~sure
        if not over.any():
            return pi
        sure |= over


def systematic(pi: Numbers, random: np.random.Generator) -> Places:
    """Return the places that randomised systematic sampling takes, each with its probability.

    The order is random; then every point u, u + 1, u + 2, ... on the line of the probabilities
    laid end to end takes the place that it falls on.
    """
    order = random.permutation(len(pi))
    total = round(float(pi.sum()))
    ends = np.cumsum(pi[order])
    points = random.random() + np.arange(total)
    hit = np.searchsorted(ends, points, side="right")
    return np.sort(order[np.minimum(hit, len(pi) - 1)])


def share_of(share: float, n: int) -> int:
    """Return share x n rounded, a half up."""
    return min(n, int(np.floor(share * n + 0.5)))


def draw(impacts: Sequence[float], *, n: int, control: float, seed: int) -> Draw:
    """Return a sample of a frame; the same seed on the same frame draws the same.

    Args:
        impacts: the impact of every answer of the frame, in a fixed order.
        n: how many to draw, at most all.
        control: the share of them that is drawn by chance alone.
        seed: what the draw depends on besides.
    """
    size = min(n, len(impacts))
    random = np.random.default_rng(seed)
    chosen = np.sort(random.choice(len(impacts), share_of(control, size), replace=False))
    rest = np.setdiff1d(np.arange(len(impacts)), chosen)
    m = size - len(chosen)
    if m == 0:
        return Draw(control=chosen, targeted=rest[:0], pi=np.zeros(0))
    sizes = LEAST_SIZE + np.asarray(impacts, dtype=float)[rest]
    pi = inclusion_probabilities(sizes, m)
    taken = systematic(pi, random)
    return Draw(control=chosen, targeted=rest[taken], pi=pi[taken])
