"""Faithfulness: the share of an answer's quantities that its sources hold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from curation.metrics.anchors import Likeness, Quantity, QuantityKind, compare
from curation.metrics.items import quantities
from curation.metrics.segments import Reading, Segment, SegmentKind, read_text
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Faithfulness", "faithfulness", "unsupported_quantities"]


@dataclass(frozen=True, kw_only=True)
class Faithfulness:
    """The share supported (1 where nothing can be checked), how many, and which were not."""

    value: float
    n_checked: int
    unsupported: tuple[Quantity, ...]


def unsupported_quantities(answer: str, sources: Sequence[str]) -> tuple[Quantity, ...]:
    """Return the answer's quantities that no source holds, in order."""
    return faithfulness(answer, sources).unsupported


def faithfulness(answer: str, sources: Sequence[str]) -> Faithfulness:
    """Return the share of the answer's quantities that the sources hold (measures.md section 4).

    Args:
        answer: The answer as given; citation markers, list numbers and headings do not count.
        sources: What reached the prompt: retrieved texts, the question, the conversation.
    """
    checked = _checked(answer)
    known = [quantity for source in sources for quantity in _known(source)]
    exact = {key for quantity in known for key in _keys(quantity)}
    unsupported = tuple(
        quantity
        for quantity in checked
        if exact.isdisjoint(_keys(quantity)) and not _is_held(quantity, known)
    )
    value = 1.0 if not checked else 1 - len(unsupported) / len(checked)
    return Faithfulness(value=value, n_checked=len(checked), unsupported=unsupported)


@lru_cache(maxsize=1024)
def _known(source: str) -> tuple[Quantity, ...]:
    return quantities(source)


def _keys(quantity: Quantity) -> Iterator[tuple[str, str | None, object]]:
    """Yield what quantities that are surely the same have in common."""
    for value in quantity.values if quantity.kind is QuantityKind.NUMBER else ():
        yield quantity.kind, quantity.dimension, value
    for key in quantity.keys:
        yield quantity.kind, None, key


def _is_held(quantity: Quantity, known: Sequence[Quantity]) -> bool:
    """Return whether a source holds the quantity in another form; a likeness is enough."""
    return any(compare(quantity, other) in {Likeness.SAME, Likeness.MAYBE} for other in known)


_MARKER = re.compile(
    r"\[[^\[\]\n]{1,80}\](?!\()"
    r"|\((?:[^()\n]{1,80},\s*)?(?:section|sect?\.|\u00a7|pages?|pp?\.|chapter|chunk|source)\s*"
    r"[\w.-]{1,20}\)",
    re.IGNORECASE,
)
_MARKER_WORDS = re.compile(
    r"[\w.:%/#-]*\d[\w.:%/#-]*|(?:doc|source|chunk|ref|passage)\b.*", re.IGNORECASE
)
_COUNTED = 12
_LIST_LABELS = frozenset({"step", "option", "phase", "part"})


@lru_cache(maxsize=512)
def _checked(answer: str) -> tuple[Quantity, ...]:
    """Return the quantities of an answer that say something."""
    reading = read_text(_MARKER.sub(_blank, answer))
    segments = [segment for segment in reading.segments if segment.kind is not SegmentKind.BLOCK]
    told = [segment for segment in segments if segment.kind is not SegmentKind.HEADING]
    return tuple(quantity for segment in told or segments for quantity in _said(reading, segment))


def _blank(match: re.Match[str]) -> str:
    """Return spaces for a citation marker; other words in brackets stay."""
    inner = match[0][1:-1].strip()
    cites = match[0].startswith("(") or all(
        _MARKER_WORDS.fullmatch(part.strip().lstrip("^")) for part in re.split(r"[,;]", inner)
    )
    return " " * len(match[0]) if cites else match[0]


def _said(reading: Reading, segment: Segment) -> Iterator[Quantity]:
    for at in range(segment.first, segment.last):
        quantity = reading.items[at].quantity
        if quantity is None or quantity.kind is QuantityKind.TRUTH:
            continue
        numbering = quantity.label in _LIST_LABELS and at <= segment.first + 3
        if not numbering and not _is_idiom(quantity):
            yield quantity


def _is_idiom(quantity: Quantity) -> bool:
    """Return whether a spelled number is a way of speaking: one of the two, half, a week."""
    if any(char.isdigit() for char in quantity.text):
        return False
    if quantity.kind is QuantityKind.ORDINAL or quantity.dimension in {"times", "ratio"}:
        return True
    written = quantity.numeral.strong if quantity.numeral else quantity.values
    return any(value <= 1 or (quantity.unit is None and value <= _COUNTED) for value in written)
