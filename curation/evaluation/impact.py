"""What one change of the set does to the baseline's stored outputs, before it is approved."""

from collections.abc import Collection, Sequence

from pydantic import Field

from curation.domain.base import Value
from curation.domain.verdict import Criterion, State
from curation.evaluation.cases import ScoringCase
from curation.evaluation.compare import FLIP_CRITERIA
from curation.evaluation.evaluate import evaluate_run
from curation.evaluation.report import CaseScore, Pins, Report
from curation.evaluation.run import Run
from curation.evaluation.scoring import Scoring
from curation.metrics.aggregate import Mean
from curation.metrics.metric import Metric

__all__ = ["Impact", "ImpactRow", "impact"]


class ImpactRow(Value):
    """One metric before and after a change, with the cases scored after it, of all."""

    metric: Metric
    before: float | None
    after: float | None
    delta: float | None
    n: int
    total: int


class Impact(Value):
    """What a change does: first to its case, in one sentence, then to every metric and slice."""

    case_id: str
    sentence: str
    rows: tuple[ImpactRow, ...] = ()
    slices: dict[str, tuple[ImpactRow, ...]] = Field(default_factory=dict)


def impact(
    case_id: str,
    before: Sequence[ScoringCase],
    after: Sequence[ScoringCase],
    run: Run,
    *,
    scoring: Scoring | None = None,
    criteria: Collection[Criterion] = FLIP_CRITERIA,
) -> Impact:
    """Return what a change does to the numbers of stored outputs.

    The outputs stay as they are, only the cases change. A case without an output (a new one) is
    left out of the numbers.

    Args:
        case_id: The case that the change is about.
        before: The active cases as they are.
        after: The active cases as they would be.
        run: The baseline's raw outputs.
        scoring: How they are scored.
        criteria: The criteria that decide whether an output passes a case.
    """
    old, new = (_scored(cases, run, scoring) for cases in (before, after))
    states = [_state(report, case_id, criteria) for report in (old, new)]
    return Impact(
        case_id=case_id,
        sentence=_sentence(case_id, *states),
        rows=_rows(old.metrics, new.metrics, new.n),
        slices={
            name: _rows(
                old.slices[name].metrics if name in old.slices else {},
                new.slices[name].metrics if name in new.slices else {},
                new.slices[name].n if name in new.slices else 0,
            )
            for name in sorted(old.slices.keys() | new.slices.keys())
        },
    )


def _scored(cases: Sequence[ScoringCase], run: Run, scoring: Scoring | None) -> Report:
    """Return the report on the cases that have an output."""
    answered = {line.case_id for line in run.lines if not line.failed}
    known = [case for case in cases if case.id in answered]
    ids = {case.id for case in known}
    lines = tuple(line for line in run.lines if line.case_id in ids)
    kept = Run(header=run.header, lines=lines, sha256=run.sha256)
    return evaluate_run(known, kept, pins=Pins(), scoring=scoring)


def _rows(
    before: dict[Metric, Mean], after: dict[Metric, Mean], total: int
) -> tuple[ImpactRow, ...]:
    """Return the metrics that either side scored."""
    nothing = Mean(value=None, n=0)
    rows = []
    for metric in Metric:
        old, new = before.get(metric, nothing), after.get(metric, nothing)
        if metric.pooled or (old.value is None and new.value is None):
            continue
        known = old.value is not None and new.value is not None
        delta = (new.value or 0.0) - (old.value or 0.0) if known else None
        rows.append(
            ImpactRow(
                metric=metric, before=old.value, after=new.value, delta=delta, n=new.n, total=total
            )
        )
    return tuple(rows)


def _state(report: Report, case_id: str, criteria: Collection[Criterion]) -> State | None:
    """Return whether the output passes the case; None where there is no case or no output."""
    found: CaseScore | None = next((s for s in report.cases if s.id == case_id), None)
    if found is None:
        return None
    states = [found.criteria.get(criterion) for criterion in criteria]
    for state in (State.FAIL, State.UNSURE):
        if state in states:
            return state
    return State.PASS


_VERBS = {State.PASS: "passes", State.FAIL: "fails", State.UNSURE: "is unsure on"}


def _sentence(case_id: str, before: State | None, after: State | None) -> str:
    if before is None and after is None:
        return f"The baseline has no output for {case_id} yet."
    if before is None:
        return f"The baseline {_VERBS[after or State.PASS]} {case_id} after this change."
    if after is None:
        return (
            f"The baseline {_VERBS[before]} {case_id} today; after this change it counts no more."
        )
    if before is after:
        return f"The baseline {_VERBS[before]} {case_id} today and after this change."
    return (
        f"The baseline {_VERBS[before]} {case_id} today and {_VERBS[after]} it after this change."
    )
