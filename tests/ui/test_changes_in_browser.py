"""Changes by keyboard, in a real browser: approve, ask, comment, resolve, publish."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from curation.config import load_settings
from curation.domain.case import Case, RetireReason
from curation.domain.change import Change, ChangeState
from curation.domain.person import Person
from curation.services import changes, golden_set, publish
from curation.services.cases import CaseFile
from curation.services.workspace import Workspace, open_workspace

MIA = Person(name="Mia Kim", email="mia@kestrel.example")
ROB = Person(name="Rob Oduya", email="rob@kestrel.example")
ANA = Person(name="Ana Ruiz", email="ana@kestrel.example")
NASTY = "$4,000 and $5,000 <b>x</b> ![x](http://a.example/b.png)\n-- not a head \u202egnp.exe"
Settle = Callable[[Page], None]
Serve = Callable[..., Any]


def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def workspace(demo_home: Path) -> Any:
    opened = open_workspace(load_settings(demo_home))
    yield opened
    opened.store.dispose()


def case_of(workspace: Workspace, at: int) -> Case:
    return golden_set.browse(workspace).active[at]


def edit(
    workspace: Workspace, case: Case, person: Person, *, to: str | None = None, **fields: object
) -> Change:
    document = case.model_dump(mode="json", by_alias=True) | fields
    file = CaseFile(document=document, where="test", reason="The page says so now.")
    return golden_set.propose_case(workspace, file, person=person, now=now(), change_id=to)[0]


def open_changes(page: Page, url: str, settle: Settle, number: str = "") -> None:
    page.goto(f"{url}/changes{f'?change={number}' if number else ''}")
    settle(page)
    expect(page.locator("[data-list=changes]")).to_be_visible()


def said(page: Page) -> Any:
    return page.locator(".cur-message")


def test_a_change_is_approved_published_and_in_the_set_by_keyboard(
    desk: Workspace, demo_server: Any, tab: Page, settle: Settle
) -> None:
    case = case_of(desk, 0)
    change = edit(desk, case, ROB, notes=NASTY)
    open_changes(tab, demo_server.url, settle, change.shown_number)
    expect(tab.get_by_text("-- not a head ⟦U+202E⟧gnp.exe")).to_be_visible()
    expect(
        tab.get_by_text("$4,000 and $5,000 <b>x</b> ![x](http://a.example/b.png)")
    ).to_be_visible()
    tab.keyboard.press("Control+Enter")
    expect(said(tab)).to_contain_text(f"Approved patch set 1 of {change.shown_number}.")
    settle(tab)
    tab.keyboard.press("g")
    expect(tab.get_by_text("Publish as one new version:")).to_be_visible()
    settle(tab)
    tab.keyboard.press("g")
    expect(said(tab)).to_contain_text(re.compile(r"Published golden/v\d+: \d+ change"))
    assert golden_set.browse(desk).cases[case.id].notes == NASTY
    done = changes.get(desk, change.id)
    assert done.state is ChangeState.PUBLISHED
    assert [a.person.name for a in done.approvals] == ["Mia Kim"]


def test_pressing_approve_twice_approves_once(
    desk: Workspace, demo_server: Any, tab: Page, settle: Settle
) -> None:
    change = edit(desk, case_of(desk, 2), ROB, notes="x")
    open_changes(tab, demo_server.url, settle, change.shown_number)
    for _ in range(3):
        tab.keyboard.press("Control+Enter")
    expect(said(tab)).to_contain_text("Approved patch set 1")
    settle(tab)
    assert len(changes.get(desk, change.id).approvals) == 1


def test_asking_for_changes_needs_a_comment_and_keeps_it_byte_for_byte(
    desk: Workspace, demo_server: Any, tab: Page, settle: Settle
) -> None:
    change = edit(desk, case_of(desk, 4), ROB, notes="x")
    open_changes(tab, demo_server.url, settle, change.shown_number)
    tab.keyboard.press("a")
    field = tab.get_by_label("Comment", exact=True)
    expect(field).to_be_focused()
    expect(said(tab)).to_contain_text("write here what should change")
    text = "anfgmop123 -- no, $5 <i>\n  G Q H ?"
    tab.keyboard.type(text)
    tab.keyboard.press("Control+Enter")
    expect(said(tab)).to_contain_text("your comment is written but not sent")
    assert changes.get(desk, change.id).approvals == ()
    tab.reload()
    settle(tab)
    expect(field).to_have_value(text)
    tab.keyboard.press("a")
    expect(said(tab)).to_contain_text("Asked Rob Oduya for changes")
    found = changes.get(desk, change.id)
    assert found.state is ChangeState.CHANGES_ASKED
    assert [c.text for c in found.comments] == [text]
    expect(field).to_have_value("")


def test_the_author_brings_the_next_patch_set_on_the_page_by_keyboard(
    desk: Workspace, demo_server: Any, tab: Page, settle: Settle
) -> None:
    case = case_of(desk, 7)
    change = edit(desk, case, MIA, notes="x")
    changes.ask(desk, change.id, person=ROB, text="Say which product.", now=now())
    open_changes(tab, demo_server.url, settle, change.shown_number)
    tab.keyboard.press("e")
    form = tab.get_by_role("heading", name=f"Patch set 2 of {change.shown_number}")
    expect(form).to_be_visible()
    expect(tab.locator('[data-field="edit.question"]')).to_be_focused()
    expect(tab.get_by_text("Say which product.")).to_be_visible()
    expect(tab.locator('[data-field="edit.notes"]')).to_have_value("x")
    tab.locator('[data-field="edit.notes"]').fill("")
    tab.keyboard.type("egaf: the relay")
    tab.keyboard.press("Control+Enter")
    expect(said(tab)).to_contain_text("Saved as patch set 2. It waits for a second person.")
    found = changes.get(desk, change.id)
    assert (found.state, found.latest.number) == (ChangeState.PROPOSED, 2)
    assert found.latest.base_blob == change.latest.base_blob
    revised = changes.case_of(found.latest)
    assert revised == case.model_copy(update={"notes": "egaf: the relay"})
    expect(form).to_have_count(0)
    tab.keyboard.press("e")
    expect(tab.get_by_role("heading", name=f"Patch set 3 of {change.shown_number}")).to_be_visible()
    tab.keyboard.press("Escape")
    tab.keyboard.press("Escape")
    expect(tab.get_by_role("heading", name="Patch set 3")).to_have_count(0)


def test_a_comment_hangs_on_a_fact(
    desk: Workspace, demo_server: Any, tab: Page, settle: Settle
) -> None:
    change = edit(desk, case_of(desk, 6), ROB, notes="x")
    open_changes(tab, demo_server.url, settle, change.shown_number)
    tab.keyboard.press("m")
    tab.keyboard.type("Too narrow.")
    tab.get_by_label("Comment on").select_option(value="facts.f1")
    tab.keyboard.press("Escape")
    tab.keyboard.press("m")
    expect(said(tab)).to_contain_text("Commented on Facts f1.")
    assert changes.get(desk, change.id).comments[0].field == "facts.f1"
    expect(tab.get_by_text("on patch set 1, Facts f1:")).to_be_visible()


def test_fields_and_file_and_next_by_key(
    desk: Workspace, demo_server: Any, tab: Page, settle: Settle
) -> None:
    edit(desk, case_of(desk, 8), ROB, notes="-- dashes")
    second = golden_set.propose_retire(
        desk,
        case_of(desk, 9).id,
        why=RetireReason.OUTDATED,
        person=ROB,
        reason="Old.",
        now=now(),
    )
    open_changes(tab, demo_server.url, settle, second.shown_number)
    expect(tab.get_by_text(f"{second.shown_number} · Retire")).to_have_count(2)
    tab.keyboard.press("n")
    expect(tab.locator("h2")).to_contain_text("Edit")
    settle(tab)
    tab.keyboard.press("f")
    line = tab.locator(".cur-file-now", has_text="-- dashes")
    expect(line).to_be_visible()
    settle(tab)
    tab.keyboard.press("p")
    expect(tab.locator("h2")).to_contain_text("Retire")


def test_why_approving_is_off_is_said(
    workspace: Workspace, demo_home: Path, serve_home: Serve, tab: Page, settle: Settle
) -> None:
    mine = edit(workspace, case_of(workspace, 0), MIA, notes="x")
    url = serve_home(demo_home).url
    open_changes(tab, url, settle, mine.shown_number)
    expect(tab.locator(".cur-note")).to_contain_text(
        "You wrote this change, so someone else approves it."
    )
    tab.keyboard.press("Control+Enter")
    expect(said(tab)).to_contain_text("You wrote this change")
    assert changes.get(workspace, mine.id).approvals == ()
    config = demo_home / "curation.toml"
    config.write_text(
        config.read_text(encoding="utf-8") + '\n[people]\n"mia@kestrel.example" = "reviewer"\n',
        encoding="utf-8",
    )
    theirs = edit(workspace, case_of(workspace, 1), ROB, notes="x")
    open_changes(tab, url, settle, theirs.shown_number)
    expect(tab.locator(".cur-note")).to_contain_text(
        "Approving needs the role approver. Yours is reviewer."
    )


def test_a_new_patch_set_voids_the_approval_and_says_so(
    desk: Workspace, demo_server: Any, tab: Page, settle: Settle
) -> None:
    case = case_of(desk, 10)
    change = edit(desk, case, ROB, notes="x")
    changes.approve(desk, change.id, person=MIA, now=now())
    url = demo_server.url
    open_changes(tab, url, settle, change.shown_number)
    edit(desk, case, ROB, to=change.id, notes="y")
    open_changes(tab, url, settle, change.shown_number)
    expect(
        tab.get_by_text("Patch set 2 replaced what Mia Kim approved. Look again.")
    ).to_be_visible()
    tab.get_by_role("button", name="Since patch set 1").click()
    expect(tab.locator("del", has_text="x")).to_be_visible()
    expect(tab.locator("ins", has_text="y")).to_be_visible()


def test_an_approval_of_what_is_no_longer_on_the_screen_is_refused(
    desk: Workspace, demo_server: Any, tab: Page, settle: Settle
) -> None:
    case = case_of(desk, 12)
    change = edit(desk, case, ROB, notes="x")
    open_changes(tab, demo_server.url, settle, change.shown_number)
    edit(desk, case, ROB, to=change.id, notes="y")
    tab.keyboard.press("Control+Enter")
    expect(said(tab)).to_contain_text("Patch set 2 replaced what you approved. Look again.")
    assert changes.get(desk, change.id).approvals == ()


def test_a_conflict_is_resolved_in_three_sides_by_keyboard(
    desk: Workspace, demo_server: Any, tab: Page, settle: Settle
) -> None:
    case = case_of(desk, 14)
    theirs = edit(desk, case, ANA, notes="theirs", reference=f"{case.reference} Theirs.")
    mine = edit(desk, case, MIA, notes="mine", reference=f"{case.reference} Mine.")
    for change in (theirs, mine):
        changes.approve(desk, change.id, person=ROB, now=now())
    stale = edit_first_then_publish(desk, theirs, mine)
    open_changes(tab, demo_server.url, settle, stale.shown_number)
    expect(tab.get_by_text("2 fields to choose first.")).to_be_visible()
    expect(
        tab.get_by_text(re.compile(f"{case.id} changed in golden/v[0-9]+ after you began"))
    ).to_be_visible()
    tab.keyboard.press("1")
    expect(tab.get_by_text("1 field to choose first.")).to_be_visible()
    settle(tab)
    tab.keyboard.press("3")
    field = tab.get_by_label("Written anew")
    expect(field).to_have_value("mine")
    field.fill("both of us, -- $5")
    settle(tab)
    tab.keyboard.press("Control+Enter")
    expect(said(tab)).to_contain_text("Saved as patch set 2.")
    done = changes.get(desk, stale.id)
    assert done.state is ChangeState.PROPOSED
    case_now = changes.case_of(done.latest)
    assert case_now is not None
    assert case_now.reference == f"{case.reference} Theirs."
    assert case_now.notes == "both of us, -- $5"


def edit_first_then_publish(workspace: Workspace, theirs: Change, mine: Change) -> Change:
    """Publish one of two edits of a case and return the other one, now in conflict."""
    report = publish.publish(workspace, person=ROB, now=now())
    assert theirs.id in [c.id for c in report.published]
    if not report.conflicts:
        report = publish.publish(workspace, person=ROB, now=now())
    found = changes.get(workspace, mine.id)
    assert found.state is ChangeState.CONFLICT
    return found


def test_a_frozen_set_says_so_and_publishes_nothing(
    workspace: Workspace, demo_home: Path, serve_home: Serve, tab: Page, settle: Settle, freeze: Any
) -> None:
    change = edit(workspace, case_of(workspace, 0), ROB, notes="x")
    changes.approve(workspace, change.id, person=MIA, now=now())
    freeze(demo_home)
    open_changes(tab, serve_home(demo_home).url, settle)
    banner = tab.locator(".cur-banner")
    expect(banner).to_contain_text("The golden set is frozen")
    expect(banner).to_contain_text("exp-001 (retriever), opened by Ana Ruiz, measures golden/v3.")
    expect(banner).to_contain_text("1 approved change can be published when it is closed.")
    tab.keyboard.press("g")
    expect(said(tab)).to_contain_text(
        "Not published: exp-001, opened by Ana Ruiz on 26 Nov, measures golden/v3. 1 change waits."
    )
    assert changes.get(workspace, change.id).state is ChangeState.APPROVED


def test_withdraw_asks_once(desk: Workspace, demo_server: Any, tab: Page, settle: Settle) -> None:
    change = edit(desk, case_of(desk, 16), MIA, notes="x")
    open_changes(tab, demo_server.url, settle, change.shown_number)
    button = tab.get_by_role("button", name="Withdraw …")
    button.click()
    expect(said(tab)).to_contain_text(re.compile("Withdraw .* again"))
    expect(said(tab)).to_have_class(re.compile("cur-asked"))  # a question is no tick
    assert changes.get(desk, change.id).state is ChangeState.PROPOSED
    settle(tab)
    button.click()
    expect(said(tab)).to_contain_text("Withdrawn")
    assert changes.get(desk, change.id).state is ChangeState.WITHDRAWN
