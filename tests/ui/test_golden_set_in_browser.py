"""The golden set and its history by keyboard, in a real browser."""

import re
from collections.abc import Callable, Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from curation.config import load_settings
from curation.domain.case import Case, CaseStatus, RetireReason
from curation.domain.change import Change
from curation.domain.person import Person
from curation.services import changes, golden_set, publish
from curation.services.workspace import Workspace, open_workspace

ROB = Person(name="Rob Oduya", email="rob@kestrel.example")
ANA = Person(name="Ana Ruiz", email="ana@kestrel.example")
Settle = Callable[[Page], None]
Serve = Callable[..., Any]


def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def workspace(demo_home: Path) -> Generator[Workspace]:
    opened = open_workspace(load_settings(demo_home))
    yield opened
    opened.store.dispose()


def first_case(workspace: Workspace) -> Case:
    return golden_set.browse(workspace).active[0]


def retire(workspace: Workspace, case: Case) -> None:
    change = golden_set.propose_retire(
        workspace, case.id, why=RetireReason.WRONG, person=ANA, reason="It was wrong.", now=now()
    )
    changes.approve(workspace, change.id, person=ROB, now=now())
    publish.publish(workspace, person=ROB, now=now())


def open_case(page: Page, url: str, settle: Settle, case: Case) -> None:
    page.goto(f"{url}/golden_set?case={case.id}")
    settle(page)
    expect(page.locator("h2", has_text=case.id)).to_be_visible()


def proposed_change(page: Page, workspace: Workspace, case: Case) -> Change:
    """Return the change that the page says it proposed."""
    expect(page.locator(".cur-message")).to_contain_text("Proposed as change")
    found = changes.all_changes(workspace, case_id=case.id)[0]
    expect(page.locator(".cur-message")).to_contain_text(
        f"Proposed as change {found.shown_number}. It waits for a second person."
    )
    return found


def test_a_case_is_edited_as_a_change_and_typing_triggers_nothing(
    desk: Workspace, demo_server: Any, tab: Page, settle: Settle
) -> None:
    case = first_case(desk)
    open_case(tab, demo_server.url, settle, case)
    labels = tab.locator(".st-key-cur_filters label[data-testid=stWidgetLabel]")
    assert len({round(one.bounding_box()["y"] / 3) for one in labels.all()}) == 1  # type: ignore[index]
    tab.keyboard.press("e")
    settle(tab)
    tab.keyboard.press("Control+Enter")
    expect(tab.get_by_label("Why this change")).to_be_focused()
    expect(tab.locator(".cur-message")).to_contain_text("Write here why, then press Ctrl+Enter")
    field = tab.get_by_label("Notes", exact=True)
    text = "etuvonph /?kq 0123456789 -- $5 <b>\n\tx"
    field.fill(text + "\n" * 9)
    assert field.evaluate("area => area.scrollHeight <= area.clientHeight + 2")  # nothing is cut
    field.fill(text)
    tab.get_by_label("Why this change").click()
    tab.keyboard.type("etuvonphq Because.")
    tab.reload()
    settle(tab)
    tab.keyboard.press("e")
    expect(field).to_have_value(text)
    tab.get_by_label("Why this change").focus()
    settle(tab)
    tab.keyboard.press("Control+Enter")
    found = proposed_change(tab, desk, case)
    proposed = changes.case_of(found.latest)
    assert proposed is not None
    assert proposed == case.model_copy(update={"notes": text})
    assert found.latest.reason == "etuvonphq Because."
    assert str(found.latest.author) == "Mia Kim <mia@kestrel.example>"


