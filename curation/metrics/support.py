"""Faithfulness: the share of an answer's quantities that its sources hold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from curation.domain.segments import sentences
from curation.metrics.anchors import Likeness, Quantity, QuantityKind, compare
from curation.metrics.dates import DATE_STARTS
from curation.metrics.items import quantities, without_citations
from curation.metrics.memory import remembered
from curation.metrics.numerals import ORDINAL_WORDS
from curation.metrics.quantity_reader import NUMBER_STARTS
from curation.metrics.segments import Reading, Segment, SegmentKind, read_text
from curation.metrics.units import UNITS
from curation.metrics.words import stem

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
    if not sources:
        return Faithfulness(value=float(not checked), n_checked=len(checked), unsupported=checked)
    written = {quantity.text for quantity in checked}
    standing = {text for text in written if any(_stands_in(text, source) for source in sources)}
    doubted = [quantity for quantity in checked if quantity.text not in standing]
    unsupported = tuple(_not_held(doubted, sources)) if doubted else ()
    value = 1.0 if not checked else 1 - len(unsupported) / len(checked)
    return Faithfulness(value=value, n_checked=len(checked), unsupported=unsupported)


_BEFORE = re.compile(r"(?:^|[\s(])$")
_AFTER = re.compile(r"[.,;:!?)]?(?:\s|$)")


def _stands_in(quantity: str, source: str) -> bool:
    """Return whether a source has the quantity letter by letter, as a whole.

    This is the common case, and it spares reading the source.
    """
    at = source.find(quantity) if any(char.isdigit() for char in quantity) else -1
    while at >= 0:
        clear = _BEFORE.search(source[max(0, at - 1) : at]) is not None
        if clear and _AFTER.match(source, at + len(quantity)):
            return True
        at = source.find(quantity, at + 1)
    return False


def _not_held(doubted: Sequence[Quantity], sources: Sequence[str]) -> Iterator[Quantity]:
    """Yield the quantities that no source holds in any form."""
    known = list(dict.fromkeys(quantity for source in sources for quantity in _known(source)))
    exact = {key for quantity in known for key in _keys(quantity)}
    for quantity in doubted:
        if exact.isdisjoint(_keys(quantity)) and not _is_held(quantity, known):
            yield quantity


_NOWHERE = (0, 0)


@lru_cache(maxsize=4096)
def _known(source: str) -> tuple[Quantity, ...]:
    """Return the quantities of a source, alike ones once, wherever they stand in it.

    Only sentences that may have any are read.
    """
    parts = (span.of(source) for span in sentences(source))
    found = (quantity for part in parts if _may_count(part) for quantity in _read(part))
    return tuple(dict.fromkeys(quantity._replace(span=_NOWHERE) for quantity in found))


@lru_cache(maxsize=4096)
def _read(part: str) -> tuple[Quantity, ...]:
    return quantities(part)


_DIGIT_OR_FOREIGN = re.compile(r"\d|[^\x00-\x7f]")
_WORD = re.compile(r"[a-z]+")
_COUNTING = (NUMBER_STARTS | DATE_STARTS | ORDINAL_WORDS.keys()) - {"a", "an"}
_UNIT_WORDS = frozenset(name for name in UNITS if len(name) > 2 and name.isalpha())


def _may_count(part: str) -> bool:
    """Return whether a sentence can hold a quantity: digits, spelled numbers, `a week`."""
    if _DIGIT_OR_FOREIGN.search(part):
        return True
    words = _WORD.findall(part.lower())
    if not _COUNTING.isdisjoint(words):
        return True
    return not {"a", "an"}.isdisjoint(words) and not _UNIT_WORDS.isdisjoint(words)


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
_LIST_LABELS = frozenset(map(stem, ("step", "option", "phase")))


@remembered(512)
def _checked(answer: str) -> tuple[Quantity, ...]:
    """Return the quantities of an answer that say something."""
    blanked = _MARKER.sub(_blank, answer)
    # The matcher has read the answer already; markers that it skips itself need no second reading.
    reading = read_text(answer if without_citations(answer) == blanked else blanked)
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
    if any(char.isdigit() for char in quantity.text) or quantity.unit == "%":
        return False
    if quantity.kind is QuantityKind.ORDINAL or quantity.dimension == "times":
        return True
    written = quantity.numeral.strong if quantity.numeral else quantity.values
    return any(value <= 1 or (quantity.unit is None and value <= _COUNTED) for value in written)
