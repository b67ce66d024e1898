"""Evidence: which quotes still stand in the corpus, what moved, and the edits that follow."""

from curation.services.change_view import view_change
from curation.services.living import passage_now
from curation.ui import bar, evidence_actions, guard, session, shell
from curation.ui.evidence_actions import Study
from curation.ui.evidence_view import (
    BATCH_PAGE,
    draw_batch,
    draw_form,
    draw_item,
    draw_list,
    draw_outdated,
    item_id,
    summary,
)
from curation.ui.set_tabs import draw_head
from curation.ui.tree import Child, node, pane
from curation.ui.view import view

guard.enter()

PAGE = "evidence"


def body(at: Study) -> list[Child]:
    """Return what is chosen: a batch, an outdated case or a piece of evidence."""
    if at.chosen is None:
        stands = ": every quote stands where it was picked." if at.ledger.report.items else "."
        return [node("p", f"Nothing needs a look{stands}")]
    if at.batch is not None:
        page = evidence_actions.page_of(at.batch)
        part = at.batch.changes[page * BATCH_PAGE : (page + 1) * BATCH_PAGE]
        return draw_batch(at.batch, [view_change(at.workspace, one) for one in part], page)
    ledger = at.ledger
    for one in ledger.outdated.items:
        if f"outdated:{one.case_id}" == at.chosen.id:
            return draw_outdated(ledger.cases[one.case_id], one)
    item = next(item for item in ledger.report.items if item_id(item) == at.chosen.id)
    return draw_item(ledger.cases[item.case_id], item, passage_now(at.workspace, item))


def draw(at: Study) -> None:
    """Draw the list, the chosen row, and what is asked before a batch is proposed."""
    form = evidence_actions.panel()
    slot = evidence_actions.form_slot(form) if form else ""
    asked = draw_form(evidence_actions.form_words(at, form), slot) if form else None
    chosen = at.chosen.id if at.chosen else "none"
    panes = node(
        "div",
        draw_list(at.ledger, chosen),
        pane(f"chosen-{chosen}".replace(":", "-"), "What became of it", body(at)),
        cls="cur-panes cur-two-panes",
        id="evidence-panes",
    )
    said = node("p", summary(at.ledger.report), cls="cur-flat", role="status")
    view([draw_head("Evidence", PAGE), said, node("div", asked), panes], key="pane_evidence")
    bar.show(PAGE, evidence_actions.actions(at))


def show() -> None:
    """Draw the page."""
    workspace = session.workspace()
    for event in bar.events(PAGE):
        evidence_actions.act(event, evidence_actions.study(workspace))
    draw(evidence_actions.study(workspace))


with shell.refusing(PAGE):
    show()
