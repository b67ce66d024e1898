"""Finished reviews, what they cover, and who has seen the judge."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, func, or_, select, update
from sqlmodel import Session

from curation.domain.change import ChangeKind, ChangeState
from curation.domain.person import Person
from curation.domain.review import AnswerState, Review, Verdict
from curation.store.coverage import (
    cover,
    cover_by_reviews,
    cover_group,
    drop_cover,
    uncover,
)
from curation.store.doubles import counts, deciding_review, is_double
from curation.store.drafts import restore_draft
from curation.store.schema import ANSWER, CHANGE, JUDGE_SEEN, REVIEW
from curation.store.sql import insert_into
from curation.store.states import lock_groups, set_states

__all__ = [
    "as_review",
    "counted_reviews",
    "cover",
    "cover_by_reviews",
    "cover_group",
    "deciding",
    "deciding_only",
    "done_today",
    "follow_case",
    "get_reviews",
    "is_blind",
    "last_reviews",
    "mark_not_blind",
    "record_review",
    "reopen_answers",
    "rest_on",
    "reviewed_by",
    "uncover",
    "undo_review",
    "verdicts_since",
]


def record_review(session: Session, review: Review) -> None:
    """Store a verdict and the state that it leaves its answer in.

    Where two people are to look, the answer stays as it is until their verdicts decide. A review
    counts as blind only if the person had not seen the judge's part before.
    """
    lock_groups(session, ANSWER.c.id == review.answer_id)  # or two at once would miss each other
    blind = review.blind and is_blind(session, review.answer_id, review.person)
    session.connection().execute(
        REVIEW.insert().values(
            answer_id=review.answer_id,
            person=review.person.key,
            name=review.person.name,
            email=review.person.email,
            verdict=review.verdict.value,
            reason=review.reason,
            at=review.at,
            blind=blind,
            proposed_failure=review.proposed_failure,
            failure=review.failure,
            change_id=review.change_id,
            duplicate_of=review.duplicate_of,
            void=False,
        )
    )
    decided = deciding_review(session, review.answer_id)
    if decided is not None:
        drop_cover(session, review.answer_id)
        set_states(session, [review.answer_id], Verdict(decided.verdict).state)


def get_reviews(session: Session, answer_id: str) -> tuple[Review, ...]:
    """Return the reviews of an answer that count, oldest first."""
    return _reviews(session, REVIEW.c.answer_id == answer_id)


def counted_reviews(session: Session) -> tuple[Review, ...]:
    """Return every review that counts, oldest first."""
    return _reviews(session, ~REVIEW.c.void)


def deciding(session: Session, answer_id: str) -> Review | None:
    """Return the review that decides over an answer; None while there is none."""
    row = deciding_review(session, answer_id)
    return None if row is None else as_review(row)


def deciding_only(session: Session) -> tuple[Review, ...]:
    """Return the reviews that count but those of two people that do not decide, oldest first."""
    return _reviews(session, counts(session))


def reviewed_by(session: Session, person: Person) -> frozenset[str]:
    """Return the answers that a person gave a verdict on that counts."""
    statement = select(REVIEW.c.answer_id).where(REVIEW.c.person == person.key, ~REVIEW.c.void)
    return frozenset(session.connection().execute(statement).scalars())


def last_reviews(session: Session, person: Person, limit: int) -> tuple[Review, ...]:
    """Return the person's newest reviews that count, newest first."""
    return _reviews(session, REVIEW.c.person == person.key, newest=limit)


def verdicts_since(session: Session, review: Review) -> int:
    """Return how many verdicts the person gave after this one, those taken back included."""
    newer = REVIEW.alias()
    own = (
        select(func.max(REVIEW.c.id))
        .where(REVIEW.c.answer_id == review.answer_id, REVIEW.c.person == review.person.key)
        .where(~REVIEW.c.void)
        .scalar_subquery()
    )
    statement = (
        select(func.count())
        .select_from(newer)
        .where(newer.c.person == review.person.key, newer.c.id > own)
    )
    return int(session.connection().execute(statement).scalar_one())


def done_today(session: Session, person: Person, now: datetime) -> int:
    """Return how many reviews the person finished on the day of `now` (in its own zone)."""
    start = now.replace(hour=0, minute=0, second=0, microsecond=0)
    statement = (
        select(func.count())
        .select_from(REVIEW)
        .where(
            REVIEW.c.person == person.key,
            REVIEW.c.at >= start,
            REVIEW.c.at < start + timedelta(days=1),
            ~REVIEW.c.void,
        )
    )
    return int(session.connection().execute(statement).scalar_one())


def undo_review(session: Session, answer_id: str, person: Person) -> Review | None:
    """Take back the person's review of an answer, which opens again with its draft.

    Returns:
        The review that was taken back; None if there was none.
    """
    mine = [r for r in get_reviews(session, answer_id) if r.person.key == person.key]
    if not mine:
        return None
    _void(session, REVIEW.c.answer_id == answer_id, REVIEW.c.person == person.key)
    _reopen(session, [answer_id])
    restore_draft(session, answer_id, person)
    return mine[-1]


