"""Tables: whether a value stands in the column whose head the fact names."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from curation.metrics.anchors import Likeness, compare
from curation.metrics.segments import Segment, SegmentKind
from curation.metrics.wording import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from curation.metrics.sighting import Sighting, Spot

__all__ = ["frames_value", "is_in_another_column", "value_in_column"]


class _Strayed(NamedTuple):
    """A value, the row that it stands in, and the columns that the fact names instead."""

    spot: Spot
    row: Segment
    columns: frozenset[int]


def is_in_another_column(sighting: Sighting) -> bool:
    """Return whether a value stands under another head than the one that the fact names."""
    return any(True for _ in _strayed(sighting))


def value_in_column(sighting: Sighting) -> tuple[str, int] | None:
    """Return the rival that stands in the value's row under the head that the fact names."""
    frame = sighting.frame
    for spot, row, columns in _strayed(sighting):
        wanted = spot.want.quantity
        for at in range(row.first, row.last):
            found = frame.items[at].quantity
            rival = wanted and found and compare(wanted, found) is Likeness.RIVAL
            if rival and _column(sighting, row, at) in columns:
                return f"{frame.shown(at)} instead of {spot.want.shown}", at
    return None


def frames_value(sighting: Sighting, at: int) -> bool:
    """Return whether an item heads the column or the row of the value, so that it is its own."""
    index = sighting.frame.index
    row = index.reading.segments[max(index.segment_of[sighting.anchor], 0)]
    heads = _heads(sighting, row)
    if heads is None:
        return False
    begins = row.first <= at < row.last and _column(sighting, row, at) == 0
    return begins or heads.first <= at < heads.last


def _strayed(sighting: Sighting) -> Iterator[_Strayed]:
    """Yield each value for which a word of the fact is the head of other columns only.

    The first column names the rows; its head says nothing of the values beside it.
    """
    index = sighting.frame.index
    for spot in sighting.inside():
        if spot.place is None or spot.want.role is not Role.VALUE:
            continue
        row = index.reading.segments[max(index.segment_of[spot.place.at], 0)]
        heads = _heads(sighting, row)
        if heads is None:
            continue
        filled = {0} | {
            _column(sighting, row, other.place.at)
            for other in sighting.inside()
            if other.place is not None and row.first <= other.place.at < row.last
        }
        for columns in _named(sighting, heads):
            if columns.isdisjoint(filled):
                yield _Strayed(spot, row, columns)


def _heads(sighting: Sighting, row: Segment) -> Segment | None:
    """Return the first row of the table that a row stands in; None for that row itself."""
    if row.kind is not SegmentKind.ROW:
        return None
    segments = sighting.frame.index.reading.segments
    return next((segments[at] for at in row.leads if segments[at].kind is SegmentKind.ROW), None)


def _named(sighting: Sighting, heads: Segment) -> Iterator[frozenset[int]]:
    """Yield the columns whose heads hold a word or version of the fact, want by want."""
    frame = sighting.frame
    for number, spot in enumerate(sighting.spots):
        if spot.want.role not in {Role.CONTENT, Role.SCOPE} or spot.place is None:
            continue
        if not heads.first <= spot.place.at < heads.last:
            continue
        places = (*frame.core[number], *frame.lead[number])
        yield frozenset(
            _column(sighting, heads, place.at)
            for place in places
            if heads.first <= place.at < heads.last
        )


def _column(sighting: Sighting, row: Segment, at: int) -> int:
    """Return the number of the column that an item of a row stands in."""
    return sum(item.text == "|" for item in sighting.frame.items[row.first : at]) - 1
