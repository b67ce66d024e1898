"""The failures that people confirmed, with the answers that they are about."""

from datetime import datetime

from sqlalchemy import func, select
from sqlmodel import Session

from curation.domain.breaks import Confirmed
from curation.domain.review import FailureCategory, Verdict
from curation.domain.trends import week_of
from curation.store.doubles import counts
from curation.store.schema import ANSWER, QUESTION_GROUP, REVIEW

_SAYS_NOTHING = (Verdict.RIGHT.value, Verdict.NOT_ACTIONABLE.value)


def confirmed_failures(session: Session, since: datetime | None = None) -> tuple[Confirmed, ...]:
    """Return the answers with a confirmed failure, each with its last one, `none` left out."""
    when = func.coalesce(ANSWER.c.asked_at, ANSWER.c.stored_at)
    statement = (
        select(
            REVIEW.c.failure,
            ANSWER.c.id,
            ANSWER.c.group_id,
            ANSWER.c.question,
            ANSWER.c.slice,
            ANSWER.c.pipeline_version,
            ANSWER.c.asked_at,
            ANSWER.c.stored_at,
            QUESTION_GROUP.c.asked,
            QUESTION_GROUP.c.priority,
        )
        .join(ANSWER, ANSWER.c.id == REVIEW.c.answer_id)
        .join(QUESTION_GROUP, QUESTION_GROUP.c.id == ANSWER.c.group_id)
        .where(counts(session), REVIEW.c.failure.is_not(None))
        .order_by(REVIEW.c.id)
    )
    if since is not None:
        statement = statement.where(when >= since)
    found = {
        row.id: Confirmed(
            answer_id=row.id,
            group_id=row.group_id,
            question=row.question,
            category=FailureCategory(row.failure),
            slice=row.slice,
            pipeline_version=row.pipeline_version,
            week=week_of((row.asked_at or row.stored_at).date()),
            asked=row.asked,
            priority=row.priority,
        )
        for row in session.connection().execute(statement)
    }
    return tuple(one for one in found.values() if one.category is not FailureCategory.NONE)


def bad_without_category(session: Session) -> int:
    """Return how many answers have a verdict other than right and no confirmed failure."""
    statement = select(func.count(REVIEW.c.answer_id.distinct())).where(
        counts(session), REVIEW.c.failure.is_(None), REVIEW.c.verdict.not_in(_SAYS_NOTHING)
    )
    return int(session.connection().execute(statement).scalar_one())
