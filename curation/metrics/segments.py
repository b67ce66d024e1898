"""A text cut into segments: sentences, headings, list items and rows, with what leads them in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from curation.metrics.items import Item, ItemKind, read_items
from curation.metrics.lexicon import word_set
from curation.metrics.memory import remembered
from curation.metrics.outline import BULLETS, CLOSERS, Segment, SegmentKind, blocks_of, with_leads

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from curation.metrics.normalise import Folded


__all__ = ["Reading", "Segment", "SegmentKind", "read_text"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A text ready to be searched."""

    text: str
    folded: Folded
    items: tuple[Item, ...]
    segments: tuple[Segment, ...]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the code points of the text behind items first to last, both included."""
        return self.folded.span(self.items[first].start, self.items[last].end)


@remembered(256)
def read_text(text: str) -> Reading:
    """Return the text read into items and segments."""
    folded, items = read_items(text, plain=True)
    plain = list(_segments(text, folded, items))
    led = with_leads(items, plain)
    return Reading(text, folded, items, (*led, *blocks_of(items, led)))


_SHORT_LINE = 60


def _segments(text: str, folded: Folded, items: Sequence[Item]) -> Iterator[Segment]:
    paragraph: tuple[int, int] | None = None
    for first, last, blank in _lines(items):
        kind = _line_kind(items, first, last)
        joins = paragraph is not None and kind is SegmentKind.SENTENCE and not blank
        if joins and paragraph and _wraps(text, folded, items, paragraph, first):
            paragraph = (paragraph[0], last)
            continue
        if paragraph:
            yield from _sentences(text, folded, items, *paragraph, SegmentKind.SENTENCE)
            paragraph = None
        if kind is SegmentKind.SENTENCE:
            paragraph = (first, last)
        elif kind is SegmentKind.ENTRY:
            yield from _sentences(text, folded, items, first, last, kind)
        elif any(item.kind is not ItemKind.PUNCT for item in items[first:last]):
            asks = kind is SegmentKind.HEADING and _asks(items, first, last)
            yield Segment(first, last, kind, question=asks)
    if paragraph:
        yield from _sentences(text, folded, items, *paragraph, SegmentKind.SENTENCE)


def _lines(items: Sequence[Item]) -> Iterator[tuple[int, int, bool]]:
    """Yield the lines that hold something, and whether a blank line stands before each."""
    first = 0
    breaks = 0
    for at, item in enumerate((*items, None)):
        if item is not None and item.kind is not ItemKind.BREAK:
            continue
        if at > first:
            yield first, at, breaks > 1
            breaks = 0
        breaks += 1
        first = at + 1


def _line_kind(items: Sequence[Item], first: int, last: int) -> SegmentKind:
    head = items[first]
    if head.text == "|":
        return SegmentKind.ROW
    if head.text == "#":
        return SegmentKind.HEADING
    bold = [item.text for item in items[first : first + 2]] == ["*", "*"]
    if bold and [item.text for item in items[last - 2 : last]] == ["*", "*"]:
        inner = any(_ends_sentence(items, at) for at in range(first + 2, last - 3))
        return SegmentKind.SENTENCE if inner else SegmentKind.HEADING
    spaced = last > first + 1 and items[first + 1].start > head.end
    if head.text in BULLETS and spaced and not bold:
        return SegmentKind.ENTRY
    return SegmentKind.SENTENCE


def _asks(items: Sequence[Item], first: int, last: int) -> bool:
    """Return whether the last sign of a line, those that close it aside, is a question mark."""
    signs = [item.text for item in items[first:last] if item.text not in CLOSERS]
    return bool(signs) and signs[-1] == "?"


def _ends_sentence(items: Sequence[Item], at: int) -> bool:
    """Return whether a sentence ends within a line of bold type, and another begins."""
    spaced = items[at + 1].start > items[at].end
    return items[at].text in _ENDS and spaced and items[at + 1].proper


def _wraps(
    text: str, folded: Folded, items: Sequence[Item], before: tuple[int, int], first: int
) -> bool:
    """Return whether a line goes on with the sentence of the line before it."""
    end = items[before[1] - 1]
    if end.text in {".", "!", "?", ":", "\u3002"} or items[first].text.startswith("--"):
        return False
    start = folded.starts[items[first].start]
    line_start = end.end - _line_length(items, before)
    short = end.end - line_start < _SHORT_LINE
    return not (short and text[start : start + 1].isupper())


def _line_length(items: Sequence[Item], before: tuple[int, int]) -> int:
    """Return how long the last line of a paragraph is."""
    for at in range(before[1] - 1, before[0] - 1, -1):
        if items[at].kind is ItemKind.BREAK:
            return items[before[1] - 1].end - items[at].end
    return items[before[1] - 1].end - items[before[0]].start


_NO_STOP = word_set(
    """
    eg ie vs approx no mr mrs ms dr prof fig inc ltd ver min max resp cf al st nr sec art
    """
)
_ENDS = frozenset({".", "!", "?", "\u3002", "\u0964"})


def _sentences(
    text: str, folded: Folded, items: Sequence[Item], first: int, last: int, kind: SegmentKind
) -> Iterator[Segment]:
    start = first
    at = first
    while at < last:
        if items[at].text in _ENDS and _is_stop(text, folded, items, at, last):
            end = at + 1
            while (
                end < last
                and items[end].text in CLOSERS | _ENDS
                and items[end].start == items[end - 1].end
            ):
                end += 1
            yield Segment(start, end, kind, question=items[at].text == "?")
            start = at = end
            continue
        at += 1
    if start < last and any(item.kind is not ItemKind.PUNCT for item in items[start:last]):
        yield Segment(start, last, kind)


def _is_stop(text: str, folded: Folded, items: Sequence[Item], at: int, last: int) -> bool:
    item = items[at]
    before = items[at - 1].text if at else ""
    if item.text in {"\u3002", "\u0964"} or at + 1 >= last:
        return True
    following = items[at + 1]
    while following.text in CLOSERS and at + 2 < last:
        at += 1
        following = items[at + 1]
    if following.start == items[at].end and following.kind is not ItemKind.BREAK:
        return item.text in {"!", "?"}
    if item.text != ".":
        return True
    start = folded.starts[following.start]
    begins = text[start : start + 1]
    if before in _NO_STOP or len(before) == 1:
        return (
            begins.isupper()
            and before not in {"mr", "mrs", "dr", "fig", "no", "vs", "st", "prof"}
            and len(before) > 1
        )
    return not begins.islower() or before not in {"etc", "inc"}
