"""What the screen shows and hides: the judge, the layout at every size, the focus order, keys."""

import re
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import expect

from curation.ui.review.keymap import KEYS
from tests.ui.review.conftest import ReviewDesk
from tests.ui.review.world import JUDGE_WORDS


def sized(served, page):
    """A reviewer at a window of a size."""
    desk = ReviewDesk(page=page, url=served.url, home=served.home, taken=served.taken)
    desk.open("mixup")
    return desk


SIZES = [(1440, 900, False), (1440, 900, True), (1100, 800, False), (1100, 800, True)]


def test_the_judge_is_not_sent_before_j(desk):
    received: list[bytes] = []

    def keep(frame):
        received.append(frame if isinstance(frame, bytes) else frame.encode())

    desk.page.on("websocket", lambda socket: socket.on("framereceived", keep))
    desk.open("mixup")
    desk.press("ArrowDown", "1", "z", "t", "d", "Escape", "v")
    desk.idle()
    sent = b"".join(received)
    assert b"default idle timeout" in sent
    assert JUDGE_WORDS.encode() not in sent
    assert b"0.137" not in sent
    judge = desk.page.locator(".cu-judge")
    expect(judge).to_contain_text("Hidden until your verdict.")
    desk.press("j")
    expect(judge).to_contain_text(JUDGE_WORDS)
    expect(judge).to_contain_text("0.137")
    desk.press("g")
    expect(desk.page.locator(".cu-message")).to_contain_text("Answer is right.")
    assert not desk.reviews()[0].blind


@pytest.mark.parametrize(("width", "height", "dark"), SIZES)
def test_everything_is_in_sight_and_the_page_does_not_scroll(served, new_tab, width, height, dark):
    desk = sized(served, new_tab(width=width, height=height, dark=dark))
    page = desk.page
    page.keyboard.press("Shift+Digit1")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("2")
    expect(page.locator(".cu-fact")).to_have_count(3)
    page.keyboard.press("ArrowUp")
    for selector in (".cu-h1", ".cu-cursor", "[data-field=reference]", ".cu-checks", ".cu-bar"):
        box = page.locator(selector).first.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= width + 1
        assert box["y"] + box["height"] <= height + 1
    scrolls = page.evaluate(
        "() => [document.scrollingElement, document.querySelector('[data-testid=stMain]')]"
        ".map((n) => n.scrollHeight - n.clientHeight)"
    )
    assert scrolls == [0, 0]
    clipped = page.evaluate(
        "() => [...document.querySelectorAll('.cu-case .cu-input')].filter((n) => {"
        "const box = n.getBoundingClientRect();"
        "const pane = n.closest('.cu-pane').getBoundingClientRect();"
        "return box.left < pane.left || box.right > pane.right; }).length"
    )
    assert clipped == 0


def test_below_900_pixels_it_is_one_column_and_the_bar_stays(served, new_tab):
    page = sized(served, new_tab(width=760, height=1000)).page
    tops = [
        page.locator(f".cu-{name}").evaluate("(n) => n.getBoundingClientRect().top")
        for name in ("answer", "chunks", "case", "checks")
    ]
    assert tops == sorted(tops)
    bar = page.locator(".cu-bar").bounding_box()
    assert bar is not None
    assert bar["y"] + bar["height"] <= 1000


def test_the_screen_stays_beneath_a_header_that_grows_after_it(served, new_tab):
    page = sized(served, new_tab()).page
    header, screen = page.locator('[data-testid="stHeader"]'), page.locator(".cu-review")
    header.evaluate("(node) => { node.style.height = '91px'; node.style.minHeight = '91px'; }")
    expect(screen).to_have_css("top", "91px")


def test_the_focus_goes_through_the_panes_in_their_order(desk):
    desk.open("mixup")
    desk.page.locator(".cu-answer").focus()
    seen = []
    for _ in range(60):
        seen.append(
            desk.page.evaluate(
                "() => { const a = document.activeElement; const p = a.closest('.cu-pane,.cu-bar');"
                "return p ? p.className.split(' ').pop() : ''; }"
            )
        )
        desk.press("Tab")
    order = [name for i, name in enumerate(seen) if name and (i == 0 or seen[i - 1] != name)]
    assert order[:5] == ["cu-answer", "cu-chunks", "cu-case", "cu-checks", "cu-bar"]


