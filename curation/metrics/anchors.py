"""Quantities: numbers, versions, dates and times with every reading they can have."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from curation.metrics.units import UNITS, Unit

if TYPE_CHECKING:
    from curation.metrics.numerals import Numeral

__all__ = ["Bound", "Comparator", "Likeness", "Quantity", "QuantityKind", "compare"]


class QuantityKind(StrEnum):
    """What a quantity is."""

    NUMBER = "number"
    VERSION = "version"
    DATE = "date"
    TIME = "time"
    ORDINAL = "ordinal"
    TRUTH = "truth"


class Bound(StrEnum):
    """Which part of a range or of a change a quantity is."""

    NONE = "none"
    LOW = "low"
    HIGH = "high"
    OLD = "old"
    NEW = "new"


class Comparator(StrEnum):
    """How a quantity bounds what it is said of."""

    NONE = "none"
    AT_MOST = "at most"
    BELOW = "below"
    AT_LEAST = "at least"
    ABOVE = "above"
    ABOUT = "about"
    WITHIN = "within"


class Likeness(StrEnum):
    """How two quantities compare."""

    SAME = "same"
    MAYBE = "maybe"
    RIVAL = "rival"
    OTHER = "other"


class Quantity(NamedTuple):
    """A number, version, date or time as written, where it stands, and what it can mean.

    Attributes:
        values: Likely values, in the base unit of the dimension.
        weak: Values in another country's way of writing numbers.
        keys: The forms in which a version, date or time is compared.
        per: What it is counted by: a day, a user.
        nouns: Stems of what is counted: 5 users.
        exact: Written with the mark of a version, so that 4.20 is not 4.2.
    """

    text: str
    span: tuple[int, int]
    kind: QuantityKind
    values: frozenset[Fraction] = frozenset()
    weak: frozenset[Fraction] = frozenset()
    keys: frozenset[str] = frozenset()
    unit: str | None = None
    dimension: str | None = None
    per: str | None = None
    nouns: tuple[str, ...] = ()
    label: str | None = None
    version_key: str = ""
    exact: bool = False
    named: bool = False
    soft: bool = False
    bound: Bound = Bound.NONE
    comparator: Comparator = Comparator.NONE
    numeral: Numeral | None = None

    @property
    def bounded(self) -> str:
        """The quantity with the word that bounds it."""
        bound = "" if self.comparator is Comparator.NONE else f"{self.comparator} "
        return bound + self.text

    @property
    def readings(self) -> frozenset[str]:
        """The normalised forms this quantity can have, as plain text."""
        return self.keys or frozenset(plain_number(value) for value in self.values | self.weak)


def plain_number(value: Fraction) -> str:
    """Return a number as digits: 1.5, 4000; a fraction where it has no end."""
    if value.denominator == 1:
        whole = value.numerator
        return str(whole) if abs(whole) < 10**40 else f"{float(whole):.6g}"
    scaled = value * 10**12
    if scaled.denominator == 1:
        sign = "-" if value < 0 else ""
        return (
            f"{sign}{abs(scaled.numerator) // 10**12}.{abs(scaled.numerator) % 10**12:012d}".rstrip(
                "0"
            )
        )
    return f"{value.numerator}/{value.denominator}"


def in_unit(numeral: Numeral, unit: Unit | None) -> tuple[frozenset[Fraction], frozenset[Fraction]]:
    """Return the likely and the other values of a numeral in the base of its unit."""
    if unit is None:
        return numeral.strong, numeral.weak
    if unit.factor == 1 and not unit.offset:
        return numeral.strong, numeral.weak
    strong = frozenset(value * unit.factor + unit.offset for value in numeral.strong)
    weak = frozenset(value * unit.factor + unit.offset for value in numeral.weak)
    return strong, weak


_CALENDAR = frozenset({"time", "month", "business_day"})
_DAYS = {"time": Fraction(1, 86400), "month": Fraction(3044, 100), "business_day": Fraction(7, 5)}
_LINKED = (
    frozenset({"byte", "bit"}),
    frozenset({"mass", "GBP"}),
    frozenset({"ratio", "point"}),
    frozenset({"bit", "bit_rate"}),
)


def compare(wanted: Quantity, found: Quantity) -> Likeness:
    """Return how a quantity of a text compares with one of a fact."""
    if QuantityKind.VERSION in {wanted.kind, found.kind}:
        return _compare_versions(wanted, found)
    if wanted.kind is not found.kind:
        return _compare_kinds(wanted, found)
    if wanted.kind is QuantityKind.DATE:
        return _compare_dates(wanted, found)
    if wanted.kind in {QuantityKind.TIME, QuantityKind.TRUTH}:
        return Likeness.SAME if wanted.keys & found.keys else Likeness.RIVAL
    return _compare_numbers(wanted, found)


def _compare_versions(wanted: Quantity, found: Quantity) -> Likeness:
    if wanted.kind is found.kind:
        return _compare_names(wanted.keys, found.keys)
    version, number = (wanted, found) if wanted.kind is QuantityKind.VERSION else (found, wanted)
    if number.kind is not QuantityKind.NUMBER or not number.version_key or number.unit:
        return Likeness.OTHER
    likeness = _compare_names(version.keys, frozenset({number.version_key}))
    if "." in number.version_key:
        return likeness
    alike = likeness is Likeness.SAME and not number.nouns
    return Likeness.MAYBE if alike else Likeness.OTHER


def _compare_names(wanted: frozenset[str], found: frozenset[str]) -> Likeness:
    if wanted & found:
        return Likeness.SAME
    if any(a.startswith(b + ".") or b.startswith(a + ".") for a in wanted for b in found):
        return Likeness.MAYBE
    return Likeness.RIVAL


def _compare_kinds(wanted: Quantity, found: Quantity) -> Likeness:
    """Compare a year with a date, an ordinal with a number; other kinds have nothing in common."""
    kinds = {wanted.kind, found.kind}
    if kinds == {QuantityKind.NUMBER, QuantityKind.DATE}:
        date, number = (wanted, found) if wanted.kind is QuantityKind.DATE else (found, wanted)
        years = {key.split("-")[0] for key in date.keys}
        if years & {plain_number(value) for value in number.values} and number.unit is None:
            return Likeness.SAME if date is found else Likeness.MAYBE
        return Likeness.OTHER
    if kinds == {QuantityKind.NUMBER, QuantityKind.TIME}:
        return _compare_hour(wanted, found)
    if kinds == {QuantityKind.NUMBER, QuantityKind.ORDINAL} and wanted.values & found.values:
        return Likeness.MAYBE
    return Likeness.OTHER


def _compare_hour(wanted: Quantity, found: Quantity) -> Likeness:
    """Compare 9 with 09:00."""
    number, time = (wanted, found) if found.kind is QuantityKind.TIME else (found, wanted)
    hours = {f"{plain_number(value):>02}:00" for value in number.values}
    return Likeness.MAYBE if number.unit is None and hours & time.keys else Likeness.OTHER


def _compare_dates(wanted: Quantity, found: Quantity) -> Likeness:
    best = Likeness.RIVAL
    for one in wanted.keys:
        for two in found.keys:
            likeness = _compare_date_keys(one.split("-"), two.split("-"))
            if likeness is Likeness.SAME:
                ambiguous = len(wanted.keys) > 1 or len(found.keys) > 1
                return Likeness.MAYBE if ambiguous and wanted.keys != found.keys else likeness
            if likeness is Likeness.MAYBE:
                best = likeness
    return best


def _compare_date_keys(wanted: list[str], found: list[str]) -> Likeness:
    """Compare year, month and day; `?` stands for a part that was not written."""
    pairs = list(zip(wanted, found, strict=True))
    if any("?" not in pair and pair[0] != pair[1] for pair in pairs):
        return Likeness.RIVAL
    if any(one != "?" and two == "?" for one, two in pairs):
        return Likeness.MAYBE
    return Likeness.SAME


def _compare_numbers(wanted: Quantity, found: Quantity) -> Likeness:
    if wanted.dimension != found.dimension:
        return _compare_dimensions(wanted, found)
    if wanted.values & found.values:
        return _compare_equal(wanted, found)
    if _same_rate(wanted, found):
        return Likeness.MAYBE
    everything = wanted.values | wanted.weak
    if everything & (found.values | found.weak):
        return Likeness.MAYBE
    if _nearly(wanted, found):
        return Likeness.MAYBE
    return Likeness.RIVAL


def _compare_equal(wanted: Quantity, found: Quantity) -> Likeness:
    """Compare equal numbers: names of versions and counts of different things still differ."""
    if wanted.named and found.named and wanted.version_key != found.version_key:
        return Likeness.RIVAL if wanted.label and wanted.label == found.label else Likeness.MAYBE
    if _zero_led(wanted) != _zero_led(found) and wanted.unit is None:
        return Likeness.MAYBE
    if wanted.nouns and found.nouns and wanted.unit is None:
        return Likeness.SAME if set(wanted.nouns) & set(found.nouns) else Likeness.MAYBE
    return Likeness.SAME


def _zero_led(quantity: Quantity) -> bool:
    """Return whether a number is written as a code: 0042."""
    return (
        len(quantity.version_key) > 1
        and quantity.version_key[0] == "0"
        and quantity.version_key[1] != "."
    )


def _compare_dimensions(wanted: Quantity, found: Quantity) -> Likeness:
    dimensions = {wanted.dimension, found.dimension}
    if None in dimensions:
        return _compare_with_bare(wanted, found)
    if dimensions <= _CALENDAR:
        days = [
            {value * _DAYS[quantity.dimension or "time"] for value in quantity.values}
            for quantity in (wanted, found)
        ]
        close = any(abs(a - b) <= max(a, b) * Fraction(1, 10) for a in days[0] for b in days[1])
        same_number = _written(wanted) & _written(found) and "business_day" in dimensions
        return Likeness.MAYBE if close or same_number else Likeness.RIVAL
    if any(dimensions == pair for pair in _LINKED):
        return Likeness.MAYBE if _written(wanted) & _written(found) else Likeness.RIVAL
    if all(name is not None and name.isupper() for name in dimensions):
        return Likeness.RIVAL
    return Likeness.OTHER


def _written(quantity: Quantity) -> frozenset[Fraction]:
    return quantity.numeral.strong if quantity.numeral else quantity.values


def _compare_with_bare(wanted: Quantity, found: Quantity) -> Likeness:
    """Compare a number that has a unit with one that has none."""
    if not _written(wanted) & _written(found):
        return Likeness.OTHER
    return Likeness.SAME if wanted.dimension is None else Likeness.MAYBE


def _same_rate(wanted: Quantity, found: Quantity) -> bool:
    """Return whether 60 per minute is meant by 1 per second."""
    one, two = UNITS.get(wanted.per or ""), UNITS.get(found.per or "")
    if one is None or two is None or one.dimension != two.dimension:
        return False
    return any(a * two.factor == b * one.factor for a in wanted.values for b in found.values)


_NEAR_DIMENSIONS = frozenset({"length", "mass", "volume", "speed", "temperature", "byte"})


def _nearly(wanted: Quantity, found: Quantity) -> bool:
    """Return whether two measures in different units differ by rounding only."""
    if wanted.dimension not in _NEAR_DIMENSIONS or wanted.unit == found.unit:
        return False
    share = Fraction(11, 100) if wanted.dimension == "byte" else Fraction(3, 100)
    return any(abs(a - b) <= abs(a) * share for a in wanted.values for b in found.values)
