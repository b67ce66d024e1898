"""Every page with everything on it: accessible, literal, inside the window, without a violation."""

import json
from collections.abc import Callable, Generator
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Page, expect

from curation.config import load_settings
from curation.domain.case import Case
from curation.domain.change import Change
from curation.domain.person import Person
from curation.domain.review import Verdict
from curation.domain.sample import SampleRequest
from curation.services import changes, golden_set, intake, publish, sampling
from curation.services.cases import CaseFile
from curation.services.spot_check import SpotRequest, begin
from curation.services.verdicts import Dismissal, dismiss
from curation.services.workspace import Workspace, open_workspace

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
MIA = Person(name="Mia Kim", email="mia@kestrel.example")
ROB = Person(name="Rob Oduya", email="rob@kestrel.example")
ANA = Person(name="Ana Ruiz", email="ana@kestrel.example")
Settle = Callable[[Page], None]

NASTY = (
    "It costs $4,000 and $5,000, :red[x] <img src=http://evil.example/a.png onerror=alert(1)> "
    "![t](http://evil.example/y.png) [click](javascript:alert(1)) <script>alert(1)</script> "
    "exe\u202egnp.exe zero\u200bwidth {{7*7}} -- a dash عربي हिन्दी 👩‍👩‍👧‍👦\n- a line"
)
SHOWN = "exe⟦U+202E⟧gnp.exe zero⟦U+200B⟧width {{7*7}} -- a dash"
LONG_WORD = "w" * 10_000
PATHS = (
    "/",
    "/?words=nothing+has+these+words",
    "/?show=held",
    "/changes",
    "/changes?change=CONFLICT",
    "/changes?change=NASTY",
    "/golden_set?case=CASE",
    "/evidence",
    "/history",
    "/experiments",
    "/experiments?experiment=exp-001",
    "/audit",
    "/?show=sample",
    "/judge",
    "/breaks",
    "/settle",
    "/judge?spot=1",
    "/import",
    "/settings",
)


def now() -> datetime:
    return datetime.now(UTC)


def edit(workspace: Workspace, case: Case, person: Person, **fields: object) -> Change:
    document = case.model_dump(mode="json", by_alias=True) | fields
    file = CaseFile(document=document, where="test", reason=NASTY)
    return golden_set.propose_case(workspace, file, person=person, now=now())[0]


def differ(workspace: Workspace) -> None:
    """Two people's verdicts on one answer that are to be settled."""
    drawn = sampling.draw(workspace, ANA, SampleRequest(n=1, double=1.0), now=now())
    (answer_id,) = sampling.served_order(workspace, drawn)
    nasty = Dismissal(verdict=Verdict.NOT_ACTIONABLE, reason=f"{NASTY}\n{LONG_WORD}")
    dismiss(workspace, ROB, answer_id, nasty, now=now())
    dismiss(workspace, ANA, answer_id, Dismissal(verdict=Verdict.RIGHT), now=now())


class Full:
    """A home that has everything, served."""

    def __init__(self, url: str, case: str, nasty: str, conflict: str) -> None:
        self.url = url
        self.names = {"CASE": case, "NASTY": nasty, "CONFLICT": conflict}

    def address(self, path: str) -> str:
        for name, value in self.names.items():
            path = path.replace(name, value)
        return self.url + path


