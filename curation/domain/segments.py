"""A text cut into what a person picks: sentences and lines, words, whole-word selections.

Offsets are code points of the text as it is stored; nothing is normalised.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from curation.domain.visible import visible


class Span(NamedTuple):
    """Code points `start` to `end` (exclusive) of a text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the words that the span holds."""
        return text[self.start : self.end]


_LINE_END = re.compile("\r\n|[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_LIST_ITEM = re.compile(
    r"\s*(?:[-*+•◦▪‣·\u2013\u2014>|#]|\d{1,3}[.)]\s|[a-z][.)]\s|[A-Z]\)\s|\[\d)"
)
_TABLE_ROW = re.compile(r"\t|\s\|\s|\|\s*$")
_STOP = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s)|[。！？]++[」』”）]*+")
_OPENING = "\"'“\u2018«(["
_ABBREVIATIONS = re.compile(
    r"(?:e\.g|i\.e|z\.b|d\.h|u\.a|cf|vs|mr|mrs|ms|dr|prof|st|jr|sr|inc|ltd|co|figs?|eqs?|ch|pp?|vol"
    r"|al|approx|dept|est|ext|max|min|op|resp|tel|viz|ca|bzw|usw"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
_LONGEST_ABBREVIATION = len("approx")
_BEFORE_NUMBER = frozenset({"no", "nos", "nr", "art", "sec", "v", "ver", "version"})
_WRAPPED_FROM = 40  # a shorter line that ends without a stop is a line of its own


def sentences(text: str) -> tuple[Span, ...]:
    """Return the sentences of a text in order; in lists and tables one line each.

    Together they hold every character that is not a space.
    """
    found: list[Span] = []
    for start, end in _blocks(text):
        found.extend(_cut(text, start, end))
    return tuple(found)


def _lines(text: str) -> Iterator[Span]:
    """Yield the lines that are not blank, without their outer spaces."""
    start = 0
    for stop in _LINE_END.finditer(text):
        if line := _trimmed(text, start, stop.start()):
            yield line
        start = stop.end()
    if line := _trimmed(text, start, len(text)):
        yield line


def _trimmed(text: str, start: int, end: int) -> Span | None:
    """Return the part without outer spaces; None where nothing is left."""
    part = text[start:end]
    left = len(part) - len(part.lstrip())
    kept = part.strip()
    return Span(start + left, start + left + len(kept)) if kept else None


def _blocks(text: str) -> Iterator[Span]:
    """Yield lines, with the lines of a wrapped paragraph put together."""
    current: Span | None = None
    for line in _lines(text):
        if current is not None and _continues(text, current, line):
            current = Span(current.start, line.end)
            continue
        if current is not None:
            yield current
        current = line
    if current is not None:
        yield current


def _continues(text: str, before: Span, line: Span) -> bool:
    """Return whether a line is the rest of the paragraph before it."""
    gap = text[before.end : line.start]
    if len(_LINE_END.findall(gap)) != 1 or not text[line.start].islower():
        return False
    last_line = max(before.start, before.end - 400)
    tail = text[last_line : before.end]
    if len(tail) < _WRAPPED_FROM or tail[-1] in ".!?:;…|":
        return False
    head = text[before.start : before.start + 80]
    rest = text[line.start : line.start + 200]
    return not (_LIST_ITEM.match(head) or _TABLE_ROW.search(tail) or _TABLE_ROW.search(rest))


def _cut(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the sentences of one block."""
    if _LIST_ITEM.match(text, start, end) or _TABLE_ROW.search(text, start, end):
        yield Span(start, end)
        return
    begin = start
    for stop in _STOP.finditer(text, start, end):
        if _ends_sentence(text, begin, stop, end):
            if part := _trimmed(text, begin, stop.end()):
                yield part
            begin = stop.end()
    if part := _trimmed(text, begin, end):
        yield part