def test_every_key_of_the_legend_is_shown_by_the_help(desk):
    desk.open("mixup")
    desk.press("h")
    text = desk.page.locator(".cu-help").inner_text()
    for key in KEYS:
        assert key.about in text
    desk.press("Escape")
    expect(desk.page.locator(".cu-help")).to_have_count(0)
    desk.press("?")
    expect(desk.page.locator(".cu-help")).to_be_visible()
    desk.press("h")
    expect(desk.page.locator(".cu-help")).to_have_count(0)


def test_keys_that_only_show_something(desk):
    desk.open("turns")
    page = desk.page
    expect(page.locator(".cu-turn")).to_have_count(0)
    desk.press("p")
    expect(page.locator(".cu-turn")).to_have_count(4)
    desk.press("f")
    expect(page.locator(".cu-options")).to_be_visible()
    desk.press("Escape")
    expect(page.locator(".cu-options")).to_have_count(0)
    desk.press("t")
    expect(page.locator("[data-field=weight]")).to_be_visible()
    desk.press("a")
    expect(page.locator("[data-entry=fact]")).to_be_focused()
    page.keyboard.type("Backups exist")
    desk.press("Enter", "Escape")
    desk.idle()
    assert [f.text for f in desk.draft().facts.required] == ["Backups exist"]
    desk.press("m")
    desk.idle()
    assert [f.text for f in desk.draft().facts.optional] == ["Backups exist"]
    desk.press("7")
    expect(page.locator("[data-field=declines]")).to_be_visible()
    desk.press("8")
    expect(page.locator("[data-field=readings]")).to_be_visible()
    desk.press("5", "b")
    expect(page.locator("[data-field=reference]")).to_be_focused()
    desk.press("Escape", "q")
    page.wait_for_url(re.compile(r"/(\?.*)?$"))


def test_the_failure_stays_as_a_person_chose_it(desk):
    desk.open("mixup")
    line = desk.page.locator(".cu-failure")
    desk.press("Shift+Digit1")
    expect(line).to_contain_text("proposed context_recall (fix: retrieval, chunking), because")
    desk.press("f")
    desk.page.locator(".cu-options .cu-item", has_text="answer_relevancy").click()
    expect(line).to_contain_text("yours answer_relevancy")
    desk.press("z", "z", "3")
    desk.idle()
    assert desk.draft().failure is None


def test_facts_that_do_not_fit_a_no_move_to_may_with_one_key(desk):
    desk.open("turns")
    desk.press("1", "6")
    problem = desk.page.locator(".cu-fact .cu-problem")
    expect(problem).to_contain_text("does not fit a question that cannot be answered")
    desk.press("m")
    expect(problem).to_have_count(0)
    desk.idle()
    assert len(desk.draft().facts.optional) == 1


def test_what_is_said_is_spoken(desk):
    desk.open("mixup")
    spoken = desk.page.locator(".cu-sr [role=status]")
    desk.press("1")
    expect(spoken).to_have_text("✓ Must hold: default: 60 s")
    desk.press("PageUp", "ArrowDown", "1")
    expect(desk.page.locator(".cu-sr [role=alert]")).to_contain_text("not the version asked for")


