"""Scores by day, for the trends of metrics and of judge failures."""

from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import case, func, select
from sqlmodel import Session

from curation.domain.answer import ScoreStatus
from curation.store.schema import ANSWER, SCORE

UNKNOWN = "unknown"


class ScoreDay(NamedTuple):
    """The scores of one metric, judge and prompt on one day."""

    day: date
    metric: str
    judge: str | None
    prompt_version: str | None
    scored: int
    failed: int
    total: float
    short: float
    scaled: int


class FailureDay(NamedTuple):
    """The scores of one judge on one day that came to one end; no kind is a number."""

    day: date
    judge: str | None
    kind: str | None
    number: int


def score_days(session: Session, since: datetime | None = None) -> list[ScoreDay]:
    """Return the scores of whole answers by the day on which the answer was asked."""
    when = func.coalesce(ANSWER.c.asked_at, ANSWER.c.stored_at)
    day = func.date(when)
    good = SCORE.c.status == ScoreStatus.OK.value
    worst, best = func.coalesce(SCORE.c.worst, 0.0), func.coalesce(SCORE.c.best, 1.0)
    scaled = good & (worst != best)
    short = (best - SCORE.c.value) / func.nullif(best - worst, 0)
    columns = (SCORE.c.metric, SCORE.c.judge, SCORE.c.prompt_version)
    statement = (
        select(
            day.label("day"),
            *columns,
            func.sum(case((good, 1), else_=0)).label("scored"),
            func.sum(case((good, 0), else_=1)).label("failed"),
            func.sum(case((good, SCORE.c.value), else_=0.0)).label("total"),
            func.sum(case((scaled, short), else_=0.0)).label("short"),
            func.sum(case((scaled, 1), else_=0)).label("scaled"),
        )
        .join(ANSWER, ANSWER.c.id == SCORE.c.answer_id)
        .where(SCORE.c.chunk_id.is_(None), *_since(when, since))
        .group_by(day, *columns)
        .order_by(day, *columns)
    )
    found = session.connection().execute(statement)
    return [ScoreDay(_day(row.day), *row[1:]) for row in found]


def failure_days(session: Session, since: datetime | None = None) -> list[FailureDay]:
    """Return all scores, those of chunks included, by the day on which the judge gave them.

    A score without a moment of its own is taken as of the day on which the answer was asked.
    """
    when = func.coalesce(SCORE.c.at, ANSWER.c.asked_at, ANSWER.c.stored_at)
    day = func.date(when)
    failed = SCORE.c.status != ScoreStatus.OK.value
    kind = case((failed, func.coalesce(SCORE.c.error_kind, UNKNOWN)), else_=None)
    statement = (
        select(day.label("day"), SCORE.c.judge, kind.label("kind"), func.count().label("number"))
        .join(ANSWER, ANSWER.c.id == SCORE.c.answer_id)
        .where(*_since(when, since))
        .group_by(day, SCORE.c.judge, kind)
        .order_by(day, SCORE.c.judge)
    )
    found = session.connection().execute(statement)
    return [FailureDay(_day(row.day), *row[1:]) for row in found]


def _since(when: Any, since: datetime | None) -> list[Any]:  # noqa: ANN401 - SQL expressions
    return [] if since is None else [when >= since]


def _day(found: date | str) -> date:
    """Return a day as both databases give it."""
    return date.fromisoformat(found) if isinstance(found, str) else found
