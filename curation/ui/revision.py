"""The next patch set of one's own change: the form that brings it, and what it proposes."""

from collections.abc import Mapping

import streamlit as st

from curation.domain.case import Case
from curation.domain.change import Change, ChangeKind, ChangeState
from curation.domain.person import Person
from curation.domain.policy import Policy
from curation.services import changes, conflicts, golden_set
from curation.services.cases import CaseFile
from curation.services.errors import BlockedError, UnexplainedError
from curation.services.workspace import Workspace
from curation.ui import bar, evidence_form, evidence_picking, keys, session
from curation.ui.actions import Action
from curation.ui.bar import Event
from curation.ui.case_form import REASON, draw_edit, edited_document, ends_of_form
from curation.ui.tree import Child

ACTS = frozenset({"revise", "revised", "revise_not"}) | evidence_form.ACTS
_KINDS = frozenset({ChangeKind.ADD, ChangeKind.EDIT})


def why_not(change: Change, person: Person) -> str | None:
    """Return in words why this person brings no next patch set here; None when they can."""
    if change.kind not in _KINDS:
        return f"A change that does this ({change.kind.value}) is withdrawn and proposed anew."
    if change.state.closed or change.state is ChangeState.CONFLICT:
        return f"This change is {change.state.value}."
    if not conflicts.is_author(change, person):
        return f"{change.latest.author.name} wrote this change and brings the next patch set."
    return None


def is_open(change: Change) -> bool:
    """Return whether the form is open for the change's newest patch set."""
    return st.session_state.get(keys.PANEL) == _slot(change)


def _slot(change: Change) -> str:
    """Return the name of the form, under which the browser keeps what is typed in it."""
    return f"revise:{change.shown_number}:{change.latest.number}"


def open_form(change: Change) -> None:
    """Open the form."""
    st.session_state[keys.PANEL] = _slot(change)
    st.session_state.pop(keys.FORM_FINDINGS, None)


def close_form() -> None:
    """Close the form; what was typed stays in the browser."""
    st.session_state.pop(keys.PANEL, None)
    st.session_state.pop(keys.FORM_FINDINGS, None)


def draw(change: Change, policy: Policy) -> list[Child]:
    """Return the form, filled from the newest patch set."""
    found = tuple(st.session_state.get(keys.FORM_FINDINGS, ()))
    title = f"Patch set {change.latest.number + 1} of {change.shown_number}"
    slot = _slot(change)
    return draw_edit(
        _case(change),
        policy,
        found,
        picking=evidence_picking.picking(slot),
        slot=slot,
        title=title,
        reason=change.latest.reason,
    )


def _case(change: Change) -> Case:
    """Return the case as the newest patch set has it."""
    case = changes.case_of(change.latest)
    assert case is not None  # noqa: S101 - only changes of a case have the form
    return case


def act(event: Event, workspace: Workspace, change: Change, *, person: Person) -> None:
    """Open the form, save it as the next patch set, or close it.

    Raises:
        BlockedError, UnexplainedError: the checks found something; the form says what.
    """
    if event.act == "revise" and why_not(change, person) is None:
        open_form(change)
    elif event.act == "revised" and is_open(change):
        save(workspace, change, event.fields, person=person)
    elif event.act in evidence_form.ACTS and is_open(change):
        evidence_picking.act(event, workspace, _slot(change))
    elif event.act == "revise_not":
        close_form()


def save(
    workspace: Workspace, change: Change, fields: Mapping[str, str], *, person: Person
) -> Change:
    """Store what the form says as the next patch set, on the case that the change began from.

    Raises:
        BlockedError, UnexplainedError: the checks found something; the form says what.
    """
    file = CaseFile(
        document=edited_document(_case(change), fields, evidence_picking.picking(_slot(change))),
        where=f"change {change.shown_number}",
        reason=fields.get(REASON, ""),
        acks=change.latest.acks,
    )
    try:
        done, _ = golden_set.propose_case(
            workspace,
            file,
            person=person,
            now=session.now(),
            change_id=change.id,
            base_blob=change.latest.base_blob,
        )
    except (BlockedError, UnexplainedError) as refusal:
        st.session_state[keys.FORM_FINDINGS] = refusal.findings
        raise
    evidence_picking.form_sent(_slot(change), fields)
    close_form()
    bar.say(f"Saved as patch set {done.latest.number}. It waits for a second person.")
    return done


def form_actions(change: Change) -> list[Action]:
    """Return what ends the form."""
    label = f"Save as patch set {change.latest.number + 1}"
    return ends_of_form(label, "revised", "revise_not")


def offer(change: Change, person: Person) -> list[Action]:
    """Return what opens the form, for whoever wrote the change."""
    if why_not(change, person):
        return []
    number = change.latest.number + 1
    return [Action(act="revise", label=f"Bring patch set {number} …", keys=("e",))]
