"""Which words of a text went and which came."""

import difflib
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from rapidfuzz.distance import Indel

from curation.domain.base import Value

# A number or version is one token: 4,000 is not "4", "," and "000".
_TOKEN = re.compile(r"\w*\d(?:[\d.,]*\d)?\w*|\w+|\s+|[^\w\s]")
_FINE_UP_TO = 1_000  # difflib has the better blocks and is quadratic


class SegmentKind(StrEnum):
    """What became of a stretch of text."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


class Segment(Value):
    """A stretch of text that stayed, went or came."""

    kind: SegmentKind
    text: str


class _Block(NamedTuple):
    """Tokens of the old and of the new text; `same` when they are equal."""

    same: bool
    old: str
    new: str


def word_diff(old: str, new: str) -> tuple[Segment, ...]:
    """Return the segments from one text to the other.

    What stayed and went, joined, is the old text; what stayed and came is the new one.
    """
    blocks = list(_blocks(_TOKEN.findall(old), _TOKEN.findall(new), len(old) + len(new)))
    return tuple(_segments(_calmed(blocks)))


def _blocks(old: Sequence[str], new: Sequence[str], size: int) -> Iterator[_Block]:
    if size <= _FINE_UP_TO:
        matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
        spans = [(tag == "equal", a, b, c, d) for tag, a, b, c, d in matcher.get_opcodes()]
    else:
        spans = [
            (code.tag == "equal", code.src_start, code.src_end, code.dest_start, code.dest_end)
            for code in Indel.opcodes(old, new)
        ]
    for same, a, b, c, d in spans:
        yield _Block(same, "".join(old[a:b]), "".join(new[c:d]))


def _calmed(blocks: Sequence[_Block]) -> Iterator[_Block]:
    """Yield the blocks with changes joined that only a space separates."""
    held: _Block | None = None
    for index, block in enumerate(blocks):
        between = block.same and held is not None and index + 1 < len(blocks)
        if block.same and not (between and not block.old.strip()):
            if held is not None:
                yield held
            held = None
            yield block
        else:
            before = held or _Block(same=False, old="", new="")
            held = _Block(same=False, old=before.old + block.old, new=before.new + block.new)
    if held is not None:
        yield held


def _segments(blocks: Iterator[_Block]) -> Iterator[Segment]:
    for block in blocks:
        if block.same:
            yield Segment(kind=SegmentKind.SAME, text=block.old)
            continue
        if block.old:
            yield Segment(kind=SegmentKind.REMOVED, text=block.old)
        if block.new:
            yield Segment(kind=SegmentKind.ADDED, text=block.new)
