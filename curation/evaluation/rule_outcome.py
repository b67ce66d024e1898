"""One rule of a gate judged on two reports: its outcome, and the sentence that says why."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from curation.domain.gate import PROTECTED_RULE, GateOutcome, GateReason
from curation.evaluation.compare import Delta, Pair, Pairing
from curation.evaluation.intervals import SLACK
from curation.evaluation.noninferiority import End, gain_draws, holm_held, noninferior
from curation.evaluation.report import Report
from curation.evaluation.rules import GateSettings, IfMissing, Mode, Rule, Weighting
from curation.evaluation.wording import bound_sentence, phrase_of, points
from curation.metrics.aggregate import Mean
from curation.metrics.metric import Metric

__all__ = ["Judging"]

_ONE_SIDED = 0.02
_MIN_LATENCIES = 20
_MISSING_LATENCIES = 0.05


@dataclass(frozen=True, eq=False)
class Judging:
    """Rules judged on a pairing."""

    pairing: Pairing
    settings: GateSettings
    rules: Sequence[Rule]
    has_baseline: bool = True
    _drawn: dict[tuple[object, ...], NDArray[np.float64] | None] = field(
        default_factory=dict, init=False, repr=False
    )

    def judge(self) -> tuple[list[GateReason], list[str]]:
        """Return what each rule says, in order, and the warnings of rules without a number."""
        reasons: list[GateReason] = []
        warnings: list[str] = []
        for rule in self.rules:
            if rule.protected:
                continue
            reason = self._judged(rule)
            if _is_missing(reason) and rule.missing is IfMissing.WARN:
                warnings.append(reason.message)
            else:
                reasons.append(reason)
        for name in dict.fromkeys(rule.slice for rule in self.rules if rule.protected):
            reasons += self._protected(str(name), warnings)
        return reasons, warnings

    def _protected(self, name: str, warnings: list[str]) -> Iterable[GateReason]:
        """Return what the rules of one protected slice say.

        A slice that is absent, or has nothing scored, in either report is undecided, never pass.
        A metric that neither side could score there is told as not guarded.
        """
        rules = [rule for rule in self.rules if rule.protected and rule.slice == name]
        reports = (self.pairing.candidate, self.pairing.baseline)
        if any(name not in report.slices for report in reports):
            return [_absent_slice(name)]
        both_empty = [
            rule.metric
            for rule in rules
            if all(_value(report.mean(rule.metric, name)) is None for report in reports)
        ]
        if len(both_empty) == len(rules):
            return [_absent_slice(name)]
        if both_empty and not self._aggregates:
            unguarded = ", ".join(metric.value for metric in both_empty)
            warnings.append(f"{name}: nothing to score for {unguarded}, so that it is not guarded.")
        return [self._judged(rule) for rule in rules if rule.metric not in both_empty]

    @property
    def _aggregates(self) -> bool:
        return self.pairing.baseline.aggregates_only or self.pairing.candidate.aggregates_only

    def _judged(self, rule: Rule) -> GateReason:
        if not rule.compares:
            return self._bounded(rule)
        if not self.has_baseline:
            return _missing(rule, "there is no baseline to compare with")
        if doubt := self._doubted_latency(rule):
            return _missing(rule, doubt)
        delta = self.pairing.delta(
            rule.metric, rule.slice, weighted=rule.weighting is Weighting.WEIGHTED
        )
        if delta.gain is None:
            return _missing(rule, _why_missing(rule, self.pairing))
        share = len(delta.one_sided) / max(1, (delta.n or 0) + len(delta.one_sided))
        if share > _ONE_SIDED:
            names = ", ".join(delta.one_sided)
            return _reason(
                rule,
                delta,
                GateOutcome.UNDECIDED,
                f"{len(delta.one_sided)} cases are scored on one side only: {names}",
            )
        return self._compared(rule, delta)

    def _compared(self, rule: Rule, delta: Delta) -> GateReason:
        """Return what a rule says of a delta; unsure facts are counted both ways."""
        by_margin = self.settings.mode is Mode.NONINFERIOR and not rule.metric.pooled
        if rule.max_drop is not None and by_margin:
            return self._noninferior(rule, delta)
        gain = delta.gain or 0.0
        low = gain if delta.gain_low is None else delta.gain_low
        high = gain if delta.gain_high is None else delta.gain_high
        ends = {_holds(rule, low), _holds(rule, high)}
        if len(ends) > 1:
            return self._open(rule, delta)
        outcome = GateOutcome.PASS if ends == {True} else GateOutcome.FAIL
        return _reason(rule, delta, outcome, "")

    def _open(self, rule: Rule, delta: Delta) -> GateReason:
        """Return that the two ends of what is unsure differ, with the facts to settle."""
        facts = _to_settle(self.pairing.of_slice(rule.slice), rule.metric)
        doubt = f"unsure facts decide it, settle {facts}"
        return _reason(rule, delta, GateOutcome.UNDECIDED, doubt)

    def _noninferior(self, rule: Rule, delta: Delta) -> GateReason:
        margin = self.settings.margin or 0.0
        found = {
            end: noninferior(
                self._gains(rule, end), margin, held=self._held.get(end, {}).get(rule.key)
            )
            for end in self._ends(rule)
        }
        if len(set(found.values())) > 1:
            return self._open(rule, delta)
        outcome = found[End.WORST]
        return _reason(rule, delta, outcome, f"non-inferior within {margin:g}: {outcome.value}")

    def _ends(self, rule: Rule) -> tuple[End, ...]:
        return tuple(End) if rule.metric.bounded else (End.WORST,)

    def _gains(self, rule: Rule, end: End) -> NDArray[np.float64] | None:
        """Return the draws of a rule at an end, drawn once; without unsure facts the ends agree."""
        end = end if rule.metric.bounded else End.WORST
        key = (rule.metric, rule.slice, rule.weighting, end)
        if key not in self._drawn:
            weighted = rule.weighting is Weighting.WEIGHTED
            self._drawn[key] = gain_draws(
                self.pairing, rule.metric, rule.slice, end, weighted=weighted
            )
        return self._drawn[key]

    @cached_property
    def _held(self) -> dict[End, dict[tuple[object, ...], bool]]:
        """What Holm's procedure says of the rules of all protected slices together, at each end."""
        rules = [rule for rule in self.rules if rule.protected]
        margin = self.settings.margin or 0.0
        return {
            end: holm_held({rule.key: self._gains(rule, end) for rule in rules}, margin)
            for end in End
        }

    def _doubted_latency(self, rule: Rule) -> str:
        """Return why one of the two sides has no latency to compare; empty where both have."""
        sides = {"baseline": self.pairing.baseline, "candidate": self.pairing.candidate}
        doubts = ((name, _latency_doubt(rule, report)) for name, report in sides.items())
        return next((f"of the {name} {doubt}" for name, doubt in doubts if doubt), "")

    def _bounded(self, rule: Rule) -> GateReason:
        """Return what a floor or a ceiling says of the candidate alone."""
        candidate = self.pairing.candidate
        mean = candidate.mean(rule.metric, rule.slice)
        value = _weighted_or_plain(rule, mean)
        if mean is None or value is None:
            return _missing(rule, _why_unscored(rule, mean))
        if doubt := _latency_doubt(rule, candidate):
            return _missing(rule, doubt)
        ends = {_within(rule, value if end is None else end) for end in (mean.low, mean.high)}
        baseline = _value(self.pairing.baseline.mean(rule.metric, rule.slice))
        outcome = GateOutcome.PASS if ends == {True} else GateOutcome.FAIL
        doubt = ""
        if len(ends) > 1:
            outcome = GateOutcome.UNDECIDED
            doubt = f"unsure facts decide it, settle {_unsure_of(candidate, rule.slice)}"
        return GateReason(
            rule=rule.name,
            outcome=outcome,
            metric=rule.metric.value,
            slice=rule.slice,
            baseline=baseline,
            candidate=value,
            delta=None if baseline is None else value - baseline,
            n=None if candidate.aggregates_only else mean.n,
            message=bound_sentence(rule, value, candidate.pins.k, doubt),
            phrase=phrase_of(rule, outcome),
        )


