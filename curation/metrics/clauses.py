"""The clauses of a segment: which words go with which of several rival values."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from curation.metrics.items import Item, ItemKind
from curation.metrics.lexicon import word_set
from curation.metrics.outline import SegmentKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curation.metrics.segments import Segment

__all__ = ["Clauses", "is_break"]

_BREAKS = word_set(
    """
    , ; : ( ) [ ] - | • and but while whereas or although though vs versus yet
    """
) | {"\n"}
_PRONOUNS = word_set("it its they their this that these those there")


def is_break(items: Sequence[Item], at: int, first: int) -> bool:
    """Return whether one clause ends and another begins at an item."""
    item = items[at]
    if item.text not in _BREAKS or item.kind is ItemKind.QUANTITY:
        return False
    spaced = at > first and items[at - 1].end < item.start
    return spaced or item.text != "-"


class Clauses:
    """The stretch of a segment that belongs to one value, its rivals shut out."""

    def __init__(
        self,
        items: Sequence[Item],
        segment: Segment,
        rivals: Sequence[int],
        at: int,
        *,
        tight: bool = False,
    ) -> None:
        self.items = items
        self.segment = segment
        self.at = at
        self.tight = tight
        others = [rival for rival in rivals if rival != at]
        self.listed = [rival for rival in others if self._is_listed(min(rival, at), max(rival, at))]
        self.rivals = [rival for rival in others if rival not in self.listed]
        self.chunks = self._split()
        self._starts = [first for first, _ in self.chunks]
        self._rival_chunks = frozenset(self._chunk_of(rival) for rival in self.rivals)
        self.first, self.last = self.around(at) if at >= 0 else (segment.first, segment.last)
        lead = self.chunks[0]
        holds = any(lead[0] <= rival < lead[1] for rival in (*self.rivals, at))
        self.shared_first, self.shared_last = (lead[0], lead[0]) if holds else lead

    def _split(self) -> list[tuple[int, int]]:
        chunks: list[tuple[int, int]] = []
        start = self.segment.first
        asides = self._asides()
        block = self.segment.kind is SegmentKind.BLOCK
        for at in range(self.segment.first, self.segment.last):
            breaks = is_break(self.items, at, self.segment.first)
            breaks = breaks or (block and self._ends_sentence(at))
            if at not in asides and breaks:
                if at > start:
                    chunks.append((start, at))
                start = at + 1
        if start < self.segment.last or not chunks:
            chunks.append((start, self.segment.last))
        return chunks

    def _ends_sentence(self, at: int) -> bool:
        """Return whether a sentence of a list item ends; elsewhere sentences are segments."""
        if self.items[at].text not in {".", "!"}:
            return False
        later = at + 1 < self.segment.last
        return later and self.items[at].end < self.items[at + 1].start

    def _asides(self) -> set[int]:
        """Return the brackets that hold no value: what they hold belongs to what they follow."""
        marks = sorted((*self.rivals, self.at))
        asides: set[int] = set()
        opened: int | None = None
        for at in range(self.segment.first, self.segment.last):
            text = self.items[at].text
            if text == "(":
                opened = at
            elif text == ")" and opened is not None:
                inside = bisect_right(marks, at) - bisect_right(marks, opened)
                asides |= {opened, at} if not inside else set()
                opened = None
        return asides

    def around(self, at: int) -> tuple[int, int]:
        """Return the stretch around an item that no other value shares."""
        home = self._chunk_of(at)
        marked = self._marked_without(at)
        low = home
        if at == self.at and self.tight and home in marked:
            return self.chunks[home]
        while low and low - 1 not in marked:
            low -= 1
        later = min((chunk for chunk in marked if chunk > home), default=None)
        if later is None:
            return self.chunks[low][0], self.chunks[-1][1]
        high = home if at == self.at or home in marked else later
        return self.chunks[low][0], self.chunks[high][1]

    def _chunk_of(self, at: int) -> int:
        return max(bisect_right(self._starts, at) - 1, 0)

    def _marked_without(self, at: int) -> frozenset[int]:
        """Return the chunks that hold a value other than the one asked about."""
        if at == self.at:
            return self._rival_chunks
        return self._rival_chunks | {self._chunk_of(self.at)}

    def together(self, at: int) -> bool:
        """Return whether an item stands in the stretch of the value."""
        return self.first <= at < self.last or not self.rivals

    def rival_beside(self, at: int) -> int | None:
        """Return the rival value that shares the stretch of an item."""
        first, last = self.around(at)
        return next((rival for rival in self.rivals if first <= rival < last), None)

    def leans(self, first: int | None = None, last: int | None = None) -> bool:
        """Return whether a stretch, or the value's, speaks of what went before: it is 60 s."""
        start = self.first if first is None else first
        end = self.last if last is None else last
        words = [item for item in self.items[start:end] if item.kind is ItemKind.WORD]
        return any(item.text in _PRONOUNS for item in words)

    def paired(self) -> bool:
        """Return whether values are listed for things listed before: A and B cost $5 and $9."""
        stretch = self.items[self.segment.first : self.segment.last]
        if any(item.text == "respectively" for item in stretch):
            return True
        if not self.listed or self.at < 0:
            return False
        first = min(*self.listed, self.at)
        return any(item.text == "and" for item in self.items[self.segment.first : first])

    def _is_listed(self, one: int, two: int) -> bool:
        """Return whether two values have nothing but `and` between them."""
        between = [item.text for item in self.items[one + 1 : min(two, one + 4)]]
        return between in (["and"], [",", "and"], ["or"], ["/"])

    def home(self) -> tuple[int, int]:
        """Return the innermost stretch of the value, between the nearest signs."""
        return self.chunks[self._chunk_of(self.at)]

    def chunk_of(self, at: int) -> int:
        """Return the number of the innermost stretch that holds an item."""
        return self._chunk_of(at)
