"""A judge against people: agreement, kappa, confusion, and how good "the judge says bad" is.

Undefined is None: with labels of one class only there is no kappa, without a bad answer no recall.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curation.domain.base import Value
from curation.domain.human_label import BAD, GOOD, LEVELS, MIDDLE
from curation.metrics.wilson import Rate, rate

DRAWS = 2_000
SEED = 20_070
WIDE = (2.5, 97.5)
MOST_UNDEFINED = 0.05  # of the draws, or the interval would be one of the lucky ones
Matrix = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """What people and the judge say of one item.

    Args:
        cluster: the answer; chunks of one answer are drawn together.
        human: what the people say, 0 to 2.
        judge: what the judge says, 0 to 2.
        probability: how probable the item's draw was; None where nothing was drawn.
        flagged: whether the judge says bad; None: it does where it says 0.
    """

    cluster: str
    human: int
    judge: int
    probability: float | None = None
    flagged: bool | None = None

    @property
    def says_bad(self) -> bool:
        """Whether the judge says bad."""
        return self.judge == BAD if self.flagged is None else self.flagged


class Kappa(Value):
    """Cohen's kappa with quadratic weights, and its 95 % bootstrap interval by answer."""

    value: float | None = None
    low: float | None = None
    high: float | None = None


class Detection(Value):
    """How good "the judge says bad" is at finding what people call bad."""

    precision: Rate
    recall: Rate


class Corrected(Value):
    """The figures of the drawn items, each weighed by 1 / its probability to be drawn."""

    n: int
    raw: float | None = None
    kappa: float | None = None
    precision: float | None = None
    recall: float | None = None


class Clear(Value):
    """The clear cases, those that people give 0 or 2: what the verdict on a judge rests on."""

    bad: int
    good: int
    agreed: Rate
    good_for_bad: Rate


class Agreement(Value):
    """Everything that is counted of a judge against people.

    `confusion` has a row for each human level and a column for each of the judge's.
    """

    n: int
    raw: Rate
    kappa: Kappa
    confusion: tuple[tuple[int, ...], ...]
    bad: Detection
    not_good: Detection
    clear: Clear
    corrected: Corrected | None = None


def agreement(pairs: Sequence[Pair], *, draws: int = DRAWS, seed: int = SEED) -> Agreement:
    """Return the figures of a judge against people."""
    matrix = confusion(pairs)
    return Agreement(
        n=len(pairs),
        raw=rate(int(np.trace(matrix)), len(pairs)),
        kappa=bootstrapped_kappa(pairs, draws=draws, seed=seed),
        confusion=tuple(tuple(int(count) for count in row) for row in matrix),
        bad=detection(pairs, worst_up_to=BAD),
        not_good=detection(pairs, worst_up_to=MIDDLE),
        clear=_clear(matrix),
        corrected=corrected(pairs),
    )


def confusion(pairs: Iterable[Pair], *, weighed: bool = False) -> Matrix:
    """Return how often each pair of levels was given; `weighed` by 1 / probability."""
    matrix = np.zeros((len(LEVELS), len(LEVELS)))
    for pair in pairs:
        matrix[pair.human, pair.judge] += _weight(pair) if weighed else 1.0
    return matrix


def quadratic_kappa(matrix: Matrix) -> float | None:
    """Return 1 - sum(w x observed) / sum(w x expected), w = (i - j) squared (Cohen 1968).

    None where people gave one class only, which leaves nothing to agree about, or nothing at all.
    """
    found = float(_kappas(matrix[None])[0])
    return None if np.isnan(found) else found


