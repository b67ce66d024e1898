"""Coverage: how the golden set's cases spread over question types and document categories."""

from curation.domain.coverage import FirstToCover
from curation.services.coverage import coverage, propose_first
from curation.services.triage import keep_current
from curation.ui import bar, guard, session, shell
from curation.ui.actions import Action
from curation.ui.bar import Event
from curation.ui.coverage_view import draw_first, draw_grid, draw_holes
from curation.ui.set_tabs import draw_head
from curation.ui.tree import node, pane
from curation.ui.view import view

guard.enter()

PAGE = "coverage"
MOST_PROPOSED, AMONG = 8, 1_000


def act(event: Event) -> None:
    """Do what a key or a press asks for."""
    if event.act == "cover":
        shell.go("review", answer=event.arg)
    shell.followed(event)


def actions(first: tuple[FirstToCover, ...]) -> tuple[Action, ...]:
    """Return what can be done."""
    return (
        Action(
            act="cover",
            label="Review the first",
            keys=("o",),
            arg=first[0].candidate.answer_id if first else "",
            off=None if first else "No logged question that waits would fill a hole.",
        ),
        Action(act="to_golden_set", label="Cases", keys=("g",)),
        *shell.page_keys(),
    )


def show() -> None:
    """Draw the page."""
    for event in bar.events(PAGE):
        act(event)
    workspace = session.workspace()
    grid = coverage(workspace)
    keep_current(workspace)
    first = propose_first(workspace, MOST_PROPOSED, among=AMONG)
    panes = node(
        "div",
        pane("coverage-grid", "The grid", draw_grid(grid), focus=True),
        pane("coverage-holes", "Holes", [*draw_first(first), *draw_holes(grid)]),
        cls="cur-panes cur-wide-first",
        id="coverage-panes",
    )
    title = f"Coverage of {grid.version or 'the golden set'}"
    view([draw_head(title, PAGE), panes], key="pane_coverage")
    bar.show(PAGE, actions(first))


with shell.refusing(PAGE):
    show()
