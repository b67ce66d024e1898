"""What stands around a quantity: range, comparator, rate, label and what is counted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from curation.metrics.anchors import Bound, Comparator, Quantity, QuantityKind, in_unit
from curation.metrics.units import MAGNITUDES, UNITS, unit_of
from curation.metrics.words import STOPWORDS, stem

if TYPE_CHECKING:
    from collections.abc import Sequence
    from curation.metrics.items import Item

__all__ = ["COMPARATOR_WORDS", "LABELS", "RATES", "with_relations"]

LABELS = frozenset(
    [
        "protocol",
        "port",
        "level",
        "tier",
        "step",
        "section",
        "page",
        "chapter",
        "phase",
        "stage",
        "type",
        "class",
        "category",
        "group",
        "zone",
        "room",
        "floor",
        "grade",
        "generation",
        "gen",
        "http",
        "error",
        "code",
        "status",
        "rfc",
        "iso",
        "tls",
        "tcp",
        "ssl",
        "python",
        "java",
        "node",
        "article",
        "rule",
        "form",
        "paragraph",
        "appendix",
        "table",
        "figure",
        "line",
        "gate",
        "platform",
        "track",
        "channel",
        "option",
        "priority",
        "severity",
        "schema",
        "api",
        "windows",
        "android",
        "ios",
        "vlan",
        "room",
        "building",
        "bus",
    ]
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
RATES = {
    "daily": "d", "weekly": "week", "monthly": "month", "yearly": "year", "annually": "year",
    "hourly": "h", "nightly": "d", "annual": "year", "quarterly": "quarter",
}  # fmt: skip
_TIME_UNITS = frozenset({"time", "month"})

_BEFORE: tuple[tuple[str, Comparator], ...] = (
    ("not more than", Comparator.AT_MOST), ("no more than", Comparator.AT_MOST),
    ("no later than", Comparator.AT_MOST), ("no longer than", Comparator.AT_MOST),
    ("not longer than", Comparator.AT_MOST), ("not later than", Comparator.AT_MOST),
    ("no greater than", Comparator.AT_MOST), ("not exceed", Comparator.AT_MOST),
    ("not exceeding", Comparator.AT_MOST), ("never exceed", Comparator.AT_MOST),
    ("never more than", Comparator.AT_MOST), ("as many as", Comparator.AT_MOST),
    ("as much as", Comparator.AT_MOST), ("as large as", Comparator.AT_MOST),
    ("at or below", Comparator.AT_MOST), ("at most", Comparator.AT_MOST),
    ("up to", Comparator.AT_MOST), ("maximum of", Comparator.AT_MOST),
    ("limited to", Comparator.AT_MOST), ("capped at", Comparator.AT_MOST),
    ("a maximum", Comparator.AT_MOST), ("less than or equal to", Comparator.AT_MOST),
    ("no less than", Comparator.AT_LEAST), ("not less than", Comparator.AT_LEAST),
    ("no fewer than", Comparator.AT_LEAST), ("not fewer than", Comparator.AT_LEAST),
    ("as few as", Comparator.AT_LEAST), ("at or above", Comparator.AT_LEAST),
    ("at least", Comparator.AT_LEAST), ("minimum of", Comparator.AT_LEAST),
    ("a minimum", Comparator.AT_LEAST), ("greater than or equal to", Comparator.AT_LEAST),
    ("less than", Comparator.BELOW), ("fewer than", Comparator.BELOW), ("lower than", Comparator.BELOW),
    ("smaller than", Comparator.BELOW), ("shorter than", Comparator.BELOW), ("younger than", Comparator.BELOW),
    ("more than", Comparator.ABOVE), ("greater than", Comparator.ABOVE), ("higher than", Comparator.ABOVE),
    ("larger than", Comparator.ABOVE), ("longer than", Comparator.ABOVE), ("older than", Comparator.ABOVE),
    ("in excess of", Comparator.ABOVE), ("under", Comparator.BELOW), ("below", Comparator.BELOW),
    ("before", Comparator.BELOW), ("over", Comparator.ABOVE), ("above", Comparator.ABOVE),
    ("exceed", Comparator.ABOVE), ("exceeds", Comparator.ABOVE), ("exceeding", Comparator.ABOVE),
    ("beyond", Comparator.ABOVE), ("after", Comparator.ABOVE), ("within", Comparator.WITHIN),
    ("< =", Comparator.AT_MOST), ("> =", Comparator.AT_LEAST), ("<", Comparator.BELOW),
    (">", Comparator.ABOVE), ("\u2264", Comparator.AT_MOST), ("\u2265", Comparator.AT_LEAST),
    ("limit is", Comparator.WITHIN), ("limit of", Comparator.WITHIN), ("limit :", Comparator.WITHIN),
    ("maximum", Comparator.AT_MOST), ("max", Comparator.AT_MOST), ("minimum", Comparator.AT_LEAST),
    ("min", Comparator.AT_LEAST), ("about", Comparator.ABOUT), ("around", Comparator.ABOUT),
    ("approximately", Comparator.ABOUT), ("approx", Comparator.ABOUT), ("roughly", Comparator.ABOUT),
    ("nearly", Comparator.ABOUT), ("almost", Comparator.ABOUT), ("~", Comparator.ABOUT),
    ("\u2248", Comparator.ABOUT), ("some", Comparator.ABOUT), ("circa", Comparator.ABOUT),
)  # fmt: skip
_AFTER: tuple[tuple[str, Comparator], ...] = (
    ("or more", Comparator.AT_LEAST), ("or above", Comparator.AT_LEAST), ("or older", Comparator.AT_LEAST),
    ("or later", Comparator.AT_LEAST), ("or newer", Comparator.AT_LEAST), ("or higher", Comparator.AT_LEAST),
    ("or over", Comparator.AT_LEAST), ("or greater", Comparator.AT_LEAST), ("or longer", Comparator.AT_LEAST),
    ("and above", Comparator.AT_LEAST), ("and later", Comparator.AT_LEAST), ("and newer", Comparator.AT_LEAST),
    ("and older", Comparator.AT_LEAST), ("and up", Comparator.AT_LEAST), ("+", Comparator.AT_LEAST),
    ("minimum", Comparator.AT_LEAST), ("at least", Comparator.AT_LEAST), ("or less", Comparator.AT_MOST),
    ("or fewer", Comparator.AT_MOST), ("or below", Comparator.AT_MOST), ("or under", Comparator.AT_MOST),
    ("or younger", Comparator.AT_MOST), ("or lower", Comparator.AT_MOST), ("or earlier", Comparator.AT_MOST),
    ("or shorter", Comparator.AT_MOST), ("and below", Comparator.AT_MOST), ("and under", Comparator.AT_MOST),
    ("maximum", Comparator.AT_MOST), ("max", Comparator.AT_MOST), ("at most", Comparator.AT_MOST),
)  # fmt: skip
COMPARATOR_WORDS = frozenset(
    [
        "maximum",
        "minimum",
        "max",
        "min",
        "least",
        "most",
        "limit",
        "exceed",
        "exceeding",
        "exceeds",
        "within",
        "under",
        "below",
        "above",
        "over",
        "about",
        "around",
        "approximately",
        "approx",
        "roughly",
        "nearly",
        "almost",
        "less",
        "more",
        "fewer",
        "greater",
        "than",
        "up",
        "to",
        "no",
        "not",
        "later",
        "longer",
        "shorter",
        "older",
        "younger",
        "newer",
        "higher",
        "lower",
        "larger",
        "smaller",
        "beyond",
        "capped",
        "limited",
        "at",
        "or",
        "before",
        "after",
        "circa",
        "earlier",
    ]
)
_ADJACENT_ONLY = frozenset(
    [
        "under",
        "below",
        "before",
        "over",
        "above",
        "beyond",
        "after",
        "within",
        "about",
        "around",
        "approximately",
        "approx",
        "roughly",
        "nearly",
        "almost",
        "~",
        "≈",
        "some",
        "circa",
        "<",
        ">",
        "exceed",
        "exceeds",
        "exceeding",
    ]
)


def with_relations(items: list[Item]) -> list[Item]:
    """Return the items with each quantity told what surrounds it."""
    out = list(items)
    places = [at for at, item in enumerate(out) if item.quantity is not None]
    for one, two in zip(places, places[1:], strict=False):
        _join_range(out, one, two)
    for at in places:
        quantity = out[at].quantity
        if quantity is not None:
            out[at] = out[at]._replace(quantity=_surrounded(out, at, quantity))
    return out


def _join_range(items: list[Item], one: int, two: int) -> None:
    low, high = items[one].quantity, items[two].quantity
    if low is None or high is None or two - one != 2 or low.kind is not high.kind:
        return
    link = items[one + 1].text
    before = items[one - 1].text if one else ""
    changed = before == "from" and link == "to" and _is_change(items, one - 1)
    ranged = link in {"-", "to", "through", "\u2026"} or (link == "and" and before == "between")
    if not ranged or low.kind is QuantityKind.TRUTH:
        return
    low = _in_same_unit(low, high)
    bounds = (Bound.OLD, Bound.NEW) if changed else (Bound.LOW, Bound.HIGH)
    items[one] = items[one]._replace(quantity=replace(low, bound=bounds[0]))
    items[two] = items[two]._replace(quantity=replace(_in_same_unit(high, low), bound=bounds[1]))


def _is_change(items: Sequence[Item], at: int) -> bool:
    return any(item.stem in _CHANGES for item in items[max(at - 4, 0) : at])


def _in_same_unit(bare: Quantity, other: Quantity) -> Quantity:
    if bare.unit is not None or other.unit is None or bare.numeral is None:
        return bare
    unit = next((unit for unit in UNITS.values() if unit.name == other.unit), None)
    strong, weak = in_unit(bare.numeral, unit)
    return replace(bare, values=strong, weak=weak, unit=other.unit, dimension=other.dimension)


def _surrounded(items: Sequence[Item], at: int, quantity: Quantity) -> Quantity:
    nouns = _nouns(items, at) if quantity.unit is None else ()
    per = _per(items, at) or (_per(items, at + len(nouns)) if nouns else None)
    found = (
        per or _rate_before(items, at, quantity),
        _label(items, at),
        nouns,
        _comparator(items, at),
    )
    if found == _NOTHING_AROUND:
        return quantity
    return replace(quantity, per=found[0], label=found[1], nouns=found[2], comparator=found[3])


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


def _comparator(items: Sequence[Item], at: int) -> Comparator:
    before: list[str] = []
    for item in reversed(items[max(at - 6, 0) : at]):
        if item.text in _STOPS:
            break
        before.append(item.text)
    found = _phrase_before(before[::-1])
    return found if found is not Comparator.NONE else _phrase_after(items, at)


_STOPS = frozenset({".", ";", ",", ":", "(", "\n"})


def _phrase_after(items: Sequence[Item], at: int) -> Comparator:
    after = [item.text for item in items[at + 1 : at + 5]]
    for start in range(min(len(after), 3)):
        for words, comparator in _AFTER_BY_FIRST.get(after[start], ()):
            if after[start : start + len(words)] == words:
                return comparator
    return Comparator.NONE


def _phrase_before(before: Sequence[str]) -> Comparator:
    """Return the comparator whose words stand nearest before the quantity."""
    for end in range(len(before), 0, -1):
        for words, comparator in _BEFORE_BY_LAST.get(before[end - 1], ()):
            if list(before[max(end - len(words), 0) : end]) != words:
                continue
            if end < len(before) and len(words) == 1 and words[0] in _ADJACENT_ONLY:
                continue
            return comparator
    return Comparator.NONE


def _by_word(
    phrases: tuple[tuple[str, Comparator], ...], which: int
) -> dict[str, list[tuple[list[str], Comparator]]]:
    """Return the phrases by their first or last word, in the order in which they are tried."""
    table: dict[str, list[tuple[list[str], Comparator]]] = {}
    for phrase, comparator in phrases:
        words = phrase.split()
        table.setdefault(words[which], []).append((words, comparator))
    return table


_BEFORE_BY_LAST = _by_word(_BEFORE, -1)
_AFTER_BY_FIRST = _by_word(_AFTER, 0)
