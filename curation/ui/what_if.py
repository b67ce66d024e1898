"""The panel that tries other weights of the priority on what people said so far."""

from collections.abc import Iterable

import streamlit as st

from curation.config import CONFIG_FILE, PrioritySettings, Settings
from curation.services.queue_yield import Moved, WhatIf, what_if
from curation.services.workspace import Workspace
from curation.ui.tree import Child, Node, node
from curation.ui.view import view

WEIGHTS = (
    ("correction", "Correction"),
    ("escalation", "Escalation"),
    ("thumbs_down", "Thumbs down"),
    ("reformulation", "Reformulation"),
    ("abandoned", "Abandoned"),
    ("follow_up", "Follow-up"),
    ("thumbs_up", "Thumbs up"),
    ("judge_weight", "Judge"),
    ("hole_weight", "Hole of the coverage"),
)
COLUMNS = 3
NOBODY = (
    "Nobody has judged an answer yet, so other weights cannot be tried on the past. "
    "Review some answers, or bring in labels."
)


def show_what_if(workspace: Workspace, settings: Settings) -> None:
    """Ask for weights and show what they would have found; nothing is written."""
    view([node("h2", "Try other weights of the priority")], key="what_if_title")
    tried = _asked(settings.priority)
    view(draw_what_if(what_if(workspace, tried)), key="what_if")


def _asked(own: PrioritySettings) -> PrioritySettings:
    """Return the weights as they stand in the fields."""
    columns = st.columns(COLUMNS)
    given = {
        name: columns[place % COLUMNS].number_input(
            label, value=float(getattr(own, name)), step=0.5, format="%.1f", key=f"weight_{name}"
        )
        for place, (name, label) in enumerate(WEIGHTS)
    }
    return own.model_copy(update=given)


def draw_what_if(found: WhatIf) -> list[Child]:
    """Return the yield before and after, the rows that move, and what to write where."""
    after = found.after
    if not after.answers:
        return [node("p", NOBODY)]
    rows = min(after.first, after.rows)
    was, now, judge = (
        found.before.by_priority.found,
        after.by_priority.found,
        after.by_judge.found,
    )
    said = (
        f"People judged {after.answers} answers in {after.rows} rows: {after.bad} bad, "
        f"{after.not_good} not good. Among the first {rows} rows:"
    )
    return [
        node("p", said, role="status"),
        _table(
            ("Order", "Bad", "Not good"),
            (
                ("As configured", f"{was.bad:g}", f"{was.not_good:g}"),
                ("With these weights", f"{now.bad:g}", f"{now.not_good:g}"),
                ("By judge score alone", f"{judge.bad:g}", f"{judge.not_good:g}"),
                ("At random", f"{after.at_random.bad:.1f}", f"{after.at_random.not_good:.1f}"),
            ),
        ),
        *_moves(found),
    ]


def _moves(found: WhatIf) -> list[Child]:
    """Return the rows that move and the lines to keep; one sentence where nothing changes."""
    if not found.lines and not found.moved:
        return [node("p", "These are the weights of the configuration.")]
    moved = [_moved(one) for one in found.moved]
    rows = [_table(("Before", "After", "Question"), moved)] if moved else []
    none = "" if moved else "None of the first rows moves."
    lines = "\n".join(found.lines) or "No line is needed: these are the defaults."
    return [
        node("h3", "Rows that move"),
        *([node("p", none)] if none else []),
        *rows,
        node("h3", f"To keep these weights, write in {CONFIG_FILE}"),
        node("pre", lines, cls="cur-literal"),
    ]


def _moved(one: Moved) -> tuple[str, str, str]:
    before, after = (str(place) if place else "–" for place in (one.before, one.after))
    return before, after, " ".join(one.question.split())[:120]


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Node:
    columns = (node("th", title, scope="col") for title in head)
    return node(
        "table",
        node("thead", node("tr", *columns)),
        node(
            "tbody",
            *(node("tr", *(node("td", cell, cls="cur-literal") for cell in row)) for row in rows),
        ),
        cls="cur-table",
    )
