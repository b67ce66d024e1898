"""Two edits of one case brought together, by field, fact and evidence item.

What only one side touched merges by itself; what both touched differently is for a person.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from curation.domain.case import Case, Evidence, Fact, FactKind

_BY_ITEM = frozenset({"facts", "evidence"})
# A reason without the status, or the status without the reason, is no case.
_TOGETHER = ("status", "retired")


class Side(StrEnum):
    """Whose value is taken."""

    THEIRS = "theirs"
    MINE = "mine"


@dataclass(frozen=True, kw_only=True)
class MergeConflict:
    """A place that both sides touched: a field, `facts.f1` or `evidence.e1`, as JSON values.

    A fact's value carries its kind beside it; None means that the side does not have it.
    """

    place: str
    base: Any
    theirs: Any
    mine: Any


@dataclass(frozen=True, kw_only=True)
class Merge:
    """The merged draft; where there is a conflict it holds my value.

    `from_theirs` and `from_mine` list the places that merged by themselves.
    """

    case: Case
    base: Case
    theirs: Case
    mine: Case
    conflicts: tuple[MergeConflict, ...]
    from_theirs: tuple[str, ...]
    from_mine: tuple[str, ...]


_Places = dict[str, Any]


def merge_cases(base: Case, theirs: Case, mine: Case) -> Merge:
    """Return the three-way merge of two edits of a case."""
    sides = _places(base), _places(theirs), _places(mine)
    merged, conflicts, taken = _merged(*sides)
    merged, dangling = _without_dangling(merged, *sides)
    conflicts += [place for place in dangling if place not in conflicts]
    return Merge(
        case=_case(merged, (theirs, mine, base)),
        base=base,
        theirs=theirs,
        mine=mine,
        conflicts=tuple(_conflict(place, *sides) for place in conflicts),
        from_theirs=tuple(p for p in taken[Side.THEIRS] if p not in conflicts),
        from_mine=tuple(p for p in taken[Side.MINE] if p not in conflicts),
    )


def resolve(merge: Merge, choices: Mapping[str, Side]) -> Case:
    """Return the merged case with a side chosen for each place in conflict.

    A place that is not chosen keeps my value.
    """
    places = _places(merge.case)
    theirs, mine = _places(merge.theirs), _places(merge.mine)
    for conflict in merge.conflicts:
        side = theirs if choices.get(conflict.place) is Side.THEIRS else mine
        places.pop(conflict.place, None)
        if conflict.place in side:
            places[conflict.place] = side[conflict.place]
    return _case(places, (merge.theirs, merge.mine, merge.base))


def _places(case: Case) -> _Places:
    """Return every place of a case with its value."""
    fields = case.model_dump(mode="json")
    places: _Places = {name: item for name, item in fields.items() if name not in _BY_ITEM}
    places["status"] = tuple(places.pop(name) for name in _TOGETHER)
    for kind, fact in case.facts.each:
        places[f"facts.{fact.id}"] = (kind, fact)
    for item in case.evidence:
        places[f"evidence.{item.id}"] = item
    return places


def _merged(
    base: _Places, theirs: _Places, mine: _Places
) -> tuple[_Places, list[str], dict[Side, list[str]]]:
    """Return the merged places, the conflicts, and what was taken from each side."""
    merged: _Places = {}
    conflicts: list[str] = []
    taken: dict[Side, list[str]] = {Side.THEIRS: [], Side.MINE: []}
    for place in dict.fromkeys((*base, *theirs, *mine)):
        was, a, b = base.get(place), theirs.get(place), mine.get(place)
        if a != b and was not in (a, b):
            conflicts.append(place)
        elif a != b:
            taken[Side.THEIRS if b == was else Side.MINE].append(place)
        chosen = a if b == was else b
        if chosen is not None or place in _NULLABLE:
            merged[place] = chosen
    return merged, conflicts, taken


_NULLABLE = frozenset(Case.model_fields) - _BY_ITEM


def _without_dangling(
    merged: _Places, base: _Places, theirs: _Places, mine: _Places
) -> tuple[_Places, list[str]]:
    """Bring back what one side removed while the other still refers to it."""
    wanted = [place for place in _referred(merged) if place not in merged]
    back = {}
    for place in wanted:
        for side in (mine, theirs, base):
            if place in side:
                back[place] = side[place]
                break
    return {**merged, **back}, list(back)


def _referred(places: _Places) -> Iterator[str]:
    for place, item in places.items():
        if place.startswith("facts."):
            _, fact = item
            yield from (f"evidence.{name}" for name in fact.evidence)
            yield from (f"facts.{name}" for name in fact.from_)


def _conflict(place: str, base: _Places, theirs: _Places, mine: _Places) -> MergeConflict:
    was, a, b = (_shown(side.get(place)) for side in (base, theirs, mine))
    return MergeConflict(place=place, base=was, theirs=a, mine=b)


def _shown(value: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, Evidence):
        return value.model_dump(mode="json")
    if isinstance(value, tuple) and isinstance(value[1], Fact):
        return {"kind": value[0].value, **value[1].model_dump(mode="json")}
    return list(value) if isinstance(value, tuple) else value


def _case(places: _Places, sides: tuple[Case, ...]) -> Case:
    """Return the case of the places; items in the order of the first side, then of the others."""
    document = {name: item for name, item in places.items() if "." not in name}
    document |= dict(zip(_TOGETHER, document.pop("status"), strict=True))
    facts: dict[str, list[dict[str, Any]]] = {kind.value: [] for kind in FactKind}
    for place in _order(sides, "facts."):
        if place in places:
            kind, fact = places[place]
            facts[kind.value].append(fact.model_dump(mode="json"))
    document["facts"] = facts
    document["evidence"] = [
        places[place].model_dump(mode="json")
        for place in _order(sides, "evidence.")
        if place in places
    ]
    return Case.model_validate(document)


def _order(sides: tuple[Case, ...], start: str) -> list[str]:
    found = (place for side in sides for place in _places(side) if place.startswith(start))
    return list(dict.fromkeys(found))
