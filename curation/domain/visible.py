"""Invisible and bidirectional characters made visible: `⟦U+202E⟧`."""

import re
from typing import NamedTuple

# Controls but tab and line feed, lone surrogates, zero-width and bidirectional signs, separators
# that are no space, fillers, tags and variation selectors: what a reader cannot see.
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_JOINER = "\u200d"
_EMOJI_STYLE = "\ufe0f"
_EMOJI = re.compile(
    "[\u00a9\u00ae\u203c\u2049\u20e3\u2122\u2139\u2190-\u21ff\u231a-\u23ff\u25aa-\u27bf"
    "\u2934\u2935\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_KEYCAP = "0123456789#*"


class Piece(NamedTuple):
    """A part of a text: what is stored there, what a reader is shown, and whether it was hidden."""

    text: str
    shown: str
    start: int
    end: int
    hidden: bool


def visible(text: str) -> tuple[Piece, ...]:
    """Return the text in pieces, each hidden character one piece that shows its code point."""
    pieces: list[Piece] = []
    at = 0
    for sign in HIDDEN.finditer(text):
        if _belongs(text, sign.start()):
            continue
        if sign.start() > at:
            part = text[at : sign.start()]
            pieces.append(Piece(part, part, at, sign.start(), hidden=False))
        pieces.append(
            Piece(sign[0], f"⟦U+{ord(sign[0]):04X}⟧", sign.start(), sign.end(), hidden=True)
        )
        at = sign.end()
    if at < len(text):
        pieces.append(Piece(text[at:], text[at:], at, len(text), hidden=False))
    return tuple(pieces)


def hidden_characters(text: str) -> tuple[str, ...]:
    """Return the code points of the hidden characters, each once, in order: `U+200B`."""
    return tuple(dict.fromkeys(piece.shown[1:-1] for piece in visible(text) if piece.hidden))


def shown(text: str) -> str:
    """Return the text as a reader is shown it."""
    return "".join(piece.shown for piece in visible(text))


def _belongs(text: str, at: int) -> bool:
    """Return whether a hidden sign is part of an emoji or of a line end, so it is no trick."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    sign = text[at]
    if sign == "\r":
        return after == "\n"
    if sign == _EMOJI_STYLE:
        return bool(_EMOJI.match(before)) or (before in _KEYCAP and before != "")
    if sign == _JOINER:
        joined = bool(_EMOJI.match(before)) or before == _EMOJI_STYLE
        return joined and bool(_EMOJI.match(after))
    return False
