"""Samples in the store: the frame they are drawn from, their items, and what came of each."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import or_, select, update
from sqlmodel import Session

from curation.domain.base import Value
from curation.domain.person import Person
from curation.domain.review import AnswerState, Verdict
from curation.domain.sample import (
    Arm,
    Drawn,
    Sample,
    SampleRequest,
    Sighting,
    outcome,
)
from curation.store.doubles import SHARED, TWO, deciding_reviews, is_double, own_verdicts
from curation.store.schema import (
    ANSWER,
    LEASE,
    QUESTION_GROUP,
    SAMPLE,
    SAMPLE_ITEM,
    SKIP,
)
from curation.store.sql import insert_many, parts

UNREVIEWED = (AnswerState.OPEN.value, AnswerState.COVERED.value)


class FrameAnswer(Value):
    """An answer that may be drawn."""

    answer_id: str
    impact: float


def read_frame(
    session: Session, *, since: datetime | None, until: datetime | None
) -> tuple[FrameAnswer, ...]:
    """Return the answers of a period that nobody has reviewed, by id; no date counts as inside.

    An answer that another one's review covers is among them: nobody has looked at it. So is one
    that still waits for the second of two verdicts, since nobody may be told of the first.
    """
    statement = (
        select(
            ANSWER.c.id,
            QUESTION_GROUP.c.priority,
            QUESTION_GROUP.c.asked,
        )
        .join(QUESTION_GROUP, QUESTION_GROUP.c.id == ANSWER.c.group_id)
        .where(ANSWER.c.state.in_(UNREVIEWED), *_period(since, until))
        .order_by(ANSWER.c.id)
    )
    return tuple(
        FrameAnswer.model_construct(
            answer_id=row.id,
            impact=row.priority / max(row.asked, 1),
        )
        for row in session.connection().execute(statement)
    )


def _period(since: datetime | None, until: datetime | None) -> list[Any]:
    """Return the conditions that an answer was asked in the period, its end left out."""
    undated = ANSWER.c.asked_at.is_(None)
    found: list[Any] = []
    if since is not None:
        found.append(or_(undated, ANSWER.c.asked_at >= since))
    if until is not None:
        found.append(or_(undated, ANSWER.c.asked_at < until))
    return found


def save_sample(
    session: Session,
    request: SampleRequest,
    drawn: Sequence[Drawn],
    *,
    frame: int,
    person: Person,
    now: datetime,
) -> Sample:
    """Store a sample, its items in the order in which they are to be served."""
    control = sum(item.arm is Arm.CONTROL for item in drawn)
    inserted = session.connection().execute(
        SAMPLE.insert().values(
            drawn_at=now,
            name=person.name,
            email=person.email,
            asked_for=request.n,
            seed=request.seed,
            control_share=request.control,
            double_share=request.double,
            since=request.since,
            until=request.until,
            frame=frame,
            control=control,
            targeted=len(drawn) - control,
        )
    )
    key = inserted.inserted_primary_key
    sample_id = int(key[0]) if key is not None else 0
    rows = [
        {
            "sample_id": sample_id,
            "answer_id": item.answer_id,
            "position": at,
            "arm": item.arm.value,
            "pi": item.pi,
            "slots": item.slots,
        }
        for at, item in enumerate(drawn)
    ]
    insert_many(session, SAMPLE_ITEM, rows)
    _separate_holds(session, [item.answer_id for item in drawn if item.slots == TWO])
    found = read_sample(session, sample_id)
    if found is None:
        raise AssertionError(sample_id)
    return found


def _separate_holds(session: Session, answer_ids: Sequence[str]) -> None:
    """Make a hold on an answer that two people now look at the holder's own."""
    for ids in parts(answer_ids):
        session.connection().execute(
            update(LEASE)
            .where(LEASE.c.answer_id.in_(ids), LEASE.c.slot == SHARED)
            .values(slot=LEASE.c.person)
        )


def read_sample(session: Session, sample_id: int | None = None) -> Sample | None:
    """Return the sample with this number, the newest without one; None if there is none."""
    statement = select(SAMPLE).order_by(SAMPLE.c.id.desc()).limit(1)
    if sample_id is not None:
        statement = select(SAMPLE).where(SAMPLE.c.id == sample_id)
    row = session.connection().execute(statement).first()
    if row is None:
        return None
    return Sample(
        id=row.id,
        drawn_at=row.drawn_at,
        person=Person(name=row.name, email=row.email),
        request=SampleRequest(
            n=row.asked_for,
            seed=row.seed,
            control=row.control_share,
            double=row.double_share,
            since=row.since,
            until=row.until,
        ),
        frame=row.frame,
        control=row.control,
        targeted=row.targeted,
    )


def read_sightings(session: Session, sample: Sample) -> tuple[Sighting, ...]:
    """Return the items of a sample in the order of their answers' ids, with what came of each."""
    statement = (
        select(SAMPLE_ITEM)
        .where(SAMPLE_ITEM.c.sample_id == sample.id)
        .order_by(SAMPLE_ITEM.c.answer_id)
    )
    rows = list(session.connection().execute(statement))
    ids = [row.answer_id for row in rows]
    decided = deciding_reviews(session, ids)
    skipped = _skipped(session, ids, sample.drawn_at)
    return tuple(
        Sighting(
            answer_id=row.answer_id,
            arm=row.arm,
            pi=row.pi,
            outcome=outcome(
                Verdict(decided[row.answer_id].verdict) if row.answer_id in decided else None,
                skipped=row.answer_id in skipped,
            ),
        )
        for row in rows
    )


def _skipped(session: Session, answer_ids: Sequence[str], since: datetime) -> set[str]:
    """Return those of the answers that somebody skipped since the sample was drawn.

    Where two people are to look, a skip says nothing: one of them may not be told of the other's.
    """
    found: set[str] = set()
    for ids in parts(answer_ids):
        statement = select(SKIP.c.answer_id).where(
            SKIP.c.answer_id.in_(ids),
            ~is_double(SKIP.c.answer_id),
            SKIP.c.day >= since.date().isoformat(),
        )
        found.update(session.connection().execute(statement).scalars())
    return found


def read_order(session: Session, sample_id: int) -> tuple[str, ...]:
    """Return the answers of a sample in the order in which they are served."""
    statement = (
        select(SAMPLE_ITEM.c.answer_id)
        .where(SAMPLE_ITEM.c.sample_id == sample_id)
        .order_by(SAMPLE_ITEM.c.position)
    )
    return tuple(session.connection().execute(statement).scalars())


def read_waiting(session: Session, person: Person, now: datetime) -> tuple[str, ...]:
    """Return what of the newest sample still wants this person's verdict, in the drawn order.

    Covered answers are among them; what the person skipped today or has decided is not.
    """
    newest = select(SAMPLE.c.id).order_by(SAMPLE.c.id.desc()).limit(1).scalar_subquery()
    skipped = select(SKIP.c.answer_id).where(
        SKIP.c.person == person.key, SKIP.c.day == now.date().isoformat()
    )
    statement = (
        select(SAMPLE_ITEM.c.answer_id)
        .join(ANSWER, ANSWER.c.id == SAMPLE_ITEM.c.answer_id)
        .where(
            SAMPLE_ITEM.c.sample_id == newest,
            ANSWER.c.state.in_(UNREVIEWED),
            ANSWER.c.id.not_in(skipped),
        )
        .order_by(SAMPLE_ITEM.c.position)
    )
    decided = own_verdicts(session, person)
    found = session.connection().execute(statement).scalars()
    return tuple(answer_id for answer_id in found if answer_id not in decided)