def _ends_sentence(text: str, begin: int, stop: re.Match[str], end: int) -> bool:
    """Return whether a stop ends the sentence that began there."""
    if stop[0][0] in "。！？":
        return True
    following = text[stop.end() : min(end, stop.end() + 40)].lstrip()
    if not following or following.lstrip(_OPENING)[:1].islower():
        return False
    if stop[0] != ".":
        return True
    before = text[max(begin, stop.start() - 20) : stop.start()]
    word = before[_word_start(before) :]
    if word.lower() in _BEFORE_NUMBER and following[0].isdigit():
        return False
    if len(word) > _LONGEST_ABBREVIATION:
        return True
    initial = len(word) == 1 and word.isupper() and word != "I" and following[0].isupper()
    return not initial and _ABBREVIATIONS.fullmatch(word.lower()) is None


_BEFORE_WORD = (" ", "(", "[", '"', "\n", "\t", "\u00a0")


def _word_start(before: str) -> int:
    """Return where the last word of the text begins."""
    return max(map(before.rfind, _BEFORE_WORD)) + 1


_RUN = re.compile(r"\S+")
_IDEOGRAPH = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_OUTER = "\"'“”‘’«»()[]{}<>,;:!?`*|…·•。、，！？：；「」『』（）"
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}


def words(text: str, span: tuple[int, int]) -> tuple[Span, ...]:
    """Return the words of a part of the text, without the marks around them."""
    return tuple(_words(text, span[0], span[1]))


def _words(text: str, start: int, end: int) -> Iterator[Span]:
    for run in _RUN.finditer(text, start, end):
        left, right = _bare(text, run.start(), run.end())
        if left >= right:
            continue
        if _IDEOGRAPH.search(text, left, right):
            yield from _by_ideograph(text, left, right)
        else:
            yield Span(left, right)


def _bare(text: str, left: int, right: int) -> tuple[int, int]:
    """Return the run without the marks around it; empty where it is marks only."""
    while left < right and text[left] in _OUTER:
        left += 1
    while right > left and (text[right - 1] in _OUTER or text[right - 1] == "."):
        opening = _PAIRS.get(text[right - 1])
        if opening is not None and opening in text[left:right]:
            break
        right -= 1
    if right - left <= 3 and not any(char.isalnum() for char in text[left:right]):
        return left, left
    return left, right


def _by_ideograph(text: str, left: int, right: int) -> Iterator[Span]:
    """Yield single ideographs and the runs between them."""
    at = left
    for sign in _IDEOGRAPH.finditer(text, left, right):
        if sign.start() > at:
            yield Span(at, sign.start())
        yield Span(sign.start(), sign.end())
        at = sign.end()
    if at < right:
        yield Span(at, right)


def snap(text: str, start: int, end: int) -> Span:
    """Return a selection widened to whole words; an empty one where it holds only spaces."""
    start, end = sorted((_inside(start, text), _inside(end, text)))
    picked = _trimmed(text, start, end)
    if picked is None:
        return Span(start, start)
    left, right = picked
    while left > 0 and not text[left - 1].isspace():
        left -= 1
    while right < len(text) and not text[right].isspace():
        right += 1
    touched = [
        w for w in _words(text, left, right) if w.end > picked.start and w.start < picked.end
    ]
    if not touched:
        return picked
    return Span(min(picked.start, touched[0].start), max(picked.end, touched[-1].end))


def _inside(offset: int, text: str) -> int:
    return max(0, min(offset, len(text)))


_SPACES = re.compile(r"\s+")
_SIGN = re.compile(r"(?:[-*+•◦▪‣·\u2013\u2014>|]|#{1,6}|\d{1,2}[.)]|[a-z]\))\s+")
_LAST_SIGN = re.compile(r"\s+\|$")


def fact_text(picked: str) -> str:
    """Return picked words as a fact: spaces collapsed, list signs and invisible signs dropped."""
    seen = "".join(piece.text for piece in visible(picked) if not piece.hidden)
    text = _SPACES.sub(" ", seen).strip()
    while sign := _SIGN.match(text):
        text = text[sign.end() :]
    while sign := _LAST_SIGN.search(text):
        text = text[: sign.start()]
    return text.strip()
