"""Text cut into tokens: numbers, versions, dates, identifiers and words, each whole."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from curation.metrics.units import ATTACHED_UNITS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Token", "TokenKind", "split_tokens"]

SCRIPT_RANGES = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
)
_W = rf"[^\W{SCRIPT_RANGES}]"
_SUFFIX = "|".join(sorted(ATTACHED_UNITS, key=len, reverse=True))


class TokenKind(StrEnum):
    """What a token is, read from its shape alone."""

    WORD = "word"
    NUMBER = "number"
    VERSION = "version"
    DATE = "date"
    TIME = "time"
    IDENT = "ident"
    FLAG = "flag"
    SCRIPT = "script"
    PUNCT = "punct"


class Token(NamedTuple):
    """A piece of folded text; `suffix` is what was written against a number: 60s, 5%, 2nd."""

    kind: TokenKind
    text: str
    start: int
    end: int
    suffix: str = ""


# Plain words are most of a text: `word` takes them, and the space after them, before the rest is
# tried. Where it matches, `chunk` would have matched the same word.
_SCAN = re.compile(
    rf"""
    (?P<word>[a-z]+)(?:[ ]|(?=[\n,;:!?()]|\.(?:\s|\Z)|\Z))
  | (?P<space>[^\S\n]+)
  | (?P<link>(?:https?://|www\.)[^\s<>"'`)\]]{{1,2000}})
  | (?P<mail>[a-z0-9][a-z0-9._%+-]{{0,63}}@[a-z0-9-]{{1,63}}(?:\.[a-z0-9-]{{1,63}}){{1,8}})
  | (?P<flag>(?<![\w-])--[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)*|(?<![\w-])-[a-z][a-z0-9]*(?:-[a-z0-9]+)+
      |(?<![\w-])-[a-z](?![\w-]))
  | (?P<name>(?<![\w])(?:c\+\+|c\#|f\#|\.net\b))
  | (?P<iso>\d{{4}}-\d{{2}}-\d{{2}}(?![\d-])|\d{{1,2}}/\d{{1,2}}/\d{{4}}(?![\d/])
      |\d{{1,2}}\.\d{{1,2}}\.\d{{4}}(?![\d.]*\d)|\d{{4}}/\d{{2}}/\d{{2}}(?![\d/]))
  | (?P<time>\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?![\d:]))
  | (?P<num>(?>\d{{1,3}}(?:[ ']\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,_]\d+)*|(?<![\w.])\.\d+)
      (?P<suffix>{_SUFFIX})?(?!{_W}|-(?:{_W}|-){{0,40}}[a-z]|\.x(?!{_W})))
  | (?P<chunk>{_W}+(?:[-.']{_W}+)*)
  | (?P<script>[{SCRIPT_RANGES}]+)
  | (?P<punct>.|\n)
    """,
    re.VERBOSE,
)
_VERSION = re.compile(r"v\d+(?:\.\d+)*(?:\.x)?(?:[-+][a-z0-9.]+)?")
_PRE_RELEASE = re.compile(r"\d+(?:\.\d+)+(?:\.x|[-.]?(?:rc|alpha|beta|dev|post|snapshot)[.-]?\d*)")
_NUMBER_RANGE = re.compile(rf"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)({_SUFFIX})?")
_VERSION_RANGE = re.compile(r"(v\d+(?:\.\d+)*)-(v?\d+(?:\.\d+)*)")
_NUMBER_WORD = re.compile(r"(\d+(?:\.\d+)?)-([a-z]+(?:-[a-z]+)*)")
_NAMED_VERSION = re.compile(r"([a-z]{2,20})(\d{1,4}(?:\.\d{1,4}){1,3})")
_TIMES = re.compile(r"(\d{1,9})x(\d{1,9})")
_SCIENTIFIC = re.compile(r"\d{1,9}(?:\.\d{1,9})?e[-+]?\d{1,2}")
_ABBREVIATION = re.compile(r"[a-z](?:\.[a-z])+")
_LETTER = re.compile(r"[^\W\d_]")


# Most tokens are words; this spares them the call that fills in what is left out.
_make = tuple.__new__


def split_tokens(text: str) -> list[Token]:
    """Return the tokens of folded text in order; spaces are left out, line ends are kept."""
    tokens: list[Token] = []
    for match in _SCAN.finditer(text):
        group = match.lastgroup
        if group == "word":
            start, end = match.span("word")
            tokens.append(_make(Token, (TokenKind.WORD, text[start:end], start, end, "")))
        elif group == "space":
            continue
        elif group == "chunk":
            tokens.extend(_classify(match[0], match.start()))
        else:
            tokens.append(_plain(match))
    return tokens


_PLAIN_KINDS = {
    "link": TokenKind.IDENT,
    "mail": TokenKind.IDENT,
    "name": TokenKind.IDENT,
    "flag": TokenKind.FLAG,
    "iso": TokenKind.DATE,
    "time": TokenKind.TIME,
    "script": TokenKind.SCRIPT,
    "punct": TokenKind.PUNCT,
}


def _plain(match: re.Match[str]) -> Token:
    start, end = match.span()
    number = match["num"]
    if number is not None:
        suffix = match["suffix"] or ""
        body = number[: len(number) - len(suffix)] if suffix else number
        return Token(TokenKind.NUMBER, body, start, end, suffix)
    text = match[0]
    if match["link"]:
        text = text.rstrip(".,;:!?")
        end = start + len(text)
    return Token(_PLAIN_KINDS[match.lastgroup or "punct"], text, start, end)


def _classify(chunk: str, start: int) -> Iterator[Token]:
    """Yield the tokens of a run of letters, digits and inner hyphens, dots, apostrophes."""
    if chunk.isalpha():
        yield Token(TokenKind.WORD, chunk, start, start + len(chunk))
    elif any(char.isdigit() for char in chunk[:200]):
        yield from _with_digits(chunk, start)
    elif "_" in chunk.strip("_"):
        yield Token(TokenKind.IDENT, chunk, start, start + len(chunk))
    elif "." in chunk:
        yield from _dotted(chunk, start)
    else:
        yield from _words(chunk, start)


def _with_digits(chunk: str, start: int) -> Iterator[Token]:
    end = start + len(chunk)
    if _VERSION.fullmatch(chunk) or _PRE_RELEASE.fullmatch(chunk):
        yield Token(TokenKind.VERSION, chunk, start, end)
    elif match := _VERSION_RANGE.fullmatch(chunk):
        yield Token(TokenKind.VERSION, match[1], start, start + match.end(1))
        yield Token(TokenKind.PUNCT, "-", start + match.end(1), start + match.start(2))
        yield Token(TokenKind.VERSION, match[2], start + match.start(2), end)
    elif match := _NUMBER_RANGE.fullmatch(chunk):
        yield Token(TokenKind.NUMBER, match[1], start, start + match.end(1))
        yield Token(TokenKind.PUNCT, "-", start + match.end(1), start + match.start(2))
        yield Token(TokenKind.NUMBER, match[2], start + match.start(2), end, match[3] or "")
    elif match := _NAMED_VERSION.fullmatch(chunk):
        yield Token(TokenKind.WORD, match[1], start, start + match.end(1))
        yield Token(TokenKind.NUMBER, match[2], start + match.start(2), end)
    elif match := _TIMES.fullmatch(chunk):
        yield Token(TokenKind.NUMBER, match[1], start, start + match.end(1))
        yield Token(TokenKind.PUNCT, "x", start + match.end(1), start + match.start(2))
        yield Token(TokenKind.NUMBER, match[2], start + match.start(2), end)
    elif _SCIENTIFIC.fullmatch(chunk):
        yield Token(TokenKind.NUMBER, chunk, start, end)
    elif match := _NUMBER_WORD.fullmatch(chunk):
        yield Token(TokenKind.NUMBER, match[1], start, start + match.end(1))
        yield from _words(match[2], start + match.start(2))
    else:
        yield Token(TokenKind.IDENT, chunk, start, end)


def _dotted(chunk: str, start: int) -> Iterator[Token]:
    if _ABBREVIATION.fullmatch(chunk):
        yield Token(TokenKind.WORD, chunk.replace(".", ""), start, start + len(chunk))
    else:
        yield Token(TokenKind.IDENT, chunk, start, start + len(chunk))


_PART = re.compile(r"[^-._]+")


def _words(chunk: str, start: int) -> Iterator[Token]:
    """Yield the words of a hyphenated run: read-only is two words."""
    for match in _PART.finditer(chunk):
        if _LETTER.search(match[0]):
            yield Token(TokenKind.WORD, match[0], start + match.start(), start + match.end())
