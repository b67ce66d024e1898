"""One statement of a fact held against one segment of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from curation.metrics.anchors import Bound, Comparator, Likeness, Quantity, QuantityKind, compare
from curation.metrics.clauses import Clauses
from curation.metrics.places import Place, TextIndex
from curation.metrics.polarity import Polarity, polarity_of
from curation.metrics.segments import Segment
from curation.metrics.wording import Part, Role, Want, WantKind, is_content

__all__ = ["Finding", "Outcome", "Window"]


class Outcome(IntEnum):
    """What a segment says of a statement, the stronger the higher."""

    NOTHING = 0
    DOUBT = 1
    CONFLICT = 2
    PRESENT = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """What a segment says, how much of the statement it holds, and the items that say it."""

    outcome: Outcome
    share: float
    first: int
    last: int
    reason: str
    anchor: int = -1


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The place picked for each want in one reading of a segment; None where it is missing."""

    places: tuple[Place | None, ...]
    inside: tuple[bool, ...]


_MOST_PIVOTS = 8


class Window:
    """A statement held against a segment and what leads the segment in."""

    def __init__(
        self, index: TextIndex, segment: Segment, part: Part, found: Sequence[list[Place]]
    ) -> None:
        self.index = index
        self.items = index.reading.items
        self.segment = segment
        self.part = part
        self.core = [index.within(places, segment.first, segment.last) for places in found]
        self.lead = [self._in_leads(places) for places in found]
        self.polarity: Polarity = polarity_of(self.items, segment.first, segment.last)

    def findings(self) -> list[Finding]:
        """Return what the segment says of the statement, one for each place it may say it."""
        pivot = self._pivot()
        if pivot is None:
            return []
        wants = self.part.wants
        if wants[pivot].role is not Role.VALUE and self.part.values:
            return [self._without_value()]
        return [
            self._judge(self._choose(pivot, place)) for place in self.core[pivot][:_MOST_PIVOTS]
        ]

    def _in_leads(self, places: list[Place]) -> list[Place]:
        segments = self.index.reading.segments
        return [
            place
            for lead in self.segment.leads
            for place in self.index.within(places, segments[lead].first, segments[lead].last)
        ]

    def _pivot(self) -> int | None:
        """Return the want to read the segment around: a value, else a literal, else the rarest."""
        wants = self.part.wants
        ranks = [
            (self._rank(want), len(self.core[number]), number)
            for number, want in enumerate(wants)
            if self.core[number]
        ]
        return min(ranks)[2] if ranks else None

    @staticmethod
    def _rank(want: Want) -> int:
        if want.role is Role.VALUE:
            return 0
        if want.literal:
            return 1
        return 3 if want.role is Role.LIGHT else 2

    def _choose(self, pivot: int, place: Place) -> _Chosen:
        """Pick for every want the place nearest to the pivot, in the segment before its leads."""
        chosen: list[Place | None] = []
        inside: list[bool] = []
        taken = {place.at}
        for number, want in enumerate(self.part.wants):
            if number == pivot:
                chosen.append(place)
                inside.append(True)
                continue
            free = [
                other
                for other in self.core[number]
                if other.at not in taken or want.kind is WantKind.WORD
            ]
            if free:
                best = min(
                    free,
                    key=lambda other: (
                        other.likeness is not Likeness.SAME,
                        abs(other.at - place.at),
                    ),
                )
                taken.add(best.at)
            else:
                best = self.lead[number][0] if self.lead[number] else None
            chosen.append(best)
            inside.append(bool(free))
        return _Chosen(tuple(chosen), tuple(inside))

    # What the chosen places amount to.

    def _judge(self, chosen: _Chosen) -> Finding:
        wants = self.part.wants
        value_at = self._anchor(chosen)
        clauses = Clauses(self.items, self.segment, self._rivals(), value_at)
        share = self._share(chosen)
        first, last = self._extent(chosen)
        conflict = self._conflict(chosen, clauses)
        if conflict is not None:
            return Finding(Outcome.CONFLICT, share, conflict[1], conflict[1], conflict[0], value_at)
        doubt = self._doubt(chosen, clauses)
        if doubt is None:
            return Finding(Outcome.PRESENT, share, first, last, self._said(wants), value_at)
        return Finding(Outcome.DOUBT, share, first, last, doubt, value_at)

    @staticmethod
    def _said(wants: Sequence[Want]) -> str:
        values = [want.text for want in wants if want.role is Role.VALUE]
        return f"says {values[0]}" if values else "says so"

    def _anchor(self, chosen: _Chosen) -> int:
        """Return the item around which the binding is judged."""
        best = -1
        for number, want in enumerate(self.part.wants):
            place = chosen.places[number]
            if place is not None and chosen.inside[number]:
                if want.role is Role.VALUE or want.literal:
                    return place.at
                best = place.at if best < 0 else best
        return best

    def _share(self, chosen: _Chosen) -> float:
        """Return the share of the statement's weight that was found."""
        total = held = 0.0
        for number, want in enumerate(self.part.wants):
            weight = 0.25 if want.role is Role.LIGHT else 1.0
            total += weight
            held += weight if chosen.places[number] is not None else 0.0
        return held / total if total else 0.0

    def _extent(self, chosen: _Chosen) -> tuple[int, int]:
        places = [
            place.at
            for place, inside in zip(chosen.places, chosen.inside, strict=True)
            if place is not None and inside
        ]
        return min(places), max(places)

    def _rivals(self) -> list[int]:
        """Return the items of the segment whose value or scope stands against the statement's."""
        values = self.part.values
        against = [want for want in values if want.quantity is not None]
        if not against:
            against = [want for want in self.part.scopes if want.quantity is not None]
        return [at for at in self._quantities() if self._stands_against(at, against)]

    def _quantities(self) -> list[int]:
        return [
            at
            for at in range(self.segment.first, self.segment.last)
            if self.items[at].quantity is not None
        ]

    def _stands_against(self, at: int, wants: Sequence[Want]) -> bool:
        quantity = self.items[at].quantity
        likenesses = [
            compare(want.quantity, quantity)
            for want in wants
            if want.quantity is not None and quantity is not None
        ]
        return Likeness.RIVAL in likenesses and Likeness.SAME not in likenesses

    # Conflicts.

    def _conflict(self, chosen: _Chosen, clauses: Clauses) -> tuple[str, int] | None:
        """Return why the segment says otherwise, and where; None where it does not."""
        return (
            self._denied(chosen)
            or self._other_scope(chosen, clauses)
            or self._other_bound(chosen)
            or self._bound_elsewhere(chosen, clauses)
        )

    def _denied(self, chosen: _Chosen) -> tuple[str, int] | None:
        if not self._covered(chosen):
            return None
        denied, doubtful, at = self._denial(chosen)
        if denied == self.part.denied or doubtful:
            return None
        return ("the text denies it" if denied else "the text does not deny it"), at

    def _denial(self, chosen: _Chosen) -> tuple[bool, bool, int]:
        """Return whether any chosen item is denied, whether that is doubtful, and which item."""
        where = -1
        doubtful = False
        for place, inside, want in zip(chosen.places, chosen.inside, self.part.wants, strict=True):
            if place is None or not inside or want.role is Role.LIGHT:
                continue
            offset = place.at - self.segment.first
            doubtful = doubtful or self.polarity.doubtful[offset]
            if self.polarity.denied[offset] != place.flipped:
                where = place.at
        some = next(place.at for place in chosen.places if place is not None)
        return where >= 0, doubtful, where if where >= 0 else some

    def _covered(self, chosen: _Chosen) -> bool:
        """Return whether every value and word that counts was found."""
        return not self._missing(chosen) and all(
            chosen.places[number] is not None
            for number, want in enumerate(self.part.wants)
            if want.role is Role.VALUE
        )

    def _missing(self, chosen: _Chosen) -> list[Want]:
        return [
            want
            for want, place in zip(self.part.wants, chosen.places, strict=True)
            if place is None and want.role is Role.CONTENT
        ]

    def _other_scope(self, chosen: _Chosen, clauses: Clauses) -> tuple[str, int] | None:
        """Return a conflict where the value stands beside another version or flag than wanted."""
        for number, want in enumerate(self.part.wants):
            if want.role is not Role.SCOPE:
                continue
            place = chosen.places[number]
            if place is not None and chosen.inside[number] and clauses.together(place.at):
                continue
            rival = self._rival_scope(want, clauses)
            if rival is not None:
                return f"{self.items[rival].text} instead of {want.text}", rival
        return None

    def _rival_scope(self, want: Want, clauses: Clauses) -> int | None:
        for at in range(clauses.first, clauses.last):
            item = self.items[at]
            if want.quantity is not None and item.quantity is not None:
                if compare(want.quantity, item.quantity) is Likeness.RIVAL and self._is_scope_like(
                    want, item.quantity
                ):
                    return at
            elif (
                want.kind is WantKind.IDENT
                and _same_shape(want.text, item.text)
                and item.stem != want.stem
            ):
                return at
        return None

    @staticmethod
    def _is_scope_like(want: Want, quantity: Quantity) -> bool:
        if (
            want.quantity is None
            or (want.quantity.kind is QuantityKind.NUMBER
            and not want.quantity.named)
        ):
            return (
                quantity.kind is QuantityKind.NUMBER
                and quantity.unit is None
                and not quantity.nouns
            )
        return quantity.kind is QuantityKind.VERSION or quantity.named

    def _other_bound(self, chosen: _Chosen) -> tuple[str, int] | None:
        """Return a conflict where the value is there but bounds the other way or counts by another."""
        for want, place in zip(self.part.wants, chosen.places, strict=True):
            quantity = self.items[place.at].quantity if place is not None else None
            if (
                want.quantity is None
                or quantity is None
                or place is None
                or want.role is not Role.VALUE
            ):
                continue
            if _opposite(want.quantity.comparator, quantity.comparator):
                return f"{quantity.comparator} instead of {want.quantity.comparator}", place.at
            if want.quantity.per and quantity.per and want.quantity.per != quantity.per:
                return f"per {quantity.per} instead of per {want.quantity.per}", place.at
            if quantity.bound is Bound.OLD and want.quantity.bound is Bound.NONE:
                return f"{quantity.text} is the old value", place.at
        return None

    def _bound_elsewhere(self, chosen: _Chosen, clauses: Clauses) -> tuple[str, int] | None:
        """Return a conflict where the words stand with a rival value, not with the wanted one."""
        apart = [
            place.at
            for place, inside, want in zip(
                chosen.places, chosen.inside, self.part.wants, strict=True
            )
            if place is not None
            and inside
            and want.role in {Role.CONTENT, Role.SCOPE}
            and not clauses.together(place.at)
        ]
        if not apart or clauses.leans():
            return None
        for at in apart:
            rival = clauses.rival_beside(at)
            if rival is not None and self.part.values and self._holds_all(clauses, at):
                return (
                    f"{self.items[rival].text} there, {self.part.values[0].text} is said of something else",
                    rival,
                )
        return None

    def _holds_all(self, clauses: Clauses, at: int) -> bool:
        """Return whether the clause of an item holds all words and scopes of the statement."""
        first, last = clauses.around(at)
        return all(
            self.index.within(self.core[number], first, last)
            or self.index.within(self.core[number], clauses.shared_first, clauses.shared_last)
            for number, want in enumerate(self.part.wants)
            if want.role in {Role.CONTENT, Role.SCOPE}
        )

    # Doubts.

    def _doubt(self, chosen: _Chosen, clauses: Clauses) -> str | None:
        """Return why it cannot be told; None where the segment says it."""
        return (
            self._doubt_of_values(chosen)
            or self._doubt_of_words(chosen)
            or self._doubt_of_binding(chosen, clauses)
            or self._doubt_of_mood(chosen)
            or self._doubt_of_direction(chosen)
        )

    def _doubt_of_values(self, chosen: _Chosen) -> str | None:
        for want, place in zip(self.part.wants, chosen.places, strict=True):
            if place is None:
                if want.role is Role.VALUE:
                    return f"{want.text} is not beside it"
                if want.role is Role.SCOPE:
                    return f"does not name {want.text}"
                continue
            quantity = self.items[place.at].quantity
            if place.likeness is Likeness.MAYBE and not self._unit_beside(want, place):
                return f"{self.items[place.at].text} may or may not be {want.text}"
            if want.quantity is None or quantity is None:
                continue
            reason = _quantity_doubt(want.quantity, quantity, self.items, place.at)
            if reason is not None:
                return reason
        return None

    def _unit_beside(self, want: Want, place: Place) -> bool:
        """Return whether a bare number has the wanted unit elsewhere in its segment."""
        quantity = self.items[place.at].quantity
        if (
            want.quantity is None
            or quantity is None
            or quantity.unit is not None
            or want.quantity.unit is None
        ):
            return False
        texts = {item.text for item in self.items[self.segment.first : self.segment.last]}
        words = {word for word in want.quantity.text.lower().split() if word.isalpha()}
        return bool(texts & words)

    def _doubt_of_words(self, chosen: _Chosen) -> str | None:
        missing = self._missing(chosen)
        return f"does not say \u201c{missing[0].text}\u201d" if missing else None

    def _doubt_of_binding(self, chosen: _Chosen, clauses: Clauses) -> str | None:
        if clauses.paired():
            return "which value goes with which cannot be told"
        for place, inside, want in zip(chosen.places, chosen.inside, self.part.wants, strict=True):
            if place is None or want.role in {Role.LIGHT, Role.VALUE}:
                continue
            if not inside:
                if want.role is Role.CONTENT and not clauses.leans() and self._foreign(clauses):
                    return f"\u201c{want.text}\u201d is not in the same sentence"
                continue
            if clauses.together(place.at) or clauses.leans():
                continue
            if clauses.rival_beside(place.at) is not None and self._foreign(clauses):
                return f"\u201c{want.text}\u201d stands with another value"
        return None

    def _foreign(self, clauses: Clauses) -> bool:
        """Return whether the clause of the value speaks of something that the fact does not name."""
        known = {want.stem for want in self.part.wants}
        return any(
            is_content(item) and item.stem not in known
            for item in self.items[clauses.first : clauses.last]
            if item.quantity is None
        )

    def _doubt_of_mood(self, chosen: _Chosen) -> str | None:
        if self.segment.question:
            return "it is asked, not said"
        denied, doubtful, _ = self._denial(chosen)
        if doubtful or denied != self.part.denied:
            return "whether it is denied cannot be told"
        offsets = [
            place.at - self.segment.first
            for place, inside, want in zip(
                chosen.places, chosen.inside, self.part.wants, strict=True
            )
            if place is not None and inside and want.role is not Role.LIGHT
        ]
        if not self.part.conditional and all(self.polarity.conditional[at] for at in offsets):
            return "it is said as a condition"
        if not (self.part.modal or self.part.hedged) and any(
            self.polarity.hedged[at] for at in offsets
        ):
            return "it is said as possible only"
        if self.part.only and not any(item.text == "only" for item in self._core_items()):
            return "does not say \u201conly\u201d"
        return None

    def _core_items(self) -> Sequence[object]:
        return self.items[self.segment.first : self.segment.last]

    def _doubt_of_direction(self, chosen: _Chosen) -> str | None:
        """Return a doubt where the same words stand in another direction: A costs more than B."""
        known = {want.stem for want in self.part.wants if want.role is not Role.LIGHT}
        for link, target in self.part.links:
            for at in range(self.segment.first, self.segment.last - 1):
                if self.items[at].text != link:
                    continue
                stems = [
                    item.stem
                    for item in self.items[at + 1 : min(at + 4, self.segment.last)]
                    if is_content(item)
                ]
                if stems and stems[0] != target and stems[0] in known:
                    return "the direction may be another"
        order = [stem for stem in self.part.ordered if stem in known]
        texts = {self.items[at].text for at in range(self.segment.first, self.segment.last)}
        if len(order) < 3 or "by" in texts:
            return None
        found = [
            item.stem
            for item in self.items[self.segment.first : self.segment.last]
            if item.stem in order
        ]
        return None if _in_order(order, found) else "the direction may be another"

    # Segments that hold the words but not the value.

    def _without_value(self) -> Finding:
        found = [
            number
            for number in range(len(self.part.wants))
            if self.core[number] or self.lead[number]
        ]
        rest = [
            number
            for number, want in enumerate(self.part.wants)
            if want.role in {Role.CONTENT, Role.SCOPE}
        ]
        share = sum(number in found for number in rest) / len(rest) if rest else 0.0
        rivals = self._rivals()
        if rivals and share > 0.49:
            want = self.part.values[0]
            at = rivals[0]
            return Finding(
                Outcome.CONFLICT, share, at, at, f"{self.items[at].text} instead of {want.text}", at
            )
        return Finding(Outcome.NOTHING, share, self.segment.first, self.segment.first, "", -1)


