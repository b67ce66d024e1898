"""Questions that a person's verdict gave a case already: one that waits, or one of the set."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, and_, func, or_, select
from sqlmodel import Session

from curation.domain.change import ChangeState
from curation.domain.person import Person
from curation.domain.review import AnswerState, Verdict
from curation.store.schema import ANSWER, CHANGE, QUESTION_GROUP, REVIEW
from curation.store.sql import parts

_GAVE_A_CASE = (Verdict.PROPOSED.value, Verdict.EDITED.value, Verdict.DUPLICATE.value)
_FINISHED = (AnswerState.DONE.value, AnswerState.DISMISSED.value)


def has_case(person: Person | None) -> Any:  # noqa: ANN401 - an SQL condition
    """Return the condition that a group has its case, so that its other answers bring no new one.

    One that regressed is not meant: its case is what a later version failed.
    """
    seen = ANSWER.alias("seen")
    found = _cases(person, seen).where(seen.c.group_id == QUESTION_GROUP.c.id)
    return and_(~QUESTION_GROUP.c.on_top, found.correlate(QUESTION_GROUP).exists())


def cases_given(
    session: Session, answer_ids: Sequence[str], person: Person | None
) -> dict[str, str]:
    """Return which case or change each of these answers' questions was given, in words."""
    own, seen = ANSWER.alias("own"), ANSWER.alias("seen")
    found: dict[str, str] = {}
    for ids in parts(answer_ids):
        statement = (
            _cases(person, seen)
            .add_columns(own.c.id, func.coalesce(CHANGE.c.case_id, REVIEW.c.duplicate_of))
            .join(own, own.c.group_id == seen.c.group_id)
            .where(own.c.id.in_(ids))
            .order_by(REVIEW.c.id)
        )
        for number, state, answer_id, case_id in session.connection().execute(statement):
            found[answer_id] = _words(number, state, case_id)
    return found


def _cases(person: Person | None, seen: Any) -> Select[Any]:  # noqa: ANN401 - a table under a name
    """Return the statement for the verdicts that gave a case, as far as the person may know."""
    decided = seen.c.state.in_(_FINISHED)
    return (
        select(CHANGE.c.number, CHANGE.c.state)
        .select_from(REVIEW)
        .join(seen, seen.c.id == REVIEW.c.answer_id)
        .outerjoin(CHANGE, CHANGE.c.id == REVIEW.c.change_id)
        .where(
            ~REVIEW.c.void,
            REVIEW.c.verdict.in_(_GAVE_A_CASE),
            decided if person is None else or_(decided, REVIEW.c.person == person.key),
            or_(CHANGE.c.id.is_(None), CHANGE.c.state != ChangeState.WITHDRAWN.value),
        )
    )


def _words(number: int | None, state: str | None, case_id: str | None) -> str:
    """Return `waits as 0006` while the change does, `has q-0004` once it is in the set."""
    if number is not None and state is not None and not ChangeState(state).closed:
        return f"waits as {number:04d}"
    return f"has {case_id}"
