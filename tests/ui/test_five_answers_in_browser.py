"""Five answers become proposed cases, by keyboard from the first Enter (acceptance 20)."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from curation.services import changes
from curation.services.changes import case_of
from curation.services.workspace import Workspace

IDLE = "() => window.__curationReview && !window.__curationReview.busy()"
PROPOSED = re.compile(r"Proposed as change \d{4}\. It waits for a second person\. Z: undo\.")
TO_THE_ANSWER = ("PageUp",) * 5 + ("ArrowDown",)  # above the chunks: what users said, the answer

TYPED = "The collector waits 10 s for a connection to the gateway before it gives up the attempt."

# what is served, one after the other, and the keys that a person presses there
SERVED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("What is the connect timeout of the collector in 4.2?", ("1", "w", TYPED)),
    ("What is the default retention in 4.2?", ("1", "i", *TO_THE_ANSWER, "3")),
    ("How many days of paid leave do I get a year?", ("v", "Shift+Digit1", "i")),
    ("per diem on trips", ("/", "daily allowance", "Enter", "1", "i")),
    ("Within how many days can I ask for my money back?", ("d", "Enter")),
    ("working abroad, how long?", ("v", "Shift+Digit1", "i")),
)


def press(page: Page, keys: tuple[str, ...]) -> None:
    """Press keys as a person does, who looks before the next one; words are typed."""
    for key in keys:
        if " " in key:
            page.keyboard.type(key)
        else:
            page.keyboard.press(key)
            page.wait_for_function(IDLE)


@pytest.mark.slow
def test_five_answers_of_the_demo_become_cases(
    demo_server: Any, desk: Workspace, tab: Page, settle: Callable[[Page], None]
) -> None:
    before = {change.number for change in changes.all_changes(desk)}
    tab.goto(demo_server.url)
    settle(tab)
    tab.keyboard.press("Enter")
    said = tab.locator(".cu-message")
    for question, keys in SERVED:
        expect(tab.locator("h1.cu-h1")).to_have_text(question)
        tab.wait_for_function(IDLE)
        press(tab, keys)
        if keys[0] == "d":
            expect(said).to_have_text("Dismissed as duplicate of money-back. Z: undo.")
            continue
        expect(tab.locator(".cu-first")).to_have_text("✓ Ready to propose.")
        tab.keyboard.press("Control+Enter")
        expect(said).to_have_text(PROPOSED)
    added = [change for change in changes.all_changes(desk) if change.number not in before]
    cases = [case for change in added if (case := case_of(change.latest)) is not None]
    wanted = [question for question, keys in SERVED if keys[0] != "d"]
    assert [case.question for case in reversed(cases)] == wanted
    assert [len(case.facts.forbidden) for case in reversed(cases)] == [0, 1, 1, 0, 1]
