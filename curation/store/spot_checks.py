"""Spot checks: what was drawn for blind labelling, and what each person said of it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import Field
from sqlalchemy import delete, func, select
from sqlmodel import Session

from curation.domain.base import Value
from curation.domain.person import Person
from curation.store.human_labels import unfinished_checks
from curation.store.schema import SPOT_CHECK, SPOT_ITEM, SPOT_LABEL
from curation.store.scores_by_judge import JudgeKey
from curation.store.sql import count_up, insert_many, insert_missing

_COUNTER = "spot_check"


class SpotCheck(Value):
    """A draw over the scores of one judge for one metric."""

    number: int
    metric: str
    judge: str | None = None
    prompt_version: str | None = None
    seed: int
    wanted: int
    decides: bool = False
    drawn_by: Person
    at: datetime

    @property
    def key(self) -> JudgeKey:
        """Whose scores it was drawn from."""
        return JudgeKey(self.judge, self.metric, self.prompt_version)


class SpotItem(Value):
    """One drawn item: its stratum is what the judge said, so nobody is shown it before the end."""

    position: int
    answer_id: str
    chunk_id: str | None = None
    stratum: str
    probability: float = Field(gt=0, le=1)


class SpotLabel(Value):
    """What a person said of one item."""

    position: int
    person: Person
    level: int = Field(ge=0, le=2)
    seconds: float | None = Field(default=None, ge=0)
    at: datetime
    blind: bool


def add_check(session: Session, check: SpotCheck, items: Sequence[SpotItem]) -> SpotCheck:
    """Store a draw under the next number, which the given one is replaced by."""
    number = count_up(session, _COUNTER)
    session.connection().execute(
        SPOT_CHECK.insert().values(
            number=number,
            person=check.drawn_by.key,
            name=check.drawn_by.name,
            email=check.drawn_by.email,
            **check.model_dump(exclude={"number", "drawn_by"}),
        )
    )
    rows = [{"check_number": number, **item.model_dump()} for item in items]
    insert_many(session, SPOT_ITEM, rows)
    return check.model_copy(update={"number": number})


def all_checks(session: Session) -> tuple[SpotCheck, ...]:
    """Return every spot check, newest first."""
    statement = select(SPOT_CHECK).order_by(SPOT_CHECK.c.number.desc())
    return tuple(_check(row) for row in session.connection().execute(statement))


def _check(row: Any) -> SpotCheck:  # noqa: ANN401 - a row of the database
    return SpotCheck(
        number=row.number,
        metric=row.metric,
        judge=row.judge,
        prompt_version=row.prompt_version,
        seed=row.seed,
        wanted=row.wanted,
        decides=row.decides,
        drawn_by=Person(name=row.name, email=row.email),
        at=row.at,
    )


def items_of_check(session: Session, number: int) -> tuple[SpotItem, ...]:
    """Return the items of a spot check in their order."""
    statement = select(SPOT_ITEM).where(SPOT_ITEM.c.check_number == number)
    rows = session.connection().execute(statement.order_by(SPOT_ITEM.c.position))
    return tuple(
        SpotItem(
            position=row.position,
            answer_id=row.answer_id,
            chunk_id=row.chunk_id,
            stratum=row.stratum,
            probability=row.probability,
        )
        for row in rows
    )


def labels_of_check(session: Session, number: int) -> tuple[SpotLabel, ...]:
    """Return what people said of the items of a spot check, oldest first."""
    statement = select(SPOT_LABEL).where(SPOT_LABEL.c.check_number == number)
    rows = session.connection().execute(statement.order_by(SPOT_LABEL.c.at, SPOT_LABEL.c.position))
    return tuple(
        SpotLabel(
            position=row.position,
            person=Person(name=row.name, email=row.email),
            level=row.level,
            seconds=row.seconds,
            at=row.at,
            blind=row.blind,
        )
        for row in rows
    )


def add_label(session: Session, number: int, label: SpotLabel) -> None:
    """Store what a person said of an item; a first word stays, whatever comes after it."""
    row = {
        "check_number": number,
        "person": label.person.key,
        "name": label.person.name,
        "email": label.person.email,
        **label.model_dump(exclude={"person"}),
    }
    insert_missing(session, SPOT_LABEL, [row])


def drop_label(session: Session, number: int, position: int, person: Person) -> None:
    """Forget what a person said of an item."""
    session.connection().execute(
        delete(SPOT_LABEL).where(
            SPOT_LABEL.c.check_number == number,
            SPOT_LABEL.c.position == position,
            SPOT_LABEL.c.person == person.key,
        )
    )


def labelled_by(session: Session, person: Person) -> frozenset[str]:
    """Return the answers that a person labelled in the spot checks that they finished."""
    open_checks = unfinished_checks(session, person.key)
    statement = (
        select(SPOT_ITEM.c.answer_id, SPOT_ITEM.c.check_number)
        .join(SPOT_LABEL, SPOT_LABEL.c.check_number == SPOT_ITEM.c.check_number)
        .where(SPOT_LABEL.c.position == SPOT_ITEM.c.position, SPOT_LABEL.c.person == person.key)
    )
    rows = session.connection().execute(statement)
    return frozenset(row.answer_id for row in rows if row.check_number not in open_checks)


def label_counts(session: Session, person: Person) -> dict[int, tuple[int, int]]:
    """Return for each spot check how many items it has and how many of them a person labelled."""
    items = select(SPOT_ITEM.c.check_number, func.count()).group_by(SPOT_ITEM.c.check_number)
    mine = (
        select(SPOT_LABEL.c.check_number, func.count())
        .where(SPOT_LABEL.c.person == person.key)
        .group_by(SPOT_LABEL.c.check_number)
    )
    done = {row[0]: row[1] for row in session.connection().execute(mine)}
    found = session.connection().execute(items)
    return {row[0]: (row[1], done.get(row[0], 0)) for row in found}
