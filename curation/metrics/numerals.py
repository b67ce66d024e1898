"""What a written numeral can mean: every reading of 4.000, 4,000, 1.5k and twenty-five."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "ORDINAL_WORDS",
    "ROMAN_NUMBERS",
    "SPELLED_STARTS",
    "Numeral",
    "read_numeral",
    "spelled_number",
]

_LONGEST = 40
_GROUPED = re.compile(
    r"\d{1,3}(?:\d{3})+|\d{1,2}(?:,\d{2})*,\d{3}|\d{1,3}(?:([ '_,.])\d{3})(?:\1\d{3})*"
)
_NOTHING: frozenset[Fraction] = frozenset()


class Numeral(NamedTuple):
    """The likely values of a numeral, and those it could have in another country's writing."""

    strong: frozenset[Fraction]
    weak: frozenset[Fraction] = _NOTHING

    def times(self, factor: Fraction | int) -> Numeral:
        """Return the numeral with every reading multiplied."""
        return Numeral(
            frozenset(value * factor for value in self.strong),
            frozenset(value * factor for value in self.weak),
        )


@lru_cache(maxsize=8192)
def read_numeral(body: str) -> Numeral:
    """Return the readings of digits with separators; none where it is not one number."""
    if len(body) > _LONGEST:
        return Numeral(_NOTHING)
    marks = [char for char in body if not char.isdigit()]
    kinds = set(marks)
    if "e" in kinds or not marks:
        return Numeral(frozenset({Fraction(body)}))
    if kinds <= {" ", "'", "_"}:
        return Numeral(frozenset({Fraction(_digits(body))}))
    if len(marks) == 1:
        return _one_mark(body, marks[0])
    return _many_equal_marks(body) if len(kinds) == 1 else _mixed_marks(body, marks)


def _digits(body: str) -> int:
    return int(re.sub(r"\D", "", body))


def _number(whole: str, part: str) -> Fraction:
    digits = re.sub(r"\D", "", whole) or "0"
    return Fraction(int(digits + part), 10 ** len(part)) if part else Fraction(int(digits))


def _one_mark(body: str, mark: str) -> Numeral:
    whole, part = body.split(mark)
    decimal = _number(whole, part)
    groups = len(part) == 3 and 1 <= len(whole) <= 3 and whole.lstrip("0") == whole
    if not groups:
        return Numeral(frozenset({decimal}))
    grouped = Fraction(int(whole + part))
    if mark == "," or part == "000":
        return Numeral(frozenset({grouped}), frozenset({decimal}))
    return Numeral(frozenset({decimal, grouped}))


def _many_equal_marks(body: str) -> Numeral:
    if _GROUPED.fullmatch(body):
        return Numeral(frozenset({Fraction(_digits(body))}))
    return Numeral(_NOTHING)


def _mixed_marks(body: str, marks: Sequence[str]) -> Numeral:
    """Read 1,250.00 and 1.250,00: the last mark, seen once, is the decimal one."""
    last = marks[-1]
    whole, part = body.rsplit(last, 1)
    if last in whole or last not in ".,":
        return Numeral(_NOTHING)
    if not _GROUPED.fullmatch(whole):
        return Numeral(_NOTHING)
    return Numeral(frozenset({_number(whole, part)}))


_UNITS_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_ONES = {word: value for value, word in enumerate(_UNITS_WORDS.split())}
_TENS_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: value for value, word in zip(range(20, 100, 10), _TENS_WORDS.split(), strict=True)}
_TENS["fourty"] = 40
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}

SPELLED_STARTS = frozenset(_ONES) | frozenset(_TENS)

_ORDINALS = """
third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
sixteenth seventeenth eighteenth nineteenth twentieth
"""
ORDINAL_WORDS = {word: value for value, word in enumerate(_ORDINALS.split(), start=3)}
_ROMANS = "ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx"
ROMAN_NUMBERS = {Fraction(value): word for value, word in enumerate(_ROMANS.split(), start=2)}


def spelled_number(words: Sequence[str]) -> tuple[int, int] | None:
    """Return the number that the first words spell and how many words it took.

    Args:
        words: Folded words; `one` alone is left to the caller, who knows whether it is a pronoun.
    """
    total = 0
    current = 0
    last = 0
    used = 0
    for index, word in enumerate(words):
        step = _step(words, index, current, last)
        if step is None:
            break
        kind, value = step
        if kind == "scale":
            total += max(current, 1) * value
            current, last = 0, 0
        elif kind == "hundred":
            current, last = max(current, 1) * 100, 100
        elif kind == "add":
            current, last = current + value, value
        if kind != "and":
            used = index + 1
        del word
    return (total + current, used) if used else None


def _step(words: Sequence[str], index: int, current: int, last: int) -> tuple[str, int] | None:
    """Return what the word does to the number so far; None where the number ends."""
    word = words[index]
    fresh = last == 0 and current == 0
    if word in _ONES:
        fits = fresh or last == 100 or (20 <= last < 100 and 1 <= _ONES[word] <= 9)
        return ("add", _ONES[word]) if fits else None
    if word in _TENS:
        return ("add", _TENS[word]) if fresh or last == 100 else None
    if word == "hundred" and index and 1 <= current <= 99:
        return ("hundred", 100)
    if word in _SCALES and index and current:
        return ("scale", _SCALES[word])
    if word == "and" and last == 100 and index + 1 < len(words):
        follows = words[index + 1]
        return ("and", 0) if follows in _ONES or follows in _TENS else None
    return None
