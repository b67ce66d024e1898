"""A text cut into segments: sentences, headings, list items and rows, with what leads them in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from curation.metrics.items import Item, ItemKind, read_items
from curation.metrics.lexicon import word_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from curation.metrics.normalise import Folded


__all__ = ["Reading", "Segment", "SegmentKind", "read_text"]


class SegmentKind(StrEnum):
    """What a segment is in the layout of its text."""

    SENTENCE = "sentence"
    HEADING = "heading"
    ENTRY = "entry"
    ROW = "row"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Segment:
    """Items first to last - 1; `leads` are the segments that its words may lean on."""

    first: int
    last: int
    kind: SegmentKind
    leads: tuple[int, ...] = ()
    question: bool = False


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


@lru_cache(maxsize=256)
def read_text(text: str) -> Reading:
    """Return the text read into items and segments."""
    folded, items = read_items(text, plain=True)
    plain = list(_segments(text, folded, items))
    led = _with_leads(items, plain)
    return Reading(text, folded, items, (*led, *_blocks(led)))


_BULLETS = frozenset({"-", "*", "+", "\u2022", "\u00b7", "\u25aa", "\u2023", "o"})
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
            yield Segment(first, last, kind)
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
        return SegmentKind.HEADING
    spaced = last > first + 1 and items[first + 1].start > head.end
    if head.text in _BULLETS and spaced and not bold:
        return SegmentKind.ENTRY
    return SegmentKind.SENTENCE


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
_CLOSERS = frozenset({'"', "'", ")", "]", "*", "_", "`"})


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
                and items[end].text in _CLOSERS | _ENDS
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
    if item.text in {"\u3002", "\u0964"} or at + 1 >= last:
        return True
    following = items[at + 1]
    while following.text in _CLOSERS and at + 2 < last:
        at += 1
        following = items[at + 1]
    if following.start == items[at].end and following.kind is not ItemKind.BREAK:
        return item.text in {"!", "?"}
    if item.text != ".":
        return True
    before = items[at - 1].text if at else ""
    start = folded.starts[following.start]
    begins = text[start : start + 1]
    if before in _NO_STOP or len(before) == 1:
        return (
            begins.isupper()
            and before not in {"mr", "mrs", "dr", "fig", "no", "vs", "st", "prof"}
            and len(before) > 1
        )
    return not begins.islower() or before not in {"etc", "inc"}


_LEANING = word_set(
    """
    it this that these those they its their he she there such which both the then here his her
    """
)
_DEEP = 3


def _with_leads(items: Sequence[Item], segments: Sequence[Segment]) -> list[Segment]:
    """Return the segments, each knowing the heading, lead-in or sentence it leans on."""
    out: list[Segment] = []
    headings: list[tuple[int, int]] = []
    leader: int | None = None
    header: int | None = None
    for at, segment in enumerate(segments):
        leads: list[int] = []
        header = _table_header(out, at, segment, header)
        if segment.kind is SegmentKind.HEADING:
            level = _level(items, segment)
            headings = [entry for entry in headings if entry[0] < level]
            leads.extend(number for _, number in reversed(headings))
            headings.append((level, at))
            leader = None
        else:
            if at and _ends_with_colon(items, segments[at - 1]) and leader != at - 1:
                leader = at - 1
            elif segment.kind is SegmentKind.SENTENCE and leader is not None:
                leader = leader if leader == at - 1 else None
            if header is not None and header != at:
                leads.append(header)
            if leader is not None:
                leads.append(leader)
            if at and segment.kind is SegmentKind.SENTENCE and _leans(items, segments, at):
                leads.append(at - 1)
                leads.extend(out[at - 1].leads[:_DEEP])
            leads.extend(number for _, number in reversed(headings))
        out.append(
            Segment(
                segment.first,
                segment.last,
                segment.kind,
                tuple(dict.fromkeys(leads)),
                segment.question,
            )
        )
    return out


_BOLD_LEVEL = 7


def _level(items: Sequence[Item], segment: Segment) -> int:
    """Return the rank of a heading: its number signs; a bold line ranks below them all."""
    signs = 0
    for item in items[segment.first : segment.last]:
        if item.text != "#":
            break
        signs += 1
    return signs or _BOLD_LEVEL


def _table_header(
    out: Sequence[Segment], at: int, segment: Segment, header: int | None
) -> int | None:
    if segment.kind is not SegmentKind.ROW:
        return None
    return header if header is not None and out[at - 1].kind is SegmentKind.ROW else at


def _ends_with_colon(items: Sequence[Item], segment: Segment) -> bool:
    words = [item.text for item in items[max(segment.first, segment.last - 4) : segment.last]]
    return ":" in words and all(
        text in _CLOSERS or text == ":" for text in words[words.index(":") :]
    )


def _leans(items: Sequence[Item], segments: Sequence[Segment], at: int) -> bool:
    """Return whether a sentence speaks of what the one before it named."""
    if segments[at - 1].kind is SegmentKind.ROW:
        return False
    words = [
        item
        for item in items[segments[at].first : segments[at].last]
        if item.kind is not ItemKind.PUNCT
    ]
    if not words:
        return False
    pronouns = {item.text for item in words[:3]} & (_LEANING - {"the"})
    return bool(pronouns) or len(words) <= 3


def _blocks(segments: Sequence[Segment]) -> Iterator[Segment]:
    """Yield lists and tables as wholes, with their lead-in: a fact may need several items."""
    start: int | None = None
    for at, segment in enumerate((*segments, None)):
        inside = segment is not None and segment.kind in {SegmentKind.ENTRY, SegmentKind.ROW}
        if inside and start is None:
            start = at
        elif not inside and start is not None:
            if at - start > 1:
                yield _block(segments, start, at - 1)
            start = None


def _block(segments: Sequence[Segment], first: int, last: int) -> Segment:
    leads = segments[first].leads
    opening = segments[first].first
    if first and first - 1 in leads and segments[first - 1].kind is not SegmentKind.HEADING:
        opening = segments[first - 1].first
        leads = tuple(lead for lead in leads if lead != first - 1)
    return Segment(opening, segments[last].last, SegmentKind.BLOCK, leads)