def test_new_evidence_is_searched_and_taken_in_the_form_by_keyboard(
    desk: Workspace, demo_server: Any, tab: Page, settle: Settle
) -> None:
    case = next(c for c in golden_set.browse(desk).active[1:] if c.facts.required and c.gold)
    fact = case.facts.required[0]
    open_case(tab, demo_server.url, settle, case)
    tab.keyboard.press("e")
    tab.get_by_label("Why this change").fill("It says so there too.")
    tab.get_by_label("Words to search the corpus for").fill(fact.text)
    tab.keyboard.press("Enter")
    use = tab.get_by_role("button", name="Use as evidence").first
    use.focus()
    settle(tab)
    tab.keyboard.press("Enter")
    passage = tab.get_by_role("group", name="Text of")
    words = passage.inner_text()[:40]
    tab.get_by_label("They prove").select_option(fact.id)
    tab.get_by_label("The words in it that prove").fill(words)
    tab.get_by_label("Words to search the corpus for").fill("zzxyqq")
    tab.keyboard.press("Enter")
    expect(tab.get_by_text("Nothing in the corpus holds the words: zzxyqq")).to_be_visible()
    expect(tab.get_by_label("They prove")).to_have_value(fact.id)
    tab.get_by_label("The words in it that prove").focus()
    settle(tab)
    tab.keyboard.press("Control+Enter")
    made = changes.case_of(proposed_change(tab, desk, case).latest)
    assert made is not None
    assert made.evidence[:-1] == case.evidence
    assert made.evidence[-1].quote == words.strip()
    assert made.evidence[-1].chunk_sha256
    assert made.facts.required[0].evidence == (*fact.evidence, made.evidence[-1].id)


def test_an_edit_that_is_not_right_says_what_to_fix_and_keeps_the_text(
    desk: Workspace, demo_server: Any, tab: Page, settle: Settle
) -> None:
    case = next(c for c in golden_set.browse(desk).active[1:] if c.answerable == "answerable")
    before = changes.all_changes(desk, case_id=case.id)
    open_case(tab, demo_server.url, settle, case)
    tab.keyboard.press("e")
    field = tab.get_by_label("Reference answer", exact=True)
    field.fill("")
    tab.get_by_label("Why this change").fill("To see what happens.")
    settle(tab)
    tab.keyboard.press("Control+Enter")
    expect(tab.locator(".cur-message")).to_contain_text("Nothing was proposed")
    expect(tab.locator(".cur-pane").get_by_text("✕ Fix:").first).to_be_visible()
    expect(field).to_have_value("")
    assert changes.all_changes(desk, case_id=case.id) == before
    settle(tab)
    tab.keyboard.press("Escape")
    tab.keyboard.press("Escape")
    expect(field).to_have_count(0)


def test_a_case_is_retired_and_a_retired_one_restored_as_a_change(
    workspace: Workspace, demo_home: Path, serve_home: Serve, tab: Page, settle: Settle
) -> None:
    case = first_case(workspace)
    url = serve_home(demo_home).url
    open_case(tab, url, settle, case)
    tab.keyboard.press("t")
    tab.get_by_label("What is wrong with it").select_option("duplicate")
    other = golden_set.browse(workspace).active[1].id
    tab.get_by_label("Replaced by").select_option(other)
    tab.get_by_label("Why", exact=True).fill("The other one asks the same.")
    settle(tab)
    tab.keyboard.press("Control+Enter")
    change = proposed_change(tab, workspace, case)
    changes.approve(workspace, change.id, person=ROB, now=now())
    publish.publish(workspace, person=ROB, now=now())
    open_case(tab, url, settle, case)
    expect(tab.get_by_text(f"Retired: duplicate, replaced by {other}")).to_be_visible()
    tab.keyboard.press("u")
    tab.get_by_label("Why", exact=True).fill("They differ after all.")
    settle(tab)
    tab.keyboard.press("Control+Enter")
    restored = changes.case_of(proposed_change(tab, workspace, case).latest)
    assert restored is not None
    assert restored.status is CaseStatus.ACTIVE