def _reason(rule: Rule, delta: Delta, outcome: GateOutcome, doubt: str) -> GateReason:
    noise = delta.uncertainty
    interval = None if noise is None or noise.interval is None else noise.interval
    return GateReason(
        rule=rule.name,
        outcome=outcome,
        metric=rule.metric.value,
        slice=rule.slice,
        baseline=delta.baseline,
        candidate=delta.candidate,
        delta=delta.delta,
        interval=None if interval is None else (interval.low, interval.high),
        n=delta.n,
        flipped=delta.lost + delta.gained,
        message=points(rule, delta, doubt),
        phrase=phrase_of(rule, outcome),
    )


def _is_missing(reason: GateReason) -> bool:
    return reason.outcome is GateOutcome.UNDECIDED and reason.candidate is None


def _missing(rule: Rule, why: str) -> GateReason:
    phrase = phrase_of(rule, GateOutcome.UNDECIDED)
    return GateReason(
        rule=rule.name,
        outcome=GateOutcome.UNDECIDED,
        metric=rule.metric.value,
        slice=rule.slice,
        message=f"{phrase[:1].upper()}{phrase[1:]}: {why}.",
        phrase=f"{phrase}: {why}",
    )


def _absent_slice(name: str) -> GateReason:
    phrase = f"nothing is scored in the protected slice {name!r}"
    return GateReason(
        rule=PROTECTED_RULE,
        outcome=GateOutcome.UNDECIDED,
        slice=name,
        message=f"{phrase[0].upper()}{phrase[1:]} on one side. Run its cases on both.",
        phrase=phrase,
    )


