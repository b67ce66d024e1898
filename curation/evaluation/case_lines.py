"""The numbers of each case on both sides, written beside an experiment, and read back.

From these lines, the record and the policy alone the gate can be recomputed in a clone.
"""

import json
from collections.abc import Iterable, Sequence

from pydantic import ValidationError

from curation.domain.answer import Outcome
from curation.domain.case import Answerable
from curation.domain.experiment import ExperimentCase, SideScore
from curation.domain.verdict import Criterion, State
from curation.errors import first_problem
from curation.evaluation.errors import CaseLinesError
from curation.evaluation.evaluate import build_report
from curation.evaluation.report import CaseScore, Pins, Report
from curation.metrics.metric import Metric

__all__ = ["case_lines", "lines_text", "read_lines", "reports_of"]


def case_lines(baseline: Report, candidate: Report) -> tuple[ExperimentCase, ...]:
    """Return a line for each case of either report, by id."""
    old = {score.id: score for score in baseline.cases}
    new = {score.id: score for score in candidate.cases}
    return tuple(
        _line(old.get(case_id), new.get(case_id)) for case_id in sorted(old.keys() | new.keys())
    )


def _line(old: CaseScore | None, new: CaseScore | None) -> ExperimentCase:
    shared = new or old
    if shared is None:
        raise ValueError("a line has at least one side")
    return ExperimentCase(
        id=shared.id,
        slice=shared.slice,
        weight=shared.weight,
        answerable=shared.answerable.value,
        question_type=shared.question_type,
        categories=shared.categories,
        cluster=shared.cluster,
        digest=shared.digest,
        baseline=None if old is None else _side(old),
        candidate=None if new is None else _side(new),
    )


def _side(score: CaseScore) -> SideScore:
    return SideScore(
        outcome=None if score.outcome is None else score.outcome.value,
        values={metric.value: value for metric, value in score.values.items()},
        bounds={metric.value: ends for metric, ends in score.bounds.items()},
        unscored={metric.value: why for metric, why in score.unscored.items()},
        criteria={name.value: state.value for name, state in score.criteria.items()},
        unsure=score.unsure,
        nothing_to_check=score.nothing_to_check,
        fabricated=score.fabricated,
        failed=score.failed,
        output_sha256=score.output_sha256,
        latency_ms=score.latency_ms,
        cost_usd=score.cost_usd,
    )


def lines_text(lines: Iterable[ExperimentCase]) -> str:
    """Return the lines as JSONL, the same bytes for the same numbers."""
    return "".join(
        json.dumps(line.model_dump(mode="json"), ensure_ascii=True) + "\n" for line in lines
    )


def read_lines(text: str) -> tuple[ExperimentCase, ...]:
    """Return the lines of a `exp-NNN.cases.jsonl`.

    Raises:
        CaseLinesError: a line cannot be read.
    """
    found = []
    for number, row in enumerate(text.split("\n"), start=1):
        if not row:
            continue
        try:
            found.append(ExperimentCase.model_validate_json(row))
        except ValidationError as problem:
            raise CaseLinesError(number, first_problem(problem)) from problem
    return tuple(found)


def reports_of(
    lines: Sequence[ExperimentCase], baseline: Pins, candidate: Pins
) -> tuple[Report, Report]:
    """Return the two reports that the lines hold, baseline first."""
    return (
        build_report([_score(ln, ln.baseline) for ln in lines if ln.baseline], baseline),
        build_report([_score(ln, ln.candidate) for ln in lines if ln.candidate], candidate),
    )


def _score(line: ExperimentCase, side: SideScore) -> CaseScore:
    return CaseScore(
        id=line.id,
        slice=line.slice,
        weight=line.weight,
        answerable=Answerable(line.answerable),
        question_type=line.question_type,
        categories=line.categories,
        cluster=line.cluster,
        digest=line.digest,
        output_sha256=side.output_sha256,
        outcome=None if side.outcome is None else Outcome(side.outcome),
        values={Metric(name): value for name, value in side.values.items()},
        bounds={Metric(name): ends for name, ends in side.bounds.items()},
        unscored={Metric(name): why for name, why in side.unscored.items()},
        criteria={Criterion(name): State(state) for name, state in side.criteria.items()},
        unsure=side.unsure,
        nothing_to_check=side.nothing_to_check,
        fabricated=side.fabricated,
        failed=side.failed,
        latency_ms=side.latency_ms,
        cost_usd=side.cost_usd,
    )
