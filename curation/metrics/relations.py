"""What stands around a quantity: range, comparator, rate, label and what is counted."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from curation.metrics.anchors import Bound, Comparator, Quantity, QuantityKind, in_unit
from curation.metrics.comparators import COMPARATOR_WORDS, comparator_of
from curation.metrics.lexicon import word_set
from curation.metrics.units import MAGNITUDES, UNITS, unit_of
from curation.metrics.words import STOPWORDS, stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curation.metrics.items import Item


__all__ = ["LABELS", "RATES", "with_relations"]

LABELS = word_set(
    """
    protocol port level tier step section page chapter phase stage type class category group
    zone room floor grade generation gen http error code status rfc iso tls tcp ssl python java
    node article rule form paragraph appendix table figure line gate platform track channel
    option priority severity schema api windows android ios vlan room building bus
    """
)
_CHANGES = frozenset(
    stem(word)
    for word in [
        "raise",
        "increase",
        "change",
        "reduce",
        "lower",
        "move",
        "upgrade",
        "drop",
        "grow",
        "cut",
        "extend",
        "shorten",
        "go",
        "switch",
        "shift",
        "bump",
        "rise",
        "fall",
        "decrease",
        "jump",
        "climb",
        "decline",
        "improve",
        "migrate",
    ]
)
_MAY_CHANGE = word_set("can may could might should be not never if , ; .")
RATES = {
    "daily": "d", "weekly": "week", "monthly": "month", "yearly": "year", "annually": "year",
    "hourly": "h", "nightly": "d", "annual": "year", "quarterly": "quarter",
}  # fmt: skip
_TIME_UNITS = frozenset({"time", "month"})


def with_relations(items: list[Item]) -> list[Item]:
    """Return the items with each quantity told what surrounds it."""
    out = list(items)
    places = [at for at, item in enumerate(out) if item.quantity is not None]
    for one, two in pairwise(places):
        _join_range(out, one, two)
    for at in places:
        quantity = out[at].quantity
        told = quantity and _surrounded(out, at, quantity)
        if told is not quantity:
            out[at] = out[at]._replace(quantity=told)
    return out


def _join_range(items: list[Item], one: int, two: int) -> None:
    """Mark two quantities as the ends of a range, or as the old and the new value of a change."""
    low, high = items[one].quantity, items[two].quantity
    if low is None or high is None or low.kind is not high.kind or low.kind is QuantityKind.TRUTH:
        return
    bounds = _bounds(items, one, two)
    if bounds is None or (two - one > 2 and low.dimension != high.dimension):
        return
    items[one] = items[one]._replace(quantity=_in_same_unit(low, high)._replace(bound=bounds[0]))
    if bounds[1] is not Bound.NONE:
        high = _in_same_unit(high, low)._replace(bound=bounds[1])
        items[two] = items[two]._replace(quantity=high)


_RANGED = frozenset({"-", "to", "through"})
_CHANGED_FROM = (Bound.OLD, Bound.NEW)
_CHANGED_TO = (Bound.NEW, Bound.OLD)
_FARTHEST = 6


def _bounds(items: Sequence[Item], one: int, two: int) -> tuple[Bound, Bound] | None:
    """Return what two neighbouring quantities are to each other."""
    if two - one > _FARTHEST:
        return None
    link = items[two - 1].text
    before = items[one - 1].text if one else ""
    if two - one > 2 and (before != "from" or not _are_nouns(items[one + 1 : two - 1])):
        return _CHANGED_FROM if link == "to" and _was_changed(items[one + 1 : two]) else None
    changed = any(item.stem in _CHANGES for item in items[max(one - 5, 0) : one])
    if changed and (before, link) == ("from", "to"):
        return _CHANGED_FROM
    if changed and (before, link) == ("to", "from"):
        return _CHANGED_TO
    ranged = link in _RANGED or (link == "and" and before == "between")
    if link in {"and", "or"} and not ranged:
        return (Bound.NONE, Bound.NONE) if two - one == 2 else None
    return (Bound.LOW, Bound.HIGH) if ranged else None


def _are_nouns(between: Sequence[Item]) -> bool:
    """Return whether nothing but what is counted stands between: from 25 users to 40."""
    return all(item.stem and item.text not in _NOUN_STOPS for item in between)


def _was_changed(between: Sequence[Item]) -> bool:
    """Return whether the words say that a change took place: was lowered to."""
    texts = {item.text for item in between}
    changed = any(item.stem in _CHANGES and item.text != item.stem for item in between)
    return changed and not texts & _MAY_CHANGE


def _in_same_unit(bare: Quantity, other: Quantity) -> Quantity:
    if bare.unit is not None or other.unit is None or bare.numeral is None:
        return bare
    unit = next((unit for unit in UNITS.values() if unit.name == other.unit), None)
    strong, weak = in_unit(bare.numeral, unit)
    return bare._replace(values=strong, weak=weak, unit=other.unit, dimension=other.dimension)


def _surrounded(items: Sequence[Item], at: int, quantity: Quantity) -> Quantity:
    nouns = _nouns(items, at) if quantity.unit is None else ()
    per = _per(items, at) or (_per(items, at + len(nouns)) if nouns else None)
    found = (
        per or _rate_before(items, at, quantity),
        _label(items, at),
        nouns,
        comparator_of(items, at, temporal=_is_temporal(quantity, nouns)),
    )
    if found == _NOTHING_AROUND:
        return quantity
    return quantity._replace(per=found[0], label=found[1], nouns=found[2], comparator=found[3])


_TEMPORAL = frozenset({"time", "month", "business_day"})


def _is_temporal(quantity: Quantity, nouns: tuple[str, ...]) -> bool:
    """Return whether a quantity is a time or, counting nothing, can be one."""
    if quantity.kind is not QuantityKind.NUMBER:
        return True
    return quantity.dimension in _TEMPORAL or (quantity.unit is None and not nouns)


_NOTHING_AROUND = (None, None, (), Comparator.NONE)


def _label(items: Sequence[Item], at: int) -> str | None:
    """Return the name that a number goes with: port 443, section number 4."""
    if not at:
        return None
    before = items[at - 1]
    if before.text in {"number", "no", "#"} and at > 1:
        before = items[at - 2]
    return before.stem if before.text in LABELS else None


def _per(items: Sequence[Item], at: int) -> str | None:
    """Return what a quantity is counted by: /day, per user, a month, daily."""
    if at + 1 >= len(items):
        return None
    link = items[at + 1].text
    if link == "of" and at + 3 < len(items):
        return _per(items, at + 2) or _per(items, at + 3)
    if link in RATES:
        return RATES[link]
    if at + 2 >= len(items) or link not in _PER_WORDS:
        return None
    counted = items[at + 2]
    unit = unit_of(counted.text)
    if link in {"a", "an"}:
        return unit.name if unit is not None and unit.dimension in _TIME_UNITS else None
    return unit.name if unit is not None else counted.stem or None


_PER_WORDS = frozenset({"/", "per", "each", "every", "a", "an"})


def _rate_before(items: Sequence[Item], at: int, quantity: Quantity) -> str | None:
    """Return the rate of `the monthly fee is $10`."""
    if quantity.dimension is None or not quantity.dimension.isupper():
        return None
    for item in reversed(items[max(at - 5, 0) : at]):
        if item.text in {".", ";", ","}:
            return None
        if item.text in RATES:
            return RATES[item.text]
    return None


_NOUN_STOPS = STOPWORDS | COMPARATOR_WORDS | {"per", "each", "every"}


def _nouns(items: Sequence[Item], at: int) -> tuple[str, ...]:
    """Return the stems of the one to three words counted by a bare number."""
    nouns: list[str] = []
    for item in items[at + 1 : at + 4]:
        if not item.stem or item.text in _NOUN_STOPS or item.text in MAGNITUDES:
            break
        nouns.append(item.stem)
    return tuple(nouns)
