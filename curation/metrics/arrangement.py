"""Whether the parts of a fact go with each other in a text as they do in the fact."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from curation.metrics.anchors import Likeness, compare
from curation.metrics.content import near_stems
from curation.metrics.wording import WantKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curation.metrics.sighting import Sighting, Spot

__all__ = ["is_rearranged"]

_MOST_PAIRS = 60
_LONG = 6
_IN_ORDER = 0.5


def is_rearranged(sighting: Sighting) -> bool:
    """Return whether two values or names changed places, or the words are in no like order."""
    spots = [spot for spot in sighting.inside() if spot.place is not None and spot.counts]
    anchors = [spot for spot in spots if spot.want.kind is not WantKind.WORD or spot.want.proper]
    pairs = [pair for pair in combinations(anchors, 2) if _are_alike(*pair)][:_MOST_PAIRS]
    return any(_changed_places(sighting, *pair) for pair in pairs) or _is_jumbled(spots)


def _are_alike(one: Spot, two: Spot) -> bool:
    """Return whether two wants could stand in each other's place."""
    if one.want.row == two.want.row:
        return False
    first, second = one.want.quantity, two.want.quantity
    if first is not None and second is not None:
        named = first.nouns and second.nouns and not set(first.nouns) & set(second.nouns)
        return not named and compare(first, second) is Likeness.RIVAL
    return one.want.kind is two.want.kind and one.want.stem != two.want.stem


def _changed_places(sighting: Sighting, one: Spot, two: Spot) -> bool:
    """Return whether the words around two wants fit better the other way round."""
    if one.place is None or two.place is None:
        return False
    both = {one.want.stem, two.want.stem}
    items = sighting.frame.items
    there = [near_stems(items, spot.place.at) - both for spot in (one, two) if spot.place]
    here = [spot.want.near - both for spot in (one, two)]
    straight = len(here[0] & there[0]) + len(here[1] & there[1])
    crossed = len(here[0] & there[1]) + len(here[1] & there[0])
    return crossed > straight


def _is_jumbled(spots: Sequence[Spot]) -> bool:
    """Return whether many words stand in an order that has little of the fact's."""
    places = [spot.place.at for spot in spots if spot.place is not None]
    if len(places) < _LONG:
        return False
    return _longest_rise(places) / len(places) < _IN_ORDER


def _longest_rise(numbers: Sequence[int]) -> int:
    """Return the length of the longest rising run, gaps allowed."""
    ends: list[int] = []
    for number in numbers:
        at = next((n for n, end in enumerate(ends) if end >= number), len(ends))
        ends[at : at + 1] = [number]
    return len(ends)
