"""The one listener of a page: keys by position and by character, focus order, nothing in fields."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

Settle = Callable[[Page], None]
ALL_ACKNOWLEDGED = "() => window.curationBar.queue.length === 0"
RECORD = """() => {
  window.heard = [];
  const bar = window.curationBar;
  bar.emit = (act) => window.heard.push(act);
}"""


@pytest.fixture
def queue(demo_server: Any, tab: Page, settle: Settle) -> Page:
    """The queue, with a listener that writes down what would be sent."""
    tab.goto(demo_server.url)
    settle(tab)
    expect(tab.locator("[data-row]").first).to_be_visible()
    tab.evaluate(RECORD)
    return tab


def press(page: Page, **event: object) -> list[str]:
    """Send one key event as a layout would, and return what was heard since the last time."""
    page.evaluate(
        "event => { window.heard.length = 0;"
        " document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, ...event})) }",
        event,
    )
    heard: list[str] = page.evaluate("window.heard")
    return heard


@pytest.mark.parametrize(
    ("event", "heard"),
    [
        ({"key": "o", "code": "KeyO"}, ["open"]),
        ({"key": "O", "code": "KeyO", "shiftKey": True}, ["open"]),
        ({"key": "щ", "code": "KeyO"}, ["open"]),  # a Cyrillic layout
        ({"key": "o", "code": "KeyR"}, ["open"]),  # Dvorak
        ({"key": "Enter", "code": "Enter"}, ["next"]),
        ({"key": "Enter", "code": "NumpadEnter"}, ["next"]),
        ({"key": "x", "code": "KeyX"}, ["clear"]),
        ({"key": "j", "code": "KeyJ"}, ["judge"]),
        ({"key": "PageDown", "code": "PageDown"}, ["page_next"]),
        ({"key": "o", "code": "KeyO", "ctrlKey": True}, []),
        ({"key": "o", "code": "KeyO", "metaKey": True}, []),
        ({"key": "o", "code": "KeyO", "altKey": True}, []),
        ({"key": "j", "code": "KeyJ", "repeat": True}, []),
        ({"key": "z", "code": "KeyZ"}, []),
    ],
)
def test_a_key_is_heard_as_the_layout_means_it(
    queue: Page, event: dict[str, object], heard: list[str]
) -> None:
    assert press(queue, **event) == heard


def test_a_slash_is_read_by_what_it_prints(queue: Page) -> None:
    field = queue.get_by_label("Words in the question")
    for _ in range(3):  # the framework may draw the field anew just then, and drop its focus
        press(queue, key="/", code="Digit7", shiftKey=True)
        if field.evaluate("(node) => node === document.activeElement"):
            return
        queue.wait_for_timeout(500)
    expect(field).to_be_focused()


def test_no_letter_digit_or_sign_acts_in_any_field(queue: Page) -> None:
    fields = queue.locator(".st-key-cur_filters input")
    assert fields.count() >= 5
    for at in range(fields.count()):
        fields.nth(at).focus()
        queue.keyboard.type("abcdefghijklmnopqrstuvwxyz0123456789/?")
        assert queue.evaluate("window.heard") == []
        queue.keyboard.press("Escape")
        queue.keyboard.press("Escape")


def test_enter_on_a_button_presses_the_button(queue: Page) -> None:
    queue.locator(".cur-tools button", has_text="Show judge").focus()
    queue.keyboard.press("Enter")
    assert queue.evaluate("window.heard") == ["judge"]


def test_six_keys_without_a_gap_are_six_events_in_order(
    demo_server: Any, tab: Page, settle: Settle
) -> None:
    tab.goto(f"{demo_server.url}/history")
    settle(tab)
    for key in "nnvnpp":  # older, older, one earlier, older, newer, newer
        tab.keyboard.press(key)
    tab.wait_for_function(ALL_ACKNOWLEDGED)
    settle(tab)
    expect(tab).to_have_url(re.compile("b=golden%2Fv3"))
    expect(tab.get_by_text("From golden/v2 to golden/v3")).to_be_visible()
    for key in "np" * 3:
        tab.keyboard.press(key)
    tab.wait_for_function(ALL_ACKNOWLEDGED)
    expect(tab).to_have_url(re.compile("b=golden%2Fv3"))


PRESS_AT_ONCE = """key => new MutationObserver((_, seen) => {
  if (!document.querySelector('[data-list=changes]')) return;
  seen.disconnect();
  const bar = window.curationBar;
  window.early = !bar || !bar.token.endsWith(':changes');
  setTimeout(() => document.body.dispatchEvent(
    new KeyboardEvent('keydown', { key, code: 'KeyA', bubbles: true })));
}).observe(document, { childList: true, subtree: true })"""


@pytest.mark.parametrize("first", [True, False], ids=["first page", "from another page"])
def test_a_key_pressed_as_soon_as_the_page_is_seen_is_not_lost(
    demo_server: Any, tab: Page, settle: Settle, first: bool
) -> None:
    if first:
        tab.add_init_script(f"({PRESS_AT_ONCE})('a')")
        tab.goto(f"{demo_server.url}/changes")
    else:
        tab.goto(demo_server.url)
        settle(tab)
        tab.evaluate(PRESS_AT_ONCE, "a")
        tab.get_by_role("link", name=re.compile("^Changes")).click(delay=90)
    expect(tab.get_by_label("Comment", exact=True)).to_be_focused()  # A asks for a comment first
    assert tab.evaluate("window.early"), "the bar was there before the list: nothing was proved"


def test_the_focus_goes_from_the_header_to_the_panes_to_the_bar(
    demo_server: Any, tab: Page, settle: Settle
) -> None:
    tab.goto(f"{demo_server.url}/changes")
    settle(tab)
    expect(tab.locator("[data-list=changes]")).to_be_focused()
    tab.get_by_test_id("stSkipToContent").focus()
    seen: list[str] = []
    where = """() => {
      const part = document.activeElement;
      const places = [['header', '.stAppHeader'], ['list', '[data-list]'],
        ['panes', '.cur-pane'], ['bar', '.cur-bar']];
      return places.find(([name, where]) => part.closest(where))?.[0] || 'other';
    }"""
    for _ in range(40):
        tab.keyboard.press("Tab")
        place = tab.evaluate(where)
        if place != "other" and (not seen or seen[-1] != place):
            seen.append(place)
        if place == "bar":
            break
    assert seen == ["header", "list", "panes", "bar"]
