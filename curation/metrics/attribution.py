"""Of which version, or of what else, a text says a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from curation.metrics.anchors import QuantityKind
from curation.metrics.clauses import Clauses
from curation.metrics.items import Item, read_items
from curation.metrics.segments import Segment, SegmentKind
from curation.metrics.versions import normal_version, same_version
from curation.metrics.wording import Part, is_content
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curation.metrics.window import Finding
    from curation.metrics.places import TextIndex
    from collections.abc import Iterator, Sequence

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


class Reach(StrEnum):
    """Which versions a mention speaks of."""

    EXACT = "exact"
    UP = "and later"
    DOWN = "and earlier"
    UNDER = "earlier only"


@dataclass(frozen=True, slots=True)
class _Mention:
    """A version named in a text and which others it takes in."""

    name: str
    at: int
    reach: Reach = Reach.EXACT

    def covers(self, version: str) -> bool | None:
        """Return whether the mention speaks of a version; None where it cannot be told."""
        if same_version(self.name, version):
            return self.reach is not Reach.UNDER
        mine, other = _numbers(self.name), _numbers(version)
        if mine is None or other is None:
            return None
        shorter = min(len(mine), len(other))
        if mine[:shorter] == other[:shorter] and self.reach is not Reach.UNDER:
            return None if self.reach is Reach.EXACT else True
        if self.reach is Reach.UP:
            return other > mine
        if self.reach in {Reach.DOWN, Reach.UNDER}:
            return other < mine
        return False


def _numbers(name: str) -> tuple[int, ...] | None:
    parts = normal_version(name).split(".")
    if not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
        return None
    return tuple(int(part) for part in parts)


_PAST = frozenset(
    "previously formerly earlier old older past former legacy historically originally outdated obsolete "
    "prior used before predecessor".split()
)
_NOW = frozenset("now currently today nowadays current new latest".split())


def standing_of(index: TextIndex, finding: Finding, asked: Asked, part: Part) -> Standing:
    """Return whether a value is said of the question's version, of another, or one cannot tell."""
    segment = _segment(index, finding)
    clause = _clause(index, segment, finding)
    own = {want.quantity.span for want in part.wants if want.quantity is not None}
    del own
    named = _by_name(index, segment, clause, asked)
    if named is not None:
        return named
    mentions = list(_mentions(index.reading.items, *clause, skip=finding.anchor))
    if mentions:
        return _by_mentions(mentions, asked, finding.anchor)
    if _is_past(index.reading.items, *clause):
        return Standing.ATTRIBUTED
    return _by_surroundings(index, segment, clause, asked, finding)


def _segment(index: TextIndex, finding: Finding) -> Segment:
    number = index.segment_of[finding.anchor if finding.anchor >= 0 else finding.first]
    return index.reading.segments[max(number, 0)]


def _clause(index: TextIndex, segment: Segment, finding: Finding) -> tuple[int, int]:
    """Return the stretch around the value that no other value and no other version shares."""
    items = index.reading.items
    anchor = finding.anchor if finding.anchor >= 0 else finding.first
    value = items[anchor].quantity
    rivals = [
        at
        for at in range(segment.first, segment.last)
        if at != anchor and _rivals(value is not None, items, at, anchor)
    ]
    return Clauses(items, segment, rivals, anchor).around(anchor)


def _rivals(typed: bool, items: Sequence[Item], at: int, anchor: int) -> bool:
    """Return whether an item is another value of the kind at the anchor, or any value for a word."""
    quantity, value = items[at].quantity, items[anchor].quantity
    if quantity is None or _is_version(items[at]):
        return not typed and quantity is not None
    if value is None:
        return True
    return quantity.kind is value.kind and quantity.dimension == value.dimension


def _is_version(item: Item) -> bool:
    quantity = item.quantity
    return quantity is not None and (quantity.kind is QuantityKind.VERSION or quantity.named)


def _by_name(
    index: TextIndex, segment: Segment, clause: tuple[int, int], asked: Asked
) -> Standing | None:
    """Decide for a value of a thing that is no version: the Starter plan."""
    if asked.value_of is None or _numbers(asked.value_of) is not None:
        return None
    if any(_is_version(item) for item in read_items(asked.value_of)[1]):
        return None
    wanted = [item.stem for item in read_items(asked.value_of)[1] if is_content(item)]
    stems = {item.stem for item in index.reading.items[clause[0] : clause[1]]}
    if wanted and stems.issuperset(wanted):
        return Standing.ATTRIBUTED
    around = {
        item.stem
        for lead in segment.leads
        for item in index.reading.items[
            index.reading.segments[lead].first : index.reading.segments[lead].last
        ]
    }
    if wanted and (stems | around).issuperset(wanted):
        return Standing.ATTRIBUTED
    distinct = stems & set(wanted)
    return Standing.DOUBTFUL if distinct and len(wanted) > 1 and wanted[0] in distinct else None


