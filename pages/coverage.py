"""Coverage: how the golden set's cases spread over question types and document categories."""

from curation.services.coverage import coverage
from curation.ui import bar, guard, session, shell
from curation.ui.actions import Action
from curation.ui.coverage_view import draw_grid, draw_holes
from curation.ui.set_tabs import draw_head
from curation.ui.tree import node, pane
from curation.ui.view import view

guard.enter()

PAGE = "coverage"
ACTIONS = (Action(act="to_golden_set", label="Cases", keys=("g",)), *shell.page_keys())


def show() -> None:
    """Draw the page."""
    for event in bar.events(PAGE):
        shell.followed(event)
    grid = coverage(session.workspace())
    panes = node(
        "div",
        pane("coverage-grid", "The grid", draw_grid(grid), focus=True),
        pane("coverage-holes", "Holes", draw_holes(grid)),
        cls="cur-panes cur-wide-first",
        id="coverage-panes",
    )
    title = f"Coverage of {grid.version or 'the golden set'}"
    view([draw_head(title, PAGE), panes], key="pane_coverage")
    bar.show(PAGE, ACTIONS)


with shell.refusing(PAGE):
    show()
