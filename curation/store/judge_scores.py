"""Writing a judge's scores so that they weigh in the queue as those of an import do."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, select, update
from sqlmodel import Session

from curation.domain.answer import Answer, Score
from curation.domain.priority import judged, severity
from curation.domain.queue import PriorityWeights
from curation.domain.same_answer import with_scores
from curation.store.answer_rows import score_rows
from curation.store.answers import load_answers
from curation.store.intake import add_facets, begin_import
from curation.store.priority import mark_stale
from curation.store.schema import ANSWER, RUN_SCORE, SCORE
from curation.store.sql import insert_many, parts

__all__ = ["put_run_scores", "put_scores"]


def put_scores(
    session: Session,
    scores: Mapping[str, Sequence[Score]],
    weights: PriorityWeights,
    *,
    now: datetime,
) -> None:
    """Add scores to stored answers; those of the same metric, judge, prompt and chunk give way."""
    begin_import(session)
    stored = load_answers(session, list(scores))
    whole = [with_scores(answer, scores[answer_id]) for answer_id, answer in stored.items()]
    connection = session.connection()
    for ids in parts([answer.id for answer in whole]):
        connection.execute(delete(SCORE).where(SCORE.c.answer_id.in_(ids)))
    insert_many(session, SCORE, [row for answer in whole for row in score_rows(answer)])
    rows = [_weighed(answer, weights) for answer in whole]
    if rows:
        connection.execute(update(ANSWER).where(ANSWER.c.id == bindparam("b_id")), rows)
    add_facets(session, whole, now)
    for ids in parts([answer.id for answer in whole]):
        groups = select(ANSWER.c.group_id).where(ANSWER.c.id.in_(ids)).distinct()
        mark_stale(session, sorted(connection.execute(groups).scalars()))


def _weighed(answer: Answer, weights: PriorityWeights) -> dict[str, Any]:
    """Return the columns of an answer that its scores decide."""
    worst = judged(answer)
    kinds = [signal.kind for signal in answer.signals]
    return {
        "b_id": answer.id,
        "severity": severity(kinds, worst.shortfall, weights),
        "shortfall": worst.shortfall,
        "worst_metric": worst.metric,
        "worst_value": worst.value,
        "judge_failed": worst.failed,
    }


def put_run_scores(
    session: Session, output: tuple[str, str, int], scores: Sequence[Score], *, now: datetime
) -> None:
    """Keep a judge's scores of one output of a run; its earlier ones give way.

    Args:
        session: a writing session.
        output: the run's hash, the case, the repeat.
        scores: all of one judge and prompt version.
        now: when.
    """
    if not scores:
        return
    sha256, case_id, repeat = output
    named = {
        "run_sha256": sha256,
        "case_id": case_id,
        "repeat": repeat,
        "judge": scores[0].judge or "",
        "prompt_version": scores[0].prompt_version or "",
    }
    which = [RUN_SCORE.c[name] == value for name, value in named.items()]
    session.connection().execute(delete(RUN_SCORE).where(*which))
    rows = [
        named
        | {
            "position": position,
            "metric": score.metric,
            "value": score.value,
            "worst": score.scale[0] if score.scale else None,
            "best": score.scale[1] if score.scale else None,
            "reason": score.reason,
            "status": score.status.value,
            "error_kind": score.error_kind,
            "chunk_id": score.chunk_id,
            "at": score.at or now,
        }
        for position, score in enumerate(scores)
    ]
    insert_many(session, RUN_SCORE, rows)