def _mentions(
    items: Sequence[Item], first: int, last: int, *, skip: int = -1
) -> Iterator[_Mention]:
    for at in range(first, last):
        quantity = items[at].quantity
        if at == skip or quantity is None or not _is_version(items[at]):
            continue
        name = next(iter(quantity.keys), quantity.version_key)
        yield _Mention(name, at, _reach(items, at, first))


_UP_BEFORE = frozenset({"since", "from", "starting", "beginning", "as"})
_DOWN_BEFORE = frozenset({"to", "until", "through", "till"})
_LATER = frozenset({"later", "newer", "above", "onward", "onwards", "up", "higher", "on"})
_EARLIER = frozenset({"earlier", "older", "below", "lower", "prior"})


def _reach(items: Sequence[Item], at: int, first: int) -> Reach:
    before = [item.text for item in items[max(at - 4, first) : at]]
    after = [item.text for item in items[at + 1 : at + 4]]
    near = before[-1] if before else ""
    if (
        near in {"version", "release", "etcd"}
        or near.isalpha()
        and len(before) > 1
        and near not in _UP_BEFORE | _DOWN_BEFORE | {"before"}
    ):
        near = (
            before[-2]
            if len(before) > 1
            and before[-2] in _UP_BEFORE | _DOWN_BEFORE | {"before", "than", "with", "of"}
            else near
        )
    if (
        near == "before"
        or (near == "to" and "prior" in before)
        or (near == "than" and "older" in before)
    ):
        return Reach.UNDER
    if near in _UP_BEFORE or (near in {"with", "of"} and _UP_BEFORE & set(before)):
        return Reach.UP
    if near in _DOWN_BEFORE and ("up" in before or near != "to"):
        return Reach.DOWN
    return _reach_after(after)


def _reach_after(after: Sequence[str]) -> Reach:
    if after[:1] == ["+"]:
        return Reach.UP
    if len(after) > 1 and after[0] in {"and", "or"} and after[1] in _LATER:
        return Reach.UP
    if len(after) > 1 and after[0] in {"and", "or"} and after[1] in _EARLIER:
        return Reach.DOWN
    if after[:1] and after[0] in {"onward", "onwards"}:
        return Reach.UP
    return Reach.EXACT


def _by_mentions(mentions: Sequence[_Mention], asked: Asked, anchor: int) -> Standing:
    """Decide by the versions named in the value's clause."""
    if asked.version is None:
        return _without_question(mentions, asked)
    covers = [mention.covers(asked.version) for mention in mentions]
    if len(covers) == 2 and _is_span(mentions):
        inside = mentions[0].covers(asked.version), mentions[1].covers(asked.version)
        return Standing.ASSERTED if any(inside) else Standing.DOUBTFUL
    if all(cover is False for cover in covers):
        return Standing.ATTRIBUTED
    if all(covers):
        return Standing.ASSERTED
    if None in covers:
        return Standing.DOUBTFUL
    nearest = min(mentions, key=lambda mention: abs(mention.at - anchor))
    del nearest
    return Standing.DOUBTFUL


def _is_span(mentions: Sequence[_Mention]) -> bool:
    return mentions[1].at - mentions[0].at == 2


def _without_question(mentions: Sequence[_Mention], asked: Asked) -> Standing:
    if asked.value_of is not None and any(mention.covers(asked.value_of) for mention in mentions):
        return Standing.ATTRIBUTED
    return Standing.DOUBTFUL if asked.value_of is not None else Standing.ASSERTED


def _is_past(items: Sequence[Item], first: int, last: int) -> bool:
    """Return whether a clause without a version speaks of earlier times."""
    texts = [item.text for item in items[first:last]]
    words = set(texts)
    if words & _NOW:
        return False
    if "used" in words and "to" not in words:
        words.discard("used")
    if "before" in words and texts[-1] != "before" and texts[0] != "before":
        words.discard("before")
    return bool(words & _PAST)


def _by_surroundings(
    index: TextIndex, segment: Segment, clause: tuple[int, int], asked: Asked, finding: Finding
) -> Standing:
    """Decide by the versions before the clause in its sentence, then by what leads it in."""
    items = index.reading.items
    before = list(_mentions(items, segment.first, clause[0], skip=finding.anchor))
    if before and segment.kind is not SegmentKind.BLOCK:
        return _by_mentions(before[-1:], asked, finding.anchor)
    for lead in segment.leads:
        stretch = index.reading.segments[lead]
        mentions = list(_mentions(items, stretch.first, stretch.last))
        if mentions:
            return _by_mentions(mentions[-1:], asked, finding.anchor)
    return Standing.ASSERTED
