"""Of which version, or of what else, a text says a value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from curation.metrics.clauses import Clauses
from curation.metrics.columns import head_of
from curation.metrics.content import is_content
from curation.metrics.items import read_items
from curation.metrics.lexicon import word_set
from curation.metrics.mentions import Mention, is_version, mentions_in, version_numbers
from curation.metrics.polarity import says_used_to
from curation.metrics.segments import SegmentKind
from curation.metrics.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from curation.metrics.items import Item
    from curation.metrics.places import TextIndex
    from curation.metrics.segments import Segment
    from curation.metrics.window import Finding

__all__ = ["Asked", "Standing", "standing_of"]


class Standing(StrEnum):
    """How a value stands to the question's version."""

    ASSERTED = "asserted"
    ATTRIBUTED = "attributed"
    DOUBTFUL = "doubtful"


@dataclass(frozen=True, slots=True)
class Asked:
    """The version the question asks about, and whose value the forbidden fact is."""

    value_of: str | None
    version: str | None


def standing_of(index: TextIndex, finding: Finding, asked: Asked) -> Standing:
    """Return whether a value is said of the question's version, of another, or one cannot tell."""
    items = index.reading.items
    anchor = finding.anchor if finding.anchor >= 0 else finding.first
    segment = index.reading.segments[max(index.segment_of[anchor], 0)]
    clauses = _clauses(items, segment, anchor)
    first, last = clauses.around(anchor)
    named = _by_name(index, segment, items[first:last], asked, anchor)
    if named is not None:
        return named
    home = clauses.home()
    past = _is_past([item.text for item in items[first:last]])
    if past and not list(mentions_in(items, *home, skip=anchor)):
        return Standing.ATTRIBUTED
    mentions = list(mentions_in(items, first, last, skip=anchor))
    if mentions:
        return _by_mentions(mentions, asked)
    before = list(mentions_in(items, segment.first, first, skip=anchor))
    if before:
        return _by_mentions(before[-1:], asked)
    return _by_leads(index, segment, asked, anchor)


def _clauses(items: Sequence[Item], segment: Segment, anchor: int) -> Clauses:
    """Return the clauses of a segment, the other values of the kind at the anchor set apart."""
    rivals = [
        at
        for at in range(segment.first, segment.last)
        if at != anchor and _stands_beside(items[at], items[anchor])
    ]
    if items[anchor].quantity is None and len(rivals) == 1:
        rivals = []
    return Clauses(items, segment, rivals, anchor)


def _stands_beside(other: Item, value: Item) -> bool:
    """Return whether an item is another value of the kind; beside a word, a version is."""
    if other.quantity is None:
        return False
    if value.quantity is None:
        return is_version(other)
    if is_version(other):
        return False
    same_kind = other.quantity.kind is value.quantity.kind
    return same_kind and other.quantity.dimension == value.quantity.dimension


# Words of a name that many names share.
_GENERIC = frozenset(
    stem(word)
    for word in word_set(
        "plan version edition tier handbook guide policy document contract release model package"
    )
)


def _by_name(
    index: TextIndex, segment: Segment, clause: Sequence[Item], asked: Asked, anchor: int
) -> Standing | None:
    """Decide for the value of a thing that is no version: the Starter plan."""
    if asked.value_of is None or version_numbers(asked.value_of) is not None:
        return None
    named = read_items(asked.value_of)[1]
    wanted = {item.stem or item.text for item in named if is_content(item) or item.quantity}
    wanted = wanted - _GENERIC or wanted
    if not wanted or any(is_version(item) for item in named):
        return None
    said = {item.stem or item.text for item in clause}
    around = {
        item.stem or item.text
        for first, last in _leads(index, segment, anchor)
        for item in index.reading.items[first:last]
    }
    if wanted <= said | around:
        return Standing.ATTRIBUTED
    return Standing.DOUBTFUL if wanted & said else None


def _by_mentions(mentions: Sequence[Mention], asked: Asked) -> Standing:
    """Decide by the versions named in the value's clause."""
    if asked.version is None:
        other = asked.value_of is not None
        spoken = other and any(mention.covers(asked.value_of or "") for mention in mentions)
        return Standing.ATTRIBUTED if spoken else Standing.ASSERTED
    covers = [mention.covers(asked.version) for mention in mentions]
    if all(cover is False for cover in covers):
        return Standing.ATTRIBUTED
    return Standing.ASSERTED if all(covers) else Standing.DOUBTFUL


_PAST = word_set(
    "previously formerly historically originally former legacy outdated obsolete predecessor"
)
_NOW = word_set("now currently today nowadays current new latest still")
_OLDER = word_set("old older earlier previous prior past")
_EDITIONS = word_set(
    """
    version versions release releases edition editions plan plans policy value default limit setting
    documentation docs handbook generation generations model models rule rules ones manual
    """
)


def _is_past(texts: Sequence[str]) -> bool:
    """Return whether a clause that names no version speaks of earlier times."""
    words = set(texts)
    if words & _NOW:
        return False
    older = any(one in _OLDER and two in _EDITIONS for one, two in pairwise(texts))
    edge = "before" in {texts[0], texts[-1]} if texts else False
    return older or edge or says_used_to(texts) or bool(words & _PAST)


def _by_leads(index: TextIndex, segment: Segment, asked: Asked, anchor: int) -> Standing:
    """Decide by the headings and sentences that lead the value's segment in."""
    for first, last in _leads(index, segment, anchor):
        mentions = list(mentions_in(index.reading.items, first, last))
        if mentions:
            return _by_mentions(mentions[-1:], asked)
    return Standing.ASSERTED


def _leads(index: TextIndex, segment: Segment, anchor: int) -> Iterator[tuple[int, int]]:
    """Yield what leads a segment in; of the heads of a table only that over the value."""
    for lead in segment.leads:
        stretch = index.reading.segments[lead]
        if stretch.kind is SegmentKind.ROW:
            yield head_of(index.reading.items, stretch, segment, anchor)
        else:
            yield stretch.first, stretch.last
