"""The five flows of a review by keyboard alone, with exactly their keys (section 2).

Each flow on each kind of answer: a version mix-up, a multi-turn question, a long answer, an answer
without chunks. One cell cannot be: without chunks nothing of a wrong version was retrieved. Where
there are no chunks the cursor stands on a right sentence only after a search.
"""

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from curation.services import corpus
from tests.ui.conftest import start_server
from tests.ui.review.conftest import COPIES, Served
from tests.ui.review.world import LONG, MIXUP, TURNS, copies, make_home, open_home, written

SESSIONS = {
    version: f"## Sessions\nA session ends after {minutes} minutes without a message."
    for version, minutes in (("3.9", 30), ("4.2", 60))
}
ENDS = "A session ends after 60 minutes without a message."
MIXED = {
    **MIXUP,
    "question": "When does a session end in 4.2?",
    "answer": "A session ends after 30 minutes without a message.",
    "retrieved": [
        {
            "rank": 1,
            "chunk_id": "guide#sessions",
            "doc_id": "guide",
            "doc_version": "3.9",
            "text": SESSIONS["3.9"],
        }
    ],
    "citations": [],
}
KINDS = {
    "mixed": MIXED,
    "mixed_turns": {
        **MIXED,
        "question": "When does a session end?",
        "conversation": TURNS["conversation"],
    },
    "mixed_long": {**MIXED, "answer": "It depends on many things. " * 180 + MIXED["answer"]},
    "no_chunks": {**LONG, "answer": "On port 9000.", "retrieved": []},
}
PORT, BACKUP = "The relay listens on port 7400.", "A backup is kept for 30 days."
SEARCHED = ("/", "relay listens port", "Enter")
WRITE, TAKE_OVER, OTHER_VERSION = ("1", "w"), ("1", "i"), ("Shift+Digit1", "w")
IMPOSSIBLE = ("6", "/", "support plan price", "Enter", "Control+Enter")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The small world with the kinds of answers that a flow needs besides."""
    folder = tmp_path_factory.mktemp("flows")
    more = [
        {
            **answer,
            "id": f"{kind}-{n}",
            "question": f"{answer['question'][:-1]} on relay {kind}{n}?",
        }
        for kind, answer in KINDS.items()
        for n in range(4)
    ]
    home = make_home(folder, answers=(*copies(COPIES), *more))
    workspace = open_home(home)
    rows = [
        {"chunk_id": "guide#sessions", "doc_id": "guide", "doc_version": version, "text": text}
        for version, text in SESSIONS.items()
    ]
    now = datetime.now(UTC)
    corpus.add_chunks(workspace, [written(folder / "sessions.jsonl", rows)], now=now)
    workspace.store.dispose()
    server = start_server(home)
    yield Served(url=server.url, home=home)
    server.stop()


@pytest.mark.parametrize(
    ("kind", "first", "keys", "typed"),
    [
        ("mixed", (), WRITE, ENDS),
        ("long", (), WRITE, PORT),
        ("no_chunks", SEARCHED, WRITE, PORT),
        ("mixed", (), TAKE_OVER, ""),
        ("turns", (), TAKE_OVER, ""),
        ("no_chunks", SEARCHED, TAKE_OVER, ""),
        ("mixed_turns", (), OTHER_VERSION, ENDS),
        ("mixed_long", (), OTHER_VERSION, ENDS),
    ],
)
def test_a_fact_a_reference_and_propose_are_three_keys_on_each_kind(desk, kind, first, keys, typed):
    desk.open(kind)
    _pressed(desk, first)
    said = desk.cursor()
    desk.press(*keys)
    desk.page.keyboard.type(typed)
    desk.press("Control+Enter")
    assert len((*keys, "Control+Enter")) == 3
    expect(desk.page.locator(".cu-message")).to_contain_text("Proposed as change")
    case = desk.case()
    assert said in {ENDS, PORT, BACKUP}
    assert case["reference"] == (typed or said)
    assert [f["text"] for f in case["facts"]["required"]] == [said]
    assert [e["quote"] for e in case["evidence"]] == [said]
    forbidden = [ENDS.replace("60", "30")] if keys is OTHER_VERSION else []
    assert [f["text"] for f in case["facts"]["forbidden"]] == forbidden


def _pressed(desk, keys):
    """Press keys, one after the other; words are typed."""
    for key in keys:
        if " " in key:
            desk.page.keyboard.type(key)
        else:
            desk.press(key)
    desk.idle()


@pytest.mark.parametrize("kind", ["mixed", "turns", "long", "no_chunks"])
def test_right_is_one_key_on_each_kind(desk, kind):
    desk.open(kind)
    desk.press("g")
    expect(desk.page.locator(".cu-message")).to_have_text("Answer is right. Z: undo.")
    assert desk.reviews()[0].answer_id == desk.answer_id


@pytest.mark.parametrize("kind", ["mixed", "turns", "long"])
def test_what_the_corpus_cannot_answer_is_four_keys_on_each_kind(desk, kind):
    desk.open(kind)
    _pressed(desk, IMPOSSIBLE)
    assert len([key for key in IMPOSSIBLE if " " not in key]) == 4
    expect(desk.page.locator(".cu-message")).to_contain_text("Proposed as change")
    assert desk.case()["answerable"] == "unanswerable"


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
    desk.page.wait_for_url(lambda url: "answer=" in url and not url.endswith("answer=right-0"))
    assert desk.page.evaluate("document.activeElement.className").startswith("cu-pane cu-chunks")
    assert desk.done_today() == before + 1
