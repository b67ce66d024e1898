"""How sure a difference is: it is printed beside a delta and never decides for it."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from curation.domain.base import Value

__all__ = [
    "DRAWS",
    "MIN_CASES",
    "MIN_CHANGES",
    "SEED",
    "Interval",
    "Resampling",
    "Uncertainty",
    "exact_mcnemar",
    "holm",
    "too_few",
    "uncertainties",
]

DRAWS = 10_000
SEED = 20_070
MIN_CASES = 20
MIN_CHANGES = 5
SLACK = 1e-9
_BLOCK = 2_000_000  # counts held at once

K = TypeVar("K", bound=Hashable)


class Interval(Value):
    """A 95 % percentile interval of a mean difference."""

    low: float
    high: float

    @property
    def beyond_noise(self) -> bool:
        """Whether 0 is outside."""
        return self.low > SLACK or self.high < -SLACK


class Uncertainty(Value):
    """What is known of the noise of one delta; the interval is None where n is too small."""

    n: int
    interval: Interval | None = None
    gained: int = 0
    lost: int = 0
    mcnemar_p: float | None = None
    note: str | None = None


@dataclass(frozen=True, eq=False)
class Resampling:
    """Cases drawn with replacement, whole clusters at a time, within each stratum.

    Args:
        clusters: A key a case; cases of one question or conversation share it.
        strata: A key a case (its slice); a cluster belongs to the stratum of its first case.
    """

    clusters: Sequence[str]
    strata: Sequence[str]
    draws: int = DRAWS
    seed: int = SEED

    @cached_property
    def _members(self) -> NDArray[np.intp]:
        """The number of each case's cluster, in order of first appearance."""
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(key, len(numbers)) for key in self.clusters])

    @cached_property
    def _stratum_clusters(self) -> list[NDArray[np.intp]]:
        """The clusters of each stratum, strata by name.

        A stratum of one cluster would be drawn whole every time, as if nothing of it could vary:
        those are drawn as one, with the smallest other where there is only one of them (collapsed
        strata; Wolter 2007, section 2.5).
        """
        of_cluster: dict[int, str] = {}
        for cluster, stratum in zip(self._members.tolist(), self.strata, strict=True):
            of_cluster.setdefault(cluster, stratum)
        strata = [
            [cluster for cluster, own in of_cluster.items() if own == name]
            for name in sorted(set(of_cluster.values()))
        ]
        lone = [own[0] for own in strata if len(own) == 1]
        kept = [own for own in strata if len(own) > 1]
        if len(lone) == 1 and kept:
            smallest = min(kept, key=len)
            kept.remove(smallest)
            lone += smallest
        return [np.array(own) for own in (*kept, lone) if own]

    def means(self, deltas: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean differences of each draw: a row a draw, a column a metric.

        Paired bootstrap over clusters (Efron and Tibshirani 1993, chapters 6 and 13; Koehn 2004
        for paired systems): sum of the drawn differences / number of the drawn cases.

        Args:
            deltas: A row a case, a column a metric.
        """
        count = int(self._members.max()) + 1
        sums = np.zeros((count, deltas.shape[1] + 1))
        np.add.at(sums[:, :-1], self._members, deltas)
        np.add.at(sums[:, -1], self._members, 1.0)
        totals = np.zeros((self.draws, sums.shape[1]))
        random = np.random.default_rng(self.seed)
        for own in self._stratum_clusters:
            step = max(1, _BLOCK // len(own))
            for start in range(0, self.draws, step):
                rows = min(step, self.draws - start)
                totals[start : start + rows] += _counts(random, rows, len(own)) @ sums[own]
        means: NDArray[np.float64] = totals[:, :-1] / totals[:, -1:]
        return means


def _counts(random: np.random.Generator, rows: int, size: int) -> NDArray[np.float64]:
    """Return how often each of `size` clusters is drawn in each of `rows` draws of `size`."""
    picked = random.integers(0, size, size=(rows, size))
    picked += np.arange(rows)[:, None] * size
    counts = np.bincount(picked.ravel(), minlength=rows * size)
    return counts.reshape(rows, size).astype(float)


def uncertainties(
    deltas: Mapping[K, Sequence[float]],
    clusters: Sequence[str],
    strata: Sequence[str],
    *,
    binary: Collection[K] = (),
    draws: int = DRAWS,
    seed: int = SEED,
) -> dict[K, Uncertainty]:
    """Return for each metric the interval of its mean difference, or counts where n is too small.

    Under 20 cases or under 5 cases that changed there is no bootstrap, nor of a single cluster.

    Args:
        deltas: Candidate minus baseline by metric, one a case, all on the same cases.
        clusters: A key a case; cases that share it are drawn together.
        strata: A key a case; the draws keep the number of clusters of each.
        binary: The metrics that are 0 or 1 on every case and both sides: McNemar's exact test.
        draws: How many draws.
        seed: The seed of the draws.
    """
    found = {key: _counted(v, clusters, binary=key in binary) for key, v in deltas.items()}
    wide = [key for key, counted in found.items() if counted.note is None]
    if wide:
        matrix = np.array([deltas[key] for key in wide], float).T
        means = Resampling(clusters, strata, draws, seed).means(matrix)
        ends = np.percentile(means, [2.5, 97.5], axis=0)
        for at, key in enumerate(wide):
            interval = Interval(low=float(ends[0, at]), high=float(ends[1, at]))
            found[key] = found[key].model_copy(update={"interval": interval})
    return found


def too_few(changed: int, clusters: Sequence[str]) -> bool:
    """Return whether there is no bootstrap: few cases, few of them changed, or one cluster.

    Args:
        changed: How many cases changed.
        clusters: A key a case.
    """
    return len(clusters) < MIN_CASES or changed < MIN_CHANGES or len(set(clusters)) == 1


def _counted(deltas: Sequence[float], clusters: Sequence[str], *, binary: bool) -> Uncertainty:
    """Return the counts of a metric, with a note where n is too small for an interval."""
    gained = sum(delta > SLACK for delta in deltas)
    lost = sum(delta < -SLACK for delta in deltas)
    small = too_few(gained + lost, clusters)
    return Uncertainty(
        n=len(deltas),
        gained=gained,
        lost=lost,
        mcnemar_p=exact_mcnemar(gained, lost) if binary else None,
        note="n too small for an interval" if small else None,
    )


def exact_mcnemar(gained: int, lost: int) -> float:
    """Return the two-sided exact p that gains and losses are equally likely.

    McNemar's test in its exact form: of the gained + lost cases that changed, the smaller count
    under a binomial with p = 1/2, doubled and at most 1; 1 when nothing changed.
    """
    changed = gained + lost
    tail = sum(comb(changed, k) for k in range(min(gained, lost) + 1))
    return float(min(1.0, 2 * tail / 2**changed))


def holm(p_values: Sequence[float], alpha: float) -> tuple[bool, ...]:
    """Return which hypotheses Holm's step-down procedure rejects (Holm 1979)."""
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    rejected = [False] * len(p_values)
    for step, at in enumerate(order):
        if p_values[at] > alpha / (len(p_values) - step):
            break
        rejected[at] = True
    return tuple(rejected)
