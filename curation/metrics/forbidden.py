"""Forbidden facts: asserted for the question's version, attributed to another, or absent."""

from __future__ import annotations

from collections.abc import Sequence

from curation.metrics.facts import match_fact
from curation.metrics.presence import Match

__all__ = ["match_forbidden"]


def match_forbidden(
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
