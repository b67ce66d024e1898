"""A fact found word for word in a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.metrics.items import Item, ItemKind
from curation.metrics.polarity import polarity_of
from curation.metrics.segments import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from curation.metrics.places import TextIndex

__all__ = ["verbatim"]

_ENOUGH_WORDS = 6
_MOST_TRIES = 50
_SKIPPED = frozenset({ItemKind.PUNCT, ItemKind.BREAK})


def verbatim(index: TextIndex, wording: str) -> tuple[int, int] | None:
    """Return the first and last item of a long wording that the text says word for word.

    What stands before it must not deny, doubt or ask it; signs and citations do not count.
    """
    wanted = [item.text.lower() for item in read_text(wording).items if item.kind not in _SKIPPED]
    if len(wanted) < _ENOUGH_WORDS or wording.rstrip().endswith("?"):
        return None
    for first, last in _runs(index.reading.items, wanted):
        if _is_said(index, first, last):
            return first, last
    return None


def _runs(items: Sequence[Item], wanted: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of items that are the wanted words in a row."""
    kept = [at for at, item in enumerate(items) if item.kind not in _SKIPPED]
    texts = [items[at].text.lower() for at in kept]
    needle = "\x00" + "\x00".join(wanted) + "\x00"
    haystack = "\x00" + "\x00".join(texts) + "\x00"
    found = haystack.find(needle)
    for _ in range(_MOST_TRIES):
        if found < 0:
            return
        start = haystack.count("\x00", 0, found)
        yield kept[start], kept[start + len(wanted) - 1]
        found = haystack.find(needle, found + 1)


def _is_said(index: TextIndex, first: int, last: int) -> bool:
    items = index.reading.items
    segments = index.reading.segments
    number = index.segment_of[first]
    if number < 0 or segments[max(index.segment_of[last], number)].question:
        return False
    start = segments[number].first
    if first == start:
        return True
    before = polarity_of(items, start, first)
    return not (
        before.denied[-1] or before.doubtful[-1] or before.conditional[-1] or before.hedged[-1]
    )
