"""Why it cannot be told that a segment says a fact, though it does not say otherwise."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from curation.metrics.anchors import Bound, Comparator, Likeness, Quantity
from curation.metrics.arrangement import is_rearranged
from curation.metrics.columns import is_in_another_cell
from curation.metrics.content import has_only
from curation.metrics.denial import denial_of
from curation.metrics.lexicon import word_set
from curation.metrics.segments import SegmentKind
from curation.metrics.times import past_of
from curation.metrics.wording import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curation.metrics.sighting import Sighting, Spot


__all__ = ["doubt_of"]


def doubt_of(sighting: Sighting) -> str | None:
    """Return why it cannot be told; None where the segment says the statement."""
    return (
        _of_values(sighting)
        or _of_words(sighting)
        or _of_binding(sighting)
        or _of_turn(sighting)
        or _of_spread(sighting)
        or ("it stands in another cell" if is_in_another_cell(sighting) else None)
        or _of_denial(sighting)
        or _of_mood(sighting)
        or _of_only(sighting)
        or past_of(sighting)
        or _of_direction(sighting)
        or ("what goes with what may differ" if is_rearranged(sighting) else None)
    )


def _of_values(sighting: Sighting) -> str | None:
    bare = not sighting.frame.part.content
    for spot in sighting.spots:
        if spot.place is None:
            if spot.want.role is Role.VALUE:
                return f"{spot.want.shown} is not beside it"
            if spot.want.role is Role.SCOPE:
                return f"does not name {spot.want.shown}"
            continue
        if spot.place.likeness is Likeness.MAYBE and not _unit_beside(sighting, spot):
            return f"{sighting.frame.shown(spot.place.at)} may or may not be {spot.want.shown}"
        wanted, found = spot.want.quantity, sighting.quantity(spot)
        if wanted is None or found is None:
            continue
        reason = _quantity_doubt(wanted, found, bare=bare)
        if reason is not None:
            return reason
    return None


def _quantity_doubt(wanted: Quantity, found: Quantity, *, bare: bool) -> str | None:
    """Return why two equal numbers may still say different things.

    Args:
        wanted: The fact's quantity.
        found: The text's quantity.
        bare: The fact is nothing but values; how the text bounds them does not matter then.
    """
    unbound = wanted.comparator is Comparator.NONE
    onward = wanted.named and found.comparator is Comparator.AT_LEAST
    open_ended = unbound and (bare or onward)
    if not open_ended and not _same_bound(wanted.comparator, found.comparator):
        return f"{found.bounded} against {wanted.bounded}"
    if wanted.bound is not found.bound and Bound.NEW not in {wanted.bound, found.bound}:
        return f"{found.text} is one end of a range"
    if wanted.per and not found.per:
        return f"does not say per {wanted.per}"
    return None


_LOOSE = frozenset({Comparator.WITHIN, Comparator.NONE, Comparator.AT_MOST, Comparator.BELOW})


def _same_bound(wanted: Comparator, found: Comparator) -> bool:
    if wanted is found or wanted is Comparator.ABOUT:
        return True
    return Comparator.WITHIN in {wanted, found} and {wanted, found} <= _LOOSE


def _unit_beside(sighting: Sighting, spot: Spot) -> bool:
    """Return whether a bare number has the wanted unit elsewhere in its segment."""
    wanted, found = spot.want.quantity, sighting.quantity(spot)
    if wanted is None or found is None or found.unit is not None or wanted.unit is None:
        return False
    frame = sighting.frame
    texts = {frame.items[at].text for at in frame.places()}
    words = {word for word in wanted.text.lower().split() if word.isalpha()}
    return not texts.isdisjoint(words)


def _of_words(sighting: Sighting) -> str | None:
    missing = sighting.missing_words
    if not missing and _leans_too_much(sighting):
        return "most of it is said in another sentence"
    return f"does not say \u201c{missing[0].text}\u201d" if missing else None


def _leans_too_much(sighting: Sighting) -> bool:
    """Return whether a segment without a value has fewer of the words than what leads it in."""
    if sighting.frame.part.values:
        return False
    inside = [spot for spot in sighting.inside() if spot.counts]
    lent = [spot for spot in sighting.spots if spot.counts and not spot.inside]
    return not any(spot.want.literal for spot in inside) and len(lent) > len(inside)


def _of_binding(sighting: Sighting) -> str | None:
    clauses = sighting.clauses
    if clauses.paired():
        return "which value goes with which cannot be told"
    if clauses.leans() or not sighting.speaks_of_else():
        return None
    for spot in sighting.spots:
        if spot.place is None or spot.want.role in {Role.LIGHT, Role.VALUE}:
            continue
        if not spot.inside:
            if spot.want.role is Role.CONTENT:
                return f"\u201c{spot.want.shown}\u201d is not in the same sentence"
        elif (
            not clauses.together(spot.place.at) and clauses.rival_beside(spot.place.at) is not None
        ):
            return f"\u201c{spot.want.shown}\u201d stands with another value"
    return None


_TURNS = word_set("; while whereas")
_LATER_TURNS = _TURNS | word_set("but although though")


def _of_turn(sighting: Sighting) -> str | None:
    """Return a doubt where the value is said of another thing before or after a turn.

    `Contractors get 28 days; employees get 30` does not say: employees get 28 days.
    """
    frame = sighting.frame
    if not frame.part.values or sighting.anchor < 0 or frame.segment.kind is SegmentKind.BLOCK:
        return None
    first, last = _between_turns(sighting)
    if sighting.clauses.leans(first, last) or not sighting.holds_else(first, last):
        return None
    shared = next((at for at in frame.places() if frame.items[at].text == ":"), -1)
    for number, spot in enumerate(sighting.spots):
        if spot.place is None or not spot.inside or spot.want.role is not Role.CONTENT:
            continue
        here = frame.index.within(frame.core[number], first, last)
        if not here and shared < spot.place.at:
            return f"\u201c{spot.want.shown}\u201d stands with something else"
    return None


def _between_turns(sighting: Sighting) -> tuple[int, int]:
    """Return the stretch around the value that nothing else is said in.

    What comes after `but` may lean on what it is said of: it is optional but listens on 8080.
    """
    items, places, at = sighting.frame.items, sighting.frame.places(), sighting.anchor
    before = [turn + 1 for turn in range(places.start, at) if items[turn].text in _TURNS]
    after = [turn for turn in range(at, places.stop) if items[turn].text in _LATER_TURNS]
    return max(before, default=places.start), min(after, default=places.stop)


def _of_spread(sighting: Sighting) -> str | None:
    """Return a doubt where words of one clause of the fact stand in clauses on different things.

    `The north gate is open and the south gate is closed` does not say: the north gate is closed.
    """
    part, clauses = sighting.frame.part, sighting.clauses
    if part.values:
        return None
    chunks: dict[int, set[int]] = defaultdict(set)
    for spot in sighting.inside():
        if spot.place is not None and spot.counts:
            chunks[spot.want.chunk].add(clauses.chunk_of(spot.place.at))
    for number, said in chunks.items():
        if len(said) < 2 or any(clauses.leans(*clauses.chunks[chunk]) for chunk in said):
            continue
        known = part.listed | {want.stem for want in part.wants if want.chunk == number}
        if any(sighting.names_else(chunk, known) for chunk in said):
            return "what is said of what cannot be told"
    return None


def _of_denial(sighting: Sighting) -> str | None:
    denial = denial_of(sighting)
    if denial.opposed or denial.uneven:
        return "whether it is denied cannot be told"
    return None


def _of_mood(sighting: Sighting) -> str | None:
    frame, part = sighting.frame, sighting.frame.part
    if frame.segment.question:
        return "it is asked, not said"
    first = frame.segment.first
    offsets = [spot.place.at - first for spot in sighting.inside() if spot.place and spot.counts]
    polarity = frame.polarity
    if not part.conditional and all(polarity.conditional[at] for at in offsets):
        return "it is said as a condition"
    meant = part.conditional or (part.values and any(polarity.conditional[at] for at in offsets))
    if not meant and _is_conditional(sighting):
        return "it is said under a condition"
    if not (part.modal or part.hedged) and any(polarity.hedged[at] for at in offsets):
        return "it is said as possible only"
    return None


def _of_only(sighting: Sighting) -> str | None:
    frame, part = sighting.frame, sighting.frame.part
    only = has_only(frame.items, frame.segment.first, frame.segment.last)
    if part.only and not only:
        return "does not say \u201conly\u201d"
    if only and not part.only and "only" in part.tokens:
        return "says \u201conly\u201d"
    return None


_CONDITIONS = frozenset({"if", "unless", "provided"})
_NO_CONDITION = frozenset({"want", "need", "wish", "like", "prefer", "even", "not", "wonder", "as"})
# `Unless you change it` is what a thing is by default.
_CHANGED = word_set("otherwise change changed override overridden configured specified set")


def _is_conditional(sighting: Sighting) -> bool:
    """Return whether the sentence has a condition; `if you want` is none.

    A value stands under a condition of its own stretch only, and not where the condition is the
    fact's: if you run v4.2, it is 60 s.
    """
    frame = sighting.frame
    for at in range(*_between_turns(sighting)) if frame.part.values else frame.places():
        if frame.items[at].text in _CONDITIONS:
            near = {item.text for item in frame.items[max(at - 1, 0) : at + 4]}
            by_default = frame.items[at].text == "unless" and not near.isdisjoint(_CHANGED)
            return near.isdisjoint(_NO_CONDITION) and not by_default
    return False


def _of_direction(sighting: Sighting) -> str | None:
    """Return a doubt where the words may stand in another direction: A costs more than B."""
    frame = sighting.frame
    if any(_is_reversed(sighting, link, target) for link, target in frame.part.links):
        return "the direction may be another"
    known = {want.stem for want in frame.part.wants}
    order = [stem for stem in frame.part.ordered if stem in known]
    items = [frame.items[at] for at in frame.places()]
    if len(order) < 3 or any(item.text in _PASSIVE for item in items):
        return None
    found = [item.stem for item in items if item.stem in order]
    return "the direction may be another" if _is_swapped(order, found) else None


_PASSIVE = frozenset(
    {"by", "is", "are", "was", "were", "be", "been", "being", "get", "gets", "got"}
)


def _is_reversed(sighting: Sighting, link: str, target: str) -> bool:
    """Return whether a direction word leads elsewhere, and its target stands before it."""
    frame = sighting.frame
    links = [at for at in frame.places() if frame.items[at].text == link]
    if not links or any(frame.next_content(at) in {target, None} for at in links):
        return False
    return any(frame.items[at].stem == target for at in range(frame.segment.first, links[0]))


def _is_swapped(order: Sequence[str], found: Sequence[str]) -> bool:
    """Return whether the outer words changed places around a word between them."""
    places = {stem: at for at, stem in reversed(list(enumerate(found)))}
    if not all(stem in places for stem in order):
        return False
    first, last = places[order[0]], places[order[-1]]
    return last < first and any(last < places[stem] < first for stem in order[1:-1])
