"""Answers that two people look at without knowing of each other (measures.md section 9).

Such an answer keeps the state that it had before the first verdict, for everybody but those who
gave one, until two verdicts agree or somebody settled which of them stands.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, and_, or_, select
from sqlmodel import Session

from curation.domain.change import ChangeState
from curation.domain.person import Person
from curation.domain.review import AnswerState, Verdict
from curation.store.schema import ADJUDICATION, ANSWER, CHANGE, LEASE, REVIEW, SAMPLE_ITEM
from curation.store.sql import parts

SHARED = ""
TWO = 2
_WITHDRAWN = ChangeState.WITHDRAWN.value
_UNDECIDED = (AnswerState.OPEN.value, AnswerState.COVERED.value)


def is_double(answer_id: ColumnElement[str]) -> ColumnElement[bool]:
    """Return the condition that two people are to look at the answer."""
    return answer_id.in_(select(SAMPLE_ITEM.c.answer_id).where(SAMPLE_ITEM.c.slots == TWO))


def known_to(viewer: Person | None) -> ColumnElement[bool]:
    """Return the condition that the viewer may know of a hold: a shared one, or their own."""
    shared = LEASE.c.slot == SHARED
    return shared if viewer is None else or_(shared, LEASE.c.slot == viewer.key)


def own_verdicts(session: Session, viewer: Person | None) -> dict[str, tuple[AnswerState, str]]:
    """Return the answers that wait for another's verdict after the viewer's own.

    Returns:
        By answer, the state that the viewer's verdict leaves it in for them, and the stored one.
    """
    if viewer is None:
        return {}
    statement = (
        select(REVIEW.c.answer_id, REVIEW.c.verdict, ANSWER.c.state)
        .join(ANSWER, ANSWER.c.id == REVIEW.c.answer_id)
        .where(
            REVIEW.c.person == viewer.key,
            ~REVIEW.c.void,
            is_double(REVIEW.c.answer_id),
            ANSWER.c.state.in_(_UNDECIDED),
        )
        .order_by(REVIEW.c.id)
    )
    return {
        row.answer_id: (Verdict(row.verdict).state, row.state)
        for row in session.connection().execute(statement)
    }


def sealed_changes(session: Session, viewer: Person | None) -> frozenset[str]:
    """Return the changes that the viewer may not see: they have not given their verdict yet.

    One that was withdrawn is among them, since it tells of a verdict that was taken back.
    """
    statement = select(CHANGE.c.id).where(
        is_double(CHANGE.c.answer_id), _awaited(CHANGE.c.answer_id, CHANGE)
    )
    if viewer is not None:
        mine = REVIEW.c.person == viewer.key
        given = select(REVIEW.c.answer_id).where(mine, ~REVIEW.c.void)
        proposed = select(REVIEW.c.change_id).where(mine, REVIEW.c.change_id.is_not(None))
        statement = statement.where(CHANGE.c.answer_id.not_in(given), CHANGE.c.id.not_in(proposed))
    return frozenset(session.connection().execute(statement).scalars())


def is_sealed(session: Session, change_id: str) -> bool:
    """Return whether the change still waits for the other verdicts on its answer."""
    statement = select(REVIEW.c.id).where(
        REVIEW.c.change_id == change_id,
        ~REVIEW.c.void,
        is_double(REVIEW.c.answer_id),
        _awaited(REVIEW.c.answer_id, REVIEW),
    )
    return session.connection().execute(statement).first() is not None


def counts(session: Session) -> ColumnElement[bool]:
    """Return the condition that a review counts: not taken back, and no other one decides."""
    return and_(~REVIEW.c.void, REVIEW.c.id.not_in(_not_deciding(session)))


def _not_deciding(session: Session) -> frozenset[int]:
    """Return the reviews of answers for two people that wait for another's, or do not stand."""
    statement = select(REVIEW.c.id, REVIEW.c.answer_id).where(
        ~REVIEW.c.void, is_double(REVIEW.c.answer_id)
    )
    given = {row.id: row.answer_id for row in session.connection().execute(statement)}
    deciding = deciding_reviews(session, sorted(set(given.values())))
    return frozenset(given) - {row.id for row in deciding.values()}


