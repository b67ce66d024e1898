"""One way of reading a statement of a fact into a segment of a text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from curation.metrics.anchors import Likeness, Quantity, compare
from curation.metrics.clauses import Clauses
from curation.metrics.content import is_content
from curation.metrics.polarity import Polarity, polarity_of
from curation.metrics.wording import Part, Role, Want
from curation.metrics.words import stem, word_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from curation.metrics.items import Item
    from curation.metrics.places import Place, TextIndex
    from curation.metrics.segments import Segment

__all__ = ["Frame", "Sighting", "Spot"]


class Frame:
    """A statement, a segment, and where the segment and its leads answer the statement."""

    def __init__(
        self, index: TextIndex, segment: Segment, part: Part, found: Sequence[list[Place]]
    ) -> None:
        self.index = index
        self.items: Sequence[Item] = index.reading.items
        self.segment = segment
        self.part = part
        self.core = [index.within(places, segment.first, segment.last) for places in found]
        self.lead = [self._in_leads(places) for places in found]

    def _in_leads(self, places: list[Place]) -> list[Place]:
        if not places:
            return places
        segments = self.index.reading.segments
        return [
            place
            for lead in self.segment.leads
            for place in self.index.within(places, segments[lead].first, segments[lead].last)
        ]

    @cached_property
    def polarity(self) -> Polarity:
        """What the segment denies, doubts and makes conditional."""
        return polarity_of(self.items, self.segment.first, self.segment.last)

    @cached_property
    def rivals(self) -> list[int]:
        """The items whose value, or else whose scope, stands against the statement's."""
        against = [want for want in self.part.values if want.quantity is not None]
        if against:
            wanted = self._wanted_scopes()
            return [
                at for at in self.places() if at not in wanted and self._stands_against(at, against)
            ]
        against = [want for want in self.part.scopes if want.quantity is not None]
        rivals = (
            [at for at in self.places() if self._stands_against(at, against)] if against else []
        )
        return [at for at in rivals if not self._is_listed(at, against)]

    def _wanted_scopes(self) -> frozenset[int]:
        """Return the items that are what the statement holds for: no rival of its value."""
        return frozenset(
            place.at
            for want, places in zip(self.part.wants, self.core, strict=True)
            if want.role is Role.SCOPE
            for place in places
            if place.likeness is Likeness.SAME
        )

    def _is_listed(self, at: int, wants: Sequence[Want]) -> bool:
        """Return whether an item is named in one breath with a wanted one: v3.4 and v3.6."""
        for other in (at - 2, at + 2):
            if not self.segment.first <= other < self.segment.last:
                continue
            quantity = self.items[other].quantity
            link = self.items[(at + other) // 2].text
            wanted = quantity is not None and any(
                want.quantity and compare(want.quantity, quantity) is Likeness.SAME
                for want in wants
            )
            if wanted and link in {"and", ",", "or", "/"}:
                return True
        return False

    def _stands_against(self, at: int, wants: Sequence[Want]) -> bool:
        quantity = self.items[at].quantity
        likenesses = {
            compare(want.quantity, quantity)
            for want in wants
            if want.quantity is not None and quantity is not None
        }
        return Likeness.RIVAL in likenesses and Likeness.SAME not in likenesses

    def places(self) -> range:
        """Return the items of the segment."""
        return range(self.segment.first, self.segment.last)

    def shown(self, at: int) -> str:
        """Return an item as people wrote it."""
        item = self.items[at]
        return item.quantity.text if item.quantity is not None else item.text

    def next_content(self, at: int) -> str | None:
        """Return the stem of the word that follows an item closely."""
        following = self.items[at + 1 : min(at + 4, self.segment.last)]
        return next((item.stem for item in following if is_content(item)), None)


@dataclass(frozen=True, slots=True)
class Spot:
    """A want and where the segment (`inside`) or its leads answer it; None where they do not."""

    want: Want
    place: Place | None
    inside: bool

    @property
    def counts(self) -> bool:
        """Whether the want is more than a light word."""
        return self.want.role is not Role.LIGHT


_QUANTIFIERS = frozenset(
    stem(word) for word in word_set("all many most some only also always now currently today")
)


def _anchor_rank(want: Want) -> int:
    if want.role is Role.VALUE or want.literal:
        return 0
    return 1 if want.role is Role.SCOPE and want.quantity is not None else 2


class Sighting:
    """The wants of a statement, each with the place picked for it around one pivot."""

    def __init__(self, frame: Frame, spots: Sequence[Spot]) -> None:
        self.frame = frame
        self.spots = spots
        self.anchor = self._anchor()

    def _anchor(self) -> int:
        """Return the item around which it is judged what belongs together."""
        seen = list(self.inside())
        ranked = sorted(seen, key=lambda spot: _anchor_rank(spot.want))
        return ranked[0].place.at if ranked and ranked[0].place else -1

    @cached_property
    def clauses(self) -> Clauses:
        """The clauses of the segment, seen from the value."""
        frame = self.frame
        tight = all(want.quantity is None for want in frame.part.values)
        return Clauses(frame.items, frame.segment, frame.rivals, self.anchor, tight=tight)

    def inside(self) -> Iterator[Spot]:
        """Yield the spots that stand in the segment itself."""
        return (spot for spot in self.spots if spot.place is not None and spot.inside)

    def quantity(self, spot: Spot) -> Quantity | None:
        """Return the quantity that a spot stands on."""
        return self.frame.items[spot.place.at].quantity if spot.place is not None else None

    @cached_property
    def missing_words(self) -> list[Want]:
        """The words that count and were not found."""
        return [
            spot.want
            for spot in self.spots
            if spot.place is None and spot.want.role is Role.CONTENT
        ]

    @cached_property
    def missing_values(self) -> list[Want]:
        """The values that were not found."""
        return [
            spot.want for spot in self.spots if spot.place is None and spot.want.role is Role.VALUE
        ]

    @property
    def share(self) -> float:
        """The share of the statement's weight that was found."""
        total = held = 0.0
        for spot in self.spots:
            weight = 1.0 if spot.counts else 0.25
            total += weight
            held += weight if spot.place is not None else 0.0
        return held / total if total else 0.0

    @property
    def extent(self) -> tuple[int, int]:
        """The first and the last item that say it."""
        places = [spot.place.at for spot in self.inside() if spot.place is not None]
        return min(places), max(places)

    def speaks_of_else(self) -> bool:
        """Return whether the clause of the value names a thing that the fact does not."""
        return self.holds_else(self.clauses.first, self.clauses.last)

    def holds_else(self, first: int, last: int) -> bool:
        """Return whether a stretch names a thing that the fact does not."""
        known = frozenset(want.stem for want in self.frame.part.wants)
        return self._holds_else(first, last, known)

    def names_else(self, chunk: int, known: frozenset[str]) -> bool:
        """Return whether an innermost clause names a thing beyond the known words."""
        return self._holds_else(*self.clauses.chunks[chunk], known)

    def _holds_else(self, first: int, last: int, known: frozenset[str]) -> bool:
        return any(
            is_content(item) and item.stem not in known and item.stem not in _QUANTIFIERS
            for item in self.frame.items[first:last]
            if item.quantity is None
        )
