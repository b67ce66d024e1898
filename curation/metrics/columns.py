"""Tables: whether a value stands in the row and under the head that the fact names."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from curation.metrics.anchors import Likeness, compare
from curation.metrics.segments import Segment, SegmentKind
from curation.metrics.wording import Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from curation.metrics.items import Item
    from curation.metrics.places import Place
    from curation.metrics.sighting import Sighting, Spot

__all__ = ["frames_value", "head_of", "is_in_another_cell", "value_in_cell"]


class _Strayed(NamedTuple):
    """A value, and the row and columns of its table in which the fact wants it instead."""

    spot: Spot
    row: Segment
    columns: frozenset[int]


def is_in_another_cell(sighting: Sighting) -> bool:
    """Return whether a value stands in another row or under another head than the fact's."""
    return any(True for _ in _strayed(sighting))


def value_in_cell(sighting: Sighting) -> tuple[str, int] | None:
    """Return the rival that stands in the row and under the head that the fact names."""
    frame = sighting.frame
    for spot, row, columns in _strayed(sighting):
        wanted = spot.want.quantity
        for at, column in enumerate(_columns(frame.items, row), start=row.first):
            found = frame.items[at].quantity
            rival = wanted and found and compare(wanted, found) is Likeness.RIVAL
            if rival and column in columns:
                return f"{frame.shown(at)} instead of {spot.want.shown}", at
    return None


def frames_value(sighting: Sighting, at: int) -> bool:
    """Return whether an item heads the column or the row of the value, so that it is its own."""
    row = _row_of(sighting, sighting.anchor)
    heads = _heads(sighting, row)
    if heads is None:
        return False
    if row.first <= at < row.last:
        return _columns(sighting.frame.items, row)[at - row.first] == 0
    return heads.first <= at < heads.last


def _strayed(sighting: Sighting) -> Iterator[_Strayed]:
    """Yield each value that a word or version of the fact wants in another cell."""
    for spot in sighting.inside():
        if spot.place is None or spot.want.role is not Role.VALUE:
            continue
        row = _row_of(sighting, spot.place.at)
        heads = _heads(sighting, row)
        if heads is not None:
            yield from _under_other_heads(sighting, spot, row, heads)
            yield from _in_other_rows(sighting, spot, row, heads)


def _under_other_heads(
    sighting: Sighting, spot: Spot, row: Segment, heads: Segment
) -> Iterator[_Strayed]:
    """Yield the value for each word of the fact that heads other columns only.

    The first column names the rows; its head says nothing of the values beside it.
    """
    own, over = (_columns(sighting.frame.items, line) for line in (row, heads))
    filled = {0} | {
        own[other.place.at - row.first]
        for other in sighting.inside()
        if other.place is not None and _holds(row, other.place)
    }
    for places in _named(sighting):
        columns = frozenset(
            over[place.at - heads.first] for place in places if _holds(heads, place)
        )
        if columns and columns.isdisjoint(filled) and _holds(heads, places[0]):
            yield _Strayed(spot, row, columns)


def _in_other_rows(
    sighting: Sighting, spot: Spot, row: Segment, heads: Segment
) -> Iterator[_Strayed]:
    """Yield the value for each word of the fact that names other rows of the table only.

    A row without a name goes on with the one above; a row with a value of the fact is that one's.
    """
    if spot.place is None or not _is_named(sighting, row):
        return
    items = sighting.frame.items
    column = frozenset({_columns(items, row)[spot.place.at - row.first]})
    taken = [
        _row_of(sighting, other.place.at)
        for other in sighting.inside()
        if other.place is not None and other.want.role is Role.VALUE
    ]
    for places in _named(sighting):
        rows = list(_rows_named(sighting, places, heads))
        if rows and all(own not in taken for own in rows):
            yield from (_Strayed(spot, own, column) for own in rows)


def _rows_named(sighting: Sighting, places: Sequence[Place], heads: Segment) -> Iterator[Segment]:
    """Yield the rows whose first column a word stands in; none where it stands elsewhere too."""
    rows: list[Segment] = []
    for place in places:
        row = _row_of(sighting, place.at)
        before = sighting.frame.items[row.first + 1 : place.at]
        if _heads(sighting, row) != heads or any(item.text == "|" for item in before):
            return
        rows.append(row)
    yield from rows


def _named(sighting: Sighting) -> Iterator[tuple[Place, ...]]:
    """Yield where each word and version of the fact stands, the place picked for it first."""
    frame = sighting.frame
    for number, spot in enumerate(sighting.spots):
        if spot.place is not None and spot.want.role in {Role.CONTENT, Role.SCOPE}:
            yield (spot.place, *frame.core[number], *frame.lead[number])


def _holds(row: Segment, place: Place) -> bool:
    return row.first <= place.at < row.last


def _row_of(sighting: Sighting, at: int) -> Segment:
    index = sighting.frame.index
    return index.reading.segments[max(index.segment_of[at], 0)]


def _heads(sighting: Sighting, row: Segment) -> Segment | None:
    """Return the first row of the table that a row stands in; None for that row itself."""
    if row.kind is not SegmentKind.ROW:
        return None
    segments = sighting.frame.index.reading.segments
    return next((segments[at] for at in row.leads if segments[at].kind is SegmentKind.ROW), None)


def _is_named(sighting: Sighting, row: Segment) -> bool:
    """Return whether anything stands in the first column of a row."""
    return row.last > row.first + 1 and sighting.frame.items[row.first + 1].text != "|"


def _columns(items: Sequence[Item], row: Segment) -> list[int]:
    """Return the number of the column of each item of a row, in one walk."""
    return [
        number - 1 for number in accumulate(item.text == "|" for item in items[slice(*row[:2])])
    ]


def head_of(items: Sequence[Item], heads: Segment, row: Segment, at: int) -> tuple[int, int]:
    """Return where the head of the column stands that an item of a row is in: first, last + 1."""
    column = _columns(items, row)[at - row.first]
    own = [
        head
        for head, number in enumerate(_columns(items, heads), start=heads.first)
        if number == column and items[head].text != "|"
    ]
    return (own[0], own[-1] + 1) if own else (heads.first, heads.first)
