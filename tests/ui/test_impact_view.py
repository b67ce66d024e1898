"""What an approver reads of a change's impact on the baseline, on the sample's real outputs."""

import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from curation.domain.case import RetireReason
from curation.domain.change import Change, ChangeKind, ChangeState
from curation.services import changes, golden_set
from curation.services.cases import CaseFile
from curation.services.impact import baseline_run, impact_of
from curation.services.workspace import Workspace
from curation.ui.impact_view import draw_impact
from curation.ui.tree import words
from tests.ui.experiment_home import ANA, now, opened_workspace, promote_the_mended, run_samples


@pytest.fixture(scope="module")
def workspace(
    demo_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Workspace]:
    """The sample world with a baseline whose outputs are kept; each test has its own case."""
    home = Path(shutil.copytree(demo_template, tmp_path_factory.mktemp("impact") / "home"))
    opened = opened_workspace(home)
    promote_the_mended(opened, run_samples(opened, home))
    yield opened
    opened.store.dispose()


def an_edit(workspace: Workspace, case_id: str, days: str) -> Change:
    document = golden_set.browse(workspace).cases[case_id].model_dump(mode="json", by_alias=True)
    fact = document["facts"]["required"][0]
    fact |= {"text": f"{days} days of the first invoice", "any_of": []}
    document["reference"] = f"A refund can be asked for within {days} days of the first invoice."
    file = CaseFile(document=document, where="test", reason="The terms changed.")
    return golden_set.propose_case(workspace, file, person=ANA, now=now())[0]


def said(workspace: Workspace, change: Change) -> str:
    return "\n".join(words(part) for part in draw_impact(impact_of(workspace, change), change))


def test_a_case_that_the_baseline_fails_then_is_one_sentence_and_its_numbers(
    workspace: Workspace,
) -> None:
    text = said(workspace, an_edit(workspace, "money-back", "21"))
    assert "The baseline passes money-back today and fails it after this change." in text
    assert "required_recall0.7950.750−0.04522 of 25" in text
    assert "In billing\nMetricBeforeAfterΔScoredrequired_recall0.9290.786−0.1437 of 8" in text
    assert "In policy" not in text
    assert "No number moves." not in text


def test_an_added_case_has_no_output_and_a_retired_one_counts_no_more(workspace: Workspace) -> None:
    proposed = changes.all_changes(workspace, states=[ChangeState.PROPOSED])
    added = next(one for one in proposed if one.kind is ChangeKind.ADD)
    text = said(workspace, added)
    assert f"The baseline has no output for {added.case_id} yet." in text
    assert "No number moves." in text
    retired = golden_set.propose_retire(
        workspace,
        "payment-terms",
        why=RetireReason.OUTDATED,
        person=ANA,
        reason="It is asked no more.",
        now=now(),
    )
    assert "The baseline passes payment-terms today; after this change it counts no more." in said(
        workspace, retired
    )


def test_a_change_of_the_policy_writes_no_case_and_a_closed_one_is_foreseen_no_more(
    workspace: Workspace,
) -> None:
    published = changes.all_changes(workspace, states=[ChangeState.PUBLISHED])
    policy = next(one for one in published if one.kind is ChangeKind.POLICY)
    assert impact_of(workspace, policy) is None
    assert draw_impact(None, policy) == []
    still_open = policy.model_copy(update={"state": ChangeState.PROPOSED})
    assert said(workspace, still_open) == "Impact\nThis change writes no case."


def test_without_kept_outputs_the_page_says_so(demo_home: Path) -> None:
    bare = opened_workspace(demo_home)
    try:
        assert baseline_run(bare) is None
        change = an_edit(bare, "money-back", "21")
        assert impact_of(bare, change) is None
        assert said(bare, change) == "Impact\nNo baseline outputs on golden/v3 yet."
        promote_the_mended(bare, run_samples(bare, demo_home))
        assert baseline_run(bare) is not None
    finally:
        bare.store.dispose()
