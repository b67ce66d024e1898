"""From the fields of a record to the value that they mean, or the first thing that is wrong."""

import math
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import ValidationError

from curation.domain.base import Value
from curation.errors import place_and_problem

V = TypeVar("V", bound=Value)


class FieldError(ValueError):
    """A field does not fit."""

    def __init__(self, field: str | None, reason: str) -> None:
        self.field = field
        self.reason = reason
        super().__init__(f"{field}: {reason}")


def validated(kind: type[V], fields: dict[str, Any], *, suspect: bool = True) -> V:
    """Return the value that the fields mean.

    Args:
        kind: the type of the value.
        fields: as they were read.
        suspect: look through all texts, not only the metadata, for what no database can hold.

    Raises:
        FieldError: a field is missing, unknown, of the wrong kind, or holds text that is no text.
    """
    free = fields if suspect else {"metadata": fields.get("metadata")}
    for place, reason in _bad_parts(free, ""):
        raise FieldError(place, reason)
    try:
        return kind.model_validate(fields)
    except ValidationError as problem:
        place = ".".join(str(part) for part in problem.errors(include_url=False)[0]["loc"])
        _, wrong = place_and_problem(problem)
        raise FieldError(place or None, f"it {wrong}") from problem


def _bad_parts(value: Any, place: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - any JSON value
    """Return what no database and no JSON can hold: half characters, NUL, NaN."""
    if isinstance(value, str):
        reason = _bad_text(value)
        if reason:
            yield place, reason
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield place, "it is not a finite number"
    elif isinstance(value, dict):
        for key, item in value.items():
            here = f"{place}.{key}" if place else str(key)
            if _bad_text(str(key)):
                yield ascii(here), "the name of the field holds what is no text"
            yield from _bad_parts(item, here)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _bad_parts(item, f"{place}.{index}")


def _bad_text(text: str) -> str:
    """Return what is wrong with a text, "" if nothing is."""
    if text.isascii():
        return "it holds the character NUL" if "\0" in text else ""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "it holds half of a surrogate pair"
    return "it holds the character NUL" if "\0" in text else ""
