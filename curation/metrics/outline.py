"""The outline of a text: what leads each segment in, and which segments are one list."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from curation.metrics.items import Item, ItemKind
from curation.metrics.lexicon import word_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["BULLETS", "CLOSERS", "Segment", "SegmentKind", "blocks_of", "with_leads"]


class SegmentKind(StrEnum):
    """What a segment is in the layout of its text."""

    SENTENCE = "sentence"
    HEADING = "heading"
    ENTRY = "entry"
    ROW = "row"
    BLOCK = "block"


class Segment(NamedTuple):
    """Items first to last - 1; `leads` are the segments that its words may lean on."""

    first: int
    last: int
    kind: SegmentKind
    leads: tuple[int, ...] = ()
    question: bool = False


# Signs that a list item begins with.
BULLETS = frozenset({"-", "*", "+", "\u2022", "\u00b7", "\u25aa", "\u2023", "o"})
# Signs that may close a sentence after its stop.
CLOSERS = frozenset("\"')]*_`")
_LEANING = word_set(
    "it this that these those they its their his he she there such which both then here her"
)
_DEEP = 3
_BOLD_LEVEL = 7


class _Outline:
    """The headings, list items, lead-in and table header that stand over the next segment."""

    def __init__(self, items: Sequence[Item], segments: Sequence[Segment]) -> None:
        self.items = items
        self.segments = segments
        self.headings: list[tuple[int, int]] = []
        self.entries: list[tuple[int, int]] = []
        self.leader: int | None = None
        self.header: int | None = None
        self.out: list[Segment] = []

    def add(self, at: int) -> None:
        """Take in a segment with what leads it in."""
        segment = self.segments[at]
        over = self._heading(at) if segment.kind is SegmentKind.HEADING else self._body(at)
        self.out.append(segment._replace(leads=tuple(dict.fromkeys(over))))

    def _heading(self, at: int) -> list[int]:
        level = _level(self.items, self.segments[at])
        self.headings = [entry for entry in self.headings if entry[0] < level]
        over = [number for _, number in reversed(self.headings)]
        self.headings.append((level, at))
        self.leader = self.header = None
        self.entries = []
        return over

    def _body(self, at: int) -> list[int]:
        kind = self.segments[at].kind
        over = self._rows(at) if kind is SegmentKind.ROW else []
        if kind is not SegmentKind.ROW:
            self.header = None
        over += self._list(at) if kind is SegmentKind.ENTRY else []
        over += self._leads_in(at)
        if kind is SegmentKind.SENTENCE and at and self._leans(at):
            over += [at - 1, *self.out[at - 1].leads[:_DEEP]]
        return over + [number for _, number in reversed(self.headings)]

    def _rows(self, at: int) -> list[int]:
        """Return the header of a table; its first row is it."""
        if self.header is None:
            self.header = at
        return [] if self.header == at else [self.header]

    def _list(self, at: int) -> list[int]:
        """Return the list items that a deeper one stands under."""
        indent = self._indent(at)
        self.entries = [entry for entry in self.entries if entry[0] < indent]
        over = [number for _, number in reversed(self.entries)]
        self.entries.append((indent, at))
        return over

    def _indent(self, at: int) -> int:
        first = self.segments[at].first
        start = self.items[first - 1].end if first else 0
        return self.items[first].start - start

    def _leads_in(self, at: int) -> list[int]:
        """Return the sentence that ends with a colon before a list or the next sentence."""
        sentence = self.segments[at].kind is SegmentKind.SENTENCE
        if at and _ends_with_colon(self.items, self.segments[at - 1]):
            nested = self.segments[at - 1].kind is SegmentKind.ENTRY
            self.leader = self.leader if nested and self.leader is not None else at - 1
        elif sentence and self.leader != at - 1:
            self.leader = None
        if sentence:
            self.entries = []
        return [] if self.leader is None else [self.leader]

    def _leans(self, at: int) -> bool:
        """Return whether a sentence speaks of what the one before it named."""
        if self.segments[at - 1].kind is SegmentKind.ROW:
            return False
        segment = self.segments[at]
        words = [
            item
            for item in self.items[segment.first : segment.last]
            if item.kind is not ItemKind.PUNCT
        ]
        pronouns = {item.text for item in words[:3]} & _LEANING
        return bool(pronouns) or 0 < len(words) <= 3


def with_leads(items: Sequence[Item], segments: Sequence[Segment]) -> list[Segment]:
    """Return the segments, each knowing the heading, lead-in or sentence it leans on."""
    outline = _Outline(items, segments)
    for at in range(len(segments)):
        outline.add(at)
    return outline.out


def _level(items: Sequence[Item], segment: Segment) -> int:
    """Return the rank of a heading: its number signs; a bold line ranks below them all."""
    signs = 0
    for item in items[segment.first : segment.last]:
        if item.text != "#":
            break
        signs += 1
    return signs or _BOLD_LEVEL


def _ends_with_colon(items: Sequence[Item], segment: Segment) -> bool:
    words = [item.text for item in items[max(segment.first, segment.last - 4) : segment.last]]
    return ":" in words and all(
        text in CLOSERS or text == ":" for text in words[words.index(":") :]
    )


def blocks_of(items: Sequence[Item], segments: Sequence[Segment]) -> Iterator[Segment]:
    """Yield lists and tables as wholes, with their lead-in: a fact may need several items.

    The sentences of a single list item are no list.
    """
    start: int | None = None
    for at, segment in enumerate((*segments, None)):
        inside = segment is not None and segment.kind in {SegmentKind.ENTRY, SegmentKind.ROW}
        if inside and start is None:
            start = at
        elif not inside and start is not None:
            if sum(_begins(items, own) for own in segments[start:at]) > 1:
                yield _block(segments, start, at - 1)
            start = None


def _begins(items: Sequence[Item], segment: Segment) -> bool:
    """Return whether a segment begins a row or a list item: one of its sentences does not."""
    return segment.kind is SegmentKind.ROW or items[segment.first].text in BULLETS


def _block(segments: Sequence[Segment], first: int, last: int) -> Segment:
    leads = segments[first].leads
    opening = segments[first].first
    if first and first - 1 in leads and segments[first - 1].kind is not SegmentKind.HEADING:
        opening = segments[first - 1].first
        leads = tuple(lead for lead in leads if lead != first - 1)
    return Segment(opening, segments[last].last, SegmentKind.BLOCK, leads)
