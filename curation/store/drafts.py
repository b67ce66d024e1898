"""Drafts: one row a field, so that two windows never overwrite what the other one changed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self

from pydantic import Field
from sqlalchemy import delete, select, update
from sqlmodel import Session

from curation.domain.base import Value
from curation.domain.person import Person
from curation.domain.review import Draft
from curation.store.errors import DraftChangedError, UnknownFieldError
from curation.store.schema import DRAFT_FIELD
from curation.store.sql import insert_into


class SavedDraft(Value):
    """A draft as it is saved: when last (None: never), and how often each field was."""

    draft: Draft = Draft()
    saved_at: datetime | None = None
    versions: dict[str, int] = Field(default_factory=dict)

    def with_draft(self, draft: Draft) -> Self:
        """Return the same with another draft."""
        return self.model_copy(update={"draft": draft})


def load_draft(session: Session, answer_id: str, person: Person) -> SavedDraft:
    """Return the person's draft for an answer; an empty one if nothing was saved."""
    rows = [row for row in _rows(session, answer_id, person) if not row.archived]
    if not rows:
        return SavedDraft()
    return SavedDraft(
        draft=Draft.model_validate({row.field: row.value for row in rows}),
        saved_at=max(row.saved_at for row in rows),
        versions={row.field: row.version for row in rows},
    )


def save_fields(
    session: Session,
    answer_id: str,
    person: Person,
    fields: Mapping[str, Any],
    *,
    now: datetime,
    seen: Mapping[str, int] | None = None,
) -> SavedDraft:
    """Save the given fields, and no other, and return the whole draft.

    Args:
        session: a writing session.
        answer_id: the answer.
        person: whose draft.
        fields: JSON values by the names of the draft's fields.
        now: when.
        seen: how often each field had been saved when this window last looked; None: no check.

    Raises:
        DraftChangedError: a field was saved since by another window, to another value.
        UnknownFieldError: a draft has no such field.
    """
    checked = _checked(fields)
    stored = {row.field: row for row in _rows(session, answer_id, person)}
    for name, value in checked.items():
        row = stored.get(name)
        if row is None or row.value == value or seen is None or row.archived:
            continue
        if row.version > seen.get(name, 0):
            raise DraftChangedError(name, row.saved_at)
    for name, value in checked.items():
        row = stored.get(name)
        if row is None or row.value != value or row.archived:
            _save(session, (answer_id, person.key, name), value, now)
    return load_draft(session, answer_id, person)


def _checked(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values as JSON holds them; unknown names and wrong values are refused."""
    for name in fields:
        if name not in Draft.model_fields:
            raise UnknownFieldError(name)
    whole = Draft.model_validate(dict(fields)).model_dump(mode="json")
    return {name: whole[name] for name in fields}


def _save(session: Session, key: tuple[str, str, str], value: Any, now: datetime) -> None:  # noqa: ANN401 - any JSON value
    """Write one field."""
    answer_id, person, field = key
    statement = insert_into(session, DRAFT_FIELD).values(
        answer_id=answer_id,
        person=person,
        field=field,
        value=value,
        version=1,
        saved_at=now,
        archived=False,
    )
    session.connection().execute(
        statement.on_conflict_do_update(
            index_elements=[
                DRAFT_FIELD.c.answer_id,
                DRAFT_FIELD.c.person,
                DRAFT_FIELD.c.field,
            ],
            set_={
                "value": statement.excluded.value,
                "version": DRAFT_FIELD.c.version + 1,
                "saved_at": now,
                "archived": False,
            },
        )
    )


def archive_draft(session: Session, answer_id: str, person: Person) -> None:
    """Put the draft aside after a verdict; undoing the verdict brings it back."""
    session.connection().execute(
        update(DRAFT_FIELD).where(*_mine(answer_id, person)).values(archived=True)
    )


def forget_archived(session: Session, answer_id: str, person: Person) -> None:
    """Throw away what was put aside before: a verdict brings back what it put aside itself."""
    session.connection().execute(
        delete(DRAFT_FIELD).where(*_mine(answer_id, person), DRAFT_FIELD.c.archived)
    )


def restore_draft(session: Session, answer_id: str, person: Person) -> None:
    """Bring back the draft that a verdict put aside."""
    session.connection().execute(
        update(DRAFT_FIELD).where(*_mine(answer_id, person)).values(archived=False)
    )


def _mine(answer_id: str, person: Person) -> tuple[Any, Any]:
    return DRAFT_FIELD.c.answer_id == answer_id, DRAFT_FIELD.c.person == person.key


def _rows(session: Session, answer_id: str, person: Person) -> list[Any]:
    statement = select(DRAFT_FIELD).where(*_mine(answer_id, person))
    return list(session.connection().execute(statement))
