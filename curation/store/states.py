"""The state of answers, kept in the same transaction as what changes it."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, literal_column, select, update
from sqlmodel import Session

from curation.domain.review import AnswerState
from curation.store.schema import ANSWER, QUESTION_GROUP
from curation.store.sql import parts


def set_states(session: Session, answer_ids: Sequence[str], state: AnswerState) -> None:
    """Set the state of the answers and count again how many of their groups are open."""
    for ids in parts(answer_ids):
        lock_groups(session, ANSWER.c.id.in_(ids))
        session.connection().execute(
            update(ANSWER).where(ANSWER.c.id.in_(ids)).values(state=state.value)
        )
        groups = select(ANSWER.c.group_id).where(ANSWER.c.id.in_(ids))
        session.connection().execute(
            update(QUESTION_GROUP)
            .where(QUESTION_GROUP.c.id.in_(groups))
            .values(open_count=open_answers())
        )


def lock_groups(session: Session, which: Any) -> None:  # noqa: ANN401 - an SQL condition
    """Let nobody else count in the groups of the chosen answers until the transaction ends.

    Without it two transactions on PostgreSQL would each count without seeing the other's answers;
    on SQLite there is only one that writes.
    """
    if session.get_bind().dialect.name == "postgresql":
        groups = select(ANSWER.c.group_id).where(which)
        locked = select(QUESTION_GROUP.c.id).where(QUESTION_GROUP.c.id.in_(groups))
        session.connection().execute(locked.order_by(QUESTION_GROUP.c.id).with_for_update())


def with_open() -> Any:  # noqa: ANN401 - an SQL condition
    """Return the condition that a group has open answers, as its partial index spells it."""
    return QUESTION_GROUP.c.open_count > literal_column("0")


def open_answers() -> Any:  # noqa: ANN401 - an SQL expression
    """Return the expression that counts the open answers of a group."""
    return (
        select(func.count())
        .select_from(ANSWER)
        .where(ANSWER.c.group_id == QUESTION_GROUP.c.id, ANSWER.c.state == AnswerState.OPEN.value)
        .scalar_subquery()
    )
