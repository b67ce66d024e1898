"""Why the queue is empty: each state of it, made for real."""

import json
import re
from collections.abc import Callable, Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from curation.config import load_settings
from curation.domain.person import Person
from curation.domain.queue import QueueFilter
from curation.domain.review import Verdict
from curation.golden import create
from curation.services import golden_set, intake, triage
from curation.services.cases import CaseFile
from curation.services.tour import note_tour_shown
from curation.services.verdicts import Dismissal, dismiss
from curation.services.workspace import Workspace, open_workspace

MIA = Person(name="Mia Kim", email="mia@x.test")
ROB = Person(name="Rob Oduya", email="rob@x.test")
ANA = Person(name="Ana Ruiz", email="ana@x.test")
Settle = Callable[[Page], None]


def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def small(tmp_path: Path) -> Generator[Workspace]:
    """A home with two answers, where Mia sits and a hold lasts six seconds."""
    home = tmp_path / "small"
    home.mkdir()
    (home / "curation.toml").write_text(
        f'me = "{MIA}"\n[review]\nlease_minutes = 0.1\n', encoding="utf-8"
    )
    file = tmp_path / "answers.jsonl"
    rows = [
        {"id": f"a{n}", "question": f"What is {n}?", "answer": "Nothing.", "retrieved": []}
        for n in (1, 2)
    ]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    workspace = open_workspace(load_settings(home))
    create(workspace.golden, person=ANA, now=now())
    intake.ingest(workspace, [file], now=now())
    note_tour_shown(workspace.settings, MIA)
    yield workspace
    workspace.store.dispose()


def test_everything_reviewed_counts_the_changes_that_wait(
    small: Workspace, serve_home: Callable[..., Any], tab: Page, settle: Settle
) -> None:
    for answer_id in ("a1", "a2"):
        dismiss(small, ROB, answer_id, Dismissal(verdict=Verdict.RIGHT, reason=""), now=now())
    document = {
        "question": "Who?",
        "answerable": "unanswerable",
        "notes": "Nothing names anybody.",
    }
    golden_set.propose_case(
        small, CaseFile(document=document, where="t", reason="New."), person=ROB, now=now()
    )
    tab.goto(serve_home(small.settings.home).url)
    settle(tab)
    expect(
        tab.get_by_text("All 2 answers are reviewed. 1 change waits for approval.")
    ).to_be_visible()
    expect(tab.get_by_role("button", name="Draw a sample")).to_be_visible()
    expect(tab.locator(".cur-counts")).to_contain_text(
        "0 shown · 0 to review + 0 held + 0 done + 2 dismissed + 0 covered = 2 in all"
    )
    expect(tab.get_by_test_id("stTopNavLink").filter(has_text="Changes (1)")).to_be_visible()
    tab.locator(".cur-empty").get_by_role("button", name="Changes").click()
    tab.wait_for_url(re.compile("/changes"))


def test_a_sample_is_drawn_and_its_first_answer_opened_by_keyboard(
    small: Workspace, serve_home: Callable[..., Any], tab: Page, settle: Settle
) -> None:
    tab.goto(serve_home(small.settings.home).url)
    settle(tab)
    tab.keyboard.press("s")
    expect(tab.get_by_text("No sample was drawn yet.")).to_be_visible()
    settle(tab)
    tab.get_by_label("How many answers").fill("1")
    tab.keyboard.press("Control+Enter")
    expect(tab.locator(".cur-message")).to_have_text(
        "Sample 1 is drawn: 1 of 2 unreviewed answers. Enter reviews the first."
    )
    expect(tab.get_by_text("Sample 1: 0 of 1 finished")).to_be_visible()
    settle(tab)
    tab.keyboard.press("Enter")
    tab.wait_for_url(re.compile("/review"))
    expect(tab.get_by_role("heading", level=1)).to_contain_text("What is")


def test_held_answers_are_named_and_one_that_is_free_again_is_told(
    small: Workspace, serve_home: Callable[..., Any], tab: Page, settle: Settle
) -> None:
    server = serve_home(small.settings.home)
    ahead = now() + timedelta(seconds=20)
    for person in (ROB, ANA):
        triage.next_answer(small, person, QueueFilter(), now=ahead)
    tab.goto(server.url)
    settle(tab)
    sentence = tab.locator(".cur-empty p").first
    expect(sentence).to_have_text(
        re.compile(
            r"Nothing is free right now: 2 answers are held\. "
            r"(Rob Oduya|Ana Ruiz) until \d\d:\d\d, (Rob Oduya|Ana Ruiz) until \d\d:\d\d\."
        )
    )
    assert "reviewed" not in tab.locator(".stMain").inner_text()
    tab.get_by_role("button", name="Tell me when one is free").click()
    expect(tab.locator(".cur-message")).to_contain_text("told here as soon as")
    expect(tab.locator(".cur-message")).to_contain_text("An answer is free again.", timeout=60_000)
    expect(tab.locator("[data-list=queue] [data-row]").first).to_be_visible()


def test_a_key_for_the_next_answer_when_none_is_free_says_so(
    small: Workspace, serve_home: Callable[..., Any], tab: Page, settle: Settle
) -> None:
    server = serve_home(small.settings.home)
    for _ in range(2):
        triage.next_answer(small, ROB, QueueFilter(), now=now() + timedelta(hours=1))
    tab.goto(f"{server.url}/?show=held")
    settle(tab)
    expect(tab.locator("[data-list=queue] [data-row]").first).to_be_visible()
    tab.keyboard.press("Enter")
    expect(tab.locator(".cur-message")).to_contain_text("no answer is free")
    assert "/review" not in tab.url
