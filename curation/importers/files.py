"""Which reader reads a file: by what it holds, not by its name."""

from collections.abc import Iterator
from pathlib import Path

from curation.importers.blocks import head, open_file
from curation.importers.errors import UnknownFormatError
from curation.importers.json_lines import read_json_lines
from curation.importers.reading import Raw, Refused

FORMATS = ("auto", "jsonl")


def check_files(files: tuple[Path, ...], form: str) -> None:
    """Refuse before anything is written: an unknown format, a file that cannot be opened.

    Raises:
        UnknownFormatError: there is no such format.
        UnreadableFileError: a file cannot be opened.
    """
    if form not in FORMATS:
        raise UnknownFormatError(form, FORMATS)
    for path in files:
        open_file(path).close()


def read_records(path: Path, form: str = "auto") -> Iterator[Raw | Refused]:
    """Return the records of a file."""
    _ = form
    if not head(path, 1):
        return iter(())
    return read_json_lines(path)
