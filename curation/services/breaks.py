"""Where the pipeline breaks, which stage to fix, and what fixing it would buy at most."""

from collections.abc import Collection
from datetime import datetime

from curation.domain.breaks import BaselineLook, Breaks, Purchase, breaks_of, weeks_of
from curation.domain.case import Case
from curation.domain.review import FailureCategory
from curation.domain.verdict import Criterion, State
from curation.errors import CurationError
from curation.evaluation.items import item_criteria
from curation.evaluation.report import CaseScore, Report
from curation.golden import GoldenSet, read_version
from curation.services.baselines import current_baseline
from curation.services.workspace import Workspace
from curation.store.breaks import bad_without_category, confirmed_failures

__all__ = ["Breaks", "breaks"]

NO_BASELINE = "There is no current baseline, so nothing can be said of what a fix would buy."
NO_CASES = "The baseline's numbers by case are not kept here: run it again to see what a fix buys."


def breaks(workspace: Workspace, *, since: datetime | None = None) -> Breaks:
    """Return what people confirmed, and what the golden runs say of each category."""
    with workspace.store.reading() as session:
        found = confirmed_failures(session, since)
        unconfirmed = bad_without_category(session)
    return Breaks(
        breaks=breaks_of(found),
        weeks=weeks_of(found),
        confirmed=len(found),
        unconfirmed=unconfirmed,
        baseline=_baseline(workspace),
    )


def _baseline(workspace: Workspace) -> BaselineLook:
    """Return what each category's cases do on the baseline."""
    try:
        evaluated = current_baseline(workspace, workspace.golden)
        golden = read_version(workspace.golden)
        criteria = item_criteria(golden.policy)
    except CurationError as problem:
        return BaselineLook(missing=str(problem))
    if evaluated is None:
        return BaselineLook(missing=NO_BASELINE)
    report = evaluated.report
    if not report.cases or not any(score.criteria for score in report.cases):
        return BaselineLook(version=report.pins.version, missing=NO_CASES)
    return BaselineLook(
        version=report.pins.version,
        pipeline=report.pins.pipeline,
        n=len(report.cases),
        purchases=_purchases(report, golden, criteria),
    )


def _purchases(
    report: Report, golden: GoldenSet, criteria: Collection[Criterion]
) -> tuple[Purchase, ...]:
    """Return for each category what it would buy if all its cases passed, the most first."""
    by_category: dict[FailureCategory, list[bool]] = {}
    passing = 0
    for score in report.cases:
        passed = _passes(score, criteria)
        passing += passed
        category = _category(golden.cases.get(score.id))
        if category is not None:
            by_category.setdefault(category, []).append(passed)
    n = len(report.cases)
    made = [
        Purchase(
            category=category,
            cases=len(passes),
            failing=passes.count(False),
            pass_rate=passing / n,
            pass_rate_after=(passing + passes.count(False)) / n,
        )
        for category, passes in by_category.items()
    ]
    return tuple(sorted(made, key=lambda p: (-p.failing, p.category)))


def _passes(score: CaseScore, criteria: Collection[Criterion]) -> bool:
    """Return whether no criterion fails; what is unsure is not called a failure."""
    return all(score.criteria.get(criterion) is not State.FAIL for criterion in criteria)


def _category(case: Case | None) -> FailureCategory | None:
    """Return the failure that a case came from."""
    try:
        found = FailureCategory(case.provenance.failure or "") if case else None
    except ValueError:
        return None
    return None if found is FailureCategory.NONE else found
