"""What a judge's run came to: scores, failures by kind, cost, and what to be wary of."""

from collections.abc import Mapping, Sequence
from typing import Any

from curation.domain.base import Value
from curation.domain.judging import PROXY
from curation.domain.model_family import judges_its_own
from curation.domain.policy import Policy
from curation.errors import CurationError, NotFoundError
from curation.evaluation.run import parse_run
from curation.golden import read_version
from curation.metrics.aggregate import Mean, macro_mean
from curation.metrics.retrieval import average_relevance, judged_precision_at_k
from curation.services.judge_errors import AllFailedError, JudgeFailingError
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store.judge_results import (
    answer_models,
    answering_models,
    chunk_grades_of,
    fact_grades,
    failures_of,
    last_failure,
    metric_counts,
    output_grades,
)
from curation.store.judge_runs import JudgeRun, get_run
from curation.store.judging import counts_of
from curation.store.runs import run_text_of


class MetricScores(Value):
    """The scores of one metric: how many, their mean, and how many failed."""

    metric: str
    n: int
    mean: float | None
    failed: int


class JudgedPrecision(Value):
    """Precision at k by the judged chunks: strict counts a grade of 2, lenient 1 and above."""

    k: int
    strict: Mean
    lenient: Mean
    average_relevance: str


class FactsAsked(Value):
    """What the judge says of the facts that the matcher was unsure of; 1 leaves one unsure."""

    present: int
    absent: int
    unsure: int
    failed: int


class Spent(Value):
    """What a run took. `calls` counts every try; the cost is None where no prices are known."""

    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None


class JudgeRunReport(Value):
    """A run of a judge as it stands; `ended_by` is None while something is left to do.

    `own_kind` counts answers, or outputs, of a model of the judge's own family. `late` counts
    replies that came after another worker had taken the item over: they are paid for and not used.
    """

    run_id: str
    judge: str
    prompt_version: str
    judged: int
    left: int
    scores: int
    failed: int
    failures: dict[str, int]
    metrics: tuple[MetricScores, ...]
    precision: JudgedPrecision | None
    spent: Spent
    estimate: dict[str, Any] | None = None
    facts: FactsAsked | None = None
    late: int = 0
    models: tuple[str, ...] = ()
    own_kind: int = 0
    ended_by: str | None = None
    last_failure: str = ""
    warnings: tuple[str, ...] = ()


def report_of(
    workspace: Workspace, run_id: str, *, estimate: Mapping[str, Any] | None = None
) -> JudgeRunReport:
    """Return what a run came to so far, whichever workers did it.

    Raises:
        NotFoundError: there is no such run.
    """
    with workspace.store.reading() as session:
        run = get_run(session, run_id)
        if run is None:
            raise NotFoundError("judge run", run_id)
        left, judged, scores, failed = counts_of(session, run_id)
        models = answering_models(session, run_id)
        own_kind = 0 if run.judge == PROXY else _own_kind(session, run)
        return JudgeRunReport(
            run_id=run_id,
            judge=run.judge,
            prompt_version=run.prompt_version,
            judged=judged,
            left=left,
            scores=scores,
            failed=failed,
            failures=failures_of(session, run_id),
            metrics=tuple(
                MetricScores(metric=c.metric, n=c.n, mean=c.mean, failed=c.failed)
                for c in metric_counts(session, run)
            ),
            precision=_precision(session, run, _depth(workspace)),
            facts=_facts(session, run),
            spent=_spent(run),
            estimate=None if estimate is None else dict(estimate),
            late=run.late,
            models=models,
            own_kind=own_kind,
            ended_by=run.ended_by,
            last_failure=last_failure(session, run_id),
            warnings=_warnings(run, models, own_kind),
        )


def refuse_failed(report: JudgeRunReport) -> None:
    """Fail loudly where a judge gave nothing.

    Raises:
        JudgeFailingError: it stopped answering, so that the rest was not asked.
        AllFailedError: every score failed.
    """
    if report.ended_by == "failing":
        raise JudgeFailingError(report.last_failure, report.left)
    if report.failed and not report.scores:
        kinds = ", ".join(f"{kind} {n}" for kind, n in report.failures.items())
        raise AllFailedError(report.failed, kinds, report.last_failure)


def _spent(run: JudgeRun) -> Spent:
    return Spent(
        calls=run.calls,
        input_tokens=run.input_tokens,
        output_tokens=run.output_tokens,
        cost=run.cost,
    )


def _depth(workspace: Workspace) -> int:
    """Return the k of the golden set's policy, the default where there is no set."""
    try:
        return read_version(workspace.golden).policy.k
    except CurationError:
        return Policy().k


def _precision(session: Session, run: JudgeRun, k: int) -> JudgedPrecision | None:
    """Return what the judged chunks say of the retrieval; None where none was judged."""
    found = output_grades(session, run) if run.on_outputs else chunk_grades_of(session, run)
    answers = list(found)
    if not any(grade is not None for grades in answers for grade in grades):
        return None
    return JudgedPrecision(
        k=k,
        strict=macro_mean([judged_precision_at_k(grades, k) for grades in answers]),
        lenient=macro_mean([judged_precision_at_k(grades, k, lenient=True) for grades in answers]),
        average_relevance=average_relevance([g for grades in answers for g in grades]),
    )


def _own_kind(session: Session, run: JudgeRun) -> int:
    """Return how many answers a model of the judge's own family wrote.

    What wrote the outputs on a golden set is what the run's manifest says.
    """
    written = _output_models(session, run) if run.outputs else answer_models(session, run.id)
    return sum(n for model, n in written.items() if judges_its_own(run.judge, model))


def _output_models(session: Session, run: JudgeRun) -> dict[str, int]:
    """Return the model that the manifest of a run's outputs names, with how many were judged."""
    text = run_text_of(session, run.outputs or "")
    manifest = None if text is None else parse_run(text).header.manifest
    model = (manifest or {}).get("model")
    if isinstance(model, Mapping):
        model = model.get("name") or model.get("model")
    return {model: counts_of(session, run.id)[1]} if isinstance(model, str) else {}


def _facts(session: Session, run: JudgeRun) -> FactsAsked | None:
    found = fact_grades(session, run) if run.on_outputs else None
    return None if found is None else FactsAsked(**vars(found))


def _warnings(run: JudgeRun, models: Sequence[str], own_kind: int) -> tuple[str, ...]:
    found: list[str] = []
    if own_kind:
        found.append(
            f"{run.judge} judges {own_kind} answers of its own model family. Judges tend to "
            "prefer their own kind: compare it with people, or use another family."
        )
    if len(models) > 1:
        found.append(f"The server answered as several models: {', '.join(models)}. Pin one.")
    if run.late:
        found.append(
            f"{run.late} replies came after another worker had taken their answer over; they are "
            "in the cost and not among the scores. Raise lease_s under [judge]."
        )
    return tuple(found)
