"""Golden set: its cases, one case now, its timeline, where its facts come from."""

from curation.domain.case import Case
from curation.domain.change import ChangeState
from curation.services import changes, golden_set
from curation.services.source_answer import source_answer
from curation.ui import (
    bar,
    case_form,
    evidence_picking,
    golden_actions,
    golden_controls,
    guard,
    session,
    shell,
)
from curation.ui.banner import frozen_banner
from curation.ui.golden_actions import Panel, Shelf
from curation.ui.golden_view import (
    PAGE_SIZE,
    CaseLook,
    case_head,
    draw_cases,
    draw_now,
    draw_origins,
    draw_timeline,
    headline,
)
from curation.ui.set_tabs import draw_head
from curation.ui.tree import Child, node, pane
from curation.ui.view import view

guard.enter()

PAGE = "golden_set"


def case_body(shelf: Shelf, case: Case) -> list[Child]:
    """Return the chosen case in the chosen way, or the form that is open for it."""
    form = golden_actions.panel(shelf)
    if form is Panel.EDIT:
        said = golden_actions.findings()
        picking = evidence_picking.picking(case.id)
        return case_form.draw_edit(case, shelf.golden.policy, said, picking=picking)
    if form is Panel.RETIRE:
        return case_form.draw_retire(case, [one.id for one in shelf.golden.active])
    if form is Panel.RESTORE:
        return case_form.draw_restore(case)
    way = golden_actions.look()
    head = case_head(case, way)
    if way is CaseLook.TIMELINE:
        events = golden_set.history(shelf.workspace, case.id)
        answer = source_answer(shelf.workspace, case.provenance.answer_id)
        return [*head, *draw_timeline(events, answer, session.zone())]
    if way is CaseLook.ORIGINS:
        return [*head, *draw_origins(golden_set.blame(shelf.workspace, case.id))]
    return [*head, *draw_now(case)]


def draw(shelf: Shelf) -> None:
    """Draw the cases and the chosen one."""
    at, pages = golden_controls.page_of(shelf.cases)
    listed = shelf.cases[at * PAGE_SIZE : (at + 1) * PAGE_SIZE]
    chosen = shelf.chosen
    nothing: list[Child] = [node("p", golden_controls.why_empty(shelf.golden), role="status")]
    waiting = len(changes.all_changes(shelf.workspace, states=[ChangeState.APPROVED]))
    banner = frozen_banner(
        shelf.golden.open_experiments,
        waiting,
        now=session.now(),
        zone=session.zone(),
    )
    tree: list[Child] = [
        *([banner] if banner else []),
        node(
            "div",
            draw_cases(listed, chosen.id if chosen else None),
            pane(
                f"case-{chosen.id if chosen else 'none'}-{golden_actions.panel(shelf) or ''}",
                "The case",
                case_body(shelf, chosen) if chosen else nothing,
            ),
            cls="cur-panes cur-two-panes",
            id="golden-panes",
        ),
    ]
    view(tree, key="pane_golden")
    note = f"page {at + 1} of {pages}" if pages > 1 else ""
    bar.show(PAGE, golden_actions.actions(shelf, pages), note=note)


def show() -> None:
    """Draw the page."""
    workspace = session.workspace()
    versions = golden_set.versions(workspace)
    golden_controls.settle_filters(versions, entered=shell.entered())
    golden = golden_set.browse(workspace, golden_controls.chosen_version())
    view([draw_head(headline(golden), PAGE)], key="golden_headline")
    cases = golden_controls.show_filters(golden, versions)
    pressed = bar.events(PAGE)
    for event in pressed:
        golden_actions.act(event, golden_actions.shelf_of(workspace, golden, cases))
    draw(golden_actions.shelf_of(workspace, golden, cases))


with shell.refusing(PAGE):
    show()
