"""Settling two verdicts by keyboard alone: side by side, with a reason, once, and taken back."""

from collections.abc import Callable, Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from curation.config import load_settings
from curation.domain.review import Verdict
from curation.domain.sample import SampleRequest
from curation.services import adjudication, sampling
from curation.services.demo import ANA, ROB, YOU
from curation.services.verdicts import Dismissal, dismiss
from curation.services.workspace import Workspace, open_workspace

Settle = Callable[[Page], None]
WHY = "No <b>question</b>: $1 and $2."
NOTHING_QUEUED = "() => window.curationBar.queue.length === 0"


@pytest.fixture
def demo_server(demo_home: Path, serve_home: Callable[..., Any]) -> Any:
    """A server for each test: what one leaves to settle is counted in the other's heading."""
    return serve_home(demo_home)


@pytest.fixture
def desk(demo_home: Path) -> Generator[Workspace]:
    """The store that the server of the test serves."""
    opened = open_workspace(load_settings(demo_home))
    yield opened
    opened.store.dispose()


@pytest.fixture
def pairs(desk: Workspace) -> list[str]:
    """Two answers that Rob calls no question and Ana calls right."""
    now = datetime.now(UTC)
    drawn = sampling.draw(desk, ANA, SampleRequest(n=2, double=1.0), now=now)
    ids = list(sampling.served_order(desk, drawn))
    for answer_id in ids:
        no_question = Dismissal(verdict=Verdict.NOT_ACTIONABLE, reason=WHY)
        dismiss(desk, ROB, answer_id, no_question, now=now)
        dismiss(desk, ANA, answer_id, Dismissal(verdict=Verdict.RIGHT), now=now)
    return ids


def test_a_third_person_settles_by_keyboard_alone(
    demo_server: Any, desk: Workspace, pairs: list[str], tab: Page, settle: Settle
) -> None:
    tab.goto(demo_server.url)
    settle(tab)
    tab.keyboard.press("t")
    expect(tab.locator("h1")).to_have_text("Settle · 2 answers to settle")
    verdicts = tab.locator(".cur-sides > section")
    expect(verdicts.nth(1)).to_contain_text("Rob Oduya: not actionable")
    expect(verdicts.nth(1)).to_contain_text(WHY)
    expect(verdicts.nth(2)).to_contain_text("Ana Ruiz: answer is right")
    settle(tab)
    tab.keyboard.press("2")
    field = tab.get_by_label("Why it stands")
    expect(field).to_be_focused()
    expect(tab.locator(".cur-bar")).to_contain_text("Write here why it stands")
    tab.keyboard.type("A question, 12 words.")
    tab.keyboard.press("Escape")
    tab.keyboard.press("2")
    tab.keyboard.press("2")
    tab.wait_for_function(NOTHING_QUEUED)
    said = "The verdict of Ana Ruiz stands: answer is right. Z: take back."
    expect(tab.locator(".cur-bar")).to_contain_text(said)
    expect(tab.locator("h1")).to_have_text("Settle · 1 answer to settle")
    first = next(one for one in adjudication.contests(desk, YOU) if one.settled)
    assert first.settled is not None
    assert (first.settled.person, first.settled.reason) == (YOU, "A question, 12 words.")

    settle(tab)
    tab.keyboard.press("z")
    expect(tab.locator("h1")).to_have_text("Settle · 2 answers to settle")
    assert not [one for one in adjudication.contests(desk, YOU) if one.settled]


def test_one_of_the_two_reads_why_it_is_not_theirs(
    demo_server: Any, desk: Workspace, tab: Page, settle: Settle
) -> None:
    now = datetime.now(UTC)
    drawn = sampling.draw(desk, ANA, SampleRequest(n=1, double=1.0, seed=3), now=now)
    (mine,) = sampling.served_order(desk, drawn)
    dismiss(desk, YOU, mine, Dismissal(verdict=Verdict.RIGHT), now=now)
    dismiss(desk, ROB, mine, Dismissal(verdict=Verdict.NOT_ACTIONABLE, reason="x"), now=now)
    tab.goto(f"{demo_server.url}/settle?answer={mine}")
    settle(tab)
    expect(tab.locator(".cur-bar")).to_contain_text("so someone else says which stands")
    expect(tab.get_by_label("Why it stands")).to_have_count(0)
    expect(tab.locator(".cur-sides")).not_to_contain_text("Let this verdict stand")
