"""Experiments by keyboard, in a real browser: begin, record, close, publish, thaw."""

import shutil
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from curation.domain.case import Case
from curation.domain.experiment import Decision, ExperimentState
from curation.services import changes, experiments, golden_set
from curation.services.cases import CaseFile
from curation.services.workspace import Workspace
from tests.ui.experiment_home import (
    ANA,
    MIA,
    Runs,
    now,
    open_the_boost,
    opened_workspace,
    promote_the_mended,
    run_samples,
)

Settle = Callable[[Page], None]
Serve = Callable[..., Any]


@pytest.fixture(scope="module")
def run_template(
    demo_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Runs]:
    """The sample world with the outputs of its pipelines as files."""
    home = Path(shutil.copytree(demo_template, tmp_path_factory.mktemp("run") / "home"))
    opened = opened_workspace(home)
    runs = run_samples(opened, home)
    opened.store.dispose()
    return home, runs


@pytest.fixture
def workspace(run_template: tuple[Path, Runs], tmp_path: Path) -> Generator[Workspace]:
    opened = opened_workspace(Path(shutil.copytree(run_template[0], tmp_path / "home")))
    yield opened
    opened.store.dispose()


def said(page: Page) -> Any:
    return page.locator(".cur-message")


def open_page(page: Page, url: str, settle: Settle, experiment: str = "") -> None:
    page.goto(f"{url}/experiments{f'?experiment={experiment}' if experiment else ''}")
    settle(page)
    expect(page.get_by_role("button", name="Begin an experiment").first).to_be_visible()


def press(page: Page, settle: Settle, *pressed: str) -> None:
    for key in pressed:
        page.keyboard.press(key)
        settle(page)


def an_edit(workspace: Workspace, reference: str) -> tuple[Case, str]:
    """Propose another reference of a case as Ana; return the case and the change's number."""
    case = golden_set.browse(workspace).cases["money-back"]
    document = case.model_dump(mode="json", by_alias=True) | {"reference": reference}
    file = CaseFile(document=document, where="test", reason="The terms changed.")
    change, _ = golden_set.propose_case(workspace, file, person=ANA, now=now())
    return case, change.shown_number


def test_an_experiment_is_begun_recorded_and_promoted_by_keyboard(
    workspace: Workspace,
    run_template: tuple[Path, Runs],
    serve_home: Serve,
    tab: Page,
    settle: Settle,
) -> None:
    runs = run_template[1]
    server = serve_home(workspace.settings.home)
    open_page(tab, server.url, settle)
    expect(tab.get_by_text("No experiments yet.")).to_be_visible()
    press(tab, settle, "b")
    expect(tab.get_by_label("Component")).to_be_focused()
    press(tab, settle, "Control+Enter")
    expect(said(tab)).to_have_text(
        "No experiment was opened: choose the one component that changes."
    )
    tab.get_by_label("Component").select_option("retriever")
    tab.get_by_label("Hypothesis").fill("bugle: search the version that is asked for.")
    press(tab, settle, "Control+Enter")
    expect(said(tab)).to_contain_text("exp-001 (retriever) is open on golden/v3.")
    expect(tab.get_by_text("To thaw: close exp-001 with a decision")).to_be_visible()
    press(tab, settle, "u")
    tab.get_by_label("Candidate: or a file").fill(str(runs.aware))
    press(tab, settle, "Control+Enter")
    expect(said(tab)).to_contain_text("there is no current baseline to measure against")
    expect(tab.get_by_label("Candidate: or a file")).to_have_value(str(runs.aware))
    tab.get_by_label("Baseline: or a file").fill(str(runs.blind))
    press(tab, settle, "Control+Enter")
    expect(said(tab)).to_have_text("Recorded with exp-001: PROMOTE")
    expect(tab.get_by_text("Bad → good · 7")).to_be_visible()
    press(tab, settle, "l")
    expect(tab.get_by_label("Decision")).to_be_focused()
    tab.get_by_label("Decision").select_option("promote")
    tab.get_by_label("Why, in your own words").fill("It finds the right release.")
    press(tab, settle, "Control+Enter")
    expect(said(tab)).to_contain_text(
        "exp-001 is closed: promote. The baseline is now kestrel-rag 1.5."
    )
    expect(tab.get_by_text("The golden set is frozen")).to_have_count(0)
    found = experiments.show(workspace, "exp-001")
    assert (found.state, found.decision) == (ExperimentState.CLOSED, Decision.PROMOTE)
    assert found.opened_by == str(MIA)
    assert found.hypothesis == "bugle: search the version that is asked for."


