"""Where the things a fact wants stand in a text."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from curation.metrics.anchors import Likeness, compare
from curation.metrics.items import Item, ItemKind
from curation.metrics.lexicon import word_set
from curation.metrics.memory import remembered
from curation.metrics.numerals import ROMAN_NUMBERS
from curation.metrics.relations import RATES
from curation.metrics.segments import Reading, SegmentKind, read_text
from curation.metrics.units import unit_of
from curation.metrics.wording import Want, WantKind
from curation.metrics.words import STOPWORDS, complement_of, opposite_of, stem, without_prefix

__all__ = ["Place", "TextIndex", "index_text"]


class Place(NamedTuple):
    """An item that answers a want: alike, maybe alike, or its denial (incompatible)."""

    at: int
    likeness: Likeness
    flipped: bool = False


@dataclass(frozen=True, slots=True)
class TextIndex:
    """A read text with its stems, identifiers and quantities looked up in one step."""

    reading: Reading
    stems: dict[str, list[int]]
    joined: dict[str, list[int]]
    turned: dict[str, list[int]]
    quantities: list[int]
    segment_of: list[int]
    blocks: tuple[int, ...] = field(default=())

    def places(self, want: Want) -> list[Place]:
        """Return where the text answers a want, in order."""
        if want.kind is WantKind.QUANTITY:
            return self._quantity_places(want)
        if want.kind is WantKind.IDENT:
            return self._ident_places(want)
        if want.kind is WantKind.SCRIPT:
            return self._script_places(want)
        return self._word_places(want)

    def opposites(self, want: Want) -> list[int]:
        """Return where the text has a word that means the opposite of the wanted one."""
        return sorted(at for other in opposite_of(want.stem) for at in self.stems.get(other, ()))

    def within(self, places: list[Place], first: int, last: int) -> list[Place]:
        """Return the places among items first to last - 1."""
        low = bisect_left(places, first, key=lambda place: place.at)
        high = bisect_left(places, last, key=lambda place: place.at)
        return places[low:high]

    def _quantity_places(self, want: Want) -> list[Place]:
        found: list[Place] = []
        if want.quantity is None:
            return found
        for at in self.quantities:
            quantity = self.reading.items[at].quantity
            likeness = compare(want.quantity, quantity) if quantity is not None else Likeness.OTHER
            if likeness in {Likeness.SAME, Likeness.MAYBE}:
                found.append(Place(at, likeness))
        if want.quantity.unit is None and not found:
            romans = [ROMAN_NUMBERS.get(value, "") for value in want.quantity.values]
            found += [
                Place(at, Likeness.MAYBE) for word in romans for at in self.stems.get(word, ())
            ]
        if want.quantity.dimension == "times" and want.quantity.values == {1}:
            words = [word for word, rate in RATES.items() if rate == want.quantity.per]
            found += [
                Place(at, Likeness.SAME) for word in words for at in self.stems.get(stem(word), ())
            ]
            found.sort(key=lambda place: place.at)
        return found

    def _ident_places(self, want: Want) -> list[Place]:
        same = [Place(at, Likeness.SAME) for at in self.stems.get(want.stem, ())]
        if not same:
            flat = want.stem.replace("-", "").replace("_", "")
            same = [Place(at, Likeness.SAME) for at in self.joined.get(flat, ())]
        if not same and want.text.startswith("-"):
            same = [Place(at, Likeness.MAYBE) for at in self._phrase(want.stem.split("-"))]
        return same

    def _phrase(self, words: list[str]) -> list[int]:
        items = self.reading.items
        starts = self.stems.get(stem(words[0]), ())
        return [at for at in starts if [item.text for item in items[at : at + len(words)]] == words]

    def _script_places(self, want: Want) -> list[Place]:
        return [
            script_place(want.text, item.text, at)
            for at, item in enumerate(self.reading.items)
            if item.kind is ItemKind.SCRIPT and want.text in item.text
        ]

    def _word_places(self, want: Want) -> list[Place]:
        found = [Place(at, Likeness.SAME) for at in self.stems.get(want.stem, ())]
        found += [Place(at, Likeness.SAME) for at in self.joined.get(want.text, ())]
        for compound in want.compounds:
            found += [Place(at, Likeness.SAME) for at in self.stems.get(compound, ())]
        found += [Place(at, Likeness.SAME, flipped=True) for at in self.turned.get(want.stem, ())]
        other = complement_of(want.stem)
        found += [Place(at, Likeness.SAME, flipped=True) for at in self.stems.get(other or "", ())]
        bare = without_prefix(want.stem)
        if bare is not None and bare in self.stems:
            found += [Place(at, Likeness.SAME, flipped=True) for at in self.stems[bare]]
        rate = RATES.get(want.text)
        found += [Place(at, Likeness.SAME) for at in self.quantities if self._is_once(at, rate)]
        unit = unit_of(want.text)
        if unit is not None:
            found += [
                Place(at, Likeness.SAME) for at in self.quantities if self._has_unit(at, unit.name)
            ]
        if not found:
            return found
        return sorted(
            {place.at: place for place in reversed(found)}.values(), key=lambda place: place.at
        )

    def _is_once(self, at: int, rate: str | None) -> bool:
        """Return whether a quantity is once a day, which is daily."""
        quantity = self.reading.items[at].quantity
        if quantity is None or rate is None:
            return False
        return quantity.dimension == "times" and quantity.per == rate and quantity.values == {1}

    def _has_unit(self, at: int, name: str) -> bool:
        quantity = self.reading.items[at].quantity
        return quantity is not None and name in {quantity.unit, quantity.per}


_SCRIPT_DENIALS = word_set("不 沒 没 无 無 未 非 勿 别 ない ません なし なかっ ไม่")
_SURE_LENGTH = 3


def script_place(wanted: str, run: str, at: int) -> Place:
    """Return how a run of letters without spaces answers a wanted one that it holds.

    Where words end cannot be told, so only the same run, or long words at its edge, are alike.
    """
    rest = run.replace(wanted, "", 1)
    if any(mark in rest for mark in _SCRIPT_DENIALS):
        return Place(at, Likeness.SAME, flipped=True)
    edge = run.startswith(wanted) or run.endswith(wanted)
    sure = not rest or (edge and len(wanted) >= _SURE_LENGTH)
    return Place(at, Likeness.SAME if sure else Likeness.MAYBE)


# `No user` and `nobody` speak of all users, and deny it.
_NO_ONE = frozenset({"no", "nobody", "none", "nothing", "noone"})
ALL = stem("all")


@remembered(128)
def index_text(text: str) -> TextIndex:
    """Return the index of a text."""
    reading = read_text(text)
    stems: dict[str, list[int]] = defaultdict(list)
    joined: dict[str, list[int]] = defaultdict(list)
    turned: dict[str, list[int]] = defaultdict(list)
    quantities: list[int] = []
    items = reading.items
    for at, item in enumerate(items):
        if item.quantity is not None:
            quantities.append(at)
        elif item.stem:
            _index_item(items, at, stems, joined)
            if item.text in _NO_ONE:
                stems[ALL].append(at)
            if item.kind is ItemKind.WORD and item.text not in STOPWORDS:
                rest = without_prefix(item.stem)
                if rest is not None:
                    turned[rest].append(at)
    return TextIndex(
        reading, dict(stems), dict(joined), dict(turned), quantities,
        _segment_of(reading), _blocks_of(reading),
    )  # fmt: skip


def _index_item(
    items: tuple[Item, ...],
    at: int,
    stems: dict[str, list[int]],
    joined: dict[str, list[int]],
) -> None:
    item = items[at]
    stems[item.stem].append(at)
    if item.kind is ItemKind.IDENT:
        joined[item.stem.replace("-", "").replace("_", "")].append(at)
    elif (
        at + 1 < len(items)
        and items[at + 1].kind is ItemKind.WORD
        and items[at + 1].start - item.end <= 1
    ):
        joined[item.text + items[at + 1].text].append(at)


def _segment_of(reading: Reading) -> list[int]:
    owner = [-1] * len(reading.items)
    for number, segment in enumerate(reading.segments):
        if segment.kind is not SegmentKind.BLOCK:
            owner[segment.first : segment.last] = [number] * (segment.last - segment.first)
    return owner


def _blocks_of(reading: Reading) -> tuple[int, ...]:
    return tuple(
        number
        for number, segment in enumerate(reading.segments)
        if segment.kind is SegmentKind.BLOCK
    )
