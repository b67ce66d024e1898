"""Settle: two people's verdicts on one answer side by side, and which of them stands."""

from curation.ui import bar, guard, settle_actions, shell
from curation.ui.settle_view import draw_settle
from curation.ui.view import view

guard.enter()

PAGE = "settle"


def show() -> None:
    """Draw the page."""
    for event in bar.events(PAGE):
        settle_actions.act(event, settle_actions.bench())
    at = settle_actions.bench()
    view(draw_settle(at.contests, settle_actions.sides(at)), key="pane_settle")
    note = at.why_off if at.chosen is not None and at.chosen.is_open else None
    bar.show(PAGE, settle_actions.actions(at), note=note or "")


with shell.refusing(PAGE):
    show()
