"""The native format of answers and chunks: one record a line or row."""

import math
from typing import Any

from curation.domain.answer import Answer
from curation.domain.base import Value
from curation.domain.chunk import Chunk
from curation.importers.fields import FieldError, validated
from curation.importers.reading import Raw, Refused

NOT_ON_SCALE = frozenset({"type", "nan", "range"})
_IDS = frozenset({"id", "session_id", "user_id", "chunk_id", "doc_id", "doc_version"})
_LISTS = ("conversation", "retrieved", "citations", "tags", "scores", "signals", "labels")


def answer_of(raw: Raw) -> Answer | Refused:
    """Return the answer that a record means, or why it is none."""
    try:
        return _answer(raw.fields, suspect=raw.suspect)
    except FieldError as problem:
        return _refused(raw, problem, "id")


def chunk_of(raw: Raw) -> Chunk | Refused:
    """Return the chunk that a record means, or why it is none; fields it does not know are left."""
    known = _named(
        {name: value for name, value in raw.fields.items() if name in Chunk.model_fields}
    )
    if known.get("doc_version") == "":
        known["doc_version"] = None
    try:
        chunk = validated(Chunk, known, suspect=raw.suspect)
        _refuse_empty(chunk, ("chunk_id", "doc_id", "text"))
    except FieldError as problem:
        return _refused(raw, problem, "chunk_id")
    return chunk


def _refused(raw: Raw, problem: FieldError, id_field: str) -> Refused:
    """Return the refusal of a record, with its id where it has a readable one."""
    named = raw.fields.get(id_field)
    known = named if isinstance(named, str) and named.isprintable() else None
    return Refused(raw.line, problem.field, problem.reason, raw.shown, known)


def _answer(fields: dict[str, Any], *, suspect: bool) -> Answer:
    """Return the answer that the fields mean."""
    known = _named({name: value for name, value in fields.items() if name in Answer.model_fields})
    others = {name: value for name, value in fields.items() if name not in Answer.model_fields}
    for name in (*_LISTS, "metadata"):
        if known.get(name, ...) is None:
            del known[name]
    known["scores"] = [_score(item) for item in _listed(known, "scores")]
    known["citations"] = [_citation(item) for item in _listed(known, "citations")]
    known["retrieved"] = [
        _retrieved(item, place) for place, item in enumerate(_listed(known, "retrieved"), start=1)
    ]
    if others:
        known["metadata"] = _with_others(known.get("metadata", {}), others)
    answer = validated(Answer, known, suspect=suspect)
    _refuse_empty(answer, ("id", "question"))
    return answer


def _named(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with whole numbers that are ids as texts: a table keeps ids as numbers."""
    return {
        name: str(value) if name in _IDS and type(value) is int else value
        for name, value in fields.items()
    }


def _refuse_empty(value: Value, names: tuple[str, ...]) -> None:
    """Refuse a value in which one of these texts is blank.

    Raises:
        FieldError: one is.
    """
    for name in names:
        if not getattr(value, name).strip():
            raise FieldError(name, "it is empty")


def _listed(fields: dict[str, Any], name: str) -> list[Any]:
    """Return a list of the record.

    Raises:
        FieldError: it is something else.
    """
    value = fields.get(name, [])
    if not isinstance(value, list):
        raise FieldError(name, "it is not a list")
    return value


def _with_others(metadata: Any, others: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401 - as read
    """Return the metadata with the fields that an answer does not know.

    Raises:
        FieldError: the metadata says something else under the same name.
    """
    if not isinstance(metadata, dict):
        raise FieldError("metadata", "it is not an object")
    for name, value in others.items():
        if metadata.get(name, value) != value:
            raise FieldError(name, "the metadata has another value under this name")
    return {**metadata, **others}


def _citation(item: Any) -> Any:  # noqa: ANN401 - as read
    """Return a citation; a plain id is one."""
    if isinstance(item, dict):
        return _named(item)
    return {"chunk_id": str(item)} if type(item) in {str, int} else item


def _retrieved(item: Any, place: int) -> Any:  # noqa: ANN401 - as read
    """Return a retrieved chunk; without a rank its place is its rank."""
    if not isinstance(item, dict):
        return item
    given = {
        name: value for name, value in _named(item).items() if value is not None or name != "used"
    }
    return {"rank": place} | given if given.get("rank") is not None else given | {"rank": place}


def _score(item: Any) -> Any:  # noqa: ANN401 - as read
    """Return a score; a value that is no number on its scale makes it a failed one.

    The value is then told in the reason: it must never be counted.
    """
    if not isinstance(item, dict):
        return item
    given = {
        name: value for name, value in _named(item).items() if value is not None or name != "status"
    }
    kind = _what_failed(given)
    if kind is None:
        return given
    said = str(given.get("reason") or "")
    told = f"The value {given.get('value')!r} was refused ({kind})."
    return given | {
        "value": None,
        "status": "failed",
        "error_kind": given.get("error_kind") or kind,
        "reason": f"{told} {said}".strip(),
    }


def _what_failed(score: dict[str, Any]) -> str | None:
    """Return why a score's value cannot count, one of NOT_ON_SCALE, or None if it can."""
    value = score.get("value")
    if value is None or score.get("status", "ok") != "ok":
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "type"
    if not math.isfinite(value):
        return "nan"
    scale = score.get("scale")
    if scale is None:
        return "range" if value == -1 else None
    if not _is_scale(scale):
        return None
    return None if min(scale) <= value <= max(scale) else "range"


def _is_scale(scale: Any) -> bool:  # noqa: ANN401 - as read
    """Return whether this is a pair of two different numbers; validation refuses other lists."""
    return (
        isinstance(scale, list | tuple)
        and len(scale) == 2
        and all(isinstance(end, int | float) for end in scale)
    )
