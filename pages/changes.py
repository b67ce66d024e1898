"""Changes: what is proposed, what it changes, and the yes or no of a second person."""

import streamlit as st

from curation.domain.change import Change, ChangeKind
from curation.errors import NotFoundError
from curation.evaluation.impact import Impact
from curation.services import change_view, changes, conflicts, golden_set
from curation.services.impact import baseline_run, impact_of
from curation.services.source_answer import source_answer
from curation.services.workspace import Workspace
from curation.ui import bar, changes_actions, guard, revision, session, shell
from curation.ui.banner import frozen_banner
from curation.ui.changes_actions import Desk
from curation.ui.changes_view import (
    Clock,
    draw_change,
    draw_checks,
    draw_comments,
    draw_list,
    draw_publish,
    in_order,
)
from curation.ui.conflict_view import draw_conflict
from curation.ui.tree import Child, node, pane
from curation.ui.view import view

guard.enter()

PAGE = "changes"


def chosen_change(workspace: Workspace, listed: tuple[Change, ...]) -> Change | None:
    """Return the change that the address names, else the first of the list."""
    wanted = st.query_params.get("change")
    if wanted:
        try:
            return changes.get(workspace, wanted, viewer=session.person())
        except NotFoundError as problem:
            bar.refuse(str(problem))
    return listed[0] if listed else None


def desk() -> Desk:
    """Return what the page works on now."""
    workspace, person = session.workspace(), session.acting_person()
    lists = changes.list_for(workspace, person)
    chosen = chosen_change(workspace, in_order(lists))
    return Desk(
        workspace=workspace,
        person=person,
        lists=lists,
        chosen=chosen,
        sides=conflicts.three_sides(workspace, chosen) if chosen else None,
        frozen=golden_set.freeze(workspace),
    )


@st.cache_resource(show_spinner=False, max_entries=32)
def foreseen(
    change_id: str,  # noqa: ARG001 - the key
    patch_set: int,  # noqa: ARG001 - the key
    tip: str,  # noqa: ARG001 - the key
    baseline: str,  # noqa: ARG001 - the key
    _workspace: Workspace,
    _change: Change,
) -> Impact | None:
    """Return the impact of a patch set, computed once for a set and a baseline."""
    return impact_of(_workspace, _change)


def impact_now(workspace: Workspace, change: Change) -> Impact | None:
    """Return what a change does to the baseline's stored outputs, if there are any here."""
    run = baseline_run(workspace)
    if run is None:
        return None
    tip = golden_set.browse(workspace).commit
    return foreseen(change.id, change.latest.number, tip, run, workspace, change)


def middle(at: Desk, change: Change, clock: Clock) -> tuple[list[Child], list[Child]]:
    """Return the change, and beside it its checks and comments."""
    shown = change_view.view_change(at.workspace, change)
    number = change.latest.number
    since = change_view.view_change(at.workspace, change, since=number - 1) if number > 1 else None
    added = change.answer_id if change.kind is ChangeKind.ADD else None
    logged = source_answer(at.workspace, added)
    head = draw_change(shown, changes_actions.look(), since, clock, logged)
    if at.sides is not None:
        mine = conflicts.is_author(change, at.person)
        head = [
            *head[:2],
            *draw_conflict(change, at.sides, changes_actions.choices(change), mine=mine),
        ]
    elif revision.is_open(change):
        head = revision.draw(change, golden_set.browse(at.workspace).policy)
    again = [node("p", "Checks run again when you have chosen.")] if at.sides else []
    impact = None if change.state.closed else impact_now(at.workspace, change)
    return head, [*again, *draw_checks(shown, impact), *draw_comments(change, shown, clock)]


def panes(at: Desk) -> list[Child]:
    """Return the page: banner, list, change, checks and comments."""
    clock = Clock(now=session.now(), zone=session.zone())
    frozen = bool(at.frozen)
    banner = frozen_banner(at.frozen, len(at.lists.approved), now=clock.now, zone=clock.zone)
    left = draw_list(at.lists, at.chosen, clock, frozen=frozen)
    body: list[Child] = [node("p", "No changes yet. Propose one in Review.", role="status")]
    side: list[Child] = []
    if at.chosen is not None:
        body, side = middle(at, at.chosen, clock)
    number = at.chosen.shown_number if at.chosen else "none"
    asked = draw_publish(at.lists) if changes_actions.asking() else None
    return [
        node("h1", "Changes", cls="cur-hidden"),
        *([banner] if banner else []),
        *([asked] if asked else []),
        node(
            "div",
            left,
            pane(f"change-{number}", "The change", body),
            pane(f"checks-{number}", "Checks and comments", side),
            cls="cur-panes cur-three",
            id="changes-panes",
        ),
    ]


def show() -> None:
    """Draw the page."""
    pressed = bar.events(PAGE)
    for event in pressed:
        changes_actions.act(event, desk())
    at = desk()
    view(panes(at), key="pane_changes")
    offered = changes_actions.actions(at)
    bar.show(PAGE, offered, note=changes_actions.why_off(at, offered))


with shell.refusing(PAGE):
    show()