def _holds(rule: Rule, gain: float) -> bool:
    if rule.min_gain is not None:
        return gain >= rule.min_gain - SLACK
    return gain >= -(rule.max_drop or 0.0) - SLACK


def _within(rule: Rule, value: float) -> bool:
    if rule.floor is not None:
        return value >= rule.floor - SLACK
    return rule.ceiling is None or value <= rule.ceiling + SLACK


def _value(mean: Mean | None) -> float | None:
    return None if mean is None else mean.value


def _weighted_or_plain(rule: Rule, mean: Mean | None) -> float | None:
    if mean is None:
        return None
    return mean.weighted if rule.weighting is Weighting.WEIGHTED else mean.value


_GUARDED_BY = {
    Metric.FALSE_ANSWER_RATE: "no unanswerable case: the false-answer rate is not guarded",
    Metric.OVER_ABSTENTION_RATE: "no answerable case: the over-abstention rate is not guarded",
    Metric.FORBIDDEN_RATE: "no case has a forbidden fact: the forbidden rate is not guarded",
    Metric.REQUIRED_RECALL: "no case has a required fact: the required recall is not guarded",
}


def _why_missing(rule: Rule, pairing: Pairing) -> str:
    values = {
        name: _value(report.mean(rule.metric, rule.slice))
        for name, report in (("baseline", pairing.baseline), ("candidate", pairing.candidate))
    }
    empty = [name for name, value in values.items() if value is None]
    if pairing.baseline.aggregates_only or pairing.candidate.aggregates_only:
        return "it is not among the means of both sides"
    if len(empty) == 2:
        return _GUARDED_BY.get(rule.metric, "it is scored on neither side")
    if empty:
        return f"the {empty[0]} has no number for it"
    return "no case is scored on both sides"


def _why_unscored(rule: Rule, mean: Mean | None) -> str:
    if rule.metric.pooled and mean is not None and mean.unscored:
        return f"{mean.unscored} of {mean.n + mean.unscored} cases have none, which is not 0"
    return "the candidate has no number for it"


def _latency_doubt(rule: Rule, report: Report) -> str:
    """Return why a 95th percentile cannot be trusted; empty where it can, or none is asked for."""
    mean = report.mean(rule.metric, rule.slice)
    if rule.metric is not Metric.LATENCY_P95 or report.aggregates_only or mean is None:
        return ""
    timed = sum(
        len(score.latency_ms) for score in report.cases if rule.slice in {None, score.slice}
    )
    total = mean.n + mean.unscored
    if timed < _MIN_LATENCIES:
        return f"only {timed} latencies were measured, {_MIN_LATENCIES} are needed"
    if mean.unscored > _MISSING_LATENCIES * total:
        return f"{mean.unscored} of {total} cases have no measured latency"
    return ""


def _to_settle(pairs: Iterable[Pair], metric: Metric) -> str:
    """Return the unsure facts of the cases that leave the metric open."""
    open_facts = [
        f"{pair.id} {', '.join(dict.fromkeys(pair.baseline.unsure + pair.candidate.unsure))}"
        for pair in pairs
        if not (pair.same_output and pair.baseline.ends(metric) == pair.candidate.ends(metric))
        and (metric in pair.baseline.bounds or metric in pair.candidate.bounds)
    ]
    return "; ".join(open_facts)


def _unsure_of(report: Report, slice_name: str | None) -> str:
    return "; ".join(
        f"{score.id} {', '.join(score.unsure)}"
        for score in report.cases
        if score.unsure and slice_name in {None, score.slice}
    )
