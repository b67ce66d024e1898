"""One statement of a fact held against one segment of a text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from curation.metrics.anchors import Bound, Likeness
from curation.metrics.conflicts import conflict_of
from curation.metrics.doubts import doubt_of
from curation.metrics.sighting import Frame, Sighting, Spot
from curation.metrics.wording import Part, Role, Want, WantKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curation.metrics.places import Place, TextIndex
    from curation.metrics.segments import Segment

__all__ = ["Finding", "Outcome", "findings_in"]

_MOST_PIVOTS = 8
_ENOUGH = 0.49


class Outcome(IntEnum):
    """What a segment says of a statement."""

    NOTHING = 0
    DOUBT = 1
    CONFLICT = 2
    PRESENT = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """What a segment says, how much of the statement it holds, and the items that say it.

    Attributes:
        anchor: The item with the value, or else the first that was found; -1 for none.
        old: The value is what something was changed from.
    """

    outcome: Outcome
    share: float
    first: int
    last: int
    reason: str
    anchor: int = -1
    old: bool = False


def findings_in(
    index: TextIndex, segment: Segment, part: Part, found: Sequence[list[Place]]
) -> list[Finding]:
    """Return what a segment says of a statement, one finding for each place it may say it."""
    frame = Frame(index, segment, part, found)
    pivot = _pivot(frame)
    if pivot is None:
        return []
    if part.values and part.wants[pivot].role is not Role.VALUE:
        return [_without_value(frame)]
    return [_judged(_chosen(frame, pivot, place)) for place in frame.core[pivot][:_MOST_PIVOTS]]


def _pivot(frame: Frame) -> int | None:
    """Return the want to read the segment around: a value, else a literal, else the rarest."""
    ranks = [
        (_rank(want), len(frame.core[number]), number)
        for number, want in enumerate(frame.part.wants)
        if frame.core[number]
    ]
    return min(ranks)[2] if ranks else None


def _rank(want: Want) -> int:
    if want.role is Role.VALUE:
        return 0
    if want.literal:
        return 1
    return 3 if want.role is Role.LIGHT else 2


def _chosen(frame: Frame, pivot: int, place: Place) -> Sighting:
    """Pick for every want the place nearest to the pivot, in the segment before its leads."""
    spots: list[Spot] = []
    taken = {place.at}
    for number, want in enumerate(frame.part.wants):
        if number == pivot:
            spots.append(Spot(want, place, inside=True))
            continue
        words = want.kind is WantKind.WORD
        free = [other for other in frame.core[number] if words or other.at not in taken]
        if free:
            best = min(
                free,
                key=lambda other: _distance(other, place),
            )
            taken.add(best.at)
            spots.append(Spot(want, best, inside=True))
        else:
            leads = frame.lead[number]
            spots.append(Spot(want, leads[0] if leads else None, inside=False))
    return Sighting(frame, spots)


def _distance(other: Place, pivot: Place) -> tuple[bool, bool, int]:
    """Return how badly a place fits: a denial or a likeness last, then the far ones."""
    return other.flipped, other.likeness is not Likeness.SAME, abs(other.at - pivot.at)


def _judged(sighting: Sighting) -> Finding:
    first, last = sighting.extent
    conflict = conflict_of(sighting)
    if conflict is not None:
        reason, at = conflict
        quantity = sighting.frame.items[at].quantity
        old = quantity is not None and quantity.bound is Bound.OLD
        return Finding(Outcome.CONFLICT, sighting.share, at, at, reason, sighting.anchor, old)
    doubt = doubt_of(sighting)
    if doubt is not None:
        return Finding(Outcome.DOUBT, sighting.share, first, last, doubt, sighting.anchor)
    values = sighting.frame.part.values
    reason = f"says {values[0].shown}" if values else "says so"
    return Finding(Outcome.PRESENT, sighting.share, first, last, reason, sighting.anchor)


def _without_value(frame: Frame) -> Finding:
    """Return the conflict of a segment with the words and another value; else nothing."""
    rest = [
        number
        for number, want in enumerate(frame.part.wants)
        if want.role in {Role.CONTENT, Role.SCOPE}
    ]
    held = sum(bool(frame.core[number] or frame.lead[number]) for number in rest)
    share = held / len(rest) if rest else 0.0
    wanted = frame.part.values[0]
    if frame.rivals and share > _ENOUGH:
        at = frame.rivals[0]
        reason = f"{frame.shown(at)} instead of {wanted.shown}"
        return Finding(Outcome.CONFLICT, share, at, at, reason, at)
    return Finding(Outcome.NOTHING, share, frame.segment.first, frame.segment.first, "")
