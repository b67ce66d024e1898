"""Records from JSONL: one JSON object a line, split on LF only."""

import codecs
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from curation.importers.blocks import LONGEST_LINE, CutShortError, Line, lines
from curation.importers.fields import FieldError
from curation.importers.reading import Raw, Refused


def read_json_lines(path: Path) -> Iterator[Raw | Refused]:
    """Return every line as a record or a refusal; empty lines are no records."""
    number = 0
    begun = False
    try:
        for line in lines(path):
            number = line.number
            if not line.data.strip() and not line.too_long:
                continue
            whole_file = None if begun else _why_not_lines(line)
            if whole_file is not None:
                yield whole_file
                return
            begun = True
            yield _record(line)
    except CutShortError as problem:
        reason = f"the compressed file is cut short or damaged ({problem}); the rest is missing"
        yield Refused(number + 1, None, reason)


def _why_not_lines(first: Line) -> Refused | None:
    """Return the refusal of a file that is not JSONL at all, told once instead of line by line."""
    if first.data[:2] in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}:
        return Refused(1, None, "the file is UTF-16; save it as UTF-8. Nothing of it was read")
    begin = first.data.strip()
    if begin in {b"{", b"["} or (begin.startswith(b"[{") and not begin.endswith(b"]")):
        reason = "the file is one JSON value over many lines; write one object a line. "
        return Refused(first.number, None, reason + "Nothing of it was read")
    return None


def _record(line: Line) -> Raw | Refused:
    """Return the object of a line."""
    if line.too_long:
        return Refused(line.number, None, f"the line is longer than {LONGEST_LINE >> 20} MB")
    try:
        text = line.data.decode("utf-8")
    except UnicodeDecodeError as problem:
        shown = line.data.decode("utf-8", "backslashreplace")
        return Refused(line.number, None, f"byte {problem.start} is not UTF-8", shown)
    try:
        found = _parsed(line, text)
    except FieldError as problem:
        return Refused(line.number, problem.field, problem.reason, text)
    return Raw(line.number, found, text, _SUSPECT.search(text) is not None)


def _parsed(line: Line, text: str) -> dict[str, Any]:
    """Return the object that a line holds.

    Raises:
        FieldError: it holds none.
    """
    try:
        found = decode(text)
    except FieldError:
        raise
    except json.JSONDecodeError as problem:
        raise FieldError(None, _what_is_wrong(line, problem)) from problem
    except RecursionError as problem:
        raise FieldError(None, "it is nested too deeply") from problem
    except ValueError as problem:
        raise FieldError(None, "it holds a number that is too long") from problem
    if not isinstance(found, dict):
        raise FieldError(None, "it is not a JSON object")
    return found


def _what_is_wrong(line: Line, problem: json.JSONDecodeError) -> str:
    """Return in words why a line is not JSON."""
    if not line.whole:
        return f"the last line is cut short ({problem.msg}, column {problem.colno})"
    return f"it is not JSON ({problem.msg}, column {problem.colno})"


def decode(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return the JSON value of a text.

    Raises:
        ValueError: it is not JSON; a FieldError where an object has a key twice.
    """
    return _DECODER.decode(text)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise FieldError(twice, "the key comes twice")
    return table


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)
_SUSPECT = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")
