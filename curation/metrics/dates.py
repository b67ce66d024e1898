"""Dates and times of day read from tokens, with every reading an ambiguous one can have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from curation.metrics.tokens import Token, TokenKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["DATE_STARTS", "read_date", "read_time"]

_MONTH_NAMES = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, start=1)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_ALSO_WORDS = frozenset({"may", "march", "mar", "sep", "dec", "jan", "sun", "august"})
_DAY = re.compile(r"[0-3]?\d")
_YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d")


DATE_STARTS = frozenset(_MONTHS) | {"noon", "midday", "midnight"}


def _key(year: int | None, month: int | None, day: int | None) -> str:
    return "-".join("?" if part is None else str(part) for part in (year, month, day))


def read_date(
    tokens: Sequence[Token], at: int, is_upper: Callable[[int], bool]
) -> tuple[frozenset[str], int] | None:
    """Return the readings of a date that begins at a token, and the token after it."""
    token = tokens[at]
    if token.kind is TokenKind.DATE:
        keys = _from_digits(token.text)
        return (keys, at + 1) if keys else None
    if token.kind is TokenKind.IDENT:
        return _quarter(tokens, at)
    if token.text in _MONTHS:
        return _month_first(tokens, at, is_upper)
    if token.kind is TokenKind.NUMBER:
        return _day_first(tokens, at, is_upper)
    return None


def _from_digits(text: str) -> frozenset[str]:
    parts = [int(part) for part in re.split(r"\D", text)]
    if parts[0] > 31:
        orders = [(parts[0], parts[1], parts[2])]
    elif "." in text:
        orders = [(parts[2], parts[1], parts[0])]
    else:
        orders = [(parts[2], parts[1], parts[0]), (parts[2], parts[0], parts[1])]
    return frozenset(
        _key(*order) for order in orders if 1 <= order[1] <= 12 and 1 <= order[2] <= 31
    )


def _quarter(tokens: Sequence[Token], at: int) -> tuple[frozenset[str], int] | None:
    if not re.fullmatch(r"q[1-4]", tokens[at].text):
        return None
    year, after = _year_after(tokens, at + 1)
    return frozenset({_key(year, 20 + int(tokens[at].text[1]), None)}), after


def _day_of(token: Token) -> int | None:
    if token.kind is not TokenKind.NUMBER or token.suffix not in {"", "st", "nd", "rd", "th"}:
        return None
    if not _DAY.fullmatch(token.text):
        return None
    day = int(token.text)
    return day if 1 <= day <= 31 else None


def _year_after(tokens: Sequence[Token], at: int) -> tuple[int | None, int]:
    skipped = at
    while skipped < len(tokens) and tokens[skipped].text in {",", "of"} and skipped < at + 1:
        skipped += 1
    if skipped < len(tokens):
        token = tokens[skipped]
        if token.kind is TokenKind.NUMBER and not token.suffix and _YEAR.fullmatch(token.text):
            return int(token.text), skipped + 1
    return None, at


def _month_first(
    tokens: Sequence[Token], at: int, is_upper: Callable[[int], bool]
) -> tuple[frozenset[str], int] | None:
    month = _MONTHS[tokens[at].text]
    after = at + 1
    if after < len(tokens) and tokens[after].text == "." and tokens[at].end == tokens[after].start:
        after += 1
    day = _day_of(tokens[after]) if after < len(tokens) else None
    wordlike = tokens[at].text in _ALSO_WORDS and not is_upper(at)
    if day is not None:
        year, last = _year_after(tokens, after + 1)
        if wordlike and year is None:
            return None
        return frozenset({_key(year, month, day)}), last
    year, last = _year_after(tokens, after)
    if year is None:
        return None
    return frozenset({_key(year, month, None)}), last


def _day_first(
    tokens: Sequence[Token], at: int, is_upper: Callable[[int], bool]
) -> tuple[frozenset[str], int] | None:
    after = at + 1
    if after < len(tokens) and tokens[after].text in {"of", ".", "-"}:
        after += 1
    if after >= len(tokens) or tokens[after].text not in _MONTHS:
        return None
    day = _day_of(tokens[at])
    if day is None or (tokens[after].text in _ALSO_WORDS and not is_upper(after)):
        return None
    last = after + 1
    if last < len(tokens) and tokens[last].text == "-":
        last += 1
    year, end = _year_after(tokens, last)
    if year is None:
        end = after + 1
    return frozenset({_key(year, _MONTHS[tokens[after].text], day)}), end


_HALF = {"am": 0, "pm": 12}


def read_time(tokens: Sequence[Token], at: int) -> tuple[frozenset[str], int] | None:
    """Return the time of day that begins at a token, as hours and minutes, and what follows."""
    token = tokens[at]
    if token.text in {"noon", "midday", "midnight"}:
        return frozenset({"00:00" if token.text == "midnight" else "12:00"}), at + 1
    if token.kind is TokenKind.TIME:
        hours, minutes = (int(part) for part in token.text.split(":")[:2])
    elif token.kind is TokenKind.NUMBER and token.text.isdigit() and len(token.text) <= 2:
        hours, minutes = int(token.text), 0
    else:
        return None
    half = token.suffix if token.suffix in _HALF else ""
    after = at + 1
    if not half and after < len(tokens) and tokens[after].text in _HALF:
        half, after = tokens[after].text, after + 1
    if not half and token.kind is not TokenKind.TIME:
        return None
    if half and 1 <= hours <= 12:
        hours = hours % 12 + _HALF[half]
    return frozenset({f"{hours:02d}:{minutes:02d}"}), after
