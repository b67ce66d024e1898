"""Tokens read as quantities: the number with its sign, magnitude, currency and unit."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from curation.metrics.lexicon import word_set
from curation.metrics.numerals import SPELLED_STARTS, Numeral, read_numeral, spelled_number
from curation.metrics.tokens import Token, TokenKind
from curation.metrics.units import CURRENCY_SIGNS, MAGNITUDES, Unit, unit_of

if TYPE_CHECKING:
    from collections.abc import Sequence


__all__ = ["NUMBER_STARTS", "Reading", "read_number"]

_BEFORE_UNIT = word_set(
    """
    full whole consecutive straight calendar additional more extra whole long
    """
)
_AMBIGUOUS_ALONE = frozenset(
    {"m", "d", "s", "b", "x", "l", "g", "t", "w", "won", "pa", "k", "mo", "ma", "bar"}
)
_ONE_UNITS = frozenset({"time", "month", "business_day"})
_CODES = frozenset(
    {"usd", "eur", "gbp", "jpy", "chf", "inr", "cad", "aud", "cny", "rs", "krw", "sek", "pln"}
)


_SHARE = Unit("share", "ratio")
_PROPER_FRACTIONS = frozenset(
    Fraction(top, bottom) for bottom in range(2, 13) for top in range(1, bottom)
)
NUMBER_STARTS = SPELLED_STARTS | {"half", "quarter", "twice", "thrice", "once", "a", "an"}


class Reading(NamedTuple):
    """A number read from tokens first to last - 1."""

    numeral: Numeral
    unit: Unit | None
    first: int
    last: int
    suffix: str = ""
    scaled: bool = False
    spelled: bool = False


def read_number(tokens: Sequence[Token], at: int) -> Reading | None:
    """Return the number that begins at a token, with its unit; None where none does."""
    token = tokens[at]
    if token.kind is TokenKind.NUMBER:
        return _from_digits(tokens, at)
    if token.kind is TokenKind.WORD:
        return _from_words(tokens, at)
    return None


def _from_digits(tokens: Sequence[Token], at: int) -> Reading | None:
    token = tokens[at]
    numeral = read_numeral(token.text)
    after = at + 1
    fraction = _fraction(tokens, at)
    if fraction is not None:
        numeral, after = fraction
    if not numeral.strong:
        return None
    if _sign(tokens, at) < 0:
        numeral = numeral.times(-1)
    first, money = _currency_before(tokens, at)
    if token.suffix and after == at + 1:
        return _with_suffix(tokens, Reading(numeral, money, first, after, token.suffix))
    reading = _with_words(tokens, Reading(numeral, money, first, after))
    if fraction is not None and reading.unit is None and numeral.strong <= _PROPER_FRACTIONS:
        return Reading(numeral, _SHARE, first, after)
    return reading


def _fraction(tokens: Sequence[Token], at: int) -> tuple[Numeral, int] | None:
    """Return the value of 3/4 or 1 1/2, written tight; None for 24/7 and other slashes."""
    if "/" not in [token.text for token in tokens[at + 1 : at + 3]]:
        return None
    offset = 0
    whole = 0
    if _is_slash(tokens, at + 2) and tokens[at + 1].kind is TokenKind.NUMBER:
        whole, offset = int(tokens[at].text) if tokens[at].text.isdigit() else -1, 1
    elif not _is_slash(tokens, at + 1):
        return None
    if whole < 0 or at + offset + 2 >= len(tokens):
        return None
    top, bottom = tokens[at + offset].text, tokens[at + offset + 2].text
    if not (top.isdigit() and bottom.isdigit() and len(top) < 4 and len(bottom) < 4):
        return None
    if not int(top) < int(bottom) or tokens[at + offset + 2].suffix:
        return None
    value = whole + Fraction(int(top), int(bottom))
    return Numeral(frozenset({value})), at + offset + 3


def _is_slash(tokens: Sequence[Token], at: int) -> bool:
    if not 0 < at < len(tokens) - 1 or tokens[at].text != "/":
        return False
    tight = tokens[at - 1].end == tokens[at].start and tokens[at].end == tokens[at + 1].start
    numbers = all(tokens[at + step].kind is TokenKind.NUMBER for step in (-1, 1))
    chained = at + 2 < len(tokens) and tokens[at + 2].text == "/"
    return tight and numbers and not chained


def _sign(tokens: Sequence[Token], at: int) -> int:
    if not at:
        return 1
    before = tokens[at - 1]
    if before.text == "minus":
        return -1
    if before.text in CURRENCY_SIGNS and at > 1:
        before, at = tokens[at - 2], at - 1
    if before.text != "-" or before.end != tokens[at].start:
        return 1
    return -1 if at < 2 or tokens[at - 2].end != before.start else 1


def _currency_before(tokens: Sequence[Token], at: int) -> tuple[int, Unit | None]:
    if not at:
        return at, None
    before = tokens[at - 1]
    if before.text in CURRENCY_SIGNS and before.kind is TokenKind.PUNCT:
        near = tokens[at - 2] if at > 1 else None
        if (
            near is not None
            and near.end == before.start
            and near.text + before.text in CURRENCY_SIGNS
        ):
            return at - 2, unit_of(CURRENCY_SIGNS[near.text + before.text])
        return at - 1, unit_of(CURRENCY_SIGNS[before.text])
    if before.text in _CODES:
        return at - 1, unit_of(before.text)
    return at, None


def _with_suffix(tokens: Sequence[Token], reading: Reading) -> Reading:
    suffix = reading.suffix
    factor = {"k": 10**3, "b": 10**9, "bn": 10**9, "mn": 10**6, "mio": 10**6, "tn": 10**12}.get(
        suffix
    )
    if suffix == "m" and reading.unit is not None:
        factor = 10**6
    if factor is not None:
        scaled = reading.numeral.times(factor)
        return _with_words(
            tokens, Reading(scaled, reading.unit, reading.first, reading.last, scaled=True)
        )
    if suffix in {"am", "pm", "st", "nd", "rd", "th"}:
        return reading
    unit = unit_of(suffix, attached=True) or reading.unit
    return Reading(reading.numeral, unit, reading.first, reading.last, suffix)


def _from_words(tokens: Sequence[Token], at: int) -> Reading | None:
    words = [token.text for token in tokens[at : at + 10]]
    special = _special(words, tokens, at)
    if special is not None:
        return special
    spelled = spelled_number([word if word != "-" else "" for word in words])
    if spelled is None:
        return None
    value, used = spelled
    fraction = _spelled_fraction(words, value, used)
    if fraction is not None:
        return Reading(Numeral(frozenset({fraction})), _SHARE, at, at + used + 1, spelled=True)
    kinds = {token.kind for token in tokens[at : at + used]}
    if kinds != {TokenKind.WORD}:
        return None
    after = at + used
    numeral = Numeral(frozenset({Fraction(value)}))
    if words[used : used + 3] == ["and", "a", "half"]:
        numeral, after = Numeral(frozenset({Fraction(value) + Fraction(1, 2)})), after + 3
    reading = _with_words(tokens, Reading(numeral, None, at, after, spelled=True))
    alone = (
        value == 1
        and used == 1
        and (reading.unit is None or reading.unit.dimension not in _ONE_UNITS)
    )
    return None if alone and at and tokens[at - 1].text in _BEFORE_PRONOUN else reading


_PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourths": 4,
    "fifth": 5, "fifths": 5, "sixths": 6, "eighths": 8, "tenth": 10, "tenths": 10,
}  # fmt: skip
_BEFORE_PRONOUN = word_set(
    """
    no any this that which every each the another some other either neither big new old
    """
)


def _spelled_fraction(words: Sequence[str], value: int, used: int) -> Fraction | None:
    """Return two thirds as a share; None where no part is named after the number."""
    part = _PARTS.get(words[used]) if used < len(words) else None
    if part is None or not 1 <= value < part:
        return None
    plural = words[used].endswith("s")
    return Fraction(value, part) if plural == (value > 1) else None


def _special(words: Sequence[str], tokens: Sequence[Token], at: int) -> Reading | None:
    """Return the number of half, a dozen, twice, a week; None for other words."""
    one = Numeral(frozenset({Fraction(1)}))
    first = words[0]
    if first == "half" or (first == "quarter" and _is_share(tokens, at, words)):
        value = Fraction(1, 2) if first == "half" else Fraction(1, 4)
        return _part_of(tokens, at, value)
    if first in {"twice", "thrice"}:
        count = Fraction(2 if first == "twice" else 3)
        return Reading(Numeral(frozenset({count})), unit_of("times"), at, at + 1, spelled=True)
    if (
        first == "once"
        and len(words) > 1
        and (words[1] in {"a", "per", "every"} or words[1] in _ADVERBS)
    ):
        return Reading(one, unit_of("times"), at, at + 1, spelled=True)
    if first in {"a", "an"} and len(words) > 1:
        if words[1] in {"dozen", "hundred", "thousand", "million", "billion"}:
            return _with_words(tokens, Reading(one, None, at, at + 1, spelled=True))
        unit = unit_of(words[1])
        counted = at and tokens[at - 1].kind in {TokenKind.NUMBER, TokenKind.WORD}
        if (
            unit is not None
            and unit.dimension in _ONE_UNITS
            and not (counted and _is_rate(tokens, at))
        ):
            return _with_half(words[2:], Reading(one, unit, at, at + 2, spelled=True))
    return None


def _with_half(words: Sequence[str], reading: Reading) -> Reading:
    """Return an hour and a half as one and a half hours."""
    if list(words[:3]) != ["and", "a", "half"]:
        return reading
    numeral = Numeral(frozenset({Fraction(3, 2)}))
    return Reading(numeral, reading.unit, reading.first, reading.last + 3, spelled=True)


_ADVERBS = frozenset({"daily", "weekly", "monthly", "yearly", "hourly", "annually"})
_RATE_WORDS = frozenset({"once", "twice", "times", "thrice"})


def _is_rate(tokens: Sequence[Token], at: int) -> bool:
    """Return whether `a day` after something counted means per day."""
    nearby = tokens[max(at - 4, 0) : at]
    return any(
        token.kind is TokenKind.NUMBER or token.text in _RATE_WORDS or spelled_number([token.text])
        for token in nearby
    )


def _is_share(tokens: Sequence[Token], at: int, words: Sequence[str]) -> bool:
    """Return whether a quarter is a fourth part, not three months."""
    if len(words) > 1 and words[1] == "of":
        return True
    return at > 0 and tokens[at - 1].text in {"a", "one"} and not _is_rate(tokens, at - 1)


def _part_of(tokens: Sequence[Token], at: int, value: Fraction) -> Reading:
    """Return half as a share, or as a measure in half an hour and half a million."""
    after = at + 1
    if after < len(tokens) and tokens[after].text in {"a", "an"}:
        reading = _with_words(
            tokens, Reading(Numeral(frozenset({value})), None, at, after + 1, spelled=True)
        )
        if reading.unit is not None or reading.scaled:
            return reading
    return Reading(Numeral(frozenset({value})), _SHARE, at, at + 1, spelled=True)


def _with_words(tokens: Sequence[Token], reading: Reading) -> Reading:
    """Add the magnitude and the unit that follow the number as words or signs."""
    numeral, after, scaled = reading.numeral, reading.last, reading.scaled
    while after < len(tokens) and tokens[after].text in MAGNITUDES and not scaled:
        word = tokens[after].text
        if word in {"mm", "k", "grand"} and reading.unit is None:
            break
        numeral, after, scaled = numeral.times(MAGNITUDES[word]), after + 1, True
    unit, last = _unit_after(tokens, after, alone=not reading.spelled)
    if reading.unit is not None and (unit is None or unit.dimension != reading.unit.dimension):
        unit, last = reading.unit, after
    return Reading(numeral, unit, reading.first, last, scaled=scaled, spelled=reading.spelled)


def _unit_after(tokens: Sequence[Token], at: int, *, alone: bool) -> tuple[Unit | None, int]:
    start = at
    if at < len(tokens) and tokens[at].text == "-" and at + 1 < len(tokens):
        tight = tokens[at].start == tokens[at - 1].end and tokens[at].end == tokens[at + 1].start
        at = at + 1 if tight else at
    if at >= len(tokens):
        return None, start
    at += _is_filler(tokens, at)
    if at + 1 < len(tokens):
        one, two = tokens[at], tokens[at + 1]
        pair = unit_of(f"{one.text} {two.text}")
        if pair is not None:
            return pair, at + 2
    word = tokens[at].text
    if word in CURRENCY_SIGNS and _closes(tokens, at):
        return unit_of(CURRENCY_SIGNS[word]), at + 1
    unit = unit_of(word)
    if word == "x" and at + 1 < len(tokens) and tokens[at + 1].kind is TokenKind.NUMBER:
        return None, start
    if unit is None or (word in _AMBIGUOUS_ALONE and not alone):
        return None, start
    return unit, at + 1


def _is_filler(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a word such as full or consecutive stands before the unit."""
    if tokens[at].text not in _BEFORE_UNIT or at + 1 >= len(tokens):
        return False
    word = tokens[at + 1].text
    return unit_of(word) is not None and unit_of(f"{tokens[at].text} {word}") is None


def _closes(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a currency sign belongs to the number before it, not to one after it."""
    return at + 1 >= len(tokens) or tokens[at + 1].kind is not TokenKind.NUMBER
