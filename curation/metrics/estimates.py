"""What a sample says of all answers of its frame (measures.md section 9)."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from curation.domain.sample import Arm, Outcome, ShareEstimate, Sighting
from curation.metrics.wilson import rate, t_point, wilson_ends

__all__ = ["combined_share", "control_share"]

DRAWS = 2_000
SURE = 1.0 - 1e-9
Numbers = NDArray[np.float64]
Share = Callable[[Sequence[float]], float]


def control_share(items: Sequence[Sighting]) -> ShareEstimate:
    """Return the share of bad answers in the control share alone, with a Wilson interval."""
    drawn = [item for item in items if item.arm is Arm.CONTROL]
    said = [item for item in drawn if item.outcome.answered]
    counted = rate(_bad(said), len(said))
    low, high = _bounds(drawn, lambda values: sum(values) / len(values))
    return ShareEstimate(
        value=counted.value,
        low=counted.low,
        high=counted.high,
        n=len(said),
        bad=_bad(said),
        silent=len(drawn) - len(said),
        if_all_good=low,
        if_all_bad=high,
    )


def combined_share(items: Sequence[Sighting], *, frame: int, seed: int) -> ShareEstimate:
    """Return the share of bad answers from both arms: the control share counts as it is.

    The control share is a stratum that was taken whole; for the rest of the frame stands the
    ratio sum(y / pi) / sum(1 / pi) over the targeted items (Hajek 1971). The interval has the
    form of Wilson's, for as many answers drawn at random as would leave the standard error of a
    bootstrap (Dean and Pagano 2015). It draws the targeted items that chance chose, m - 1 of m at
    a time (McCarthy and Snowden 1985); None where they are all alike, which would make it too
    narrow. As many degrees of freedom as the unequal weights leave (Kish 1965), less one.

    Args:
        items: the drawn items.
        frame: how many answers the sample was drawn from.
        seed: the seed of the bootstrap.
    """
    said = [item for item in items if item.outcome.answered]
    value = _share(said, _values(said), items, frame)
    ends = _interval(value, said, items, frame=frame, seed=seed) if value is not None else None
    low, high = _bounds(items, lambda values: _share(items, values, items, frame) or 0.0)
    defined = _share(items, [0.0] * len(items), items, frame) is not None
    return ShareEstimate(
        value=value,
        low=ends[0] if ends else None,
        high=ends[1] if ends else None,
        n=len(said),
        bad=_bad(said),
        silent=len(items) - len(said),
        if_all_good=low if defined else None,
        if_all_bad=high if defined else None,
    )


def _bad(items: Sequence[Sighting]) -> int:
    return sum(item.outcome is Outcome.BAD for item in items)


def _values(items: Sequence[Sighting]) -> list[float]:
    return [1.0 if item.outcome is Outcome.BAD else 0.0 for item in items]


def _bounds(drawn: Sequence[Sighting], share: Share) -> tuple[float | None, float | None]:
    """Return the share with every silent item good, and with every one bad."""
    if not drawn:
        return None, None
    bad = [0.0 if item.outcome is Outcome.GOOD else 1.0 for item in drawn]
    return share(_values(drawn)), share(bad)


def _share(
    said: Sequence[Sighting], values: Sequence[float], items: Sequence[Sighting], frame: int
) -> float | None:
    """Return the share over the frame; None where a part of the frame has no item that speaks."""
    whole = sum(item.arm is Arm.CONTROL for item in items)
    pairs = list(zip(said, values, strict=True))
    control = [value for item, value in pairs if item.arm is Arm.CONTROL]
    targeted = [(value, 1 / item.pi) for item, value in pairs if item.arm is Arm.TARGETED]
    total = 0.0
    if whole:
        if not control:
            return None
        total += whole * sum(control) / len(control)
    if frame > whole:
        if not targeted:
            return None
        weight = sum(weight for _, weight in targeted)
        total += (frame - whole) * sum(v * w for v, w in targeted) / weight
    return total / frame if frame else None


def _interval(
    value: float,
    said: Sequence[Sighting],
    items: Sequence[Sighting],
    *,
    frame: int,
    seed: int,
) -> tuple[float, float] | None:
    """Return the ends of the interval of a share; None where chance left nothing to vary."""
    chance = [item for item in said if item.arm is Arm.TARGETED and item.pi < SURE]
    if len({item.outcome for item in chance}) < 2:
        return None
    error = float(_redrawn(chance, said, items, frame=frame, seed=seed).std())
    weights = np.array([1 / item.pi for item in chance])
    effective = float(weights.sum() ** 2 / (weights**2).sum())
    z = t_point(max(effective - 1, 1.0))
    return wilson_ends(value, value * (1 - value) / error**2, z)


def _redrawn(
    chance: Sequence[Sighting],
    said: Sequence[Sighting],
    items: Sequence[Sighting],
    *,
    frame: int,
    seed: int,
) -> Numbers:
    """Return the share of each redrawing of the targeted items that chance chose."""
    whole = [item for item in said if item.arm is Arm.CONTROL]
    size = sum(item.arm is Arm.CONTROL for item in items)
    sure = [item for item in said if item.arm is Arm.TARGETED and item.pi >= SURE]
    weights = np.array([1 / item.pi for item in chance])
    random = np.random.default_rng(seed)
    m = len(chance)
    counts = random.multinomial(m - 1, np.full(m, 1 / m), size=DRAWS) * (m / (m - 1))
    bad = sum(_values(sure)) + counts @ (weights * np.array(_values(chance)))
    ratio: Numbers = bad / (len(sure) + counts @ weights)
    control = size * sum(_values(whole)) / len(whole) if whole else 0.0
    return (control + (frame - size) * ratio) / frame
