"""Holds on answers: claimed in one statement, over when the lease is; and skips."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, case, delete, literal, or_, select
from sqlmodel import Session

from curation.domain.base import Value
from curation.domain.person import Person
from curation.domain.queue import HeldAnswer, QueueFilter, QueueState
from curation.domain.review import AnswerState, Lease
from curation.errors import NotFoundError
from curation.store.answered import has_case
from curation.store.doubles import SHARED, is_double, known_to, own_verdicts
from curation.store.queue_filters import claimable, with_words
from curation.store.queue_order import first_answer, places
from curation.store.schema import ANSWER, LEASE, QUESTION_GROUP, SKIP
from curation.store.sql import insert_into
from curation.store.states import with_open
from curation.store.types import UtcTime

TRIES = 20


class ClaimResult(Value):
    """Who holds the answer now, and whether that is the person who asked."""

    lease: Lease
    mine: bool


def claim(
    session: Session, answer_id: str, person: Person, *, now: datetime, minutes: float
) -> ClaimResult:
    """Take a free answer, or renew one's own hold; one statement, so nobody can come between.

    Raises:
        NotFoundError: there is no such answer.
    """
    chosen = select(ANSWER.c.id).where(ANSWER.c.id == answer_id)
    taken = _take(session, chosen, person, now=now, minutes=minutes)
    lease = holder(session, answer_id, now, person)
    if lease is None:
        raise NotFoundError("answer", answer_id, "See `curation queue list`.")
    return ClaimResult(lease=lease, mine=taken is not None)


def claim_next(
    session: Session,
    person: Person,
    filters: QueueFilter,
    *,
    now: datetime,
    minutes: float,
) -> str | None:
    """Take the first free answer in the queue's order and return its id; None: nothing is free.

    Groups in which somebody holds an answer, or the person skipped one today, come after all
    others, and last those whose question has its case: one answer more brings none. The skipped
    answers themselves are left out.

    Args:
        session: a writing session.
        person: who asks.
        filters: which answers; of the states, `mine` means those held already, any other the open.
        now: when.
        minutes: how long the hold lasts.
    """
    skip = tuple(own_verdicts(session, person))
    for apart in _passes(person, now, mine=filters.state is QueueState.MINE):
        chosen = _next(person, filters, now=now, skip=skip, apart=apart)
        for _ in range(TRIES):
            taken = _take(session, chosen, person, now=now, minutes=minutes)
            if taken is not None and _still_open(session, taken):
                return taken
            if taken is not None:
                release(session, taken, person)
            elif session.connection().execute(chosen).first() is None:
                break
    return None


def _still_open(session: Session, answer_id: str) -> bool:
    """Return whether a taken answer has no verdict.

    On PostgreSQL somebody may have given one, and let go, while the statement was looking.
    """
    state = select(ANSWER.c.state).where(ANSWER.c.id == answer_id)
    return bool(session.connection().execute(state).scalar() == AnswerState.OPEN.value)


def _passes(person: Person, now: datetime, *, mine: bool) -> list[tuple[Any, ...]]:
    """Return the conditions for the groups to look through one after the other, the last none."""
    if mine:
        return [()]
    new = ~has_case(person)
    return [(new, ~_held_in_group(person, now), ~_skipped_in_group(person, now)), (new,), ()]


def _next(
    person: Person,
    filters: QueueFilter,
    *,
    now: datetime,
    skip: Sequence[str],
    apart: Sequence[Any],
) -> Select[Any]:
    """Return the statement that finds the answer to serve next."""
    if filters.state is not QueueState.MINE:
        filters = filters.model_copy(update={"state": QueueState.TO_REVIEW})
    skipped = select(SKIP.c.answer_id).where(*_skipped_today(person, now))
    which = [
        ANSWER.c.group_id == QUESTION_GROUP.c.id,
        *claimable(filters, person, now),
        ANSWER.c.id.not_in(skipped),
    ]
    if skip:
        which.append(ANSWER.c.id.not_in(list(skip)))
    free = select(ANSWER.c.id).where(*which).correlate(QUESTION_GROUP)
    groups = [with_open(), *with_words(filters), free.exists(), *apart]
    return (
        select(first_answer(free))
        .select_from(QUESTION_GROUP)
        .where(*groups)
        .order_by(*places())
        .limit(1)
    )


def _held_in_group(person: Person, now: datetime) -> Any:  # noqa: ANN401 - an SQL condition
    """Return whether somebody holds an answer of the group, as far as the person may know."""
    held = ANSWER.alias("held")
    return (
        select(held.c.group_id)
        .join(LEASE, LEASE.c.answer_id == held.c.id)
        .where(
            held.c.group_id == QUESTION_GROUP.c.id,
            LEASE.c.until > now,
            known_to(person),
        )
        .correlate(QUESTION_GROUP)
        .exists()
    )


def _skipped_in_group(person: Person, now: datetime) -> Any:  # noqa: ANN401 - an SQL condition
    """Return whether the person skipped an answer of the group today."""
    seen = ANSWER.alias("skipped")
    return (
        select(seen.c.group_id)
        .join(SKIP, SKIP.c.answer_id == seen.c.id)
        .where(seen.c.group_id == QUESTION_GROUP.c.id, *_skipped_today(person, now))
        .correlate(QUESTION_GROUP)
        .exists()
    )


def _skipped_today(person: Person, now: datetime) -> tuple[Any, ...]:
    """Return the conditions for what the person does not want again today."""
    return SKIP.c.person == person.key, SKIP.c.day == now.date().isoformat()


def _take(
    session: Session, chosen: Select[Any], person: Person, *, now: datetime, minutes: float
) -> str | None:
    """Give the chosen answer to the person unless somebody else's hold still lasts.

    Where two people are to look without knowing of each other, each has a hold of their own.
    """
    found = chosen.subquery()
    until = now + timedelta(minutes=minutes)
    source = select(
        found.c[0],
        case((is_double(found.c[0]), person.key), else_=SHARED),
        literal(person.key),
        literal(person.name),
        literal(person.email),
        literal(until, UtcTime()),
    ).where(found.c[0].is_not(None))
    statement = insert_into(session, LEASE).from_select(
        ["answer_id", "slot", "person", "name", "email", "until"], source
    )
    statement = statement.on_conflict_do_update(
        index_elements=[LEASE.c.answer_id, LEASE.c.slot],
        set_={name: statement.excluded[name] for name in ("person", "name", "email", "until")},
        where=or_(LEASE.c.until <= now, LEASE.c.person == person.key),
    )
    taken = session.connection().execute(statement.returning(LEASE.c.answer_id)).scalar()
    return None if taken is None else str(taken)


def release(session: Session, answer_id: str, person: Person) -> None:
    """Give the answer back; somebody else's hold is left alone."""
    session.connection().execute(
        delete(LEASE).where(LEASE.c.answer_id == answer_id, LEASE.c.person == person.key)
    )


