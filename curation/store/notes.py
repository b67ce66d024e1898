"""What the store remembers under a name."""

from typing import Any

from sqlmodel import Session

from curation.store.schema import NOTE
from curation.store.sql import read_note, write_note

__all__ = ["named_notes", "read_note", "write_note"]


def named_notes(session: Session, start: str) -> dict[str, Any]:
    """Return what is remembered under the names that begin so, by the rest of the name."""
    chosen = NOTE.select().where(NOTE.c.name.startswith(start, autoescape=True))
    rows = session.connection().execute(chosen.order_by(NOTE.c.name))
    return {row.name.removeprefix(start): row.value for row in rows}
