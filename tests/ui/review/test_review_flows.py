"""The five flows of a review by keyboard alone, with exactly their keys."""

import re

from playwright.sync_api import expect


def test_pick_write_propose(desk):
    desk.open("turns")
    assert desk.cursor() == "A backup is kept for 30 days."
    desk.press("1", "w")
    desk.page.keyboard.type("Backups are kept for 30 days.")
    desk.press("Control+Enter")
    expect(desk.page.locator(".cu-message")).to_have_text(
        re.compile(r"Proposed as change \d{4}\. It waits for a second person\. Z: undo\.")
    )
    case = desk.case()
    assert case["reference"] == "Backups are kept for 30 days."
    assert [f["text"] for f in case["facts"]["required"]] == ["A backup is kept for 30 days."]
    assert [e["quote"] for e in case["evidence"]] == ["A backup is kept for 30 days."]
    assert case["conversation"][0]["text"] == "We run relay 4.2."


def test_pick_take_over_propose_without_typing(desk):
    desk.open("long")
    assert desk.cursor() == "The relay listens on port 7400."
    desk.press("1", "i", "Control+Enter")
    expect(desk.page.locator(".cu-message")).to_contain_text("Proposed as change")
    assert desk.case()["reference"] == "The relay listens on port 7400."


def test_the_wrong_version_was_answered(desk):
    desk.open("mixup")
    assert "default: 60 s" in desk.cursor()
    desk.press("Shift+Digit1", "w")
    desk.page.keyboard.type("In 4.2 the default: 60 s.")
    desk.press("Control+Enter")
    expect(desk.page.locator(".cu-message")).to_contain_text("Proposed as change")
    case = desk.case()
    assert [f["text"] for f in case["facts"]["required"]] == ["default: 60 s"]
    assert [(f["text"], f["value_of"]) for f in case["facts"]["forbidden"]] == [
        ("default: 30 s", "3.9")
    ]
    assert [e["doc_version"] for e in case["evidence"]] == ["4.2"]
    assert case["provenance"]["failure"] == "context_recall"


def test_the_answer_was_right(desk):
    desk.open("right")
    desk.press("g")
    expect(desk.page.locator(".cu-message")).to_have_text("Answer is right. Z: undo.")
    review = desk.reviews()[0]
    assert (review.verdict.value, review.reason) == ("right", "Right as it stands.")


def test_the_corpus_cannot_answer_it(desk):
    desk.open("bare")
    expect(desk.page.locator(".cu-chunks")).to_contain_text(
        "This answer came without its chunks. Search the corpus for evidence."
    )
    desk.press("6", "/")
    desk.page.keyboard.type("support plan price")
    desk.press("Enter", "Control+Enter")
    expect(desk.page.locator(".cu-message")).to_contain_text("Proposed as change")
    case = desk.case()
    assert (case["answerable"], case["reference"]) == ("unanswerable", "")
    assert case["provenance"]["failure"] == "false_answer"


def test_the_next_answer_is_there_after_a_verdict_with_the_focus_on_its_chunks(desk):
    desk.open("right")
    before = desk.done_today()
    desk.press("g")
    expect(desk.page.locator(".cu-message")).to_be_visible()
    desk.idle()
    desk.page.wait_for_url("**answer=mixup-*")
    assert desk.page.evaluate("document.activeElement.className").startswith("cu-pane cu-chunks")
    assert desk.done_today() == before + 1
