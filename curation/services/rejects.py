"""The file that refused records go to, so that they can be corrected and brought in again."""

import json
from datetime import datetime
from pathlib import Path
from typing import TextIO

from curation.importers.reading import Refused


class Rejects:
    """A JSONL file that begins to exist with the first refusal."""

    def __init__(self, folder: Path, *, now: datetime) -> None:
        self._folder = folder
        self._stem = f"{now:%Y%m%dT%H%M%SZ}"
        self._file: TextIO | None = None
        self.path: Path | None = None

    def write(self, source: Path, refused: Refused) -> None:
        """Add a refusal: file, line, id, field, reason and the record as it was."""
        if self._file is None:
            self._file = self._open()
        line = {
            "file": str(source),
            "line": refused.line,
            "id": refused.id,
            "field": refused.field,
            "reason": refused.reason,
            "record": refused.text,
        }
        self._file.write(json.dumps(line, ensure_ascii=True) + "\n")

    def _open(self) -> TextIO:
        """Return a new file under a name that nothing has."""
        self._folder.mkdir(parents=True, exist_ok=True)
        number = 1
        while True:
            name = self._stem if number == 1 else f"{self._stem}-{number}"
            self.path = self._folder / f"{name}.jsonl"
            try:
                return self.path.open("x", encoding="utf-8", newline="\n")
            except FileExistsError:
                number += 1

    def close(self) -> None:
        """Close the file if there is one."""
        if self._file is not None:
            self._file.close()
