"""Two reports side by side, on the cases that both scored and that are the same on both sides."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum

from pydantic import Field

from curation.domain.base import Value
from curation.domain.verdict import Criterion, State
from curation.evaluation.intervals import SLACK, Uncertainty, uncertainties
from curation.evaluation.pins import pin_differences
from curation.evaluation.report import CaseScore, Pins, Report
from curation.metrics.metric import Metric

__all__ = [
    "FLIP_CRITERIA",
    "Comparison",
    "Delta",
    "Flips",
    "Pair",
    "Pairing",
    "WorstSlice",
    "compare",
    "flips",
    "gain_ends",
    "left_out",
    "pair_reports",
    "worst_slices",
]

FLIP_CRITERIA = (Criterion.ANSWER, Criterion.ABSTENTION)
WORST_OF = (Metric.RECALL, Metric.FAITHFULNESS)


@dataclass(frozen=True, slots=True)
class Pair:
    """One case as both reports scored it."""

    baseline: CaseScore
    candidate: CaseScore

    @property
    def id(self) -> str:
        """The id of the case."""
        return self.candidate.id

    @property
    def same_output(self) -> bool:
        """Whether both runs gave the same answer, so that an unsure fact settles alike."""
        mine, theirs = self.baseline.output_sha256, self.candidate.output_sha256
        return bool(mine) and mine == theirs


class Delta(Value):
    """One metric on the cases that both sides scored; `delta` is candidate minus baseline.

    `gain_low` and `gain_high` are how much better the candidate is with every unsure fact
    counted against and for it.
    """

    metric: Metric
    slice: str | None = None
    weighted: bool = False
    baseline: float | None
    candidate: float | None
    delta: float | None
    n: int | None
    gain_low: float | None = None
    gain_high: float | None = None
    one_sided: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()
    uncertainty: Uncertainty | None = None

    @property
    def gain(self) -> float | None:
        """How much better the candidate is; negative when it is worse."""
        if self.baseline is None or self.candidate is None:
            return None
        return self.metric.gain(self.baseline, self.candidate)


class WorstSlice(Value):
    """The slice in which a metric fell most."""

    metric: Metric
    slice: str
    delta: float
    n: int


class Flips(Value):
    """Cases that went from good to bad and back; bad is a failed criterion."""

    good_to_bad: tuple[str, ...] = ()
    bad_to_good: tuple[str, ...] = ()
    still_bad: tuple[str, ...] = ()


class Comparison(Value):
    """What `curation eval compare` says."""

    baseline: Pins
    candidate: Pins
    n: int
    changed: tuple[str, ...] = ()
    only_baseline: tuple[str, ...] = ()
    only_candidate: tuple[str, ...] = ()
    deltas: tuple[Delta, ...] = ()
    slices: dict[str, tuple[Delta, ...]] = Field(default_factory=dict)
    worst: tuple[WorstSlice, ...] = ()
    flips: Flips = Flips()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Pairing:
    """The cases of two reports that can be compared, and those that cannot."""

    baseline: Report
    candidate: Report
    pairs: tuple[Pair, ...]
    changed: tuple[str, ...]
    only_baseline: tuple[str, ...]
    only_candidate: tuple[str, ...]

    @cached_property
    def slice_names(self) -> tuple[str, ...]:
        """The slices of the compared cases."""
        return tuple(sorted({pair.candidate.slice for pair in self.pairs}))

    def of_slice(self, name: str | None) -> tuple[Pair, ...]:
        """Return the pairs of one slice; all of them for None."""
        if name is None:
            return self.pairs
        return tuple(pair for pair in self.pairs if pair.candidate.slice == name)

    def deltas(
        self, metrics: Iterable[Metric], slice_name: str | None = None, *, weighted: bool = False
    ) -> dict[Metric, Delta]:
        """Return the deltas of metrics on one slice, with intervals."""
        pairs = self.of_slice(slice_name)
        wanted = tuple(metrics)
        plain = {
            metric: _delta(metric, slice_name, pairs, weighted=weighted)
            for metric in wanted
            if not self._only_means(metric)
        }
        found = _with_intervals(plain, pairs)
        for metric in wanted:
            if self._only_means(metric):
                found[metric] = self._of_means(metric, slice_name, weighted=weighted)
        return {metric: found[metric] for metric in wanted}

    def delta(
        self, metric: Metric, slice_name: str | None = None, *, weighted: bool = False
    ) -> Delta:
        """Return the delta of one metric on one slice."""
        return self.deltas((metric,), slice_name, weighted=weighted)[metric]

    def _only_means(self, metric: Metric) -> bool:
        """Whether a metric has no case numbers to pair."""
        return metric.pooled or self.baseline.aggregates_only or self.candidate.aggregates_only

    def _of_means(self, metric: Metric, slice_name: str | None, *, weighted: bool) -> Delta:
        """Return the delta of two means, or of a figure of the whole run."""
        sides = (self.baseline.mean(metric, slice_name), self.candidate.mean(metric, slice_name))
        old, new = (
            None if mean is None else (mean.weighted if weighted else mean.value) for mean in sides
        )
        return Delta(
            metric=metric,
            slice=slice_name,
            weighted=weighted,
            baseline=old,
            candidate=new,
            delta=None if old is None or new is None else new - old,
            n=(sides[1].n if sides[1] else None) if metric.pooled else None,
        )


def pair_reports(baseline: Report, candidate: Report) -> Pairing:
    """Return the cases of two reports whose scoring digest is equal, and those left out.

    A corrected note or a moved provenance changes no digest, so that it drops nothing.
    """
    old = {score.id: score for score in baseline.cases}
    new = {score.id: score for score in candidate.cases}
    both = sorted(old.keys() & new.keys())
    same = [case_id for case_id in both if old[case_id].digest == new[case_id].digest]
    return Pairing(
        baseline=baseline,
        candidate=candidate,
        pairs=tuple(Pair(old[case_id], new[case_id]) for case_id in same),
        changed=tuple(case_id for case_id in both if case_id not in set(same)),
        only_baseline=tuple(sorted(old.keys() - new.keys())),
        only_candidate=tuple(sorted(new.keys() - old.keys())),
    )


def _scored(metric: Metric, pairs: Iterable[Pair]) -> list[Pair]:
    return [
        pair for pair in pairs if metric in pair.baseline.values and metric in pair.candidate.values
    ]


def _delta(
    metric: Metric, slice_name: str | None, pairs: Sequence[Pair], *, weighted: bool
) -> Delta:
    scored = _scored(metric, pairs)
    one_sided = tuple(
        pair.id
        for pair in pairs
        if (metric in pair.baseline.values) != (metric in pair.candidate.values)
    )
    if not scored:
        return Delta(
            metric=metric,
            slice=slice_name,
            weighted=weighted,
            baseline=None,
            candidate=None,
            delta=None,
            n=0,
            one_sided=one_sided,
        )
    weights = [pair.candidate.weight if weighted else 1.0 for pair in scored]
    before = _mean([pair.baseline.values[metric] for pair in scored], weights)
    after = _mean([pair.candidate.values[metric] for pair in scored], weights)
    gains = [metric.gain(p.baseline.values[metric], p.candidate.values[metric]) for p in scored]
    ends = [gain_ends(metric, pair) for pair in scored]
    return Delta(
        metric=metric,
        slice=slice_name,
        weighted=weighted,
        baseline=before,
        candidate=after,
        delta=after - before,
        n=len(scored),
        gain_low=_mean([low for low, _ in ends], weights),
        gain_high=_mean([high for _, high in ends], weights),
        one_sided=one_sided,
        lost=tuple(p.id for p, gain in zip(scored, gains, strict=True) if gain < -SLACK),
        gained=tuple(p.id for p, gain in zip(scored, gains, strict=True) if gain > SLACK),
    )


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    return fsum(w * v for w, v in zip(weights, values, strict=True)) / fsum(weights)


def gain_ends(metric: Metric, pair: Pair) -> tuple[float, float]:
    """Return the smallest and largest gain that unsure facts leave open on one case.

    The same answer on both sides is settled alike, so that it leaves nothing open.
    """
    before, after = (_ends_of(score, metric) for score in (pair.baseline, pair.candidate))
    if pair.same_output and before == after:
        return 0.0, 0.0
    gains = [metric.gain(old, new) for old in before for new in after]
    return min(gains), max(gains)


def _ends_of(score: CaseScore, metric: Metric) -> tuple[float, float]:
    return score.bounds.get(metric, (score.values[metric], score.values[metric]))


def _with_intervals(deltas: dict[Metric, Delta], pairs: Sequence[Pair]) -> dict[Metric, Delta]:
    """Return the deltas with their intervals; metrics on the same cases share the draws."""
    by_cases: dict[tuple[str, ...], list[Metric]] = {}
    scored = {metric: _scored(metric, pairs) for metric in deltas}
    for metric, cases in scored.items():
        if cases and not deltas[metric].weighted:
            by_cases.setdefault(tuple(pair.id for pair in cases), []).append(metric)
    found = dict(deltas)
    for metrics in by_cases.values():
        cases = scored[metrics[0]]
        noise = uncertainties(
            {metric: [_difference(metric, pair) for pair in cases] for metric in metrics},
            [pair.candidate.cluster or pair.id for pair in cases],
            [pair.candidate.slice for pair in cases],
            binary=[metric for metric in metrics if _binary(metric, cases)],
        )
        for metric in metrics:
            found[metric] = found[metric].model_copy(update={"uncertainty": noise[metric]})
    return found


def _difference(metric: Metric, pair: Pair) -> float:
    return pair.candidate.values[metric] - pair.baseline.values[metric]


def _binary(metric: Metric, pairs: Iterable[Pair]) -> bool:
    return all(
        score.values[metric] in {0.0, 1.0}
        for pair in pairs
        for score in (pair.baseline, pair.candidate)
    )


def flips(pairs: Iterable[Pair], criteria: Collection[Criterion] = FLIP_CRITERIA) -> Flips:
    """Return the cases that went from good to bad, from bad to good, and stayed bad."""
    found: dict[tuple[bool, bool], list[str]] = {}
    for pair in pairs:
        key = (_bad(pair.baseline, criteria), _bad(pair.candidate, criteria))
        found.setdefault(key, []).append(pair.id)
    return Flips(
        good_to_bad=tuple(found.get((False, True), ())),
        bad_to_good=tuple(found.get((True, False), ())),
        still_bad=tuple(found.get((True, True), ())),
    )


def _bad(score: CaseScore, criteria: Collection[Criterion]) -> bool:
    return any(score.criteria.get(criterion) is State.FAIL for criterion in criteria)


def compare(
    baseline: Report, candidate: Report, criteria: Collection[Criterion] = FLIP_CRITERIA
) -> Comparison:
    """Return two reports compared: each metric overall and by slice, with intervals."""
    pairing = pair_reports(baseline, candidate)
    slices = {name: pairing.deltas(Metric, name) for name in pairing.slice_names}
    return Comparison(
        baseline=baseline.pins,
        candidate=candidate.pins,
        n=len(pairing.pairs),
        changed=pairing.changed,
        only_baseline=pairing.only_baseline,
        only_candidate=pairing.only_candidate,
        deltas=tuple(pairing.deltas(Metric).values()),
        slices={name: tuple(found.values()) for name, found in slices.items()},
        worst=worst_slices(delta for found in slices.values() for delta in found.values()),
        flips=flips(pairing.pairs, criteria),
        warnings=tuple(left_out(pairing)),
    )


def worst_slices(deltas: Iterable[Delta]) -> tuple[WorstSlice, ...]:
    """Return the slice with the most negative delta of recall, and that of faithfulness."""
    known = [
        WorstSlice(metric=d.metric, slice=d.slice, delta=d.delta, n=d.n)
        for d in deltas
        if d.metric in WORST_OF and d.slice is not None and d.delta is not None and d.n
    ]
    found = []
    for metric in WORST_OF:
        own = [worst for worst in known if worst.metric is metric]
        if own:
            found.append(min(own, key=lambda worst: (worst.delta, worst.slice)))
    return tuple(found)


def left_out(pairing: Pairing) -> Iterable[str]:
    """Yield a sentence for each kind of case that was left out, and for another way of scoring."""
    reasons = (
        (pairing.changed, "differ between the versions"),
        (pairing.only_baseline, "are only in the baseline"),
        (pairing.only_candidate, "are only in the candidate"),
    )
    for names, reason in reasons:
        if names:
            yield f"{len(names)} cases {reason} and were left out: {', '.join(names)}."
    differing = pin_differences(pairing.baseline.pins, pairing.candidate.pins, rescored=True)
    if differing:
        yield f"The reports were not scored in the same way: {', '.join(differing)} differ."
