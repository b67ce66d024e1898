"""Files that commands read: a case, pairs of facts and texts, acknowledgements."""

import json
from collections.abc import Generator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from curation.domain.finding import Check
from curation.domain.review import Acknowledgement
from curation.errors import CurationError
from curation.services.whole_file import read_whole


class InputFileError(CurationError):
    """A file that a command was given cannot be used."""

    exit_status = 2

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where} was not read: {problem}. Correct it.")


class AcknowledgementError(CurationError):
    """An acknowledgement is not written as CHECK=WHY."""

    exit_status = 2

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} acknowledges nothing. Write --ack CHECK=WHY.")


class UnknownCheckError(CurationError):
    """An acknowledgement names a check that there is not."""

    exit_status = 2

    def __init__(self, name: str) -> None:
        super().__init__(
            f"There is no check {name!r}. The findings of the case name their checks with --json."
        )


def read_document(path: Path) -> Mapping[str, Any]:
    """Return the JSON object of a file.

    Raises:
        InputFileError: it cannot be read, is not UTF-8 or JSON, repeats a key, or is no object.
    """
    text = read_text(path)
    document = _parsed(text, str(path))
    if not isinstance(document, dict):
        raise InputFileError(str(path), "it does not hold one JSON object")
    return document


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file.

    Raises:
        InputFileError: it cannot be read or is not UTF-8.
    """
    return read_whole(path, partial(InputFileError, str(path)))


def read_lines(path: Path) -> Generator[tuple[int, dict[str, Any]], None, None]:
    """Yield line number and object of each non-blank line of a JSONL file.

    Raises:
        InputFileError: a line is not one JSON object.
    """
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}, line {number},"
        document = _parsed(line, where)
        if not isinstance(document, dict):
            raise InputFileError(where, "it is not a JSON object")
        yield number, document


def _parsed(text: str, where: str) -> object:
    """Return what the JSON says, or refuse it with its place."""
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except json.JSONDecodeError as problem:
        at = f"line {problem.lineno}, column {problem.colno}"
        said = f"it is not JSON ({problem.msg}, {at})" if text.strip() else "it is empty"
        raise InputFileError(where, said) from problem
    except RecursionError as problem:
        raise InputFileError(where, "it is nested too deeply") from problem
    except _RefusedError as problem:
        raise InputFileError(where, str(problem)) from problem
    except ValueError as problem:
        raise InputFileError(where, "it holds a number that is too long") from problem


class _RefusedError(ValueError):
    """What JSON should not hold."""


def acknowledgements(texts: Sequence[str]) -> tuple[Acknowledgement, ...]:
    """Return the acknowledgements written as `check=why` or `check:item=why`.

    Raises:
        AcknowledgementError: one is not of that form.
    """
    given = []
    for text in texts:
        name, equals, why = text.partition("=")
        check, _, item = name.strip().partition(":")
        if not equals or not check or not why.strip():
            raise AcknowledgementError(text)
        if check not in {known.value for known in Check}:
            raise UnknownCheckError(check)
        given.append(Acknowledgement(check=check, why=why.strip(), item=item or None))
    return tuple(given)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of the pairs; refuse a key that stands twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _RefusedError(f"the key {twice!r} stands twice")
    return found


def _refuse(name: str) -> None:
    """Refuse NaN and the infinities, which JSON does not have."""
    raise _RefusedError(f"{name} is not a JSON number")
