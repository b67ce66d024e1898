"""Strict JSON: what Python's reader lets pass silently is refused with its place."""

import codecs
import json
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any, NoReturn

from curation.errors import CaseFormError

_SURROGATES = range(0xD800, 0xE000)


class _RefusedError(ValueError):
    """What the strict reader found."""


def read_document(data: bytes, where: str) -> dict[str, Any]:
    """Return the JSON object in the bytes.

    Raises:
        CaseFormError: no UTF-8, a byte order mark, no JSON object, a key that comes twice, NaN
            or an endless number, or half a surrogate pair.
    """
    document = _parsed(_decoded(data, where), where)
    if not isinstance(document, dict):
        raise CaseFormError(where, "it is not a JSON object")
    for place in _surrogate_places(document, ""):
        raise CaseFormError(where, f"{place or 'a key'} holds half of a surrogate pair")
    return document


def _decoded(data: bytes, where: str) -> str:
    if data.startswith(codecs.BOM_UTF8):
        raise CaseFormError(where, "it begins with a byte order mark")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise CaseFormError(where, f"byte {problem.start} is not UTF-8") from problem


def _parsed(text: str, where: str) -> object:
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
    except json.JSONDecodeError as problem:
        place = f"line {problem.lineno}, column {problem.colno}"
        raise CaseFormError(where, f"it is not JSON ({problem.msg}, {place})") from problem
    except _RefusedError as problem:
        raise CaseFormError(where, str(problem)) from problem
    except RecursionError as problem:
        raise CaseFormError(where, "it is nested too deeply") from problem
    except ValueError as problem:
        raise CaseFormError(where, "it holds a number that is too long") from problem


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise _RefusedError(f"the key {twice!r} comes twice")
    return table


def _refuse_constant(name: str) -> NoReturn:
    raise _RefusedError(f"it holds {name}, which is not a number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise _RefusedError(f"it holds {text}, which is too large")
    return number


def _surrogate_places(value: object, place: str) -> Iterator[str]:
    """Yield the places of texts that cannot be written as UTF-8."""
    if isinstance(value, str):
        if any(ord(char) in _SURROGATES for char in value):
            yield place
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _surrogate_places(key, place)
            yield from _surrogate_places(item, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _surrogate_places(item, f"{place}[{index}]")
