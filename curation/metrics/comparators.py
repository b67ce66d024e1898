"""Words that bound a quantity: at most, at least, before, about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.metrics.anchors import Comparator
from curation.metrics.lexicon import word_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from curation.metrics.items import Item

__all__ = ["COMPARATOR_WORDS", "comparator_of"]

COMPARATOR_WORDS = word_set(
    """
    about above after almost approx approximately around at before below beyond capped circa
    earlier exceed exceeding exceeds fewer greater higher larger later least less limit
    limited longer lower max maximum min minimum more most nearly newer no not older or over
    roughly shorter smaller than to under up within younger
    """
)
# Phrases that stand before their quantity; `<` and `\u2264` are phrases too.
_BEFORE = (
    (
        Comparator.AT_MOST,
        """
        not more than, no more than, no later than, no longer than, not longer than, not later
        than, no greater than, not exceed, not exceeding, never exceed, never more than, as many
        as, as much as, as large as, at or below, at most, up to, maximum of, limited to, capped
        at, a maximum, less than or equal to, < =, ≤, maximum, max
        """,
    ),
    (
        Comparator.AT_LEAST,
        """
        no less than, not less than, no fewer than, not fewer than, as few as, at or above, at
        least, minimum of, a minimum, greater than or equal to, > =, ≥, minimum, min
        """,
    ),
    (
        Comparator.BELOW,
        """
        less than, fewer than, lower than, smaller than, shorter than, younger than, under,
        below, before, <
        """,
    ),
    (
        Comparator.ABOVE,
        """
        more than, greater than, higher than, larger than, longer than, older than, in excess
        of, over, above, exceed, exceeds, exceeding, beyond, after, >
        """,
    ),
    (
        Comparator.WITHIN,
        """
        within, limit is, limit of, limit :
        """,
    ),
    (
        Comparator.ABOUT,
        """
        about, around, approximately, approx, roughly, nearly, almost, ~, ≈, some, circa
        """,
    ),
)
_AFTER = (
    (
        Comparator.AT_LEAST,
        """
        or more, or above, or older, or later, or newer, or higher, or over, or greater, or
        longer, and above, and later, and newer, and older, and up, +, minimum, at least
        """,
    ),
    (
        Comparator.AT_MOST,
        """
        or less, or fewer, or below, or under, or younger, or lower, or earlier, or shorter, and
        below, and under, maximum, max, at most
        """,
    ),
)
# Words that bound a quantity only where nothing stands between.
_ADJACENT_ONLY = word_set(
    """
    under below before over above beyond after within about around approximately approx
    roughly nearly almost ~ ≈ some circa < > exceed exceeds exceeding
    """
)
_TEMPORAL_WORDS = frozenset({"before", "after"})
_STOPS = frozenset({".", ";", ",", ":", "(", "\n"})
# What follows speaks of something else: 9 and the minimum is 5.
_TURNS = frozenset({"and", "or", "but", "while", "whereas"})
_REACH = 6


def comparator_of(items: Sequence[Item], at: int, *, temporal: bool) -> Comparator:
    """Return how the words around the quantity at an item bound it.

    Args:
        items: The items of the text.
        at: The item of the quantity.
        temporal: It can be a time, so that `before` and `after` bound it.
    """
    before: list[str] = []
    for place in range(at - 1, max(at - _REACH, 0) - 1, -1):
        text = items[place].text
        if text in _STOPS:
            break
        before.append(text)
    found = _phrase_before(before[::-1], temporal=temporal)
    return found if found is not Comparator.NONE else _phrase_after(items, at)


def _phrase_before(before: Sequence[str], *, temporal: bool) -> Comparator:
    """Return the comparator whose words stand nearest before the quantity."""
    for end in range(len(before), 0, -1):
        if before[end - 1] not in _BEFORE_BY_LAST:
            continue
        for words, comparator in _BEFORE_BY_LAST[before[end - 1]]:
            if list(before[max(end - len(words), 0) : end]) != words:
                continue
            if len(words) == 1 and words[0] in _ADJACENT_ONLY and end < len(before):
                continue
            if temporal or words[0] not in _TEMPORAL_WORDS:
                return comparator
    return Comparator.NONE


def _phrase_after(items: Sequence[Item], at: int) -> Comparator:
    for start in range(at + 1, min(at + 4, len(items))):
        first = items[start].text
        for words, comparator in _AFTER_BY_FIRST.get(first, ()):
            if [item.text for item in items[start : at + 5]][: len(words)] == words:
                return comparator
        if first in _STOPS or first in _TURNS:
            break
    return Comparator.NONE


_Phrases = dict[str, list[tuple[list[str], Comparator]]]


def _by_word(table: Sequence[tuple[Comparator, str]], which: int) -> _Phrases:
    """Return the phrases by their first or last word, the longest first."""
    out: _Phrases = {}
    for words, comparator in sorted(_phrases(table), key=lambda row: -len(row[0])):
        out.setdefault(words[which], []).append((words, comparator))
    return out


def _phrases(table: Sequence[tuple[Comparator, str]]) -> Iterator[tuple[list[str], Comparator]]:
    for comparator, phrases in table:
        for phrase in phrases.split(","):
            yield phrase.split(), comparator


_BEFORE_BY_LAST = _by_word(_BEFORE, -1)
_AFTER_BY_FIRST = _by_word(_AFTER, 0)
