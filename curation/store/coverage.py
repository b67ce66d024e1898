"""Which answers another answer's review answers for (measures.md section 9).

A proposed case, an edit, a duplicate and "not actionable" cover the open answers of the same
question group and pipeline version; "right" only those of them with the same text.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import delete, select
from sqlmodel import Session

from curation.domain.review import AnswerState, Review, Verdict
from curation.store.doubles import deciding_review, deciding_reviews
from curation.store.schema import ANSWER, COVERAGE, REVIEW
from curation.store.sql import insert_into, parts
from curation.store.states import set_states


def cover_group(session: Session, review: Review) -> int:
    """Cover what the review answers for and return how many answers that is."""
    connection = session.connection()
    mine = connection.execute(select(ANSWER).where(ANSWER.c.id == review.answer_id)).first()
    if mine is None or deciding_review(session, review.answer_id) is None:
        return 0
    others = select(ANSWER.c.id).where(
        ANSWER.c.group_id == mine.group_id,
        ANSWER.c.state == AnswerState.OPEN.value,
        ANSWER.c.id != review.answer_id,
        ANSWER.c.pipeline_version.is_not_distinct_from(mine.pipeline_version),
    )
    if review.verdict is Verdict.RIGHT:
        others = others.where(ANSWER.c.text_sha == mine.text_sha)
    ids = list(connection.execute(others).scalars())
    cover(
        session,
        ids,
        by_answer=review.answer_id,
        change_id=review.change_id,
        case_id=review.duplicate_of,
    )
    return len(ids)


def cover(
    session: Session,
    answer_ids: Sequence[str],
    *,
    by_answer: str,
    change_id: str | None = None,
    case_id: str | None = None,
) -> None:
    """Let the review of one answer (its change, or the case that it names) answer for others."""
    rows = [
        {"answer_id": i, "by_answer": by_answer, "change_id": change_id, "case_id": case_id}
        for i in answer_ids
    ]
    if rows:
        session.connection().execute(insert_into(session, COVERAGE).on_conflict_do_nothing(), rows)
        set_states(session, answer_ids, AnswerState.COVERED)


def uncover(session: Session, by_answer: str) -> tuple[str, ...]:
    """Reopen what the answer's review covered, unless another review covers it; return all ids."""
    connection = session.connection()
    chosen = COVERAGE.c.by_answer == by_answer
    ids = tuple(connection.execute(select(COVERAGE.c.answer_id).where(chosen)).scalars())
    connection.execute(delete(COVERAGE).where(chosen))
    set_states(session, ids, AnswerState.OPEN)
    cover_by_reviews(session, ids)
    return ids


def drop_cover(session: Session, answer_id: str) -> None:
    """Forget that the answer was covered: it has a verdict of its own."""
    session.connection().execute(delete(COVERAGE).where(COVERAGE.c.answer_id == answer_id))


def cover_by_reviews(session: Session, answer_ids: Sequence[str]) -> None:
    """Cover those of the open answers that a review of their group already answers for."""
    if not _any_review(session):
        return
    for ids in parts(answer_ids):
        _cover_part(session, ids)


def _any_review(session: Session) -> bool:
    """Return whether there is any review that counts."""
    found = session.connection().execute(select(REVIEW.c.id).where(~REVIEW.c.void).limit(1))
    return found.first() is not None


def _cover_part(session: Session, ids: Sequence[str]) -> None:
    """Cover the answers of one IN list."""
    other = ANSWER.alias("other")
    statement = (
        select(
            ANSWER.c.id,
            ANSWER.c.text_sha,
            other.c.text_sha.label("reviewed_text"),
            REVIEW.c.id.label("review_id"),
            REVIEW.c.answer_id.label("by_answer"),
            REVIEW.c.verdict,
            REVIEW.c.change_id,
            REVIEW.c.duplicate_of,
        )
        .join(other, other.c.group_id == ANSWER.c.group_id)
        .join(REVIEW, REVIEW.c.answer_id == other.c.id)
        .where(
            ANSWER.c.id.in_(ids),
            ANSWER.c.state == AnswerState.OPEN.value,
            other.c.id != ANSWER.c.id,
            other.c.state.in_((AnswerState.DONE.value, AnswerState.DISMISSED.value)),
            other.c.pipeline_version.is_not_distinct_from(ANSWER.c.pipeline_version),
            ~REVIEW.c.void,
        )
        .order_by(REVIEW.c.id)
    )
    found = list(session.connection().execute(statement))
    by_answer = deciding_reviews(session, sorted({row.by_answer for row in found}))
    deciding = {row.id for row in by_answer.values()}
    stands = [row for row in found if row.review_id in deciding]
    for row in _first_of_each(stands):
        cover(
            session,
            [row.id],
            by_answer=row.by_answer,
            change_id=row.change_id,
            case_id=row.duplicate_of,
        )


def _first_of_each(rows: Iterable[Any]) -> list[Any]:
    """Return the first row of each answer that may cover it."""
    found: dict[str, Any] = {}
    for row in rows:
        if row.verdict != Verdict.RIGHT.value or row.text_sha == row.reviewed_text:
            found.setdefault(row.id, row)
    return list(found.values())
