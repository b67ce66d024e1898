"""The queue by keyboard, in a real browser."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from curation.config import load_settings
from curation.domain.person import Person
from curation.domain.queue import QueueFilter
from curation.services.triage import next_answer
from curation.services.workspace import open_workspace

ROB = Person(name="Rob Oduya", email="rob@kestrel.example")
Settle = Callable[[Page], None]


@pytest.fixture
def queue(demo_home: Path, serve_home: Callable[..., Any], tab: Page, settle: Settle) -> Page:
    """The queue of the sample world on the screen."""
    tab.goto(serve_home(demo_home).url)
    settle(tab)
    expect(rows(tab).first).to_be_visible()
    return tab


def rows(page: Page) -> Locator:
    return page.locator("[data-list=queue] [data-row]")


def selected(page: Page) -> str:
    return page.locator("[data-row][aria-selected=true]").get_attribute("data-row") or ""


def test_arrows_move_home_and_end_jump_and_the_details_follow(queue: Page) -> None:
    ids = [row.get_attribute("data-row") for row in rows(queue).all()]
    assert len(ids) == 50
    assert selected(queue) == ids[0]
    queue.keyboard.press("ArrowDown")
    queue.keyboard.press("ArrowDown")
    queue.keyboard.press("ArrowUp")
    assert selected(queue) == ids[1]
    question = rows(queue).nth(1).get_attribute("title") or ""
    expect(queue.locator("#queue-details")).to_contain_text(question)
    queue.keyboard.press("End")
    assert selected(queue) == ids[-1]
    queue.keyboard.press("Home")
    assert selected(queue) == ids[0]


def test_the_list_is_one_stop_in_the_focus_order(queue: Page) -> None:
    queue.locator("[data-list=queue]").focus()
    queue.keyboard.press("Tab")
    inside = queue.evaluate("!!document.activeElement.closest('[data-list]')")
    assert not inside
    queue.keyboard.press("Shift+Tab")
    assert queue.evaluate("document.activeElement.getAttribute('data-list')") == "queue"


def test_rows_are_32_pixels_and_the_page_does_not_scroll(queue: Page) -> None:
    box = rows(queue).nth(1).bounding_box()
    assert box is not None
    assert box["height"] == 32
    for width, height in ((1440, 900), (1100, 800)):
        queue.set_viewport_size({"width": width, "height": height})
        tall = queue.evaluate(
            "[document.scrollingElement, document.querySelector('.stMain')]"
            ".map(part => part.scrollHeight - part.clientHeight)"
        )
        assert tall == [0, 0]


def test_pages_turn_by_key_and_the_address_follows(queue: Page, settle: Settle) -> None:
    first = selected(queue)
    queue.keyboard.press("PageDown")
    expect(queue).to_have_url(re.compile(r"page=2"))
    settle(queue)
    assert selected(queue) != first
    queue.keyboard.press("PageUp")
    expect(queue).not_to_have_url(re.compile(r"page="))
    settle(queue)
    assert selected(queue) == first


def test_enter_reviews_the_next_answer_and_o_opens_the_selected_one(
    queue: Page, settle: Settle
) -> None:
    queue.keyboard.press("ArrowDown")
    wanted = selected(queue)
    queue.keyboard.press("o")
    queue.wait_for_url(re.compile(r"/review\?answer="))
    assert wanted in queue.url.replace("%3A", ":")
    queue.go_back()
    settle(queue)
    expect(rows(queue).first).to_be_visible()
    queue.keyboard.press("Enter")
    queue.wait_for_url(re.compile(r"/review\?answer="))


def test_typing_into_the_words_field_does_nothing_else_and_x_clears_it(
    queue: Page, settle: Settle
) -> None:
    queue.keyboard.press("/")
    field = queue.get_by_label("Words in the question")
    expect(field).to_be_focused()
    queue.keyboard.type("the ojxkhq?/ 0123456789")
    expect(field).to_have_value("the ojxkhq?/ 0123456789")
    expect(queue.get_by_text("Nothing matches these filters.")).to_be_visible()
    expect(queue.locator(".cur-legend")).to_be_hidden()
    assert "/review" not in queue.url
    queue.keyboard.press("Escape")
    settle(queue)
    queue.keyboard.press("x")
    expect(rows(queue).first).to_be_visible()
    expect(field).to_have_value("")


def test_a_filtered_address_opens_the_filtered_queue(
    demo_server: Any, tab: Page, settle: Settle
) -> None:
    tab.goto(f"{demo_server.url}/?signal=correction&show=to_review")
    settle(tab)
    expect(rows(tab).first).to_contain_text("correction")
    assert all("correction" in text for text in rows(tab).all_inner_texts())


def test_the_judge_is_hidden_until_j_and_says_what_that_means(queue: Page, settle: Settle) -> None:
    assert "judge" not in " ".join(rows(queue).all_inner_texts())
    queue.keyboard.press("j")
    expect(queue.locator(".cur-message")).to_contain_text("do not count when the judge")
    settle(queue)
    queue.keyboard.press("j")
    expect(queue.locator(".cur-message")).to_contain_text("hidden until your verdict")


def test_h_and_question_mark_show_the_keys_and_escape_closes_them(queue: Page) -> None:
    legend = queue.locator(".cur-legend")
    for key in ("h", "?"):
        queue.keyboard.press(key)
        expect(legend).to_be_visible()
        expect(legend).to_contain_text("Review next")
        queue.keyboard.press("Escape")
        expect(legend).to_be_hidden()


def test_who_holds_what_is_said(
    demo_home: Path, serve_home: Callable[..., Any], tab: Page, settle: Settle
) -> None:
    workspace = open_workspace(load_settings(demo_home))
    next_answer(workspace, ROB, QueueFilter(), now=datetime.now(UTC))
    workspace.store.dispose()
    tab.goto(serve_home(demo_home).url)
    settle(tab)
    expect(tab.locator(".cur-note")).to_have_text(re.compile(r"1 held: Rob Oduya, until \d\d:\d\d"))
    counts = tab.locator(".cur-counts").inner_text()
    parts = [int(n) for n in re.findall(r"(\d+) (?:to review|held|done|dismissed|covered)", counts)]
    assert sum(parts) == int(re.findall(r"= (\d+) in all", counts)[0])
    assert parts[1] == 1


def test_the_frameworks_own_keys_do_nothing(queue: Page) -> None:
    queue.keyboard.press("c")
    queue.keyboard.press("r")
    queue.wait_for_timeout(300)
    assert queue.locator("[role=dialog]").count() == 0


def test_typing_words_that_match_keeps_the_focus_in_the_field(queue: Page, settle: Settle) -> None:
    queue.keyboard.press("k")
    field = queue.get_by_label("Words in the question")
    for letters in ("t", "i", "m", "e"):
        queue.keyboard.type(letters)
        queue.wait_for_timeout(500)
        settle(queue)
        expect(field).to_be_focused()
    expect(field).to_have_value("time")
    expect(rows(queue).first).to_contain_text("time")
