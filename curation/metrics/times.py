"""What was once so: values that were replaced, and things that ended."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from curation.metrics.lexicon import word_set
from curation.metrics.polarity import says_used_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curation.metrics.sighting import Sighting

__all__ = ["is_over", "past_of"]

_PAST = word_set("previously formerly originally historically erstwhile")
_WAS = frozenset({"was", "were", "had"})
_UNTIL = frozenset({"until", "before"})
_NOW = word_set("now today currently nowadays")
_IS = _NOW | {"is", "are", "been"}
_DONE = word_set("set built made given put cut held begun")
_ENDED = word_set(
    """
    ended ends discontinued dropped ceased revoked abandoned partially partly deprecated
    """
)


def past_of(sighting: Sighting) -> str | None:
    """Return a doubt where the segment speaks of what was, or of something that ended."""
    part, clauses = sighting.frame.part, sighting.clauses
    said = set(part.tokens)
    texts = _texts(sighting, clauses.first, clauses.last)
    clause = set(texts)
    if clause & _PAST - said or (says_used_to(texts) and "used" not in said):
        return "it is said of an earlier time"
    if clause & _WAS and not said & _WAS and (clause & _UNTIL or _is_replaced(sighting, texts)):
        return "it is said of an earlier time"
    if not part.values and clause & _ENDED - said:
        return "it may hold no longer, or in part"
    return None


def is_over(sighting: Sighting, rival: int) -> bool:
    """Return whether a rival is what the value once was: it was 30 s and is now 60 s."""
    clauses = sighting.clauses
    before = _texts(sighting, *clauses.around(rival))
    since = set(_texts(sighting, clauses.first, clauses.last))
    was = bool(set(before) & (_WAS | _PAST)) or says_used_to(before)
    ended = bool(set(before) & _UNTIL) and bool(since & (_NOW | {"since"}))
    return (was or ended) and not since & _WAS and bool(since & _IS)


def _is_replaced(sighting: Sighting, texts: Sequence[str]) -> bool:
    """Return whether a value was what another is now; `was raised to` is how it came about."""
    was = any(
        one in _WAS and not (two.endswith("ed") or two in _DONE) for one, two in pairwise(texts)
    )
    return was and any(_is_so(sighting, rival) for rival in sighting.clauses.rivals)


def _is_so(sighting: Sighting, rival: int) -> bool:
    """Return whether a rival is said of the present."""
    texts = set(_texts(sighting, *sighting.clauses.around(rival)))
    return bool(texts & _NOW) or (bool(texts & (_IS | {"since"})) and not texts & _WAS)


def _texts(sighting: Sighting, first: int, last: int) -> Sequence[str]:
    return [item.text for item in sighting.frame.items[first:last]]
