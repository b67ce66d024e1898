"""Picking in a real browser: no key is lost, the guard asks, words snap, undo is exact."""

from playwright.sync_api import expect


def facts(desk):
    draft = desk.draft()
    return [(kind.value, fact.text) for kind, fact in draft.facts.each]


def test_six_picks_without_a_gap_are_six_picks(desk):
    desk.open("turns")
    desk.press(
        "1",
        "ArrowDown",
        "2",
        "ArrowDown",
        "3",
        "ArrowDown",
        "ArrowDown",
        "1",
        "ArrowDown",
        "2",
        "PageUp",
        "e",
    )
    desk.idle()
    assert facts(desk) == [
        ("required", "A backup is kept for 30 days."),
        ("required", "The relay listens on port 7400."),
        ("optional", "Restoring one takes the relay offline."),
        ("optional", "Metrics are on port 7401."),
        ("forbidden", "Backups are written to the second disk."),
    ]
    quotes = [e.quote for e in desk.draft().evidence]
    assert len(quotes) == 5


def test_a_chunk_of_another_version_asks_first(desk):
    desk.open("mixup")
    desk.press("PageUp")
    for _ in range(2):
        desk.press("ArrowDown")
    assert desk.cursor() == "+ default: 30 s"
    desk.press("1")
    guard = desk.page.locator(".cu-guard")
    expect(guard).to_have_text(
        "This chunk is 3.9, not the version asked for. 1 again: use it anyway · 3: forbid it · "
        "V: other versions"
    )
    assert facts(desk) == []
    desk.press("1")
    desk.idle()
    assert facts(desk) == [("required", "default: 30 s")]
    desk.press("z")
    desk.idle()
    assert facts(desk) == []
    desk.press("2", "3")
    desk.idle()
    assert facts(desk) == [("forbidden", "default: 30 s")]
    expect(guard).to_have_count(0)


def test_other_versions_open_under_the_chunk_the_one_asked_for_first(desk):
    desk.open("mixup")
    nested = desk.page.locator(".cu-nested .cu-tag-asked, .cu-nested .cu-tag-other")
    expect(desk.page.locator(".cu-nested")).to_have_count(1)
    desk.press("v")
    expect(desk.page.locator(".cu-nested")).to_have_count(2)
    assert "4.2 ✓ asked for" in nested.first.inner_text()
    desk.press("v")
    expect(desk.page.locator(".cu-nested")).to_have_count(1)


def test_words_mode_picks_some_words_with_their_quote(desk):
    desk.open("mixup")
    desk.press("ArrowRight")  # the word that differs
    desk.press("Shift+ArrowRight", "1")
    desk.idle()
    (evidence,) = desk.draft().evidence
    assert (evidence.quote, evidence.doc_version) == ("60 s", "4.2")
    assert facts(desk) == [("required", "60 s")]
    desk.press("Escape", "Shift+Digit1")
    expect(desk.page.locator(".cu-message")).to_contain_text("Must not hold: default: 30 s")


SELECT = """([pane, words, from, to]) => {
  const node = [...document.querySelectorAll(`${pane} .cu-s`)]
    .find((s) => s.textContent.startsWith(words)).firstChild;
  const range = document.createRange();
  range.setStart(node, from); range.setEnd(node, to);
  const selection = getSelection(); selection.removeAllRanges(); selection.addRange(range);
  node.parentElement.dispatchEvent(new MouseEvent('mouseup', {bubbles: true}));
}"""


def test_words_of_the_logged_answer_are_forbidden_by_keyboard_and_by_mouse(desk):
    desk.open("mixup")
    desk.page.evaluate(SELECT, [".cu-answer", "The default idle", 5, 22])  # "efault idle timeo"
    expect(desk.page.get_by_role("toolbar", name="Use the selected words")).to_be_visible()
    desk.press("3", "Escape", *["PageUp"] * 9, "ArrowDown", "3")
    desk.idle()
    assert facts(desk) == [
        ("forbidden", "default idle timeout"),
        ("forbidden", "Most teams with 77 relays keep it."),
    ]


def test_a_warning_is_explained_by_its_key(desk):
    desk.open("mixup")
    desk.press("1", "w")
    desk.page.keyboard.type("It closes after 60 s.")
    desk.press("Control+Enter")
    expect(desk.page.locator(".cu-first")).to_contain_text("Y: say why.")
    desk.press("y")
    expect(desk.page.locator(".cu-checks textarea:focus, .cu-checks input:focus")).to_be_visible()
    desk.page.keyboard.type("It says so in other words.")
    desk.press("Control+Enter")
    expect(desk.page.locator(".cu-message")).to_contain_text("Proposed as change")
    (ack,) = desk.changes()[0].latest.acks
    assert ack.why == "It says so in other words."


def test_a_mouse_selection_snaps_to_whole_words_and_shows_the_bar(desk):
    desk.open("turns")
    desk.page.evaluate(SELECT, [".cu-chunks", "Restoring one", 4, 12])  # "oring on"
    bar = desk.page.get_by_role("toolbar", name="Use the selected words")
    expect(bar).to_be_visible()
    bar.get_by_role("button", name="required").click()
    desk.idle()
    assert facts(desk) == [("required", "Restoring one")]
    assert desk.draft().evidence[0].quote == "Restoring one"


