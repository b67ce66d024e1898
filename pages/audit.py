"""Audit: what git alone proves about how the golden set was written, approved and frozen."""

from curation.ui import bar, guard, session, shell
from curation.ui.actions import Action
from curation.ui.audit_actions import act, report_now
from curation.ui.audit_view import draw_findings, draw_promises, draw_rests_on
from curation.ui.set_tabs import draw_head
from curation.ui.tree import node, pane
from curation.ui.view import view

guard.enter()

PAGE = "audit"
ACTIONS = (
    Action(act="again", label="Audit again", keys=("r",)),
    Action(act="to_golden_set", label="Cases", keys=("g",)),
    *shell.page_keys(),
)


def show() -> None:
    """Draw the page."""
    for event in bar.events(PAGE):
        act(event)
    workspace = session.workspace()
    report = report_now(workspace)
    left = [*draw_promises(report), *draw_rests_on(workspace.settings)]
    panes = node(
        "div",
        pane("audit-promises", "What is proved", left, focus=True),
        pane("audit-findings", "Findings and notices", draw_findings(report)),
        cls="cur-panes cur-halves",
        id="audit-panes",
    )
    view([draw_head("Audit", PAGE), panes], key="pane_audit")
    bar.show(PAGE, ACTIONS)


with shell.refusing(PAGE):
    show()
