"""What people said of answers: labels brought by import, and those of spot checks."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import and_, func, select
from sqlmodel import Session

from curation.domain.human_label import (
    GOOD,
    HumanLabel,
    LabelSource,
    level_of,
)
from curation.store.schema import BODY, LABEL, SPOT_CHECK, SPOT_ITEM, SPOT_LABEL
from curation.store.sql import parts

UNNAMED = "unnamed"


def imported_labels(session: Session) -> list[HumanLabel]:
    """Return the labels that came with the answers, each rater's own.

    Their raters worked elsewhere and are taken to have been blind to this program's judge. A label
    that says nothing on its scale is left out.
    """
    statement = select(LABEL).order_by(LABEL.c.answer_id, LABEL.c.position)
    found = (_imported(row) for row in session.connection().execute(statement))
    return [label for label in found if label is not None]


def _imported(row: Any) -> HumanLabel | None:  # noqa: ANN401 - a row of the database
    scale = None if row.worst is None or row.best is None else (row.worst, row.best)
    level = level_of(row.value, scale, row.label)
    if level is None:
        return None
    as_word = level_of(None, None, row.label) is not None
    return HumanLabel(
        answer_id=row.answer_id,
        metric=row.metric,
        level=level,
        value=None if as_word else row.value,
        scale=None if as_word else (scale or (0.0, 1.0)),
        person=row.person or UNNAMED,
        at=row.at,
        blind=True,
        source=LabelSource.IMPORTED,
    )


def spot_labels(session: Session, *, hidden_from: str | None = None) -> list[HumanLabel]:
    """Return the labels of spot checks.

    Args:
        session: a session.
        hidden_from: the key of a person in the middle of spot checks, whose labels of unfinished
            ones are left out: they would be told the running agreement.
    """
    statement = (
        select(SPOT_LABEL, SPOT_ITEM, SPOT_CHECK.c.metric, SPOT_CHECK.c.decides)
        .join(SPOT_ITEM, _same_item())
        .join(SPOT_CHECK, SPOT_CHECK.c.number == SPOT_ITEM.c.check_number)
        .order_by(SPOT_LABEL.c.at, SPOT_LABEL.c.check_number, SPOT_LABEL.c.position)
    )
    open_checks = unfinished_checks(session, hidden_from) if hidden_from else frozenset()
    return [
        HumanLabel(
            answer_id=row.answer_id,
            chunk_id=row.chunk_id,
            metric=row.metric,
            level=row.level,
            value=float(row.level),
            scale=(0.0, float(GOOD)),
            person=row.person,
            at=row.at,
            blind=row.blind,
            source=LabelSource.SPOT_CHECK,
            probability=None if row.decides else row.probability,
            decides=row.decides,
        )
        for row in session.connection().execute(statement)
        if not (row.person == hidden_from and row.check_number in open_checks)
    ]


def _same_item() -> Any:  # noqa: ANN401 - an SQL condition
    return and_(
        SPOT_ITEM.c.check_number == SPOT_LABEL.c.check_number,
        SPOT_ITEM.c.position == SPOT_LABEL.c.position,
    )


def unfinished_checks(session: Session, person: str) -> frozenset[int]:
    """Return the spot checks that a person has begun and not finished."""
    items = (
        select(func.count())
        .where(SPOT_ITEM.c.check_number == SPOT_LABEL.c.check_number)
        .scalar_subquery()
    )
    statement = (
        select(SPOT_LABEL.c.check_number)
        .where(SPOT_LABEL.c.person == person)
        .group_by(SPOT_LABEL.c.check_number)
        .having(func.count() < items)
    )
    return frozenset(session.connection().execute(statement).scalars())


def tagged(session: Session, answer_ids: Sequence[str], tags: Collection[str]) -> frozenset[str]:
    """Return which of the answers have one of the tags."""
    if not tags:
        return frozenset()
    found: set[str] = set()
    for ids in parts(answer_ids):
        statement = select(BODY.c.answer_id, BODY.c.tags).where(BODY.c.answer_id.in_(ids))
        rows = session.connection().execute(statement)
        found |= {row.answer_id for row in rows if set(row.tags) & set(tags)}
    return frozenset(found)