def holder(
    session: Session, answer_id: str, now: datetime, viewer: Person | None = None
) -> Lease | None:
    """Return who holds the answer until when, as the viewer may know; None if it is free."""
    statement = select(LEASE).where(
        LEASE.c.answer_id == answer_id, LEASE.c.until > now, known_to(viewer)
    )
    row = session.connection().execute(statement).first()
    return None if row is None else _lease(row)


@dataclass(frozen=True)
class Holds:
    """The open answers that somebody holds, the first hold to end first."""

    answers: tuple[HeldAnswer, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The answers."""
        return tuple(item.answer_id for item in self.answers)

    def ids_of(self, person: Person | None) -> tuple[str, ...]:
        """Return the answers that this person holds."""
        if person is None:
            return ()
        mine = (item for item in self.answers if item.lease.person.key == person.key)
        return tuple(item.answer_id for item in mine)

    def lease_of(self, answer_id: str) -> Lease | None:
        """Return the hold on an answer, None if it is free."""
        found = (item.lease for item in self.answers if item.answer_id == answer_id)
        return next(found, None)


def current_holds(session: Session, now: datetime, viewer: Person | None = None) -> Holds:
    """Return the open answers that are held, as far as the viewer may know of it."""
    statement = (
        select(LEASE, ANSWER.c.state)
        .join(ANSWER, ANSWER.c.id == LEASE.c.answer_id)
        .where(LEASE.c.until > now, known_to(viewer))
        .order_by(LEASE.c.until, LEASE.c.answer_id)
    )
    found = session.connection().execute(statement)
    rows = [row for row in found if row.state == AnswerState.OPEN.value]
    return Holds(tuple(HeldAnswer(answer_id=row.answer_id, lease=_lease(row)) for row in rows))


def record_skip(session: Session, answer_id: str, person: Person, *, now: datetime) -> None:
    """Remember that the person does not want this answer again on the day of `now`."""
    session.connection().execute(
        insert_into(session, SKIP)
        .values(answer_id=answer_id, person=person.key, day=now.date().isoformat())
        .on_conflict_do_nothing()
    )


def _lease(row: Any) -> Lease:  # noqa: ANN401 - a row of the database
    return Lease(person=Person(name=row.name, email=row.email), until=row.until)
