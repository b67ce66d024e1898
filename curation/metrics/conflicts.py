"""Why a segment says something other than a fact: denied, another version, another value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.metrics.anchors import Bound, Comparator, Likeness, Quantity, QuantityKind, compare
from curation.metrics.columns import frames_value, value_in_cell
from curation.metrics.denial import denial_of
from curation.metrics.polarity import is_negation
from curation.metrics.times import is_over
from curation.metrics.wording import Role, Want, WantKind
from curation.metrics.words import opposite_of, stem, word_set

if TYPE_CHECKING:
    from curation.metrics.items import Item
    from curation.metrics.sighting import Sighting

__all__ = ["Conflict", "conflict_of"]

Conflict = tuple[str, int]
"""The reason and the item that gives it."""


def conflict_of(sighting: Sighting) -> Conflict | None:
    """Return why the segment says otherwise, and where; None where it does not."""
    if sighting.clauses.paired():
        return None
    return (
        _denied(sighting)
        or _opposed(sighting)
        or _turned(sighting)
        or _other_scope(sighting)
        or _scope_of_else(sighting)
        or value_in_cell(sighting)
        or _other_bound(sighting)
        or _bound_elsewhere(sighting)
    )


def _denied(sighting: Sighting) -> Conflict | None:
    missing = sighting.missing_words
    if any(sighting.frame.items[at].text in _LACKING for at in sighting.frame.places()):
        missing = [want for want in missing if want.stem not in _LINKING]
    if missing or sighting.missing_values:
        return None
    if sighting.missing_words and not _says_much(sighting):
        return None
    denial = denial_of(sighting)
    if not denial.opposed or denial.uneven:
        return None
    return ("the text denies it" if denial.denied else "the text does not deny it"), denial.at


# Verbs that only tie a thing to what has it: without support, no support is included.
_LINKING = frozenset(
    stem(word) for word in word_set("include available offer provide come supply exist give")
)


_LACKING = frozenset({"without", "no", "lacks", "lack", "lacking", "excluding", "except"})


def _says_much(sighting: Sighting) -> bool:
    """Return whether more was found than a word that only ties others."""
    return any(spot.want.stem not in _LINKING for spot in sighting.inside() if spot.counts)


def _opposed(sighting: Sighting) -> Conflict | None:
    """Return a conflict where all is there but one word, and its opposite stands instead."""
    missing = sighting.missing_words
    if len(missing) != 1 or sighting.missing_values:
        return None
    frame = sighting.frame
    for at in frame.index.opposites(missing[0]):
        if at not in frame.places():
            continue
        itself = is_negation(frame.items, at, frame.segment.last)
        if frame.polarity.denied[at - frame.segment.first] != frame.part.denied and not itself:
            return None
        return f"{frame.items[at].text} instead of {missing[0].text}", at
    return None


def _turned(sighting: Sighting) -> Conflict | None:
    """Return a conflict between before noon and after noon."""
    if sighting.missing_words:
        return None
    frame = sighting.frame
    stems = {frame.items[at].stem for at in frame.places()}
    for link, target in frame.part.links:
        opposites = opposite_of(stem(link))
        if stem(link) in stems or stems.isdisjoint(opposites):
            continue
        for at in frame.places():
            if frame.items[at].stem in opposites and frame.next_content(at) == target:
                return f"{frame.items[at].text} instead of {link}", at
    return None


_ENOUGH = 0.3


def _other_scope(sighting: Sighting) -> Conflict | None:
    """Return a conflict where the value stands beside another version or flag than wanted."""
    if sighting.share < _ENOUGH or any(
        spot.want.literal and not spot.inside for spot in sighting.spots
    ):
        return None
    for spot in sighting.spots:
        if spot.want.role is not Role.SCOPE:
            continue
        if spot.place is not None and spot.inside and sighting.clauses.together(spot.place.at):
            continue
        rival = _rival_scope(sighting, spot.want)
        if rival is not None:
            return f"{sighting.frame.shown(rival)} instead of {spot.want.shown}", rival
    return None


def _rival_scope(sighting: Sighting, want: Want) -> int | None:
    """Return another version or flag in the value's clause; what the fact wants itself is none."""
    items = sighting.frame.items
    wanted = {spot.place.at for spot in sighting.inside() if spot.place is not None}
    for at in range(sighting.clauses.first, sighting.clauses.last):
        if at in wanted:
            continue
        quantity = items[at].quantity
        if want.quantity is not None and quantity is not None:
            rival = compare(want.quantity, quantity) is Likeness.RIVAL
            if rival and _scopes_alike(want.quantity, quantity):
                return at
        elif want.kind is WantKind.IDENT and _rival_idents(want, items[at]):
            return at
    return None


