"""What stands around an item: the words that carry meaning, the list it is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.metrics.lexicon import STOPWORDS, word_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curation.metrics.items import Item

__all__ = ["has_only", "is_content", "near_stems", "row_of"]

_ROW_SIGNS = word_set(", and or & / ;")
_NEAR = 4


def is_content(item: Item) -> bool:
    """Return whether an item is a word that carries meaning."""
    return bool(item.stem) and item.text not in STOPWORDS


def near_stems(items: Sequence[Item], at: int) -> frozenset[str]:
    """Return the stems of the words close around an item."""
    around = (*items[max(at - _NEAR, 0) : at], *items[at + 1 : at + 1 + _NEAR])
    return frozenset(item.stem for item in around if is_content(item))


def row_of(items: Sequence[Item], at: int) -> int:
    """Return where the list that an item stands in begins; items of one list share it."""
    start = at
    while start >= 2 and items[start - 1].text in _ROW_SIGNS:
        start -= 2
        while start and items[start].text in _ROW_SIGNS:
            start -= 1
    return start


def has_only(items: Sequence[Item], first: int, last: int) -> bool:
    """Return whether a stretch says only, and not: not only."""
    return any(
        items[at].text == "only" and (at == first or items[at - 1].text != "not")
        for at in range(first, last)
    )
