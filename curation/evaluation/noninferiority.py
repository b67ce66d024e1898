"""The mode `noninferior`: the lower end of the interval decides against a margin."""

from collections.abc import Mapping
from enum import IntEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from curation.domain.gate import GateOutcome
from curation.evaluation.compare import Pairing, gain_ends
from curation.evaluation.intervals import SLACK, Resampling, holm, too_few
from curation.metrics.metric import Metric

__all__ = ["End", "gain_draws", "holm_held", "noninferior"]

_ALPHA = 0.025  # one-sided: the lower end of a 95 % interval
K = TypeVar("K")


class End(IntEnum):
    """Which end of what unsure facts leave open: counted against the candidate, or for it."""

    WORST = 0
    BEST = 1


def gain_draws(
    pairing: Pairing,
    metric: Metric,
    slice_name: str | None,
    end: End = End.WORST,
    *,
    weighted: bool = False,
) -> NDArray[np.float64] | None:
    """Return the mean gain of each bootstrap draw; None where n is too small for an interval.

    Where nothing changed the gain is 0 in every draw; without cases nothing is known of it.
    """
    pairs = [
        pair
        for pair in pairing.of_slice(slice_name)
        if metric in pair.baseline.values and metric in pair.candidate.values
    ]
    gains = [gain_ends(metric, pair)[end] for pair in pairs]
    changed = sum(abs(gain) > SLACK for gain in gains)
    if pairs and changed == 0:
        return np.zeros(1)
    clusters = [pair.candidate.cluster or pair.id for pair in pairs]
    if too_few(changed, clusters):
        return None
    draws = Resampling(clusters, [pair.candidate.slice for pair in pairs])
    weights = np.array([pair.candidate.weight if weighted else 1.0 for pair in pairs])
    means = draws.means(np.column_stack([weights * np.array(gains, float), weights]))
    drawn: NDArray[np.float64] = means[:, 0] / means[:, 1]
    return drawn


def noninferior(
    gains: NDArray[np.float64] | None, margin: float, *, held: bool | None = None
) -> GateOutcome:
    """Return whether a candidate is not worse by more than a margin.

    Pass where the lower end of the gain is at least -margin; undecided where the interval is
    wider than the margin both ways, or n is too small for one; else fail.

    Args:
        gains: The mean gain of each draw.
        margin: How much worse is not worse.
        held: What Holm's procedure said, for one of several protected slices.
    """
    if gains is None:
        return GateOutcome.UNDECIDED
    low, high = np.percentile(gains, [2.5, 97.5])
    if low >= -margin - SLACK:
        return GateOutcome.UNDECIDED if held is False else GateOutcome.PASS
    return GateOutcome.UNDECIDED if high > margin else GateOutcome.FAIL


def holm_held(gains: Mapping[K, NDArray[np.float64] | None], margin: float) -> dict[K, bool]:
    """Return for each of several hypotheses whether it holds together with the others."""
    known = {key: draws for key, draws in gains.items() if draws is not None}
    p_values = [_p_value(draws, margin) for draws in known.values()]
    return dict(zip(known, holm(p_values, _ALPHA), strict=True))


def _p_value(draws: NDArray[np.float64], margin: float) -> float:
    """Return the share of draws below -margin, with the one that was observed; 0 for no change."""
    if not draws.any():
        return 0.0
    return float((1 + np.sum(draws < -margin - SLACK)) / (len(draws) + 1))
