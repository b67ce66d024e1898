"""Question groups that ask nearly the same, and how often they were asked together.

A group stays what it is: its answers are reviewed, covered and counted by its exact question. Only
the frequency that orders the queue is that of all groups that ask nearly the same; and a person
who has seen the list may let one review answer for them all.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, case, delete, func, select
from sqlmodel import Session

from curation.domain.review import AnswerState
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


class NearQuestion(NamedTuple):
    """A question that asks nearly the same as another one, and its open answers."""

    question: str
    answer_id: str
    open: int


def open_near(connection: Connection, group_ids: Sequence[str]) -> dict[str, int]:
    """Return how many open answers the other questions near each of these groups have."""
    own = NEAR_GROUP.alias("own")
    statement = (
        select(own.c.group_id, func.sum(QUESTION_GROUP.c.open_count).label("open"))
        .join(NEAR_GROUP, NEAR_GROUP.c.leader_id == own.c.leader_id)
        .join(QUESTION_GROUP, QUESTION_GROUP.c.id == NEAR_GROUP.c.group_id)
        .where(own.c.group_id.in_(group_ids), NEAR_GROUP.c.group_id != own.c.group_id)
        .group_by(own.c.group_id)
    )
    return {row.group_id: int(row.open) for row in connection.execute(statement)}


def near_questions(session: Session, answer_id: str) -> list[NearQuestion]:
    """Return the other questions near an answer's that have open answers, the most first."""
    statement = (
        select(
            func.min(ANSWER.c.question).label("question"),
            func.min(ANSWER.c.id).label("answer_id"),
            func.count().label("open"),
        )
        .where(*_near_answers(session, answer_id))
        .group_by(ANSWER.c.group_id)
    )
    found = [NearQuestion(*row) for row in session.connection().execute(statement)]
    return sorted(found, key=lambda one: (-one.open, one.question))


def near_answers(session: Session, answer_id: str) -> list[str]:
    """Return the open answers of an answer's own pipeline version to questions near its own."""
    version = select(ANSWER.c.pipeline_version).where(ANSWER.c.id == answer_id).scalar_subquery()
    statement = (
        select(ANSWER.c.id)
        .where(
            *_near_answers(session, answer_id),
            ANSWER.c.pipeline_version.is_not_distinct_from(version),
        )
        .order_by(ANSWER.c.id)
    )
    return list(session.connection().execute(statement).scalars())


def _near_answers(session: Session, answer_id: str) -> tuple[Any, ...]:
    """Return the conditions for open answers to questions near an answer's, its own left out."""
    own = session.connection().execute(select(ANSWER.c.group_id).where(ANSWER.c.id == answer_id))
    group = own.scalar()
    others = relatives(session, [group]) - {group} if group is not None else set()
    return ANSWER.c.group_id.in_(sorted(others)), ANSWER.c.state == AnswerState.OPEN.value


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
