"""Facts looked up in a text: present, absent or unsure."""

from __future__ import annotations

from collections.abc import Sequence

from curation.metrics.normalise import fold
from curation.metrics.presence import Match, Presence
from curation.metrics.tokens import TokenKind, split_tokens

__all__ = ["match_fact", "match_forbidden"]


def match_fact(
    text: str, fact: str, *, any_of: Sequence[str] = (), conclusion: bool = False
) -> Match:
    """Return whether the text says the fact, in its words or in one of the other wordings."""
    del conclusion
    for wording in (fact, *any_of):
        span = _find(text, wording)
        if span is not None:
            return Match(verdict=Presence.PRESENT, span=span, reason="the same words")
    return Match(verdict=Presence.ABSENT, span=None, reason="not in the text")


def match_forbidden(  # noqa: PLR0913
    text: str,
    fact: str,
    *,
    any_of: Sequence[str] = (),
    value_of: str | None = None,
    version: str | None = None,
    never: bool = False,
) -> Match:
    """Return whether the text asserts a forbidden fact for the question's version."""
    del value_of, version, never
    return match_fact(text, fact, any_of=any_of)


def _find(text: str, wording: str) -> tuple[int, int] | None:
    folded = fold(text)
    tokens = [t for t in split_tokens(folded.text) if t.kind is not TokenKind.PUNCT]
    wanted = [
        t.text + t.suffix for t in split_tokens(fold(wording).text) if t.kind is not TokenKind.PUNCT
    ]
    words = [t.text + t.suffix for t in tokens]
    for at in range(len(words) - len(wanted) + 1):
        if wanted and words[at : at + len(wanted)] == wanted:
            return folded.span(tokens[at].start, tokens[at + len(wanted) - 1].end)
    return None
