"""Verdicts of several people on one answer: which are to settle, and what was settled."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select, update
from sqlmodel import Session

from curation.domain.adjudication import Contest, Given, Settlement, Withdrawn
from curation.domain.change import Change, ChangeState
from curation.domain.person import Person
from curation.store.changes import set_change_state
from curation.store.doubles import (
    TWO,
    deciding_reviews,
    is_double,
    is_sealed,
    last_of_each,
    settlements,
    with_changes,
)
from curation.store.reviews import as_review, reopen_answers, rest_on
from curation.store.schema import ADJUDICATION, ANSWER, REVIEW
from curation.store.sql import insert_many, parts
from curation.store.states import lock_groups

__all__ = ["lock", "read_contest", "read_contests", "settle", "take_back", "why_held_up"]


def lock(session: Session, answer_id: str) -> None:
    """Let nobody else settle the verdicts on an answer, or give one, until the end."""
    lock_groups(session, ANSWER.c.id == answer_id)


def read_contest(session: Session, answer_id: str) -> Contest | None:
    """Return the verdicts on an answer; None where fewer than two people gave one."""
    return next(iter(_contests(session, REVIEW.c.answer_id == answer_id)), None)


def read_contests(session: Session) -> tuple[Contest, ...]:
    """Return every answer with the verdicts of two people or more, the oldest pair first."""
    return _contests(session)


def why_held_up(session: Session, change: Change) -> str | None:
    """Return why a change of such an answer has to wait; None when it has not.

    Until the second verdict nobody else knows of it; two cases of one answer are not both wanted.
    """
    if is_sealed(session, change.id):
        return "Another verdict on its answer is awaited, so this change waits for it."
    contest = read_contest(session, change.answer_id) if change.answer_id else None
    if contest is None or not contest.is_open:
        return None
    return "Another verdict on its answer is open too. T on the queue settles which one stands."


def _contests(session: Session, *which: Any) -> tuple[Contest, ...]:  # noqa: ANN401 - SQL conditions
    """Return the contests among the answers that two people were to look at."""
    given: defaultdict[str, list[Any]] = defaultdict(list)
    statement = with_changes().where(~REVIEW.c.void, is_double(REVIEW.c.answer_id), *which)
    for row in session.connection().execute(statement):
        given[row.answer_id].append(row)
    latest = {answer_id: last_of_each(rows) for answer_id, rows in given.items()}
    pairs = {answer_id: rows for answer_id, rows in latest.items() if len(rows) >= TWO}
    ids = list(pairs)
    deciding = deciding_reviews(session, ids)
    settled, questions = _settled(session, ids), _questions(session, ids)
    found = [
        Contest(
            answer_id=answer_id,
            question=questions[answer_id],
            given=tuple(_given(row) for row in rows),
            decides=deciding[answer_id].id if answer_id in deciding else None,
            settled=settled.get(answer_id),
        )
        for answer_id, rows in pairs.items()
    ]
    return tuple(sorted(found, key=lambda one: one.given[-1].review_id))


def _given(row: Any) -> Given:  # noqa: ANN401 - a row of the database
    return Given(
        review_id=row.id,
        review=as_review(row),
        change_number=row.change_number,
        change_state=row.change_state,
    )


def _settled(session: Session, answer_ids: Sequence[str]) -> dict[str, Settlement]:
    """Return the last word on each answer that was not taken back."""
    found: dict[str, Settlement] = {}
    for ids in parts(answer_ids):
        for answer_id, row in settlements(session, ids).items():
            found[answer_id] = Settlement(
                review_id=row.review_id,
                person=Person(name=row.name, email=row.email),
                at=row.at,
                reason=row.reason,
                withdrawn=tuple(Withdrawn.model_validate(one) for one in row.withdrawn),
            )
    return found


def _questions(session: Session, answer_ids: Sequence[str]) -> dict[str, str]:
    """Return the question of each answer."""
    found: dict[str, str] = {}
    for ids in parts(answer_ids):
        statement = select(ANSWER.c.id, ANSWER.c.question).where(ANSWER.c.id.in_(ids))
        found |= {row.id: row.question for row in session.connection().execute(statement)}
    return found


def settle(session: Session, answer_id: str, settlement: Settlement) -> None:
    """Let a verdict stand: what did not is withdrawn, and its author's verdict is kept.

    Other answers that were counted to a withdrawn case open again.
    """
    whole = settlement.model_dump(mode="json")
    row = {
        "answer_id": answer_id,
        "review_id": settlement.review_id,
        "name": settlement.person.name,
        "email": settlement.person.email,
        "at": settlement.at,
        "reason": settlement.reason,
        "void": False,
        "withdrawn": whole["withdrawn"],
    }
    insert_many(session, ADJUDICATION, [row])
    for one in settlement.withdrawn:
        set_change_state(session, one.change_id, ChangeState.WITHDRAWN)
        reopen_answers(session, one.change_id)
    rest_on(session, answer_id)


def take_back(session: Session, answer_id: str, settlement: Settlement) -> None:
    """Forget that a verdict stands; what was withdrawn is where it was before."""
    session.connection().execute(
        update(ADJUDICATION).where(ADJUDICATION.c.answer_id == answer_id).values(void=True)
    )
    for one in settlement.withdrawn:
        set_change_state(session, one.change_id, one.before)
    rest_on(session, answer_id)
