"""Question groups that ask nearly the same, and how often they were asked together.

A group stays what it is: its answers are reviewed, covered and counted by its exact question. Only
the frequency that orders the queue is that of all groups that ask nearly the same.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import case, delete, func, select
from sqlmodel import Session

from curation.store.answer_rows import group_id_of
from curation.store.schema import ANSWER, NEAR_GROUP, QUESTION_GROUP
from curation.store.sql import insert_many, parts


class AskedQuestion(NamedTuple):
    """A question group without earlier turns, and how often it was asked."""

    group_id: str
    words: str
    asked: int


def asked_questions(session: Session) -> Iterator[AskedQuestion]:
    """Yield the groups whose question stands alone: with earlier turns it may mean anything."""
    chosen = select(QUESTION_GROUP.c.id, QUESTION_GROUP.c.words, QUESTION_GROUP.c.asked)
    rows = session.connection().execute(chosen.order_by(QUESTION_GROUP.c.id))
    for row in rows.yield_per(10_000):
        if group_id_of(row.words) == row.id:
            yield AskedQuestion(*row)


def replace_near_groups(session: Session, pairs: Sequence[tuple[str, str]]) -> None:
    """Remember for each group of several which one stands for it; forget what was before."""
    session.connection().execute(delete(NEAR_GROUP))
    for some in parts(pairs, 10_000):
        insert_many(
            session, NEAR_GROUP, [{"group_id": own, "leader_id": leader} for own, leader in some]
        )


def relatives(session: Session, group_ids: Sequence[str]) -> set[str]:
    """Return the groups that ask nearly the same as these, these included where there are any."""
    found: set[str] = set()
    for leaders in parts(sorted(set(_leaders(session, group_ids).values()))):
        chosen = select(NEAR_GROUP.c.group_id).where(NEAR_GROUP.c.leader_id.in_(leaders))
        found |= set(session.connection().execute(chosen).scalars())
    return found


def asked_together(session: Session, group_ids: Sequence[str], inside: Any) -> dict[str, int]:  # noqa: ANN401 - an SQL condition
    """Return for each of these groups that is near others how often all of them were asked.

    Args:
        session: a session.
        group_ids: the groups.
        inside: the condition for answers of the window.
    """
    leader_of = _leaders(session, group_ids)
    asked: dict[str, int] = {}
    for leaders in parts(sorted(set(leader_of.values()))):
        statement = (
            select(NEAR_GROUP.c.leader_id, func.sum(case((inside, 1), else_=0)).label("asked"))
            .join(ANSWER, ANSWER.c.group_id == NEAR_GROUP.c.group_id)
            .where(NEAR_GROUP.c.leader_id.in_(leaders))
            .group_by(NEAR_GROUP.c.leader_id)
        )
        asked |= {r.leader_id: int(r.asked) for r in session.connection().execute(statement)}
    return {group: asked.get(leader, 0) for group, leader in leader_of.items()}


def _leaders(session: Session, group_ids: Sequence[str]) -> dict[str, str]:
    """Return who stands for those of the groups that are near others."""
    found: dict[str, str] = {}
    for ids in parts(group_ids):
        statement = select(NEAR_GROUP).where(NEAR_GROUP.c.group_id.in_(ids))
        found |= {r.group_id: r.leader_id for r in session.connection().execute(statement)}
    return found
