"""Judge: how far each judge can be believed, its failures, and blind spot checks."""

from curation.services import spot_check
from curation.services.spot_summary import summary
from curation.services.workspace import Workspace
from curation.ui import bar, guard, judge_actions, session, shell
from curation.ui.judge_view import draw_empty, draw_judge, draw_judges, draw_waiting, row_id
from curation.ui.spot_view import draw_end, draw_item
from curation.ui.tree import node, pane
from curation.ui.view import view

guard.enter()

PAGE = "judge"


def draw_overview(workspace: Workspace) -> None:
    """Draw the judges and the chosen one."""
    at, person = judge_actions.bench(workspace), session.person()
    waiting = spot_check.waiting(workspace, person) if person else ()
    head = node("h1", "Judge", cls="cur-headline")
    if at.chosen is None:
        view([head, draw_empty()], key="pane_judge")
    else:
        chosen = row_id(at.chosen)
        body = draw_judge(judge_actions.look(workspace, at, at.chosen))
        name = f"judge-pane-{at.reports.index(at.chosen)}"
        panes = node(
            "div",
            draw_judges(at.reports, chosen),
            pane(name, "The chosen judge", body),
            cls="cur-panes cur-two-panes",
            id="judge-panes",
        )
        view([head, node("div", draw_waiting(waiting)), panes], key="pane_judge")
    bar.show(PAGE, judge_actions.actions(at, waiting))


def draw_spot_check(workspace: Workspace, number: int) -> None:
    """Draw the next item of a spot check, or its end."""
    person = session.acting_person()
    where = spot_check.standing(workspace, number, person)
    item = where.next
    if item is None:
        view(
            draw_end(summary(workspace, number, person=person, now=session.now())), key="pane_spot"
        )
    else:
        shown = spot_check.shown_item(workspace, where, item)
        view(draw_item(where, shown), key="pane_spot", place=f"{number}-{item.position}")
        judge_actions.shown(number, item.position, session.now())
    bar.show(PAGE, judge_actions.spot_actions(where))


def show() -> None:
    """Draw the page."""
    workspace = session.workspace()
    for event in bar.events(PAGE):
        judge_actions.act(event, workspace)
    number = judge_actions.spot_number()
    if number is None:
        draw_overview(workspace)
    else:
        draw_spot_check(workspace, number)


with shell.refusing(PAGE):
    show()
