"""What a judge's reply means: one grade of 0, 1 or 2, or the kind of failure."""

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from curation.domain.judging import GRADES, FailureKind, Grade
from curation.judge.protocol import Reply

MOST_REASON = 500
_DECLINES = re.compile(
    r"^\W*(?:i(?:'m| am) (?:sorry|unable|not able)|i (?:can(?:no|')t|cannot|won't|must decline)"
    r"|sorry\b|as an ai\b)",
    re.IGNORECASE,
)


class _TwiceError(ValueError):
    """An object names a key twice, so that it says two things."""


def grade_of(reply: Reply) -> Grade:
    """Return the grade of a reply; prose and fences around its one object do not count.

    Objects that do not agree, a text, a truth value or a number off the scale are failures: what
    a judge may have meant is not guessed.
    """
    if reply.refused:
        return _failed(FailureKind.REFUSAL, reply.text)
    try:
        objects = [found for found in _objects(reply.text) if "score" in found]
    except (ValueError, RecursionError):
        return _failed(FailureKind.PARSE, reply.text)
    grades = [_grade(found) for found in objects]
    said = {(grade.value, grade.failure) for grade in grades}
    if len(said) == 1:
        return grades[0]
    declines = not grades and _DECLINES.match(reply.text.replace("\u2019", "'")) is not None
    return _failed(FailureKind.REFUSAL if declines else FailureKind.PARSE, reply.text)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects that a text holds, outermost ones, in order."""
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    at = text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            end = at + 1
        else:
            yield found
        at = text.find("{", end)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _TwiceError
    return found


def _grade(found: dict[str, Any]) -> Grade:
    """Return the grade of an object that has a score."""
    score = found["score"]
    reason = found.get("reason")
    told = _short(reason) if isinstance(reason, str) else None
    if isinstance(score, bool) or not isinstance(score, int | float):
        return _failed(FailureKind.TYPE, json.dumps(score))
    if isinstance(score, float) and not math.isfinite(score):
        return _failed(FailureKind.RANGE, str(score))
    if score not in GRADES:
        return _failed(FailureKind.RANGE, str(score)[:40])
    return Grade(value=int(score), reason=told)


def _failed(kind: FailureKind, said: str) -> Grade:
    words = f"The judge's reply was refused ({kind.value})"
    return Grade(failure=kind, reason=f"{words}: {_short(said)}" if said.strip() else f"{words}.")


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= MOST_REASON else f"{flat[: MOST_REASON - 1]}\u2026"
