"""Where it breaks: confirmed failures, the stage to fix, what a fix would buy, and trends."""

from curation.services.breaks import breaks
from curation.services.trends import trends
from curation.ui import bar, guard, session, shell
from curation.ui.breaks_view import draw_baseline, draw_breaks, draw_trends, draw_weeks
from curation.ui.tree import node, pane
from curation.ui.view import view

guard.enter()

PAGE = "breaks"


def show() -> None:
    """Draw the page."""
    for event in bar.events(PAGE):
        if event.act == "open" and event.arg:
            shell.go("review", answer=event.arg)
        shell.followed(event)
    workspace = session.workspace()
    found = breaks(workspace)
    body = [
        *draw_breaks(found),
        *draw_baseline(found.baseline),
        *draw_weeks(found.weeks),
        *draw_trends(trends(workspace)),
    ]
    head = node("h1", "Where it breaks", cls="cur-headline")
    view([head, pane("breaks-pane", "Where it breaks", body, focus=True)], key="pane_breaks")
    bar.show(PAGE, shell.page_keys())


with shell.refusing(PAGE):
    show()