def test_a_reject_shows_the_gate_and_what_waits_and_publishing_works_after_it(
    workspace: Workspace,
    run_template: tuple[Path, Runs],
    serve_home: Serve,
    tab: Page,
    settle: Settle,
) -> None:
    promote_the_mended(workspace, run_template[1])
    _, number = an_edit(workspace, "A refund can be asked for within 14 days of the invoice.")
    open_the_boost(workspace, run_template[1])
    approved = changes.get(workspace, number)
    changes.approve(workspace, approved.id, person=MIA, now=now())
    server = serve_home(workspace.settings.home)
    open_page(tab, server.url, settle)
    publish = tab.get_by_role("button", name="Publish 1 approved")
    expect(publish).to_have_attribute("aria-disabled", "true")
    press(tab, settle, "g")
    expect(said(tab)).to_have_text("off: exp-002 is open.")
    press(tab, settle, "l")
    expect(tab.get_by_text("keep baseline — required recall dropped")).to_be_visible()
    expect(tab.get_by_text(f"{number} · Edit money-back")).to_be_visible()
    tab.get_by_label("Decision").select_option("promote")
    tab.get_by_label("Why, in your own words").fill("I like it.")
    press(tab, settle, "Control+Enter")
    expect(said(tab)).to_contain_text("exp-002")
    assert experiments.show(workspace, "exp-002").state is ExperimentState.OPEN
    expect(tab.get_by_label("Why, in your own words")).to_have_value("I like it.")
    tab.get_by_label("Decision").select_option("reject")
    press(tab, settle, "Control+Enter")
    expect(said(tab)).to_have_text(
        "exp-002 is closed: reject. 1 approved change can be published now: G publishes."
    )
    press(tab, settle, "g")
    expect(tab.get_by_text("Publish as one new version:")).to_be_visible()
    press(tab, settle, "g")
    expect(said(tab)).to_contain_text("Published golden/v4: 1 change.")


def test_the_log_opens_its_row_and_refuses_what_a_closed_one_does_not_take(
    workspace: Workspace,
    run_template: tuple[Path, Runs],
    serve_home: Serve,
    tab: Page,
    settle: Settle,
) -> None:
    promote_the_mended(workspace, run_template[1])
    open_the_boost(workspace, run_template[1])
    server = serve_home(workspace.settings.home)
    open_page(tab, server.url, settle)
    expect(tab.locator("[data-list=experiments]")).to_be_focused()
    press(tab, settle, "b")
    expect(tab.locator("#begin-component")).to_be_focused()
    press(tab, settle, "Escape", "ArrowDown", "u")
    expect(said(tab)).to_have_text("exp-001 is closed. Its record stays as it is.")
    press(tab, settle, "o")
    expect(tab.locator("h2", has_text="exp-001")).to_be_visible()
    tab.wait_for_url("**experiment=exp-001*")
    press(tab, settle, "p")
    expect(tab.locator("h2", has_text="exp-002")).to_be_visible()
    expect(tab.get_by_text("The handbook is <b>asked</b> about most.")).to_be_visible()
    tab.evaluate("document.activeElement.blur()")
    press(tab, settle, "Escape")
    expect(tab.locator("[data-list=experiments]")).to_be_visible()


def test_the_approver_reads_what_a_change_does_to_the_baseline(
    workspace: Workspace,
    run_template: tuple[Path, Runs],
    serve_home: Serve,
    tab: Page,
    settle: Settle,
) -> None:
    case, first = an_edit(workspace, "A refund can be asked for within 14 days of the invoice.")
    server = serve_home(workspace.settings.home)
    tab.goto(f"{server.url}/changes?change={first}")
    expect(tab.get_by_text("No baseline outputs on golden/v3 yet.")).to_be_visible()
    promote_the_mended(workspace, run_template[1])
    tab.reload()
    settle(tab)
    sentence = f"The baseline passes {case.id} today and after this change."
    expect(tab.get_by_text(sentence)).to_be_visible()
    expect(tab.get_by_text("No number moves.")).to_be_visible()
    table = tab.locator(".cur-impact").first
    expect(table).to_contain_text("required_recall0.7950.795+0.00022 of 25")


def test_the_tabs_of_the_golden_set_lead_to_coverage_and_audit(
    demo_server: Any, tab: Page, settle: Settle
) -> None:
    tab.goto(f"{demo_server.url}/golden_set")
    settle(tab)
    tabs = tab.get_by_role("navigation", name="The golden set")
    tabs.get_by_role("button", name="Coverage").click()
    expect(tab.get_by_text("59 of 72 cells are holes")).to_be_visible()
    settle(tab)
    tabs.get_by_role("button", name="Audit").click()
    expect(tab.get_by_text("Nothing is wrong in 5 commits and 3 versions")).to_be_visible()
    settle(tab)
    press(tab, settle, "r")
    expect(said(tab)).to_have_text("Audited again.")
    tabs.get_by_role("button", name="History").click()
    expect(tab.get_by_role("heading", name="History")).to_be_visible()
    expect(tabs.get_by_role("button", name="History")).to_have_attribute("aria-current", "page")