def test_the_timeline_and_the_origin_of_each_fact(
    workspace: Workspace, demo_home: Path, serve_home: Serve, tab: Page, settle: Settle
) -> None:
    case = first_case(workspace)
    retire(workspace, case)
    open_case(tab, serve_home(demo_home).url, settle, case)
    tab.get_by_role("button", name="Timeline").click()
    expect(tab.locator(".cur-event").first).to_contain_text(
        re.compile(r"golden/v4 · \d+ \w+ \d+ · Retire · Ana Ruiz, approved by Rob Oduya")
    )
    expect(tab.get_by_text("It was wrong.")).to_be_visible()
    settle(tab)
    tab.get_by_role("button", name="Facts and where they come from").click()
    row = tab.locator(".cur-table tbody tr").first
    expect(row).to_contain_text("golden/v3")
    expect(row).to_contain_text("Ana Ruiz")


def test_versions_are_compared_and_a_case_opens_from_there(
    workspace: Workspace, demo_home: Path, serve_home: Serve, tab: Page, settle: Settle
) -> None:
    case = first_case(workspace)
    retire(workspace, case)
    open_case(tab, serve_home(demo_home).url, settle, case)
    tab.keyboard.press("v")
    tab.wait_for_url(re.compile("/history"))
    settle(tab)
    expect(tab.get_by_text("From golden/v3 to golden/v4")).to_be_visible()
    expect(tab.locator("section[aria-label='What changed']")).to_contain_text("1 retired")
    tab.keyboard.press("v")
    expect(tab.get_by_text("From golden/v2 to golden/v4")).to_be_visible()
    settle(tab)
    tab.keyboard.press("ArrowDown")
    expect(tab.get_by_text("From golden/v2 to golden/v3")).to_be_visible()
    settle(tab)
    tab.get_by_role("button", name=case.id, exact=True).click()
    tab.wait_for_url(re.compile(f"/golden_set\\?case={case.id}"))


def test_an_older_version_is_read_only(
    workspace: Workspace, demo_home: Path, serve_home: Serve, tab: Page, settle: Settle
) -> None:
    case = first_case(workspace)
    before = len(golden_set.browse(workspace).active)
    retire(workspace, case)
    tab.goto(f"{serve_home(demo_home).url}/golden_set?case={case.id}&version=golden/v3")
    settle(tab)
    expect(tab.locator("h1")).to_contain_text(f"golden/v3 · {before} cases")
    tab.keyboard.press("e")
    expect(tab.locator(".cur-message")).to_contain_text("This is an older version.")


def test_filters_find_a_case_by_a_word_of_its_facts(
    desk: Workspace, demo_server: Any, tab: Page, settle: Settle
) -> None:
    tab.goto(f"{demo_server.url}/golden_set")
    settle(tab)
    tab.keyboard.press("/")
    case = first_case(desk)
    fact = case.facts.each[0][1]
    expect(tab.get_by_label("Words", exact=True)).to_be_focused()
    tab.keyboard.type(f"{case.id} {fact.text}")
    expect(tab.get_by_label("Words", exact=True)).to_have_value(f"{case.id} {fact.text}")
    expect(tab.locator("[data-list=cases] [data-row]")).to_have_count(1)
    tab.keyboard.type(" zebra")
    expect(tab.get_by_text("No case matches these filters.")).to_be_visible()


def test_a_proposal_while_frozen_says_when_it_can_be_published(
    workspace: Workspace,
    demo_home: Path,
    serve_home: Serve,
    tab: Page,
    settle: Settle,
    freeze: Callable[[Path], None],
) -> None:
    case = first_case(workspace)
    freeze(demo_home)
    open_case(tab, serve_home(demo_home).url, settle, case)
    expect(tab.locator(".cur-banner")).to_contain_text("You can review, propose and approve")
    tab.keyboard.press("e")
    expect(tab.get_by_label("Question", exact=True)).to_be_focused()
    tab.get_by_label("Notes", exact=True).fill("x")
    tab.get_by_label("Why this change").fill("Because.")
    settle(tab)
    tab.keyboard.press("Control+Enter")
    expect(tab.locator(".cur-message")).to_contain_text(
        re.compile(
            r"Proposed as change \d{4}\. It can be approved now and can be published when "
            r"exp-001 is closed\."
        )
    )
    settle(tab)
    tab.get_by_role("button", name="Open exp-001").click()
    tab.wait_for_url(re.compile("/experiments"))
