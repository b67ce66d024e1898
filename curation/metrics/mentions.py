"""Versions as a text mentions them: which one is named, and which others it takes in."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from curation.metrics.anchors import Bound, QuantityKind
from curation.metrics.lexicon import word_set
from curation.metrics.versions import normal_version, same_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from curation.metrics.items import Item

__all__ = ["Mention", "is_version", "mentions_in", "version_numbers"]


class Reach(StrEnum):
    """Which versions a mention speaks of."""

    EXACT = "exact"
    LATER = "this and later"
    EARLIER = "this and earlier"
    UNDER = "earlier than this"
    UNTIL = "earlier, this one or not"


class Mention(NamedTuple):
    """A version named in a text, or the first of a range that ends with `to`."""

    name: str
    at: int
    reach: Reach = Reach.EXACT
    to: str | None = None

    def covers(self, version: str) -> bool | None:
        """Return whether the mention speaks of a version; None where it cannot be told."""
        if same_version(self.name, version):
            return {Reach.UNDER: False, Reach.UNTIL: None}.get(self.reach, True)
        mine, other = version_numbers(self.name), version_numbers(version)
        if mine is None or other is None:
            return None
        if self.to is not None:
            end = version_numbers(self.to)
            return None if end is None else mine <= other[: len(mine)] and other[: len(end)] <= end
        return self._reaches(mine, other)

    def _reaches(self, mine: tuple[int, ...], other: tuple[int, ...]) -> bool | None:
        shorter = min(len(mine), len(other))
        if mine[:shorter] == other[:shorter]:
            if self.reach is Reach.UNDER and len(mine) <= len(other):
                return False
            return True if self.reach is Reach.LATER else None
        if self.reach is Reach.EXACT:
            return False
        return (other > mine) == (self.reach is Reach.LATER)


def version_numbers(name: str) -> tuple[int, ...] | None:
    """Return the numbers of a version name; None for a name that is more than numbers."""
    parts = normal_version(name).split(".")
    if not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
        return None
    return tuple(int(part) for part in parts)


def is_version(item: Item) -> bool:
    """Return whether an item names a version, or may."""
    quantity = item.quantity
    return quantity is not None and (quantity.kind is QuantityKind.VERSION or quantity.named)


def mentions_in(
    items: Sequence[Item], first: int, last: int, *, skip: int = -1
) -> Iterator[Mention]:
    """Yield the versions named among items first to last - 1; a range is one mention."""
    low: str | None = None
    for at in range(first, last):
        quantity = items[at].quantity
        if at == skip or quantity is None or not is_version(items[at]):
            continue
        name = next(iter(quantity.keys), quantity.version_key)
        if quantity.bound is Bound.LOW:
            low = name
        elif quantity.bound is Bound.HIGH and low is not None:
            yield Mention(low, at, to=name)
            low = None
        else:
            yield Mention(name, at, _reach(items, at, first))


_SINCE = word_set("since from starting beginning")
_UNTIL = word_set("until till")
_PREPOSITIONS = _SINCE | _UNTIL | word_set("before than to through in for on with of by as")
_OLDER = word_set("older earlier lower prior")
_NEWER = word_set("newer later higher")


def _reach(items: Sequence[Item], at: int, first: int) -> Reach:
    before = [item.text for item in items[max(at - 5, first) : at]]
    for place in range(len(before) - 1, max(len(before) - 4, -1), -1):
        if before[place] in _PREPOSITIONS:
            reach = _reach_of(before[place], set(before[:place]))
            if reach is not Reach.EXACT:
                return reach
            break
    return _reach_after([item.text for item in items[at + 1 : at + 4]])


def _reach_of(preposition: str, earlier: set[str]) -> Reach:
    """Return the reach that a preposition gives, by the words before it."""
    if preposition == "before" or (preposition in {"than", "to"} and earlier & _OLDER):
        return Reach.UNDER
    if preposition in _SINCE or (preposition == "than" and earlier & _NEWER):
        return Reach.LATER
    if preposition in {"with", "in", "of"} and earlier & (_SINCE | {"as"}):
        return Reach.LATER
    if preposition in _UNTIL:
        return Reach.UNTIL
    if preposition == "through" or (preposition == "to" and "up" in earlier):
        return Reach.EARLIER
    return Reach.EXACT


_AFTER = {
    "+": Reach.LATER,
    "onward": Reach.LATER,
    "onwards": Reach.LATER,
    "upwards": Reach.LATER,
}
_AND_LATER = word_set("later newer above up higher on")
_AND_EARLIER = word_set("earlier older below lower before prior")


def _reach_after(after: Sequence[str]) -> Reach:
    if not after:
        return Reach.EXACT
    if after[0] in {"and", "or"} and len(after) > 1:
        if after[1] in _AND_LATER:
            return Reach.LATER
        return Reach.EARLIER if after[1] in _AND_EARLIER else Reach.EXACT
    return _AFTER.get(after[0], Reach.EXACT)
