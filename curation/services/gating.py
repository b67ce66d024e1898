"""Gate and compare: two reports, scored again from their raw outputs where those are kept."""

from dataclasses import dataclass
from typing import Any

from curation.domain.gate import GateResult, Profile
from curation.domain.policy import Policy
from curation.errors import CurationError
from curation.evaluation.compare import Comparison, compare
from curation.evaluation.evaluate import evaluate_run
from curation.evaluation.gate import gate
from curation.evaluation.items import ItemState, case_items, item_criteria
from curation.evaluation.report import Report
from curation.golden import read_version
from curation.metrics.hits import HitRule
from curation.services.evaluation import Evaluated
from curation.services.scoring import hit_rule_for, scoring_for
from curation.services.workspace import Workspace
from curation.services.yardstick import Source, Yardstick


@dataclass(frozen=True, kw_only=True)
class Sides:
    """A candidate and a baseline as they are compared; `rescored` says that both were just made."""

    candidate: Report
    baseline: Report | None
    rescored: bool
    policy: Policy


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A gate's decision with what it stands on."""

    result: GateResult
    sides: Sides
    comparison: Comparison | None
    items: tuple[ItemState, ...]


def judge(
    workspace: Workspace,
    source: Source,
    candidate: Evaluated,
    baseline: Evaluated | None,
    *,
    profile: Profile = Profile.PROMOTE,
    policy: Policy | None = None,
) -> Judged:
    """Return whether a candidate passes the gate of a profile, with every reason.

    Args:
        workspace: the store and its corpus.
        source: the golden set.
        candidate: the report under judgement.
        baseline: what it is measured against; None where there is none.
        profile: which question is asked.
        policy: another policy than the one of the candidate's version.
    """
    sides = _sides(workspace, source, candidate, baseline, policy)
    result = gate(sides.candidate, sides.baseline, sides.policy, profile, rescored=sides.rescored)
    return _judged(result, sides)


def _judged(result: GateResult, sides: Sides) -> Judged:
    criteria = item_criteria(sides.policy)
    before = sides.baseline
    comparison = None if before is None else compare(before, sides.candidate, criteria)
    return Judged(
        result=result,
        sides=sides,
        comparison=comparison,
        items=case_items(sides.candidate, sides.baseline, criteria),
    )


def compare_two(
    workspace: Workspace,
    source: Source,
    baseline: Evaluated,
    candidate: Evaluated,
) -> tuple[Comparison, Sides]:
    """Return two reports compared, scored again by one scorer where both raw outputs are kept."""
    sides = _sides(workspace, source, candidate, baseline, None)
    before = sides.baseline or baseline.report
    return compare(before, sides.candidate, item_criteria(sides.policy)), sides


def _sides(
    workspace: Workspace,
    source: Source,
    candidate: Evaluated,
    baseline: Evaluated | None,
    policy: Policy | None,
) -> Sides:
    mine = _yardstick(source, candidate.report)
    theirs = _yardstick(source, baseline.report) if baseline else None
    rules = policy or (mine.policy if mine else _policy_of(source))
    kept = Sides(
        candidate=candidate.report,
        baseline=baseline.report if baseline else None,
        rescored=False,
        policy=rules,
    )
    if baseline is None or mine is None or theirs is None:
        return kept
    if candidate.outputs is None or baseline.outputs is None:
        return kept
    return _rescored(workspace, mine, theirs, candidate, baseline, rules)


def _rescored(
    workspace: Workspace,
    mine: Yardstick,
    theirs: Yardstick,
    candidate: Evaluated,
    baseline: Evaluated,
    policy: Policy,
) -> Sides:
    """Return both sides scored again, by one hit rule and to one depth."""
    rules = {HitRule(each.report.pins.hit_rule) for each in (candidate, baseline)}
    wanted = HitRule.QUOTE if HitRule.QUOTE in rules else None
    rule = hit_rule_for(workspace, mine, wanted=wanted).rule
    runs = [each.outputs.run for each in (candidate, baseline) if each.outputs]
    # A report with failed cases counted them as wrong; so do both sides then.
    forgiving = any(each.report.failed for each in (candidate, baseline))
    how = scoring_for(workspace, mine, runs, rule=rule, failures_as_wrong=forgiving)
    new, old = (
        evaluate_run(yardstick.cases, yardstick.fitted(run), pins=yardstick.pins, scoring=how)
        for yardstick, run in zip((mine, theirs), runs, strict=True)
    )
    return Sides(candidate=new, baseline=old, rescored=True, policy=policy)


def _yardstick(source: Source, report: Report) -> Yardstick | None:
    """Return what a report was measured on; None where this source does not have it."""
    pins = report.pins
    if pins.version is None or report.aggregates_only:
        return None
    named = None if source.location is None else pins.version
    try:
        found = source.yardstick(named)
    except CurationError:
        return None
    same = (found.pins.version, found.pins.cases_tree) == (pins.version, pins.cases_tree)
    return found if same else None


def _policy_of(source: Source) -> Policy:
    """Return the policy of a source whose version is not known."""
    try:
        if source.location is not None:
            return read_version(source.location).policy
        return source.yardstick().policy
    except CurationError:
        return Policy()


def judged_document(judged: Judged) -> dict[str, Any]:
    """Return what `curation eval gate` adds to the gate's own document."""
    pins = judged.sides.candidate.pins
    before = judged.sides.baseline.pins if judged.sides.baseline else None
    return {
        "version": pins.version,
        "candidate": {"pipeline": pins.pipeline, "run_sha256": pins.run_sha256},
        "baseline": {"pipeline": before.pipeline, "run_sha256": before.run_sha256}
        if before
        else None,
        "rescored": judged.sides.rescored,
    }
