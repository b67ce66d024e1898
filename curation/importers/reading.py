"""What every reader gives: records as they stand in the file, and refusals."""

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Raw:
    """One record as it stands in a file: where, its fields, and its text for the rejects file.

    `suspect` is False where the reader knows that no text of it holds half of a character or NUL,
    so that nobody has to look again.
    """

    line: int
    fields: dict[str, Any]
    text: str
    suspect: bool = True

    @property
    def shown(self) -> str:
        """The record as text: as it stands in the file, or as JSON where the file has no lines."""
        return self.text or json.dumps(self.fields, default=str, ensure_ascii=True)


@dataclass(frozen=True, slots=True)
class Refused:
    """A record that does not go in: where, which field, why, and its text."""

    line: int
    field: str | None
    reason: str
    text: str = ""
    id: str | None = None