def _awaited(answer_id: ColumnElement[str], table: Table) -> ColumnElement[bool]:
    """Return the condition that the answer of a row still waits for another verdict.

    It is asked of each answer on its own: most answers are open, and few have two slots.
    """
    undecided = select(ANSWER.c.id).where(ANSWER.c.id == answer_id, ANSWER.c.state.in_(_UNDECIDED))
    return undecided.correlate(table).exists()


def deciding_review(session: Session, answer_id: str) -> Any:  # noqa: ANN401 - a row of the database
    """Return the review that decides over an answer; None while another verdict is awaited."""
    return deciding_reviews(session, [answer_id]).get(answer_id)


def deciding_reviews(session: Session, answer_ids: Sequence[str]) -> dict[str, Any]:
    """Return the review that decides over each of the answers; none while one is awaited.

    The newest one; where two people are needed the newest of two that agree, the one that
    somebody let stand, or the third look.
    """
    found: dict[str, Any] = {}
    for ids in parts(answer_ids):
        reviews: dict[str, list[Any]] = {}
        statement = with_changes().where(REVIEW.c.answer_id.in_(ids), ~REVIEW.c.void)
        for row in session.connection().execute(statement):
            reviews.setdefault(row.answer_id, []).append(row)
        doubled = doubles_among(session, list(reviews))
        settled = settlements(session, list(doubled))
        stands = {answer_id: int(row.review_id) for answer_id, row in settled.items()}
        for answer_id, rows in reviews.items():
            last = rows[-1]
            decides = _of_two(rows, stands.get(answer_id)) if answer_id in doubled else last
            if decides is not None:
                found[answer_id] = decides
    return found


def with_changes() -> Select[Any]:
    """Return the statement for reviews, oldest first, each with what became of its change."""
    return (
        select(REVIEW, CHANGE.c.state.label("change_state"), CHANGE.c.number.label("change_number"))
        .outerjoin(CHANGE, CHANGE.c.id == REVIEW.c.change_id)
        .order_by(REVIEW.c.id)
    )


def doubles_among(session: Session, answer_ids: Sequence[str]) -> frozenset[str]:
    """Return those of a few answers that two people are to look at."""
    if not answer_ids:
        return frozenset()
    statement = select(SAMPLE_ITEM.c.answer_id).where(
        SAMPLE_ITEM.c.answer_id.in_(answer_ids), SAMPLE_ITEM.c.slots == TWO
    )
    return frozenset(session.connection().execute(statement).scalars())


def _of_two(rows: Sequence[Any], stands: int | None) -> Any:  # noqa: ANN401 - rows of the database
    """Return which of the verdicts of several people decides.

    Of two that agree the newer one, unless its change was withdrawn and that of the other was not.
    """
    given = last_of_each(rows)
    if len(given) < TWO:
        return None
    kept = next((row for row in given if row.id == stands), None)
    if kept is not None:
        return kept
    two = given[:TWO]
    if two[0].verdict == two[1].verdict:
        return ([row for row in two if row.change_state != _WITHDRAWN] or two)[-1]
    return given[TWO] if len(given) > TWO else None


def last_of_each(rows: Sequence[Any]) -> list[Any]:
    """Return each person's last review of one answer, in the order in which they were given."""
    latest = {row.person: row for row in rows}
    return sorted(latest.values(), key=lambda row: int(row.id))


def settlements(session: Session, answer_ids: Sequence[str]) -> dict[str, Any]:
    """Return the last word on which review stands, by answer.

    It is gone when it was taken back, or the review that it let stand was.
    """
    if not answer_ids:
        return {}
    statement = (
        select(ADJUDICATION)
        .join(REVIEW, REVIEW.c.id == ADJUDICATION.c.review_id)
        .where(ADJUDICATION.c.answer_id.in_(answer_ids), ~ADJUDICATION.c.void, ~REVIEW.c.void)
        .order_by(ADJUDICATION.c.id)
    )
    return {row.answer_id: row for row in session.connection().execute(statement)}