def test_a_correction_can_be_picked_and_gets_its_evidence_later(desk):
    desk.open("turns")
    desk.press("PageUp")
    assert desk.cursor() == "A backup is kept for 30 days."
    desk.press("ArrowRight", "Shift+ArrowRight", "1")
    desk.idle()
    assert facts(desk) == [("required", "A backup")]
    expect(desk.page.locator(".cu-facts")).to_contain_text("△ no evidence")
    desk.press("PageDown", "ArrowDown", "e")
    desk.idle()
    draft = desk.draft()
    assert draft.facts.required[0].evidence == (draft.evidence[0].id,)


def test_undo_takes_back_picks_one_by_one_and_then_the_verdict(desk):
    desk.open("right")
    desk.press("1", "ArrowUp", "2")
    desk.idle()
    desk.press("z")
    desk.idle()
    assert len(facts(desk)) == 1
    desk.press("z")
    desk.idle()
    assert facts(desk) == []
    done = desk.done_today()
    stood = desk.cursor()
    desk.press("g")
    expect(desk.page.locator(".cu-message")).to_have_text("Answer is right. Z: undo.")
    desk.press("z")
    expect(desk.page.locator(".cu-message")).to_contain_text("Verdict taken back.")
    desk.idle()
    desk.page.wait_for_url(f"**answer={desk.answer_id}*")
    assert all(review.answer_id != desk.answer_id for review in desk.reviews())
    assert desk.done_today() == done
    assert desk.cursor() == stood


def test_a_long_chunk_folds_and_unfolds_without_losing_the_place(desk):
    desk.open("long")
    more = desk.page.locator(".cu-chunk").nth(1).get_by_role("button", name="more characters")
    expect(more).to_contain_text("Show ")
    desk.press("PageDown")
    pane = desk.page.locator(".cu-chunks")
    before = pane.evaluate("(p) => p.scrollTop")
    desk.press("l")
    expect(more).to_have_count(0)
    assert pane.evaluate("(p) => p.scrollTop") == before


def test_the_search_opens_on_top_and_its_picks_stay_when_it_closes(desk):
    desk.open("bare")
    desk.press("/")
    desk.page.keyboard.type("relay listens port")
    desk.press("Enter")
    expect(desk.page.locator(".cu-search .cu-chunk").first).to_contain_text("not retrieved")
    desk.idle()
    assert desk.cursor() == "The relay listens on port 7400."
    desk.press("1", "Escape")
    expect(desk.page.locator(".cu-search")).to_have_count(0)
    desk.idle()
    draft = desk.draft()
    assert [e.chunk_id for e in draft.evidence] == ["guide#ports"]
    assert draft.searches == ("relay listens port",)


def test_duplicate_and_edit_of_a_case(desk):
    desk.open("turns")
    desk.press("d")
    expect(desk.page.locator(".cu-panel h2")).to_have_text("Duplicate")
    desk.press("Escape")
    expect(desk.page.locator(".cu-panel")).to_have_count(0)


def test_not_actionable_needs_a_word(desk):
    desk.open("bare")
    desk.press("n")
    field = desk.page.get_by_label("Why it is not actionable")
    expect(field).to_be_focused()
    desk.press("Enter")
    expect(desk.page.locator(".cu-message")).to_have_text(
        "This verdict needs a word of why. Write one."
    )
    field.focus()
    desk.page.keyboard.type("Price list, not documentation.")
    desk.press("Enter")
    expect(desk.page.locator(".cu-message")).to_contain_text("Dismissed as not actionable")
    assert desk.reviews()[0].reason == "Price list, not documentation."


def test_a_search_that_is_closed_leaves_the_cursor_where_it_was(desk):
    desk.open("mixup")
    desk.press("ArrowDown", "ArrowUp")
    stood = desk.cursor()
    desk.press("/")
    desk.page.keyboard.type("backup")
    desk.press("Enter")
    expect(desk.page.locator(".cu-search .cu-cursor")).to_be_visible()
    desk.press("Escape")
    expect(desk.page.locator(".cu-search .cu-cursor")).to_have_count(0)
    assert desk.cursor() == stood


def test_what_is_said_moves_nothing_and_a_panel_stands_on_the_bar(desk):
    desk.open("mixup")
    bar = desk.page.locator(".cu-bar")
    before = bar.bounding_box()
    desk.press("Shift+Digit1")
    expect(desk.page.locator(".cu-message")).to_contain_text("Must not hold")
    assert bar.bounding_box() == before
    desk.page.set_viewport_size({"width": 760, "height": 900})
    desk.press("n")
    panel = desk.page.locator(".cu-panel")
    expect(panel).to_be_visible()
    box, below = panel.bounding_box(), bar.bounding_box()
    assert box["y"] + box["height"] <= below["y"]


def test_a_word_of_why_is_kept_when_the_panel_is_closed_and_details_are_entered_by_tab(desk):
    desk.open("turns")
    desk.press("n")
    reason = desk.page.get_by_label("Why it is not actionable")
    expect(reason).to_be_focused()
    desk.page.keyboard.type("test traffic")
    desk.press("Escape", "n")
    expect(reason).to_be_focused()
    expect(reason).to_have_value("test traffic")
    desk.press("Escape", "t", "Tab")
    expect(desk.page.get_by_label("Question as the case asks it")).to_be_focused()
    desk.press("Escape", "t")
    expect(desk.page.locator(".cu-chunks")).to_be_focused()
