"""Records from CSV: comma, semicolon or tab, UTF-8 or what Excel calls Unicode text."""

import codecs
import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

from curation.importers.blocks import LONGEST_LINE, CutShortError, blocks
from curation.importers.cells import fields_of
from curation.importers.fields import FieldError
from curation.importers.reading import Raw, Refused

SEPARATORS = ",;\t"
_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def read_csv(path: Path, needed: tuple[str, ...]) -> Iterator[Raw | Refused]:
    """Return every row as a record or a refusal.

    Args:
        path: the file.
        needed: the columns without which no row can be a record.
    """
    csv.field_size_limit(LONGEST_LINE)
    rows = _Rows(_pieces(path))
    try:
        header = rows.header(needed)
        yield from rows.records(header)
    except FieldError as problem:
        yield Refused(1, problem.field, problem.reason)
    except CutShortError as problem:
        reason = f"the compressed file is cut short or damaged ({problem}); the rest is missing"
        yield Refused(rows.line + 1, None, reason)


class _Rows:
    """The rows of a file, with the lines that each was read from."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self._pieces = pieces
        self._taken: list[str] = []
        self._separator = ","
        self.line = 0

    def header(self, needed: tuple[str, ...]) -> list[str]:
        """Return the names of the columns; the sign between them is the one that finds most.

        Raises:
            FieldError: a needed column is missing, or a name comes twice.
        """
        first = next(self._pieces, "")
        self.line = 1
        tried = {sign: next(csv.reader([first], delimiter=sign), []) for sign in SEPARATORS}
        self._separator = max(tried, key=lambda sign: len({*tried[sign]} & {*needed}))
        names = [name.strip() for name in tried[self._separator]]
        missing = [name for name in needed if name not in names]
        if missing:
            columns = ", ".join(missing)
            raise FieldError(
                missing[0], f"the file has no column {columns}; nothing of it was read"
            )
        for name in names:
            if names.count(name) > 1:
                raise FieldError(name, "the column comes twice; nothing of the file was read")
        return names

    def records(self, names: list[str]) -> Iterator[Raw | Refused]:
        """Return the rows after the header."""
        reader = csv.reader(self._recorded(), delimiter=self._separator, strict=True)
        while True:
            start, text = self.line + 1, ""
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as problem:
                text = self._text()
                yield Refused(start, None, f"the row is not CSV ({problem})", text)
                continue
            text = self._text()
            if row:
                yield _record(start, names, row, text)

    def _recorded(self) -> Iterator[str]:
        """Return the lines, keeping those of the row that is being read."""
        for piece in self._pieces:
            self.line += 1
            self._taken.append(piece)
            yield piece

    def _text(self) -> str:
        """Return the text of the row that was read last."""
        text = "".join(self._taken).removesuffix("\n").removesuffix("\r")
        self._taken.clear()
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _record(line: int, names: list[str], row: list[str], text: str) -> Raw | Refused:
    """Return the record of a row."""
    if len(row) != len(names):
        reason = f"the row has {len(row)} cells and the header {len(names)}"
        return Refused(line, None, reason, text)
    cells = dict(zip(names, row, strict=True))
    for name, cell in cells.items():
        if not cell.isascii() and any("\udc80" <= char <= "\udcff" for char in cell):
            return Refused(line, name, "it is not UTF-8", text)
    try:
        return Raw(line, fields_of(cells), text)
    except FieldError as problem:
        return Refused(line, problem.field, problem.reason, text, cells.get("id"))


def _pieces(path: Path) -> Iterator[str]:
    """Return the text of the file, line by line, each with its end; split on LF only."""
    rest = ""
    for text in _decoded(blocks(path)):
        *ended, rest = (rest + text).split("\n")
        for piece in ended:
            yield piece + "\n"
    if rest:
        yield rest


def _decoded(data: Iterable[bytes]) -> Iterator[str]:
    """Return the text, its encoding taken from the mark at its begin."""
    decoder: codecs.IncrementalDecoder | None = None
    for block in data:
        if decoder is None:
            name = _MARKS.get(block[:2], "utf-8-sig")
            block = block[2:] if block[:2] in _MARKS else block  # noqa: PLW2901 - the mark is no text
            errors = "surrogateescape" if name == "utf-8-sig" else "replace"
            decoder = codecs.getincrementaldecoder(name)(errors)
        yield decoder.decode(block)
    if decoder is not None:
        yield decoder.decode(b"", final=True)
