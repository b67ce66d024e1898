"""Which reader reads a file: by what it holds, then by its name."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from curation.importers.blocks import head, open_file
from curation.importers.csv_rows import SEPARATORS, read_csv
from curation.importers.errors import UnknownFormatError
from curation.importers.json_lines import read_json_lines
from curation.importers.reading import Raw, Refused

ANSWER_COLUMNS = ("id", "question", "answer")
CHUNK_COLUMNS = ("chunk_id", "doc_id", "text")
PARQUET = b"PAR1"


class Format(StrEnum):
    """The formats that a file may have."""

    AUTO = "auto"
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


_BY_SUFFIX = {
    ".jsonl": Format.JSONL,
    ".ndjson": Format.JSONL,
    ".json": Format.JSONL,
    ".csv": Format.CSV,
    ".tsv": Format.CSV,
    ".parquet": Format.PARQUET,
}


def check_files(files: tuple[Path, ...], form: str) -> Format:
    """Refuse before anything is written, or return the format that was asked for.

    Raises:
        UnknownFormatError: there is no such format.
        UnreadableFileError: a file cannot be opened.
    """
    if form not in tuple(Format):
        raise UnknownFormatError(form, tuple(Format))
    for path in files:
        open_file(path).close()
    return Format(form)


def read_records(
    path: Path, form: Format = Format.AUTO, *, needed: tuple[str, ...] = ANSWER_COLUMNS
) -> Iterator[Raw | Refused]:
    """Return the records of a file, one at a time; none for a file of 0 bytes.

    Args:
        path: the file.
        form: its format; `auto` looks.
        needed: the columns that a table must have.
    """
    begin = head(path)
    if not begin and form is not Format.PARQUET:
        yield from read_json_lines(path)
        return
    chosen = detected(path, begin, needed) if form is Format.AUTO else form
    if chosen is Format.PARQUET:
        from curation.importers.parquet_rows import read_parquet  # noqa: PLC0415 - slow to import

        yield from read_parquet(path, needed)
    elif chosen is Format.CSV:
        yield from read_csv(path, needed)
    else:
        yield from read_json_lines(path)


def detected(path: Path, begin: bytes, needed: tuple[str, ...]) -> Format:
    """Return the format of a file that begins with these bytes."""
    if begin.startswith(PARQUET):
        return Format.PARQUET
    named = next((s for s in reversed(path.suffixes) if s.lower() != ".gz"), "").lower()
    if named in _BY_SUFFIX:
        return _BY_SUFFIX[named]
    first = begin.replace(b"\0", b"").split(b"\n", 1)[0].decode("utf-8", "replace")
    for sign in SEPARATORS:
        names = [cell.strip().strip('"') for cell in first.strip("\r\ufeff\ufffd").split(sign)]
        if all(name in names for name in needed):
            return Format.CSV
    return Format.JSONL