def reopen_answers(session: Session, change_id: str) -> tuple[str, ...]:
    """Reopen the answers whose verdict rests on a withdrawn change, and what they covered.

    An answer that another verdict decides keeps it, as where two people proposed a case each.
    """
    resting = _resting_on(change_id)
    found = _reviews(session, resting)
    ids = list(dict.fromkeys(review.answer_id for review in found))
    gone = [answer_id for answer_id in ids if not _another_stands(session, answer_id, resting)]
    withdrawn = select(CHANGE.c.id).where(CHANGE.c.state == ChangeState.WITHDRAWN.value)
    which = and_(REVIEW.c.answer_id.in_(gone), or_(resting, REVIEW.c.change_id.in_(withdrawn)))
    reviews = _reviews(session, which)
    _void(session, which)
    _reopen(session, gone)
    for review in reviews:
        restore_draft(session, review.answer_id, review.person)
    return tuple(gone)


def follow_case(session: Session, change_id: str, case_id: str) -> None:
    """Let the answers that were counted to the case that a change adds name it by its new id."""
    which = and_(REVIEW.c.duplicate_of.is_not(None), _resting_on(change_id))
    session.connection().execute(update(REVIEW).where(which).values(duplicate_of=case_id))


def _resting_on(change_id: str) -> Any:  # noqa: ANN401 - an SQL condition
    """Return the condition that a review is void without the change.

    It proposed it, or counted its answer to the case that the change adds. An answer for two
    people names that case only, so that nothing else of the change is hidden for its sake.
    """
    added = select(CHANGE.c.case_id).where(
        CHANGE.c.id == change_id, CHANGE.c.kind == ChangeKind.ADD.value
    )
    counted = and_(
        REVIEW.c.duplicate_of.in_(added),
        REVIEW.c.change_id.is_(None),
        is_double(REVIEW.c.answer_id),
    )
    return or_(REVIEW.c.change_id == change_id, counted)


def _another_stands(session: Session, answer_id: str, resting: Any) -> bool:  # noqa: ANN401 - an SQL condition
    """Return whether a verdict that does not rest on the withdrawn change still decides."""
    decided = deciding_review(session, answer_id)
    if decided is None or decided.change_state == ChangeState.WITHDRAWN.value:
        return False
    rests = select(REVIEW.c.id).where(REVIEW.c.id == decided.id, resting)
    if session.connection().execute(rests).first() is not None:
        return False
    rest_on(session, answer_id)
    return True


def rest_on(session: Session, answer_id: str) -> None:
    """Give an answer, and what it covers, what its deciding review says; open it without one."""
    drop_cover(session, answer_id)
    _reopen(session, [answer_id])


def _reopen(session: Session, answer_ids: Sequence[str]) -> None:
    """Give each answer the state of the review that is left, else open it and what it covered."""
    for answer_id in answer_ids:
        decided = deciding(session, answer_id)
        state = decided.verdict.state if decided is not None else AnswerState.OPEN
        set_states(session, [answer_id], state)
        uncover(session, answer_id)
        if decided is not None:
            cover_group(session, decided)
        else:
            cover_by_reviews(session, [answer_id])


def _void(session: Session, *which: Any) -> None:  # noqa: ANN401 - SQL conditions
    session.connection().execute(update(REVIEW).where(*which).values(void=True))


def _reviews(session: Session, which: Any, *, newest: int | None = None) -> tuple[Review, ...]:  # noqa: ANN401 - an SQL condition
    """Return the reviews that count: oldest first, or the newest ones, newest first."""
    statement = select(REVIEW).where(which, ~REVIEW.c.void)
    if newest is None:
        statement = statement.order_by(REVIEW.c.id)
    else:
        statement = statement.order_by(REVIEW.c.id.desc()).limit(newest)
    return tuple(as_review(row) for row in session.connection().execute(statement))


def as_review(row: Any) -> Review:  # noqa: ANN401 - a row of the database
    """Return a row of the table as a review."""
    return Review(
        answer_id=row.answer_id,
        person=Person(name=row.name, email=row.email),
        verdict=row.verdict,
        reason=row.reason,
        at=row.at,
        blind=row.blind,
        proposed_failure=row.proposed_failure,
        failure=row.failure,
        change_id=row.change_id,
        duplicate_of=row.duplicate_of,
    )


def mark_not_blind(session: Session, answer_id: str, person: Person, *, now: datetime) -> None:
    """Remember that the person saw the judge's part of an answer."""
    mark_all_not_blind(session, [answer_id], person, now=now)


def mark_all_not_blind(
    session: Session, answer_ids: Sequence[str], person: Person, *, now: datetime
) -> None:
    """Remember that the person saw the judge's part of these answers."""
    rows = [{"answer_id": i, "person": person.key, "at": now} for i in answer_ids]
    if rows:
        session.connection().execute(
            insert_into(session, JUDGE_SEEN).on_conflict_do_nothing(), rows
        )


def is_blind(session: Session, answer_id: str, person: Person) -> bool:
    """Return whether the person has not seen the judge's part of the answer."""
    statement = select(JUDGE_SEEN.c.answer_id).where(
        JUDGE_SEEN.c.answer_id == answer_id, JUDGE_SEEN.c.person == person.key
    )
    return session.connection().execute(statement).first() is None
