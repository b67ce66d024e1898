"""Latency and cost of a run."""

from collections.abc import Sequence
from math import ceil, fsum

__all__ = ["cost_per_query", "nearest_rank"]


def nearest_rank(values: Sequence[float], percent: float) -> float | None:
    """Return the percentile by nearest rank; None without values.

    The smallest value such that at least `percent` of the values are at or below it: the value
    at rank ceil(percent / 100 * n) (Hyndman and Fan 1996, definition 1). No interpolation, so
    that it is always a latency that was measured.
    """
    if not values:
        return None
    ordered = sorted(values)
    rank = max(1, ceil(percent * len(ordered) / 100))
    return ordered[min(rank, len(ordered)) - 1]


def cost_per_query(costs: Sequence[float | None]) -> float | None:
    """Return the total cost, retries included, over the number of queries.

    None without queries, and when any query has no cost: a missing cost is not 0.
    """
    if not costs:
        return None
    known = [cost for cost in costs if cost is not None]
    return fsum(known) / len(costs) if len(known) == len(costs) else None