def _kappas(matrices: Matrix) -> Matrix:
    """Return the kappa of each matrix; NaN, which leaves this module never, for undefined."""
    levels = np.arange(matrices.shape[1])
    weights = (levels[:, None] - levels[None, :]) ** 2.0
    human, judge = matrices.sum(axis=2), matrices.sum(axis=1)
    total = matrices.sum(axis=(1, 2))
    observed = (matrices * weights).sum(axis=(1, 2)) * total
    expected = np.einsum("di,ij,dj->d", human, weights, judge)
    defined = ((human > 0).sum(axis=1) > 1) & (expected > 0)
    kappas = np.full(len(matrices), np.nan)
    kappas[defined] = 1 - observed[defined] / expected[defined]
    return kappas


def bootstrapped_kappa(pairs: Sequence[Pair], *, draws: int, seed: int) -> Kappa:
    """Return the kappa with its percentile interval over answers drawn with replacement.

    Bootstrap over clusters (Efron and Tibshirani 1993, chapter 13). No interval where the kappa is
    undefined in more than one draw of twenty.
    """
    value = quadratic_kappa(confusion(pairs))
    clusters: dict[str, Matrix] = {}
    for pair in pairs:
        own = clusters.setdefault(pair.cluster, np.zeros((len(LEVELS), len(LEVELS))))
        own[pair.human, pair.judge] += 1
    if value is None or len(clusters) < 2:
        return Kappa(value=value)
    stacked = np.stack(list(clusters.values())).reshape(len(clusters), -1)
    alike, times = np.unique(stacked, axis=0, return_counts=True)  # alike ones are exchangeable
    random = np.random.default_rng(seed)
    counts = random.multinomial(len(clusters), times / len(clusters), size=draws).astype(float)
    drawn = _kappas((counts @ alike).reshape(draws, len(LEVELS), len(LEVELS)))
    known = drawn[~np.isnan(drawn)]
    if len(known) < (1 - MOST_UNDEFINED) * draws:
        return Kappa(value=value)
    low, high = np.percentile(known, WIDE)
    return Kappa(value=value, low=float(low), high=float(high))


def detection(pairs: Sequence[Pair], *, worst_up_to: int) -> Detection:
    """Return precision and recall of "the judge says bad" for what people give at most a level.

    The judge says bad up to the same level, unless a pair says itself whether it does.
    """
    said = [pair for pair in pairs if _flagged(pair, worst_up_to)]
    bad = [pair for pair in pairs if pair.human <= worst_up_to]
    both = sum(pair.human <= worst_up_to for pair in said)
    return Detection(precision=rate(both, len(said)), recall=rate(both, len(bad)))


def _flagged(pair: Pair, worst_up_to: int) -> bool:
    return pair.judge <= worst_up_to if pair.flagged is None else pair.flagged


def corrected(pairs: Sequence[Pair]) -> Corrected | None:
    """Return the figures as they would be of everything that was drawn from.

    Horvitz and Thompson (1952) in the ratio form: each item weighs 1 / its probability to be
    drawn. None where nothing was drawn with a known probability.
    """
    drawn = [pair for pair in pairs if pair.probability]
    if not drawn:
        return None
    matrix = confusion(drawn, weighed=True)
    both = sum(_weight(pair) for pair in drawn if pair.says_bad and pair.human == BAD)
    said = sum(_weight(pair) for pair in drawn if pair.says_bad)
    bad = float(matrix[BAD].sum())
    return Corrected(
        n=len(drawn),
        raw=float(np.trace(matrix) / matrix.sum()),
        kappa=quadratic_kappa(matrix),
        precision=both / said if said else None,
        recall=both / bad if bad else None,
    )


def _weight(pair: Pair) -> float:
    return 1 / pair.probability if pair.probability else 1.0


def _clear(matrix: Matrix) -> Clear:
    """Return what is counted of the cases that people give 0 or 2."""
    bad, good = int(matrix[BAD].sum()), int(matrix[GOOD].sum())
    return Clear(
        bad=bad,
        good=good,
        agreed=rate(int(matrix[BAD, BAD] + matrix[GOOD, GOOD]), bad + good),
        good_for_bad=rate(int(matrix[BAD, GOOD]), bad),
    )