@pytest.mark.parametrize(
    ("press", "act"),
    [
        ({"key": "1", "code": "Digit1"}, "required"),
        ({"key": "1", "code": "Numpad1"}, "required"),
        ({"key": "!", "code": "Digit1", "shiftKey": True}, "required_and_forbid"),
        ({"key": "&", "code": "Digit1"}, "required"),  # a layout that prints digits with Shift
        ({"key": "1", "code": "Digit1", "shiftKey": True}, "required"),
        ({"key": "1", "code": "Digit1", "altKey": True}, "required_and_forbid"),
        ({"key": "/", "code": "Digit7", "shiftKey": True}, "search"),
        ({"key": "?", "code": "Minus", "shiftKey": True}, "help"),
        ({"key": "G", "code": "KeyG", "shiftKey": True}, "right"),
        ({"key": "ц", "code": "KeyW"}, "write"),
        ({"key": "q", "code": "KeyA"}, "queue"),  # letters by what they print
        ({"key": "s", "code": "KeyS", "ctrlKey": True}, None),
        ({"key": "Enter", "code": "Enter", "ctrlKey": True}, "propose"),
        ({"key": "Enter", "code": "Enter", "metaKey": True}, "propose"),
        ({"key": "1", "code": "Digit1", "isComposing": True}, None),
        ({"key": "9", "code": "Digit9"}, None),
        ({"key": "ArrowRight", "code": "ArrowRight", "shiftKey": True}, "extend_right"),
    ],
)
def test_presses_are_read_by_place_and_by_character(legend, press, act):
    assert legend.evaluate("(press) => window.__curationReview.action(press)", press) == act


@pytest.fixture(scope="module")
def legend(browser, served):
    """A page whose key map can be asked."""
    page = browser.new_page()
    page.goto(f"{served.url}/review?answer=right-15")
    expect(page.locator(".cu-bar")).to_be_visible(timeout=30_000)
    yield page
    page.close()


AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("dark", [False, True])
def test_an_automatic_check_finds_nothing_with_facts_and_open_blocks(served, new_tab, dark):
    desk = sized(served, new_tab(dark=dark))
    desk.press("Shift+Digit1", "t", "f", "Escape", "/")
    desk.page.keyboard.type("backup")
    desk.press("Enter")
    desk.idle()
    desk.page.evaluate(AXE)
    # The markup is the same in the dark: there only the colours can be wrong.
    rules = "{ runOnly: ['color-contrast'] }" if dark else "{}"
    for key in ("f", "h") if dark else ("f", "d", "n", "h"):
        desk.press("Escape", key)
        desk.idle()
        run = f"async () => (await axe.run({rules})).violations.map((v) => v.id)"
        assert desk.page.evaluate(run) == []


def test_letters_without_a_meaning_do_nothing(desk):
    desk.open("right")
    desk.press("c", "r", "u", "x", "y", "9", "0")
    desk.page.wait_for_timeout(300)
    expect(desk.page.get_by_role("dialog")).to_have_count(0)
    desk.idle()
    assert desk.draft().facts.each == ()
    desk.page.wait_for_url(f"**answer={desk.answer_id}*")


def test_skip_other_wording_and_the_other_search_key(desk):
    desk.open("turns")
    desk.press("1", "ArrowDown", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft", "o")
    desk.idle()
    assert desk.draft().facts.required[0].any_of == ("Restoring",)
    desk.press("k")
    expect(desk.page.locator("[data-entry=search]")).to_be_focused()
    desk.press("Escape", "s")
    expect(desk.page.locator(".cu-message")).to_contain_text("Skipped.")
    desk.idle()
    desk.page.wait_for_url(lambda url: f"answer={desk.answer_id}" not in url)
    assert len(desk.draft().facts.required) == 1


def test_back_leads_to_where_the_person_came_from_with_everything_saved(desk):
    desk.page.goto(desk.url)
    desk.page.get_by_role("link", name="Review", exact=True).click(delay=90)
    expect(desk.page.locator(".cu-bar")).to_be_visible(timeout=30_000)
    desk.idle()
    desk.answer_id = desk.page.url.split("answer=")[1]
    desk.press("s")
    expect(desk.page.locator(".cu-message")).to_contain_text("Skipped.")
    desk.idle()
    skipped = f"answer={desk.answer_id}"
    desk.page.wait_for_url(lambda url: "answer=" in url and skipped not in url)
    desk.answer_id = desk.page.url.split("answer=")[1]
    desk.press("w")
    desk.page.keyboard.type("before going back")
    desk.page.go_back()
    expect(desk.page.locator(".cu-review")).to_have_count(0)
    desk.page.wait_for_url(lambda url: "answer=" not in url)
    assert desk.saved("before going back")
