"""The Evidence page on the sample world after its next documents: shown, proposed, approved."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from curation.config import load_settings
from curation.domain.change import ChangeState
from curation.domain.person import Person
from curation.domain.sample import SampleRequest
from curation.golden import read_version
from curation.services import batches, changes, sampling
from curation.services.cases import CaseFile
from curation.services.demo import load_next_documents
from curation.services.living import check_evidence, reanchored
from curation.services.review import finish_with_file
from curation.services.workspace import open_workspace
from tests.ui.test_pages_without_browser import drawn

MIA = Person(name="Mia Kim", email="mia@kestrel.example")
ROB = Person(name="Rob Oduya", email="rob@kestrel.example")
RunApp = Callable[..., AppTest]


def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def delivered(demo_home: Path) -> Path:
    """The sample world with the next delivery of its documents."""
    load_next_documents(load_settings(demo_home), now=now())
    return demo_home


def test_untouched_evidence_is_said_to_stand(demo_home: Path, run_app: RunApp) -> None:
    said = drawn(run_app(demo_home, "evidence"))
    assert "28 pieces of evidence: 26 intact, 0 moved, 0 changed, 0 gone, 2 superseded." in said
    assert "2 of them are of a version that the question names: right as it is." in said
    assert "No evidence has moved." in said


def test_every_state_is_listed_and_shown_with_its_words(delivered: Path, run_app: RunApp) -> None:
    app = run_app(delivered, "evidence")
    said = drawn(app)
    for group in ("Outdated facts · 3", "Moved · 5", "Changed · 1", "Gone · 1", "Superseded · 3"):
        assert group in said
    assert "f1: 6 % of 2026 becomes ✕ must not hold, 7 % ✓ must hold." in said

    def shown(row: str) -> str:
        app.query_params["item"] = row
        assert not app.run().exception
        return drawn(app)

    moved = shown("evidence:session-42:e1")
    assert "Stands in console/access/01 · 4.2" in moved
    assert "The same words, to the letter." in moved
    changed = shown("evidence:severity-one:e1")
    assert "Nearest billing/support#response · 4.2" in changed
    assert "1 hour" in changed
    assert "45 minutes" in changed
    assert "Gone: no passage of that document and version is like it." in shown(
        "evidence:money-back:e1"
    )
    newer = shown("evidence:sick-note:e1")
    assert "Newer version handbook/leave#sick · 2027" in newer
    asked = shown("evidence:connect-next-40:e1")
    assert "The question names this version, so the case stays right." in asked


def test_a_batch_is_shown_whole_and_counts_what_became_of_it(
    delivered: Path, run_app: RunApp
) -> None:
    workspace = open_workspace(load_settings(delivered))
    made = batches.propose_reanchoring(workspace, person=ROB, reason="Cut anew.", now=now())
    assert made.batch_id is not None
    changes.withdraw(workspace, made.changes[0].id, person=ROB)
    (batch,) = batches.open_batches(workspace)
    assert batch.proposed == batch.changes[1:]
    said = drawn(run_app(delivered, "evidence", item=f"batch:{made.batch_id}"))
    assert "4 changes of Rob Oduya" in said
    assert "1 withdrawn, 3 proposed" in said
    for change in made.changes:
        assert f"{change.shown_number} · Edit {change.case_id}" in said
    assert "2 changed" in said
    workspace.store.dispose()


def test_a_first_of_two_verdicts_that_edits_a_case_shows_nowhere(
    delivered: Path, run_app: RunApp
) -> None:
    row = "evidence:session-42:e1"
    before = drawn(run_app(delivered, "evidence", item=row))
    workspace = open_workspace(load_settings(delivered))
    sample = sampling.draw(workspace, ROB, SampleRequest(n=1, double=1.0), now=now())
    (answer_id,) = sampling.served_order(workspace, sample)
    items = [i for i in check_evidence(workspace).items if i.case_id == "session-42"]
    edited = reanchored(read_version(workspace.golden).cases["session-42"], items)
    assert edited is not None
    document = edited.model_dump(mode="json", by_alias=True)
    file = CaseFile(document=document, where="case.json", reason="It moved.")
    finish_with_file(workspace, ROB, answer_id, file, now=now())
    assert drawn(run_app(delivered, "evidence", item=row)) == before
    made = batches.propose_reanchoring(workspace, person=MIA, reason="Cut anew.", now=now())
    assert "session-42" in {change.case_id for change in made.changes}
    theirs = batches.propose_reanchoring(workspace, person=ROB, reason="Cut anew.", now=now())
    assert theirs.changes == ()
    workspace.store.dispose()


def test_evidence_is_re_anchored_by_keyboard_and_approved_by_one_act(
    delivered: Path,
    serve_home: Callable[..., Any],
    tab: Page,
    settle: Callable[[Page], None],
) -> None:
    workspace = open_workspace(load_settings(delivered))
    theirs = batches.propose_renewal(workspace, person=ROB, reason="The 2027 edition.", now=now())
    tab.goto(f"{serve_home(delivered).url}/evidence")
    settle(tab)
    expect(tab.get_by_text("3 changes of Rob Oduya")).to_be_visible()
    tab.keyboard.press("Control+Enter")
    expect(tab.locator(".cur-message")).to_contain_text("Approved 3 changes.")
    states = {changes.get(workspace, change.id).state for change in theirs.changes}
    assert states == {ChangeState.APPROVED}
    settle(tab)

    tab.keyboard.press("r")
    field = tab.get_by_label("Why these changes")
    expect(field).to_be_focused()
    tab.keyboard.type("nepru: cut anew.")
    settle(tab)
    tab.keyboard.press("Control+Enter")
    expect(tab.locator(".cur-message")).to_contain_text("Proposed 4 changes as one batch")
    settle(tab)
    tab.keyboard.press("Control+Enter")
    expect(tab.locator(".cur-message")).to_contain_text("someone else approves it")
    mine = batches.open_batches(workspace)[0]
    assert {change.latest.reason for change in mine.changes} == {"nepru: cut anew."}
    moved = {i.case_id for i in check_evidence(workspace).items if i.anchor.state == "moved"}
    assert {change.case_id for change in mine.changes} == moved
    workspace.store.dispose()
