"""Typing in a real browser: nothing is lost, nothing acts, nothing is overwritten."""

import string
from datetime import UTC, datetime

from playwright.sync_api import expect

from curation.services import review
from tests.ui.review.world import MIA, open_home


def test_text_typed_and_at_once_proposed_is_in_the_change_byte_for_byte(desk):
    text = "Backups are kept for 30 days. Ünïcode 👩‍👩‍👧 $5 and $6, <b>no</b> tag\nand a line"
    desk.open("turns")
    before = len(desk.changes())
    desk.press("1", "w")
    desk.page.keyboard.insert_text(text)
    desk.press("Control+Enter", "Control+Enter")
    expect(desk.page.locator(".cu-message")).to_contain_text("Proposed as change")
    assert desk.case()["reference"] == text
    desk.idle()
    assert len(desk.changes()) == before + 1


def test_keys_in_a_field_only_type(desk):
    desk.open("turns")
    desk.press("1", "t")
    desk.idle()
    before = desk.draft()
    typed = string.ascii_lowercase + string.digits + "/?"
    fields = desk.page.locator(".cu-case textarea, .cu-case input")
    # By name, since a wording that was typed gets an empty field for the next one below it.
    names = fields.evaluate_all("(all) => all.map((one) => one.dataset.field || '')")
    assert len(names) >= 8
    for i, name in enumerate(names):
        field = desk.page.locator(f'.cu-case [data-field="{name}"]') if name else fields.nth(i)
        field.focus()
        field.press("End")
        desk.page.keyboard.type(typed)
        assert typed in field.input_value()
        assert field.evaluate("(node) => document.activeElement === node")
        if name == "weight":  # letters are no number and would be refused later
            field.fill("1")
    desk.press("Escape")
    desk.idle()
    after = desk.draft()
    assert after.answerable == before.answerable
    assert len(after.facts.each) == len(before.facts.each)
    assert all(review.answer_id != desk.answer_id for review in desk.reviews())
    desk.press("6")
    desk.idle()
    assert desk.draft().answerable.value == "unanswerable"


def test_text_is_saved_after_a_pause_by_escape_by_tab_and_by_leaving_the_page(desk):
    desk.open("turns")
    desk.press("w")
    desk.page.keyboard.type("paused")
    desk.page.wait_for_timeout(1100)
    desk.idle()
    assert desk.draft().reference == "paused"
    desk.page.keyboard.type(" escaped")
    desk.press("Escape")
    desk.idle()
    assert desk.draft().reference == "paused escaped"
    desk.press("w")
    desk.page.keyboard.type(" tabbed")
    desk.press("Tab")
    desk.idle()
    assert desk.draft().reference == "paused escaped tabbed"
    desk.press("Escape", "w")
    desk.page.keyboard.type(" left")
    desk.page.get_by_role("link", name="Settings").click(delay=90)
    expect(desk.page.locator(".cu-review")).to_have_count(0)
    assert desk.saved("paused escaped tabbed left")


def test_a_refresh_keeps_the_draft(desk):
    desk.open("turns")
    desk.press("1", "w")
    desk.page.keyboard.type("kept")
    desk.press("Escape")
    desk.idle()
    desk.page.reload()
    expect(desk.page.locator("[data-field=reference]")).to_have_value("kept")
    expect(desk.page.locator(".cu-facts-required textarea")).to_have_value(
        "A backup is kept for 30 days."
    )


def test_typing_is_never_overwritten_by_an_older_echo(desk):
    desk.open("turns")
    desk.press("w")
    for part in ("one ", "two ", "three ", "four "):
        desk.page.keyboard.type(part)
        desk.page.wait_for_timeout(1020)  # a save is on its way while the next word is typed
    desk.page.keyboard.type("five")
    expect(desk.page.locator("[data-field=reference]")).to_have_value("one two three four five")
    desk.press("Escape")
    desk.idle()
    assert desk.draft().reference == "one two three four five"


def test_a_second_window_on_the_same_draft_is_asked_about(desk):
    desk.open("turns")
    other = open_home(desk.home)
    review.save_fields(other, MIA, desk.answer_id, {"notes": "from elsewhere"}, now=_now())
    review.save_fields(other, MIA, desk.answer_id, {"reference": "from elsewhere"}, now=_now())
    other.store.dispose()
    desk.press("w")
    desk.page.keyboard.type("mine")
    desk.press("Escape")
    notice = desk.page.locator(".cu-notice")
    expect(notice).to_contain_text("You changed this draft in another window at ")
    notice.get_by_role("button", name="Keep this one").click()
    expect(notice).to_have_count(0)
    desk.idle()
    draft = desk.draft()
    assert (draft.reference, draft.notes) == ("mine", "from elsewhere")


def test_the_other_window_can_be_taken_over(desk):
    desk.open("turns")
    other = open_home(desk.home)
    review.save_fields(other, MIA, desk.answer_id, {"reference": "from elsewhere"}, now=_now())
    other.store.dispose()
    desk.press("w")
    desk.page.keyboard.type("mine")
    desk.press("Escape")
    desk.page.get_by_role("button", name="Use that one").click()
    expect(desk.page.locator("[data-field=reference]")).to_have_value("from elsewhere")
    desk.idle()
    assert desk.draft().reference == "from elsewhere"


def _now():
    return datetime.now(UTC)


def test_lists_show_what_the_case_would_have_and_save_what_is_chosen(desk):
    desk.open("right")
    desk.press("t")
    workspace = open_home(desk.home)
    proposed = review.load_work(workspace, MIA, desk.answer_id).case.question_type
    workspace.store.dispose()
    field = desk.page.locator("[data-field=question_type]")
    expect(field).to_have_value(proposed)
    field.select_option("definition")
    desk.idle()
    assert desk.draft().question_type == "definition"
    desk.page.reload()
    desk.page.locator(".cu-bar").wait_for()
    desk.press("t")
    expect(field).to_have_value("definition")
