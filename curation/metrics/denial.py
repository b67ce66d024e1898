"""Whether a text denies what a fact says, clause by clause."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from curation.metrics.polarity import Polarity, polarity_of
from curation.metrics.segments import SegmentKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curation.metrics.sighting import Sighting, Spot

__all__ = ["Denial", "denial_of"]


class Denial(NamedTuple):
    """How the denials of a text stand to those of a fact.

    Attributes:
        opposed: One denies something of the fact and the other nothing.
        uneven: Both deny, but not the same clauses, or not as often, or only by half.
        denied: The text denies something of the fact.
        at: An item that shows it.
    """

    opposed: bool
    uneven: bool
    denied: bool
    at: int


def denial_of(sighting: Sighting) -> Denial:
    """Return how what the segment denies compares with what the statement denies."""
    frame, part = sighting.frame, sighting.frame.part
    first = frame.segment.first
    clauses: dict[int, list[Spot]] = defaultdict(list)
    for spot in sighting.inside():
        if spot.counts:
            clauses[spot.want.clause].append(spot)
    denied_at = [at for spots in clauses.values() for at in _denied(frame.polarity, first, spots)]
    wanted = any(spot.want.denied for spots in clauses.values() for spot in spots)
    wanted = wanted or (part.denied and not clauses)
    some = sighting.anchor if sighting.anchor >= 0 else first
    opposed = bool(denied_at) != wanted
    uneven = not opposed and any(
        _is_uneven(frame.polarity, first, spots, part.denials.get(number, 0))
        for number, spots in clauses.items()
    )
    half = _half_denied(frame.polarity, first, clauses) != part.doubtful
    return Denial(
        opposed,
        uneven or half or _denied_in_leads(sighting),
        bool(denied_at),
        (denied_at or [some])[0],
    )


def _denied(polarity: Polarity, first: int, spots: Sequence[Spot]) -> list[int]:
    return [
        spot.place.at
        for spot in spots
        if spot.place is not None and polarity.denied[spot.place.at - first] != spot.place.flipped
    ]


def _is_uneven(polarity: Polarity, first: int, spots: Sequence[Spot], denials: int) -> bool:
    """Return whether a clause is denied on one side only, or on both but not as often."""
    wanted = any(spot.want.denied for spot in spots)
    found = bool(_denied(polarity, first, spots))
    if wanted != found:
        return True
    if not wanted or any(spot.place is not None and spot.place.flipped for spot in spots):
        return False
    said = {polarity.clause[spot.place.at - first] for spot in spots if spot.place is not None}
    return sum(polarity.denials.get(number, 0) for number in said) != denials


def _half_denied(polarity: Polarity, first: int, clauses: dict[int, list[Spot]]) -> bool:
    return any(
        polarity.doubtful[spot.place.at - first]
        for spots in clauses.values()
        for spot in spots
        if spot.place is not None
    )


def _denied_in_leads(sighting: Sighting) -> bool:
    """Return whether a sentence that the segment leans on denies what it is leaned on for."""
    frame = sighting.frame
    reading = frame.index.reading
    for spot in sighting.spots:
        if spot.place is None or spot.inside or not spot.counts:
            continue
        lead = reading.segments[frame.index.segment_of[spot.place.at]]
        if lead.kind is SegmentKind.HEADING:
            continue
        polarity = polarity_of(reading.items, lead.first, lead.last)
        if polarity.denied[spot.place.at - lead.first] != spot.want.denied:
            return True
    return False
