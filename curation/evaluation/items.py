"""Each case as a test: red when it went from good to bad."""

from collections.abc import Collection
from dataclasses import dataclass

from curation.domain.policy import Policy
from curation.domain.verdict import Criterion, State
from curation.errors import PolicyError
from curation.evaluation.compare import FLIP_CRITERIA
from curation.evaluation.report import CaseScore, Report

__all__ = ["ItemState", "case_items", "item_criteria"]


def item_criteria(policy: Policy) -> tuple[Criterion, ...]:
    """Return the criteria that fail a test: `[pytest] criteria`, else answer and abstention.

    Raises:
        PolicyError: it names something that is no criterion.
    """
    named = policy.pytest.get("criteria", [criterion.value for criterion in FLIP_CRITERIA])
    known = {criterion.value: criterion for criterion in Criterion}
    unknown = [name for name in named if name not in known]
    if unknown:
        raise PolicyError("golden.toml", f"pytest.criteria: {unknown[0]!r} is no criterion")
    return tuple(known[name] for name in named)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemState:
    """How a case stands as a test: failed, expected to fail (it already did), fixed, or fine."""

    id: str
    slice: str
    failing: tuple[Criterion, ...]
    unsure: tuple[Criterion, ...]
    expected: bool
    fixed: bool

    @property
    def failed(self) -> bool:
        """Whether the test must go red."""
        return bool(self.failing) and not self.expected


def case_items(
    report: Report,
    baseline: Report | None = None,
    criteria: Collection[Criterion] = FLIP_CRITERIA,
) -> tuple[ItemState, ...]:
    """Return each case as a test: good to bad fails, bad to bad is expected, bad to good is fixed.

    Args:
        report: The candidate's report.
        baseline: The baseline's report; without one, every failing criterion fails the test.
        criteria: The criteria that fail a test; unsure ones are a warning only.
    """
    before = {score.id: score for score in baseline.cases} if baseline else {}
    return tuple(_item(score, before.get(score.id), criteria) for score in report.cases)


def _item(score: CaseScore, before: CaseScore | None, criteria: Collection[Criterion]) -> ItemState:
    failing = _in_state(score, State.FAIL, criteria)
    was_bad = before is not None and bool(_in_state(before, State.FAIL, criteria))
    return ItemState(
        id=score.id,
        slice=score.slice,
        failing=failing,
        unsure=_in_state(score, State.UNSURE, criteria),
        expected=bool(failing) and was_bad,
        fixed=not failing and was_bad,
    )


def _in_state(
    score: CaseScore, state: State, criteria: Collection[Criterion]
) -> tuple[Criterion, ...]:
    return tuple(c for c in Criterion if c in criteria and score.criteria.get(c) is state)
