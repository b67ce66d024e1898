"""Text folded for matching, with the way back to the text as it was given."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Folded", "fold", "same_question_key"]

_LINE_ENDS = "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\u02b9\uff07"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u2039\u203a"
_HYPHENS = "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d\ufe58"
_LONG_DASHES = "\u2014\u2015\u2e3a\u2e3b"
_FRACTIONS = {
    "\u00bd": " 1/2",
    "\u00bc": " 1/4",
    "\u00be": " 3/4",
    "\u2153": " 1/3",
    "\u2154": " 2/3",
}
_SUPERSCRIPTS = dict(
    zip("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789", strict=True)
)
_FILLERS = "\u3164\u115f\u1160\uffa0\u034f"

_TAG = re.compile(
    r"</?(?:a|b|i|u|em|strong|code|kbd|pre|p|br|hr|ul|ol|li|div|span|sup|sub|td|tr|th|table|"
    r"thead|tbody|h[1-6]|small|mark|blockquote)(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_BLOCK_TAG = re.compile(
    r"</?(?:p|br|hr|ul|ol|li|div|tr|table|h[1-6]|pre|blockquote)\b", re.IGNORECASE
)
_ENTITY = re.compile(
    r"&(nbsp|thinsp|ensp|emsp|#160|#xa0|amp|lt|gt|quot|apos|#39|ndash|mdash|minus);", re.IGNORECASE
)
_ENTITY_CHARS = {
    "amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "#39": "'",
    "ndash": "-", "mdash": "-", "minus": "-",
}  # fmt: skip
_ESCAPE = re.compile(r"\\([_*#+!|\[\](){}.\-`~<>])")
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])(-[ \t]*\r?\n[ \t]*)(?=[a-z])")


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded text; `starts[i]` and `ends[i]` bound the given characters behind character i."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the code points of the given text behind the folded characters start to end."""
        if end <= start:
            return self.starts[start], self.starts[start]
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> Folded:
    """Return the text in one case, one Unicode form, one kind of space, quote and dash."""
    prepared = _without_markup(text)
    if prepared.isascii():
        flat = prepared.lower().translate(_ASCII_LINES)
        return Folded(flat, range(len(flat)), range(1, len(flat) + 1))
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for index, char in enumerate(prepared):
        if unicodedata.combining(char) and out and ends[-1] == index:
            _compose(out, ends, char, index)
            continue
        for folded in _fold_char(char):
            out.append(folded)
            starts.append(index)
            ends.append(index + 1)
    return Folded("".join(out), starts, ends)


def _compose(out: list[str], ends: list[int], char: str, index: int) -> None:
    """Put a combining mark on the character before it, where Unicode has the two as one."""
    joined = unicodedata.normalize("NFKC", out[-1] + char).casefold()
    if len(joined) == 1:
        out[-1] = joined
    ends[-1] = index + 1


_ASCII_LINES = str.maketrans(dict.fromkeys("\r\x0b\x0c\x1c\x1d\x1e", "\n") | {"\t": " "})


def _without_markup(text: str) -> str:
    """Return the text, as long as before, with markup signs blanked out."""
    if "<" in text:
        text = _TAG.sub(_blank_tag, text)
    if "&" in text:
        text = _ENTITY.sub(_entity, text)
    if "\\" in text:
        text = _ESCAPE.sub("\u200b\\1", text)
    if "-" in text:
        text = _BROKEN_WORD.sub(lambda match: "\u200b" * len(match[1]), text)
    return text


def _blank_tag(match: re.Match[str]) -> str:
    end = "\n" if _BLOCK_TAG.match(match[0]) else "\u200b"
    return "\u200b" * (len(match[0]) - 1) + end


def _entity(match: re.Match[str]) -> str:
    char = _ENTITY_CHARS.get(match[1].lower(), " ")
    return char + "\u200b" * (len(match[0]) - 1)


_FOLDED_SIGNS = (
    dict.fromkeys(_LINE_ENDS + "\n", "\n")
    | dict.fromkeys(_SINGLE_QUOTES, "'")
    | dict.fromkeys(_DOUBLE_QUOTES, '"')
    | dict.fromkeys(_HYPHENS, "-")
    | dict.fromkeys(_LONG_DASHES, " - ")
    | _FRACTIONS
    | {char: "^" + digit for char, digit in _SUPERSCRIPTS.items()}
)


@lru_cache(maxsize=8192)
def _fold_char(char: str) -> str:
    """Return what one character folds to; nothing for an invisible one."""
    folded = _FOLDED_SIGNS.get(char)
    return folded if folded is not None else _fold_by_category(char)


def _fold_by_category(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cf" or char in _FILLERS or "\ufe00" <= char <= "\ufe0f":
        return ""
    if category in {"Zs", "Zl", "Zp"} or char == "\t":
        return " "
    if category in {"Cs", "Co", "Cn"}:
        return "\ufffd"
    if category == "Nd":
        return str(unicodedata.decimal(char))
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", char).casefold())


_SPACES = re.compile(r"\s+")
_TRAILING = re.compile(r"[\s.?!,;:\u3002\u061f]+$")


def same_question_key(question: str, conversation_tail: Sequence[str] = ()) -> str:
    """Return a key that is equal for questions that differ in case, spaces and end marks only.

    Args:
        question: The question as asked.
        conversation_tail: The last turns before it, oldest first; they are part of the question.
    """
    return "\n".join(_question_line(text) for text in (*conversation_tail, question))


def _question_line(text: str) -> str:
    flat = _SPACES.sub(" ", fold(text).text).strip()
    return _TRAILING.sub("", flat)
