"""A conflict in three sides: what it was, what they wrote, what you wrote, and your choice."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from curation.domain.case import Evidence, FactKind
from curation.domain.change import Change
from curation.domain.merge import MergeConflict
from curation.domain.plural import plural
from curation.services.conflicts import ThreeSides, can_be_written_anew
from curation.ui.case_view import KIND_WORDS, evidence_words
from curation.ui.changes_view import place_words
from curation.ui.tree import Child, Node, button, node

ANEW_FIELD = "anew:"


class Choice(StrEnum):
    """What a person chose for one place."""

    THEIRS = "theirs"
    MINE = "mine"
    ANEW = "anew"


def open_places(sides: ThreeSides, chosen: Mapping[str, Choice]) -> tuple[str, ...]:
    """Return the places that nobody chose for yet, in order."""
    return tuple(c.place for c in sides.merge.conflicts if c.place not in chosen)


def current_place(sides: ThreeSides, chosen: Mapping[str, Choice]) -> str:
    """Return the place that the keys 1 to 3 choose for: the first open one, else the last."""
    return next(iter(open_places(sides, chosen)), sides.merge.conflicts[-1].place)


def draw_conflict(
    change: Change, sides: ThreeSides, chosen: Mapping[str, Choice], *, mine: bool
) -> list[Child]:
    """Return every place that both sides touched, with its three sides and the choice."""
    here = current_place(sides, chosen)
    return [
        node("p", _sentence(change, sides, mine=mine), cls="cur-literal"),
        *(
            _place(change, sides, conflict, chosen.get(conflict.place), here=here, mine=mine)
            for conflict in sides.merge.conflicts
        ),
        *_merged(sides),
    ]


def _sentence(change: Change, sides: ThreeSides, *, mine: bool) -> str:
    """Return what happened and what choosing does."""
    began = "you" if mine else change.latest.author.name
    who = sides.their_author.name if sides.their_author else "Somebody"
    number = len(sides.merge.conflicts)
    merged = len(sides.merge.from_theirs) + len(sides.merge.from_mine)
    return (
        f"{change.case_id} changed in {sides.their_version or 'a newer version'} after {began} "
        f"began. Nothing was overwritten. {who} wrote the other side: {plural(number, 'field')} "
        f"{'meets' if number == 1 else 'meet'}, {merged} more merged without conflict. Choose for "
        f"each; choosing makes patch set {change.latest.number + 1} and voids earlier approvals."
    )


def _place(
    change: Change,
    sides: ThreeSides,
    conflict: MergeConflict,
    choice: Choice | None,
    *,
    here: str,
    mine: bool,
) -> Node:
    """Return one place in conflict."""
    author = f", {sides.their_author.name}" if sides.their_author else ""
    rows = (
        (f"Was ({sides.base_version or 'before'})", conflict.base),
        (f"Theirs ({sides.their_version or 'now'}{author})", conflict.theirs),
        (f"Yours (patch set {change.latest.number})", conflict.mine),
    )
    return node(
        "section",
        node("h3", place_words(conflict.place)),
        *(
            node(
                "div",
                node("span", label, cls="cur-soft"),
                node("span", shown_value(value), cls="cur-literal"),
                cls="cur-side",
            )
            for label, value in rows
        ),
        *(_choices(sides, conflict, choice, keyed=conflict.place == here) if mine else []),
        *(_anew(change, conflict) if choice is Choice.ANEW else []),
        cls="cur-place cur-here" if mine and conflict.place == here else "cur-place",
        id=f"place-{conflict.place}",
        aria_label=place_words(conflict.place),
    )


def _choices(
    sides: ThreeSides, conflict: MergeConflict, choice: Choice | None, *, keyed: bool
) -> list[Child]:
    """Return the buttons of one place; only the place that the keys choose for shows them."""
    offered = [(Choice.THEIRS, "Keep theirs", "1"), (Choice.MINE, "Keep yours", "2")]
    if can_be_written_anew(sides, conflict.place):
        offered.append((Choice.ANEW, "Write it anew", "3"))
    buttons = [
        button(
            label,
            "choose",
            arg=f"{one.value}:{conflict.place}",
            key=key if keyed else "",
            aria_pressed=str(one is choice).lower(),
        )
        for one, label, key in offered
    ]
    return [node("div", *buttons, cls="cur-choices", role="group", aria_label="Your choice")]


def _anew(change: Change, conflict: MergeConflict) -> list[Child]:
    """Return the field in which a place is written anew, beginning with your words."""
    name = f"{ANEW_FIELD}{conflict.place}"
    slot = f"anew-{change.shown_number}-{change.latest.number}-{conflict.place}"
    start = conflict.mine if conflict.mine is not None else conflict.theirs
    words = start.get("text", "") if isinstance(start, dict) else str(start)
    return [
        node("label", "Written anew", for_=slot),
        node("textarea", words, id=slot, rows=3, data_field=name, data_keep=slot),
    ]


def _merged(sides: ThreeSides) -> list[Child]:
    """Return what merged by itself."""
    lines = [f"{place_words(p)}: theirs" for p in sides.merge.from_theirs]
    lines += [f"{place_words(p)}: yours" for p in sides.merge.from_mine]
    if not lines:
        return []
    return [node("h3", "Merged without conflict"), node("ul", *(node("li", one) for one in lines))]


def shown_value(value: Any) -> str:  # noqa: ANN401 - any JSON
    """Return a value of a place as people read it."""
    if value is None:
        return "(not there)"
    if isinstance(value, dict):
        return _item(value)
    if isinstance(value, list):
        return "\n".join(shown_value(item) for item in value if item is not None) or "(empty)"
    return str(value) or "(empty)"


def _item(value: Mapping[str, Any]) -> str:
    """Return a fact, an evidence item or another object as people read it."""
    if "chunk_id" in value:
        return evidence_words(Evidence.model_validate(value))
    if "text" not in value:
        return ", ".join(f"{name} {shown_value(part)}" for name, part in value.items() if part)
    kind = f"{KIND_WORDS[FactKind(value['kind'])]}: " if "kind" in value else ""
    version = f" (value of {value['value_of']})" if value.get("value_of") else ""
    also: Sequence[str] = value.get("any_of") or ()
    wordings = f" (also {' / '.join(also)})" if also else ""
    return f"{kind}{value['text']}{version}{wordings}"
