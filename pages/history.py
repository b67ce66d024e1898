"""History: the versions of the golden set, and what changed between two of them."""

from curation.services import golden_set
from curation.ui import bar, guard, history_actions, session, shell
from curation.ui.history_view import draw_comparison, draw_versions
from curation.ui.set_tabs import draw_head
from curation.ui.tree import Child, node, pane
from curation.ui.view import view

guard.enter()

PAGE = "history"


def show() -> None:
    """Draw the page."""
    workspace = session.workspace()
    versions = golden_set.versions(workspace)
    for event in bar.events(PAGE):
        history_actions.act(event, versions)
    start, to = history_actions.chosen(versions)
    body: list[Child] = [
        node("h2", to),
        node("p", "The first version: there is nothing before it."),
    ]
    if start is not None:
        body = draw_comparison(golden_set.compare(workspace, start, to))
    panes = node(
        "div",
        draw_versions(versions, to, session.zone()),
        pane(f"compare-{start}-{to}".replace("/", "-"), "What changed", body),
        cls="cur-panes cur-two-panes",
        id="history-panes",
    )
    view([draw_head("History", PAGE), panes], key="pane_history")
    bar.show(PAGE, history_actions.actions(versions))


with shell.refusing(PAGE):
    show()