def _rival_idents(want: Want, item: Item) -> bool:
    return item.stem != want.stem and _same_shape(want.text, item.text)


def _scopes_alike(wanted: Quantity, found: Quantity) -> bool:
    if wanted.kind is QuantityKind.NUMBER and not wanted.named:
        return found.kind is QuantityKind.NUMBER and found.unit is None and not found.nouns
    if found.kind is not QuantityKind.VERSION and not found.named:
        return False
    return _is_dotted(wanted) == _is_dotted(found)


def _is_dotted(quantity: Quantity) -> bool:
    return "." in (quantity.version_key or next(iter(quantity.keys), ""))


def _same_shape(one: str, two: str) -> bool:
    """Return whether two identifiers are of one family: two flags, two file names, two codes."""
    if one.startswith("--") or two.startswith("--"):
        return one.startswith("--") and two.startswith("--")
    if ("_" in one) != ("_" in two) or ("." in one) != ("." in two):
        return False
    return "_" in one or _shape(one) == _shape(two)


def _shape(text: str) -> str:
    return "".join("9" if char.isdigit() else "a" if char.isalpha() else char for char in text)


_UPPER = frozenset({Comparator.AT_MOST, Comparator.BELOW, Comparator.WITHIN})
_LOWER = frozenset({Comparator.AT_LEAST, Comparator.ABOVE})


def _opposite(wanted: Comparator, found: Comparator) -> bool:
    return (wanted in _UPPER and found in _LOWER) or (wanted in _LOWER and found in _UPPER)


def _scope_of_else(sighting: Sighting) -> Conflict | None:
    """Return a conflict where the words stand with another version: removed in v3.6, not v3.4."""
    clauses, part = sighting.clauses, sighting.frame.part
    if part.values or not part.scopes or clauses.leans() or not sighting.speaks_of_else():
        return None
    for spot in sighting.inside():
        if (
            spot.place is None
            or spot.want.role is not Role.CONTENT
            or clauses.together(spot.place.at)
        ):
            continue
        rival = clauses.rival_beside(spot.place.at)
        if rival is not None:
            there = sighting.frame.shown(rival)
            return f"\u201c{spot.want.shown}\u201d is said of {there}", rival
    return None


def _other_bound(sighting: Sighting) -> Conflict | None:
    """Return a conflict where the value bounds the other way or counts by another thing."""
    for spot in sighting.spots:
        wanted, found = spot.want.quantity, sighting.quantity(spot)
        if (
            wanted is None
            or found is None
            or spot.place is None
            or spot.want.role is not Role.VALUE
        ):
            continue
        if _opposite(wanted.comparator, found.comparator):
            return f"{found.bounded} instead of {wanted.bounded}", spot.place.at
        other_rate = wanted.per and found.per and wanted.per != found.per
        if other_rate and spot.place.likeness is Likeness.SAME:
            return f"per {found.per} instead of per {wanted.per}", spot.place.at
        if found.bound is Bound.OLD and wanted.bound is Bound.NONE:
            return f"{found.text} is the old value", spot.place.at
    return None


def _bound_elsewhere(sighting: Sighting) -> Conflict | None:
    """Return a conflict where the words stand with a rival value, not with the wanted one."""
    clauses, part = sighting.clauses, sighting.frame.part
    if not part.values or clauses.leans():
        return None
    for spot in sighting.inside():
        if spot.place is None or spot.want.role not in {Role.CONTENT, Role.SCOPE}:
            continue
        if clauses.together(spot.place.at):
            continue
        rival = clauses.rival_beside(spot.place.at)
        if rival is None or is_over(sighting, rival) or frames_value(sighting, spot.place.at):
            continue
        if _holds_all(sighting, spot.place.at):
            there = sighting.frame.shown(rival)
            return f"{there} there, {part.values[0].shown} is said of something else", rival
    return None


def _holds_all(sighting: Sighting, at: int) -> bool:
    """Return whether the clause of an item holds all words and scopes of the statement."""
    frame, clauses = sighting.frame, sighting.clauses
    first, last = clauses.around(at)
    return all(
        frame.index.within(frame.core[number], first, last)
        or frame.index.within(frame.core[number], clauses.shared_first, clauses.shared_last)
        for number, want in enumerate(frame.part.wants)
        if want.role in {Role.CONTENT, Role.SCOPE}
    )
