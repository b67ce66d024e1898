"""The scores of judges, as they are compared with people."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import case, func, select
from sqlmodel import Session

from curation.domain.answer import ScoreStatus
from curation.store.schema import ANSWER, SCORE
from curation.store.sql import parts


class JudgeKey(NamedTuple):
    """One judge, with its prompts' version, on one metric."""

    judge: str | None
    metric: str
    prompt_version: str | None


class ScoreCount(NamedTuple):
    """How many scores a judge gave on one metric, how many failed, and when the newest came."""

    key: JudgeKey
    scores: int
    failed: int
    newest: datetime | None
    per_chunk: bool


class JudgedItem(NamedTuple):
    """One score with what an agreement needs of its answer."""

    key: JudgeKey
    answer_id: str
    chunk_id: str | None
    value: float | None
    scale: tuple[float, float] | None
    failed: bool
    question: str
    slice: str | None
    model: str | None


_KEY = (SCORE.c.judge, SCORE.c.metric, SCORE.c.prompt_version)


def score_counts(session: Session) -> list[ScoreCount]:
    """Return every judge, metric and prompt version that the store has scores of."""
    failed = case((SCORE.c.status == ScoreStatus.FAILED.value, 1), else_=0)
    statement = select(
        *_KEY,
        func.count().label("scores"),
        func.sum(failed).label("failed"),
        func.max(SCORE.c.at).label("newest"),
        func.count(SCORE.c.chunk_id).label("chunks"),
    ).group_by(*_KEY)
    found = [
        ScoreCount(
            JudgeKey(row.judge, row.metric, row.prompt_version),
            row.scores,
            int(row.failed),
            row.newest,
            row.chunks > 0,
        )
        for row in session.connection().execute(statement)
    ]
    return sorted(found, key=lambda one: tuple(name or "" for name in one.key))


def judged_items(session: Session, answer_ids: Sequence[str]) -> list[JudgedItem]:
    """Return the scores of these answers."""
    found: list[JudgedItem] = []
    for ids in parts(answer_ids):
        statement = _items().where(SCORE.c.answer_id.in_(ids))
        found += [_item(row) for row in session.connection().execute(statement)]
    return found


def items_of(session: Session, key: JudgeKey) -> list[JudgedItem]:
    """Return every score of one judge, metric and prompt version, by answer and place."""
    statement = _items().where(SCORE.c.metric == key.metric)
    for column, name in ((SCORE.c.judge, key.judge), (SCORE.c.prompt_version, key.prompt_version)):
        statement = statement.where(column.is_(None) if name is None else column == name)
    return [_item(row) for row in session.connection().execute(statement)]


def _items() -> Any:  # noqa: ANN401 - an SQL statement
    return (
        select(SCORE, ANSWER.c.question, ANSWER.c.slice, ANSWER.c.model)
        .join(ANSWER, ANSWER.c.id == SCORE.c.answer_id)
        .order_by(SCORE.c.answer_id, SCORE.c.position)
    )


def _item(row: Any) -> JudgedItem:  # noqa: ANN401 - a row of the database
    return JudgedItem(
        key=JudgeKey(row.judge, row.metric, row.prompt_version),
        answer_id=row.answer_id,
        chunk_id=row.chunk_id,
        value=row.value,
        scale=None if row.worst is None or row.best is None else (row.worst, row.best),
        failed=row.status == ScoreStatus.FAILED.value,
        question=row.question,
        slice=row.slice,
        model=row.model,
    )
