"""Quantities of a text: numbers, versions, dates and times with their readings."""

from __future__ import annotations

from dataclasses import dataclass

from curation.metrics.normalise import fold
from curation.metrics.tokens import TokenKind, split_tokens

__all__ = ["Quantity", "quantities"]


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A number, version, date or time as written, where it stands, and what it can mean."""

    text: str
    span: tuple[int, int]
    readings: frozenset[str]
    unit: str | None


_KINDS = {TokenKind.NUMBER, TokenKind.VERSION, TokenKind.DATE, TokenKind.TIME}


def quantities(text: str) -> tuple[Quantity, ...]:
    """Return every number, version, date and time of the text, in order."""
    folded = fold(text)
    found = []
    for token in split_tokens(folded.text):
        if token.kind in _KINDS:
            start, end = folded.span(token.start, token.end)
            found.append(
                Quantity(
                    text=text[start:end],
                    span=(start, end),
                    readings=frozenset({token.text.replace(",", "").replace(" ", "")}),
                    unit=token.suffix or None,
                )
            )
    return tuple(found)