def _in_order(order: Sequence[str], found: Sequence[str]) -> bool:
    position = 0
    for stem in found:
        if position < len(order) and stem == order[position]:
            position += 1
    return position == len(order)


def _same_shape(one: str, two: str) -> bool:
    """Return whether two identifiers are of one family: two flags, two file names, two codes."""
    if one.startswith("--") or two.startswith("--"):
        return one.startswith("--") and two.startswith("--")
    if ("_" in one) != ("_" in two) or ("." in one) != ("." in two):
        return False
    shape = [("9" if char.isdigit() else "a" if char.isalpha() else char) for char in one]
    other = [("9" if char.isdigit() else "a" if char.isalpha() else char) for char in two]
    return "_" in one or shape == other


_UPPER = frozenset({Comparator.AT_MOST, Comparator.BELOW})
_LOWER = frozenset({Comparator.AT_LEAST, Comparator.ABOVE})


def _opposite(wanted: Comparator, found: Comparator) -> bool:
    return (wanted in _UPPER and found in _LOWER) or (wanted in _LOWER and found in _UPPER)


def _quantity_doubt(
    wanted: Quantity, found: Quantity, items: Sequence[object], at: int
) -> str | None:
    """Return why two equal numbers may still say different things."""
    del items, at
    if wanted.comparator is not found.comparator and Comparator.ABOUT not in {wanted.comparator}:
        pair = {wanted.comparator, found.comparator}
        if pair != {Comparator.NONE} and not _harmless(wanted, found):
            return f"{found.comparator.value} {found.text} against {wanted.comparator.value} {wanted.text}"
    if wanted.bound is not found.bound and Bound.NEW not in {wanted.bound, found.bound}:
        return f"{found.text} is one end of a range"
    if wanted.per and not found.per:
        return f"does not say per {wanted.per}"
    if wanted.label and wanted.label != found.label and wanted.label not in found.nouns:
        return None
    return None


def _harmless(wanted: Quantity, found: Quantity) -> bool:
    """Return whether one side leaves unsaid what hardly changes the value: within 30 days."""
    return wanted.comparator is Comparator.NONE and found.comparator is Comparator.NONE
