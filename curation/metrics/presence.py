"""What a fact check says: the verdict, the words that decided it, and why."""

from __future__ import annotations

from dataclasses import dataclass

from curation.domain.verdict import Presence

__all__ = ["Match", "Presence"]


@dataclass(frozen=True, kw_only=True)
class Match:
    """A verdict with the code points of the given text that decided it and a phrase of why."""

    verdict: Presence
    span: tuple[int, int] | None
    reason: str
