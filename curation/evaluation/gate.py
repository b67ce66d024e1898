"""The gate: rules over a candidate report and a baseline report (measures.md section 6).

Rules decide on point values of the same cases: the set is fixed, so a drop is a fact about these
cases. Intervals are printed beside a delta and label it; they never excuse a drop.
"""

from collections.abc import Iterable, Sequence

from curation.domain.gate import GateOutcome, GateReason, GateResult, Profile
from curation.domain.policy import Policy
from curation.evaluation.compare import Pairing, left_out, pair_reports
from curation.evaluation.pins import pin_differences, stale
from curation.evaluation.report import Report
from curation.evaluation.rule_outcome import Judging
from curation.evaluation.rules import gate_settings, rules_of

__all__ = ["gate"]

_MUCH_UNCHECKED = 0.05


def gate(
    report: Report,
    baseline: Report | None,
    policy: Policy,
    profile: Profile = Profile.PROMOTE,
    *,
    rescored: bool = False,
) -> GateResult:
    """Return whether the candidate passes, fails, or cannot be judged, with every reason.

    Args:
        report: The candidate's report.
        baseline: The baseline's report; without one, what compares is undecided.
        policy: What golden.toml says.
        profile: Which question is asked.
        rescored: Whether both reports were just made from raw outputs by this scorer.

    Raises:
        PolicyError: `[gate]` of the policy cannot be read.
    """
    rules, not_set = rules_of(policy, profile)
    in_the_way = tuple(_in_the_way(report, baseline, profile, rescored=rescored))
    if in_the_way:
        return GateResult(
            result=GateOutcome.UNDECIDED, profile=profile, reasons=in_the_way, not_set=not_set
        )
    pairing = pair_reports(baseline or _nothing(report), report)
    judging = Judging(pairing, gate_settings(policy), rules, has_baseline=baseline is not None)
    found, warnings = judging.judge()
    reasons = tuple(reason for reason in found if reason.outcome is not GateOutcome.PASS)
    return GateResult(
        result=_overall(reasons),
        profile=profile,
        reasons=reasons,
        warnings=(*warnings, *_warnings(pairing, has_baseline=baseline is not None)),
        not_set=not_set,
        passed=tuple(reason for reason in found if reason.outcome is GateOutcome.PASS),
    )


def _nothing(report: Report) -> Report:
    """Return a report without cases, for a gate without a baseline."""
    return Report(pins=report.pins, n=0, metrics={}, aggregates_only=report.aggregates_only)


def _overall(reasons: Sequence[GateReason]) -> GateOutcome:
    outcomes = {reason.outcome for reason in reasons}
    for outcome in (GateOutcome.FAIL, GateOutcome.UNDECIDED):
        if outcome in outcomes:
            return outcome
    return GateOutcome.PASS


def _undecided(rule: str, phrase: str, message: str) -> GateReason:
    return GateReason(rule=rule, outcome=GateOutcome.UNDECIDED, phrase=phrase, message=message)


def _in_the_way(
    report: Report, baseline: Report | None, profile: Profile, *, rescored: bool
) -> Iterable[GateReason]:
    """Yield why the two reports cannot be judged at all."""
    for side, name in ((report, "candidate"), (baseline, "baseline")):
        if side is None or side.aggregates_only:
            continue
        if side.n == 0:
            yield _undecided("no_cases", f"the {name} has no cases", f"The {name} scored 0 cases.")
        if profile is Profile.PROMOTE and side.pins.unpinned:
            yield _undecided(
                "unpinned",
                f"the {name} is of no version",
                f"The {name} was scored on a plain file ({side.pins.version}). "
                "Promoting needs a version: run it on a golden/vN.",
            )
    if baseline is None:
        return
    if stale(baseline.pins, report.pins):
        was, now = baseline.pins.version, report.pins.version
        phrase = f"baseline was measured on {was}, run it on {now}"
        yield _undecided("stale_baseline", phrase, f"The {phrase}.")
        return
    differing = pin_differences(baseline.pins, report.pins, rescored=rescored)
    if differing:
        names = ", ".join(differing)
        yield _undecided(
            "pins",
            f"{names} differ",
            f"The reports differ in {names} and cannot be scored again. Run both in the same way.",
        )


def _warnings(pairing: Pairing, *, has_baseline: bool) -> Iterable[str]:
    """Yield what a reader of the decision should know."""
    baseline, candidate = pairing.baseline, pairing.candidate
    if has_baseline:
        yield from left_out(pairing)
    risen = candidate.n_nothing_to_check - baseline.n_nothing_to_check
    if pairing.pairs and risen > _MUCH_UNCHECKED * len(pairing.pairs):
        yield (
            f"{risen} more answers than before hold nothing to check, so that faithfulness "
            f"counts them as 1 ({baseline.n_nothing_to_check} before, "
            f"{candidate.n_nothing_to_check} now, of {candidate.n})."
        )
    for what in ("concurrency", "repeats"):
        mine, theirs = getattr(baseline.pins, what), getattr(candidate.pins, what)
        if pairing.pairs and mine != theirs and None not in (mine, theirs):
            yield f"The {what} differs: {mine} for the baseline, {theirs} for the candidate."
    yield from (f"candidate: {warning}" for warning in candidate.warnings)
