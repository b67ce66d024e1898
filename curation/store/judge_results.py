"""What a judge's run brought, as its report tells it."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import and_, case, func, select
from sqlmodel import Session

from curation.domain.answer import ScoreStatus
from curation.domain.judging import JudgeMetric
from curation.store.judge_runs import JudgeRun
from curation.store.schema import (
    ANSWER,
    JUDGE_CALL,
    JUDGE_ITEM,
    RETRIEVED,
    RUN_SCORE,
    SCORE,
)

__all__ = [
    "FactGrades",
    "MetricCount",
    "answer_models",
    "answering_models",
    "chunk_grades_of",
    "fact_grades",
    "failures_of",
    "last_failure",
    "metric_counts",
    "output_grades",
]


@dataclass(frozen=True, kw_only=True)
class MetricCount:
    """How many scores of a metric succeeded, their mean, and how many failed."""

    metric: str
    n: int
    mean: float | None
    failed: int


@dataclass(frozen=True, kw_only=True)
class FactGrades:
    """What a judge says of the facts that the matcher was unsure of."""

    present: int
    absent: int
    unsure: int
    failed: int


_A_FACT = RUN_SCORE.c.metric.startswith(f"{JudgeMetric.FACT} ", autoescape=True)


def fact_grades(session: Session, run: JudgeRun) -> FactGrades | None:
    """Return what the judge of a run said of facts; None where it was asked about none."""
    statement = (
        select(RUN_SCORE.c.value, func.count().label("n"))
        .where(
            _A_FACT,
            RUN_SCORE.c.run_sha256 == run.outputs,
            RUN_SCORE.c.judge == run.judge,
            RUN_SCORE.c.prompt_version == run.prompt_version,
        )
        .group_by(RUN_SCORE.c.value)
    )
    found = {row.value: int(row.n) for row in session.connection().execute(statement)}
    if not found:
        return None
    return FactGrades(
        present=found.get(2, 0),
        absent=found.get(0, 0),
        unsure=found.get(1, 0),
        failed=found.get(None, 0),
    )


def metric_counts(session: Session, run: JudgeRun) -> tuple[MetricCount, ...]:
    """Return the scores of the answers, or outputs, that a run is done with, by metric.

    Facts are left out: a mean over the facts of several cases says nothing.
    """
    table = RUN_SCORE if run.on_outputs else SCORE
    ok = case((table.c.status == ScoreStatus.OK.value, 1), else_=0)
    statement = select(
        table.c.metric,
        func.sum(ok).label("n"),
        func.avg(table.c.value).label("mean"),
        func.sum(1 - ok).label("failed"),
    ).where(table.c.judge == run.judge, table.c.prompt_version == run.prompt_version)
    if run.on_outputs:
        statement = statement.where(RUN_SCORE.c.run_sha256 == run.outputs, ~_A_FACT)
    else:
        statement = statement.join(JUDGE_ITEM, JUDGE_ITEM.c.subject == SCORE.c.answer_id).where(
            JUDGE_ITEM.c.run_id == run.id
        )
    rows = session.connection().execute(statement.group_by(table.c.metric))
    return tuple(
        sorted(
            (
                MetricCount(
                    metric=row.metric,
                    n=int(row.n),
                    mean=None if row.mean is None else float(row.mean),
                    failed=int(row.failed),
                )
                for row in rows
            ),
            key=lambda count: count.metric,
        )
    )


def chunk_grades_of(session: Session, run: JudgeRun) -> Iterator[tuple[float | None, ...]]:
    """Yield for each answer that a run is done with the grades of its chunks in rank order."""
    item = and_(JUDGE_ITEM.c.run_id == run.id, JUDGE_ITEM.c.done_at.is_not(None))
    graded = and_(
        SCORE.c.answer_id == RETRIEVED.c.answer_id,
        SCORE.c.chunk_id == RETRIEVED.c.chunk_id,
        SCORE.c.metric == JudgeMetric.RELEVANCE.value,
        SCORE.c.judge == run.judge,
        SCORE.c.prompt_version == run.prompt_version,
    )
    statement = (
        select(RETRIEVED.c.answer_id, RETRIEVED.c.rank, RETRIEVED.c.chunk_id, SCORE.c.value)
        .select_from(RETRIEVED)
        .join(JUDGE_ITEM, and_(JUDGE_ITEM.c.subject == RETRIEVED.c.answer_id, item))
        .outerjoin(SCORE, graded)
        .order_by(RETRIEVED.c.answer_id, RETRIEVED.c.rank, RETRIEVED.c.position)
    )
    answers: dict[str, dict[str, float | None]] = defaultdict(dict)
    for row in session.connection().execute(statement):
        answers[row.answer_id].setdefault(row.chunk_id, row.value)
    for grades in answers.values():
        yield tuple(grades.values())


def output_grades(session: Session, run: JudgeRun) -> Iterator[tuple[float | None, ...]]:
    """Yield for each judged output the grades of its chunks in rank order."""
    statement = (
        select(RUN_SCORE.c.case_id, RUN_SCORE.c.repeat, RUN_SCORE.c.value)
        .where(
            RUN_SCORE.c.run_sha256 == run.outputs,
            RUN_SCORE.c.judge == run.judge,
            RUN_SCORE.c.prompt_version == run.prompt_version,
            RUN_SCORE.c.metric == JudgeMetric.RELEVANCE.value,
        )
        .order_by(RUN_SCORE.c.case_id, RUN_SCORE.c.repeat, RUN_SCORE.c.position)
    )
    found: dict[tuple[str, int], list[float | None]] = defaultdict(list)
    for row in session.connection().execute(statement):
        found[row.case_id, row.repeat].append(row.value)
    yield from (tuple(grades) for grades in found.values())


def failures_of(session: Session, run_id: str) -> dict[str, int]:
    """Return how many calls of a run failed, by the kind of failure."""
    statement = (
        select(JUDGE_CALL.c.error_kind, func.count().label("n"))
        .where(JUDGE_CALL.c.run_id == run_id, JUDGE_CALL.c.error_kind.is_not(None))
        .group_by(JUDGE_CALL.c.error_kind)
        .order_by(JUDGE_CALL.c.error_kind)
    )
    return {row.error_kind: int(row.n) for row in session.connection().execute(statement)}


def last_failure(session: Session, run_id: str) -> str:
    """Return what the last failed call of a run says."""
    statement = (
        select(JUDGE_CALL.c.reason)
        .where(JUDGE_CALL.c.run_id == run_id, JUDGE_CALL.c.error_kind.is_not(None))
        .order_by(JUDGE_CALL.c.done_at.desc())
        .limit(1)
    )
    return str(session.connection().execute(statement).scalar() or "")


def answering_models(session: Session, run_id: str) -> tuple[str, ...]:
    """Return the models that the servers say answered; more than one means that it moved."""
    statement = select(JUDGE_CALL.c.model).where(JUDGE_CALL.c.run_id == run_id).distinct()
    found = session.connection().execute(statement).scalars()
    return tuple(sorted(name for name in found if name))


def answer_models(session: Session, run_id: str) -> dict[str, int]:
    """Return how many of a run's answers each model wrote, where that is known."""
    statement = (
        select(ANSWER.c.model, func.count().label("n"))
        .join(JUDGE_ITEM, JUDGE_ITEM.c.subject == ANSWER.c.id)
        .where(JUDGE_ITEM.c.run_id == run_id, ANSWER.c.model.is_not(None))
        .group_by(ANSWER.c.model)
    )
    return {row.model: int(row.n) for row in session.connection().execute(statement)}