@pytest.fixture(scope="module")
def full(
    demo_template: Path,
    tmp_path_factory: pytest.TempPathFactory,
    start: Callable[[Path], Any],
    freeze: Callable[[Path], None],
) -> Generator[Full]:
    """A served home with nasty answers, changes, a conflict, comments and a freeze."""
    home = Path(copytree(demo_template, tmp_path_factory.mktemp("full") / "home"))
    file = home / "nasty.jsonl"
    signals = [{"kind": "correction", "comment": NASTY}]
    rows = [
        {"id": f"nasty-{n}", "question": text, "answer": text, "slice": NASTY, "signals": signals}
        for n, text in enumerate((NASTY, LONG_WORD))
    ]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    workspace = open_workspace(load_settings(home))
    intake.ingest(workspace, [file], now=now())
    cases = golden_set.browse(workspace).active
    theirs = edit(workspace, cases[0], ANA, notes="theirs", weight=2)
    mine = edit(workspace, cases[0], MIA, notes="mine", weight=3)
    for change in (theirs, mine):
        changes.approve(workspace, change.id, person=ROB, now=now())
    publish.publish(workspace, person=ROB, now=now())
    publish.publish(workspace, person=ROB, now=now())
    nasty = edit(workspace, cases[1], ROB, notes=f"{NASTY}\n{LONG_WORD}")
    changes.comment(workspace, nasty.id, person=ANA, text=NASTY, now=now(), field="notes")
    begin(workspace, SpotRequest(n=3), person=MIA, now=now())
    differ(workspace)
    workspace.store.dispose()
    freeze(home)
    server = start(home)
    yield Full(server.url, cases[0].id, nasty.shown_number, mine.shown_number)
    server.stop()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_an_automatic_check_finds_nothing_on_any_page(
    full: Full, new_tab: Callable[..., Page], settle: Settle, dark: bool
) -> None:
    page = new_tab(dark=dark)
    found = []
    for path in PATHS:
        page.goto(full.address(path))
        settle(page)
        expect(page.locator(".cur-tools")).to_be_visible()
        page.keyboard.press("h")
        page.evaluate(AXE)
        for violation in page.evaluate("axe.run(document)")["violations"]:
            nodes = [f"{node['target']} {node['html'][:120]}" for node in violation["nodes"][:3]]
            found.append(f"{path} {violation['id']}: {nodes}")
    assert found == []


def test_nasty_text_is_literal_in_every_pane(full: Full, tab: Page, settle: Settle) -> None:
    tab.goto(full.address("/?words=exe"))
    settle(tab)
    expect(tab.locator("#queue-details")).to_contain_text(SHOWN)
    tab.goto(full.address("/changes?change=NASTY"))
    settle(tab)
    panes = tab.locator(".cur-pane")
    expect(panes.nth(0)).to_contain_text(SHOWN)
    expect(panes.nth(1)).to_contain_text(SHOWN)
    expect(tab.locator("em", has_text="{{7*7}}").first).to_contain_text("<script>alert(1)</script>")
    tab.keyboard.press("f")
    expect(tab.locator(".cur-file-now", has_text="exe").first).to_be_visible()
    assert tab.evaluate("document.querySelectorAll('.cur-view img, .cur-view script').length") == 0


def test_a_long_word_stays_inside_its_pane(full: Full, tab: Page, settle: Settle) -> None:
    for path in ("/?words=wwww", "/changes?change=NASTY"):
        tab.goto(full.address(path))
        settle(tab)
        for pane in tab.locator(".cur-pane, .cur-list, .cur-details").all():
            assert pane.evaluate("part => part.scrollWidth - part.clientWidth") <= 1


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1100, 800), (760, 800), (720, 450)])
def test_no_page_is_wider_than_its_window(
    full: Full, new_tab: Callable[..., Page], settle: Settle, width: int, height: int
) -> None:
    page = new_tab(width=width, height=height)
    for path in PATHS:
        page.goto(full.address(path))
        settle(page)
        expect(page.locator(".cur-tools")).to_be_visible()
        over = page.evaluate(
            "[document.scrollingElement, document.querySelector('.stMain')]"
            ".map(part => part.scrollWidth - part.clientWidth)"
        )
        assert over == [0, 0], path
        bar = page.locator(".cur-bar").bounding_box()
        assert bar is not None
        assert bar["y"] + bar["height"] <= height + 1, path


STYLED = "() => getComputedStyle(document.querySelector('.stMain')).overflowY === 'hidden'"


def test_pages_with_panes_do_not_scroll(
    full: Full, new_tab: Callable[..., Page], settle: Settle
) -> None:
    for width, height in ((1440, 900), (1100, 800)):
        page = new_tab(width=width, height=height)
        for path in ("/", "/changes", "/golden_set", "/history"):
            page.goto(full.address(path))
            settle(page)
            page.wait_for_function(STYLED)
            assert page.evaluate(
                "[document.scrollingElement, document.querySelector('.stMain')]"
                ".map(part => part.scrollHeight - part.clientHeight)"
            ) == [0, 0], path
            pane = page.locator(".cur-panes, .cur-list").first.bounding_box()
            bar = page.locator(".cur-bar").bounding_box()
            assert pane is not None
            assert bar is not None
            assert pane["y"] + pane["height"] <= bar["y"], path
