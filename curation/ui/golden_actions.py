"""What can be done on the Golden set page, and what each key does there."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import streamlit as st

from curation.domain.case import Case, CaseStatus, RetireReason
from curation.domain.change import OPEN_STATES, Change
from curation.domain.finding import Finding
from curation.domain.person import Person
from curation.errors import CurationError
from curation.golden import GoldenSet
from curation.services import golden_set
from curation.services.cases import CaseFile
from curation.services.changes import all_changes
from curation.services.errors import BlockedError, UnexplainedError
from curation.services.workspace import Workspace
from curation.ui import (
    bar,
    evidence_form,
    evidence_picking,
    golden_controls,
    keys,
    session,
    shell,
)
from curation.ui.actions import Action
from curation.ui.bar import Event
from curation.ui.case_form import (
    REASON,
    RETIRE_SUCCESSOR,
    RETIRE_WHY,
    edited_document,
    ends_of_form,
)
from curation.ui.golden_view import CaseLook


class Panel(StrEnum):
    """What is asked in the place of the case."""

    EDIT = "edit"
    RETIRE = "retire"
    RESTORE = "restore"


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """What the page works on: the set, the cases that match, the chosen one, its open change."""

    workspace: Workspace
    person: Person | None
    golden: GoldenSet
    cases: tuple[Case, ...]
    chosen: Case | None
    change: Change | None
    newest: bool


def shelf_of(workspace: Workspace, golden: GoldenSet, cases: tuple[Case, ...]) -> Shelf:
    """Return what the page works on now."""
    wanted = golden.cases.get(st.query_params.get("case", ""))
    chosen = wanted or (cases[0] if cases else None)
    person = session.person()
    about = chosen.id if chosen else ""
    found = all_changes(workspace, states=OPEN_STATES, case_id=about, viewer=person)
    return Shelf(
        workspace=workspace,
        person=person,
        golden=golden,
        cases=cases,
        chosen=chosen,
        change=open_change(found),
        newest=golden_controls.chosen_version() is None,
    )


def look() -> CaseLook:
    """Return how cases are looked at in this session."""
    return CaseLook(st.session_state.get(keys.CASE_LOOK, CaseLook.NOW))


def panel(shelf: Shelf) -> Panel | None:
    """Return the form that is open for the chosen case."""
    asked = st.session_state.get(keys.PANEL)
    name, _, case_id = asked.partition(":") if isinstance(asked, str) else ("", "", "")
    if shelf.chosen is None or case_id != shelf.chosen.id:
        return None
    return Panel(name) if name in set(Panel) else None


def findings() -> tuple[Finding, ...]:
    """Return what the checks said when the open form was last proposed."""
    return tuple(st.session_state.get(keys.FORM_FINDINGS, ()))


def select(case_id: str) -> None:
    """Choose a case and write it into the address; an open form closes and keeps its text."""
    st.query_params["case"] = case_id
    close()


def close() -> None:
    """Close the open form; what was typed stays in the browser."""
    st.session_state.pop(keys.PANEL, None)
    st.session_state.pop(keys.FORM_FINDINGS, None)


def act(event: Event, shelf: Shelf) -> None:
    """Do what a key or a press asks for."""
    try:
        if event.act == "select":
            select(event.arg)
        elif event.act in {"next", "previous"}:
            _step(shelf, 1 if event.act == "next" else -1)
        elif event.act in {"page_next", "page_previous"}:
            turn(1 if event.act == "page_next" else -1)
        elif event.act == "compare":
            shell.go("history")
        elif shelf.chosen is not None:
            _act_on(event, shelf, shelf.chosen)
        else:
            shell.followed(event)
    except CurationError as problem:
        bar.refuse(str(problem))


def turn(step: int) -> None:
    """Turn the pages of the list."""
    at = int(st.session_state.get(keys.CASES_PAGE, 0))
    st.session_state[keys.CASES_PAGE] = max(0, at + step)


def _act_on(event: Event, shelf: Shelf, case: Case) -> None:
    """Do what is asked of the chosen case."""
    match event.act:
        case "edit" | "retire" | "restore":
            st.session_state[keys.PANEL] = f"{event.act}:{case.id}"
            st.session_state.pop(keys.FORM_FINDINGS, None)
        case act if act in evidence_form.ACTS and panel(shelf) is Panel.EDIT:
            evidence_picking.act(event, shelf.workspace, case.id)
        case "propose":
            _propose(event.fields, shelf, case)
        case "close":
            close()
        case "look":
            st.session_state[keys.CASE_LOOK] = CaseLook(event.arg)
        case "open" if shelf.change is not None:
            shell.go("changes", change=shelf.change.shown_number)
        case _:
            shell.followed(event)


def _step(shelf: Shelf, step: int) -> None:
    """Choose the next or previous case of the list."""
    ids = [case.id for case in shelf.cases]
    if not ids:
        return
    at = ids.index(shelf.chosen.id) if shelf.chosen and shelf.chosen.id in ids else -step
    select(ids[min(max(at + step, 0), len(ids) - 1)])


def _propose(fields: Mapping[str, str], shelf: Shelf, case: Case) -> None:
    """Propose what the open form says."""
    form = panel(shelf)
    try:
        change = _proposed(form, fields, shelf, case)
    except (BlockedError, UnexplainedError) as refusal:
        st.session_state[keys.FORM_FINDINGS] = refusal.findings
        raise
    if change is None:
        return
    evidence_picking.form_sent(case.id, fields)
    close()
    bar.say(proposed_words(shelf, change))


def proposed_words(shelf: Shelf, change: Change) -> str:
    """Return what happens with a proposal next."""
    frozen = ", ".join(one.id for one in shelf.golden.open_experiments)
    if frozen:
        return (
            f"Proposed as change {change.shown_number}. It can be approved now and can be "
            f"published when {frozen} is closed."
        )
    return f"Proposed as change {change.shown_number}. It waits for a second person."


def _proposed(
    form: Panel | None, fields: Mapping[str, str], shelf: Shelf, case: Case
) -> Change | None:
    """Return the change that a form makes."""
    person, now, reason = session.acting_person(), session.now(), fields.get(REASON, "")
    workspace = shelf.workspace
    if form is Panel.EDIT:
        document = edited_document(case, fields, evidence_picking.picking(case.id))
        file = CaseFile(document=document, where=case.id, reason=reason)
        blob = shelf.golden.blobs.get(case.id)
        return golden_set.propose_case(workspace, file, person=person, now=now, base_blob=blob)[0]
    if form is Panel.RETIRE:
        return golden_set.propose_retire(
            workspace,
            case.id,
            why=RetireReason(fields.get(RETIRE_WHY, RetireReason.OUTDATED)),
            person=person,
            reason=reason,
            now=now,
            superseded_by=fields.get(RETIRE_SUCCESSOR) or None,
        )
    if form is Panel.RESTORE:
        return golden_set.propose_restore(workspace, case.id, person=person, reason=reason, now=now)
    return None


def actions(shelf: Shelf, pages: int) -> list[Action]:
    """Return what can be done, and in words why some of it cannot be done now."""
    case = shelf.chosen
    several = len(shelf.cases) > 1
    return [
        *(_form_actions(shelf) if panel(shelf) else ()),
        *(_on_case(shelf, case) if case is not None else ()),
        Action(act="compare", label="Compare versions …", keys=("v",)),
        Action(act="next", label="Next", keys=("n",), off=None if several else "No other case."),
        Action(act="previous", label="Previous", keys=("p",), shown=False),
        Action(
            act="words",
            label="Words",
            keys=("/", "k"),
            shown=False,
            client="focus",
            target=".st-key-cases_words",
            about="Words in id, question and facts",
        ),
        Action(act="page_next", label="Next page", keys=("PageDown",), shown=pages > 1),
        Action(act="page_previous", label="Page before", keys=("PageUp",), shown=pages > 1),
    ]


def _form_actions(shelf: Shelf) -> list[Action]:
    """Return what ends a form."""
    words = {Panel.EDIT: "Propose edit", Panel.RETIRE: "Propose to retire it"}
    label = words.get(panel(shelf) or Panel.EDIT, "Propose to restore it")
    return ends_of_form(label, "propose", "close")


def _on_case(shelf: Shelf, case: Case) -> list[Action]:
    """Return what can be proposed for the chosen case."""
    retired = case.status is CaseStatus.RETIRED
    old = None if shelf.newest else "This is an older version. Choose the newest one first."
    gone = old or (f"{case.id} is retired. Restore it first." if retired else None)
    back = old or (None if retired else f"{case.id} is not retired.")
    change = shelf.change
    return [
        Action(act="edit", label="Edit as a change", keys=("e",), off=gone),
        Action(act="retire", label="Retire …", keys=("t",), off=gone, shown=not retired),
        Action(act="restore", label="Restore …", keys=("u",), off=back, shown=retired),
        Action(
            act="open",
            label=f"Open {change.shown_number} in Changes" if change else "Open in Changes",
            keys=("o",),
            off=None if change else f"No change of {case.id} is open.",
        ),
    ]


def open_change(changes: tuple[Change, ...]) -> Change | None:
    """Return the newest change that is still open."""
    return next((c for c in changes if not c.state.closed), None)
