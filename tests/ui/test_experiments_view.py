"""The log, one experiment and its forms as they are drawn, on real experiments of the sample."""

import re
import shutil
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from curation.domain.experiment import (
    Decision,
    Deltas,
    Experiment,
    OpenExperiment,
    WorstSlices,
)
from curation.domain.gate import GateOutcome, GateResult, Profile
from curation.services import changes, experiments
from curation.services.experiment_view import ExperimentView, view_experiment, without_numbers
from curation.services.experiments import LogRow
from curation.services.workspace import Workspace
from curation.ui.banner import frozen_banner
from curation.ui.experiment_results import draw_gate, draw_numbers, draw_results, noise_words
from curation.ui.experiments_form import draw_begin, draw_close, draw_record
from curation.ui.experiments_view import draw_log, draw_opening, draw_overdue, title
from curation.ui.tree import Child, words
from tests.ui.experiment_home import (
    BOOSTED,
    MENDED,
    open_the_boost,
    opened_workspace,
    promote_the_mended,
    run_samples,
)
from tests.ui.test_pages_without_browser import drawn

RunApp = Callable[..., AppTest]


@pytest.fixture(scope="module")
def workspace(
    demo_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Workspace]:
    """The sample world with a promoted experiment and an open one; these tests only look."""
    home = Path(shutil.copytree(demo_template, tmp_path_factory.mktemp("measured") / "home"))
    opened = opened_workspace(home)
    runs = run_samples(opened, home)
    promote_the_mended(opened, runs)
    open_the_boost(opened, runs)
    yield opened
    opened.store.dispose()


@pytest.fixture(scope="module")
def boost(workspace: Workspace) -> ExperimentView:
    return view_experiment(workspace, experiments.show(workspace, "exp-002"))


def text(tree: Sequence[Child] | Child | None) -> str:
    parts = [tree] if isinstance(tree, str | dict) else tree or ()
    return "\n".join(words(part) for part in parts)


def nodes(tree: Child) -> Generator[dict[str, object]]:
    if isinstance(tree, dict):
        yield tree
        children = tree.get("x")
        for child in children if isinstance(children, list) else ():
            yield from nodes(child)


def row_id(one: dict[str, object]) -> object:
    attributes = one.get("a")
    return attributes.get("data-row") if isinstance(attributes, dict) else None


def test_the_log_has_every_column_newest_first(workspace: Workspace) -> None:
    tree = draw_log(experiments.log(workspace), UTC)
    rows = [one for one in nodes(tree[0]) if row_id(one)]
    assert [row_id(row) for row in rows] == ["exp-002", "exp-001"]
    newest = text(rows[0])
    assert BOOSTED in newest
    assert "retrieval billing −0.143 (n 7, protected)" in newest
    assert "golden/v3+0.095+0.000" in newest
    assert newest.endswith("–")
    assert text(rows[1]).endswith("promote")


def test_a_number_that_is_missing_is_a_dash_and_an_unreadable_file_is_open() -> None:
    row = LogRow(
        id="exp-009",
        date=None,
        state="open (its file cannot be read)",
        component=None,
        hypothesis=None,
        version=None,
        retrieval=None,
        generation=None,
        worst=WorstSlices(),
        decision=None,
    )
    said = text(draw_log([row], UTC))
    assert said.endswith("exp-009–open (its file cannot be read)–––––––")
    assert "None" not in said
    assert "No experiments yet." in text(draw_log([], UTC))


def test_a_result_says_both_headlines_and_the_gate_with_its_reasons(boost: ExperimentView) -> None:
    said = text(draw_results(boost))
    assert "Retrieval, recall@5Δ +0.0950.833 → 0.929" in said
    assert "n = 21, 3 better, 1 worse; n too small for an interval" in said
    assert "Generation, faithfulnessΔ +0.000" in said
    assert "✕ keep baseline — required recall dropped; protected slice regressed" in said
    assert "✕ Fails: recall@k in billing went from 1.000 to 0.857 (−0.143)" in said
    assert "Not set: floor of recall@k, floor of faithfulness." in said
    assert "blend" not in said


def test_the_interval_is_told_where_it_is_known(workspace: Workspace) -> None:
    first = view_experiment(workspace, experiments.show(workspace, "exp-001"))
    said = text(draw_results(first))
    assert re.search(r"95 % interval \[\+0\.\d{3}, \+0\.\d{3}\], beyond noise; n = 21, 6 bet", said)
    assert "✓ PROMOTE" in said
    assert noise_words(None) == ""


def test_slices_have_bars_and_the_worst_comes_first(boost: ExperimentView) -> None:
    tree = list(draw_numbers(boost))
    said = text(tree)
    assert said.index("billingprotected") < said.index("general") < said.index("policy")
    fills = [str(one.get("c")) for part in tree for one in nodes(part) if "cur-fill" in str(one)]
    bars = [cls for cls in fills if cls.startswith("cur-fill")]
    assert "cur-fill cur-before cur-w100" in bars
    assert "cur-fill cur-worse cur-w86" in bars
    assert len(bars) == 2 * 2 * 5
    assert "Δ −0.143 ▼ lower" in said


def test_every_metric_is_told_with_decimals_that_show_it(boost: ExperimentView) -> None:
    said = text(list(draw_numbers(boost)))
    assert "required_recall0.7950.750−0.045 worse220 gained, 1 lost" in said
    assert re.search(r"cost_per_query_usd0\.000\d{3}0\.000\d{3}[+−]0\.00000\d25–", said)


def test_flipped_cases_show_both_answers_side_by_side(boost: ExperimentView) -> None:
    said = text(draw_numbers(boost))
    assert "Good → bad · 1" in said
    assert "money-back · billing · Within how many days can I ask for my money back?" in said
    assert "A refund can be asked for within 14 days of the first invoice [4]." in said
    assert "✕ fails retrieval, answer, citation" in said
    assert "Bad → good · 0\nNone." in said


def test_answers_that_are_not_kept_are_said_to_be_missing(boost: ExperimentView) -> None:
    lost = boost.good_to_bad[0]
    gone = replace(lost, candidate=replace(lost.candidate, answer=None), question=None)
    said = text(draw_numbers(replace(boost, good_to_bad=(gone,))))
    assert "The answer is not kept here." in said
    assert "None" not in said.replace("None.", "")


def test_a_void_keeps_its_numbers_and_says_that_they_do_not_count(boost: ExperimentView) -> None:
    voided = boost.experiment.model_copy(update={"decision": Decision.VOID})
    assert "these numbers count for nothing" in text(
        draw_results(replace(boost, experiment=voided))
    )


def test_nothing_recorded_says_what_to_do(boost: ExperimentView) -> None:
    fresh = boost.experiment.model_copy(update={"results": (), "baseline": None})
    empty = replace(boost, experiment=fresh, comparison=None, good_to_bad=())
    assert "Nothing is recorded yet." in text(draw_results(empty))
    assert "then record both with U:" in text(draw_results(empty))
    assert f"curation eval run --version {fresh.version} --target" in text(draw_results(empty))
    assert "Nothing is recorded yet." in text(draw_numbers(empty))
    assert "Candidate–" in text(draw_opening(fresh, UTC))
    assert f"Component{fresh.component}" in text(draw_opening(fresh, UTC))


def test_an_undecided_gate_is_neither_tick_nor_cross() -> None:
    gate = GateResult(result=GateOutcome.UNDECIDED, profile=Profile.PROMOTE)
    assert text(draw_gate(gate)).startswith("Gate\n? undecided")


def test_what_was_fixed_at_the_opening_stays_readable(boost: ExperimentView) -> None:
    one = boost.experiment
    said = text(draw_opening(one, UTC))
    assert BOOSTED in said
    assert f"golden/v3, commit {one.commit[:12]}" in said
    assert "kestrel-rag 1.5 on golden/v3" in said
    assert "retriever, proven by the manifests" in said
    assert title(one) == "exp-002 · retriever · golden/v3 · open"


def test_an_experiment_that_is_open_for_too_long_is_pointed_out(boost: ExperimentView) -> None:
    one: Experiment = boost.experiment
    assert draw_overdue(one, 14, one.opened_at + timedelta(days=14)) == []
    said = text(draw_overdue(one, 14, one.opened_at + timedelta(days=15)))
    assert said == "Open for longer than 14 days. Close it, or an admin may void it."


def test_the_close_form_lists_what_can_be_published_then(
    workspace: Workspace, boost: ExperimentView
) -> None:
    one = boost.experiment
    waiting = changes.all_changes(workspace)[:1]
    said = text(draw_close(one, may_override=True, waiting=waiting, others=[]))
    assert f"Can be published then:\n{waiting[0].shown_number} · Add" in said
    assert "Override" in said
    assert "Override" not in text(draw_close(one, may_override=False, waiting=(), others=[]))
    other = OpenExperiment(id="exp-008")
    frozen = text(draw_close(one, may_override=False, waiting=waiting, others=[other]))
    assert "The golden set stays frozen then by exp-008." in frozen
    assert "Can be published then" not in frozen


def test_the_forms_ask_only_for_what_is_missing(boost: ExperimentView) -> None:
    pinned = text(draw_record(boost.experiment, ()))
    assert "It is measured against kestrel-rag 1.5." in pinned
    assert "Baseline: a run" not in pinned
    fresh = boost.experiment.model_copy(update={"baseline": None})
    assert "Baseline: a run that is kept" in text(draw_record(fresh, ()))
    assert "Continues" not in text(draw_begin(["chunker"], ["golden/v3"], []))
    assert "exp-004" in text(draw_begin(["chunker"], ["golden/v3"], ["exp-004"]))


def test_the_banner_says_how_the_set_thaws() -> None:
    at = datetime(2026, 11, 26, 13, 2, tzinfo=UTC)
    one = OpenExperiment(id="exp-007", component="chunker", opened_at=at, version="golden/v12")
    banner = frozen_banner([one], 3, now=at + timedelta(days=3), zone=UTC, thaw=True)
    assert text(banner).endswith(
        "3 approved changes can be published when it is closed. "
        "To thaw: close exp-007 with a decision, or as void with a reason."
    )
    two = frozen_banner([one, OpenExperiment(id="exp-008")], 0, now=at, zone=UTC, thaw=True)
    assert "To thaw: close exp-007 and exp-008 each with a decision" in text(two)
    plain = frozen_banner([one], 0, now=at, zone=UTC)
    assert "To thaw" not in text(plain)


def test_the_pages_draw_the_log_one_experiment_audit_and_coverage(
    workspace: Workspace, run_app: RunApp
) -> None:
    home = workspace.settings.home
    log = run_app(home, "experiments")
    assert not log.exception
    assert MENDED in drawn(log)
    assert "To thaw: close exp-002" in drawn(log)
    log.query_params["experiment"] = "exp-001"
    one = log.run()
    assert not one.exception
    assert "exp-001 is closed. Its record stays as it is." in drawn(one)
    one.query_params["experiment"] = "exp-099"
    wrong = one.run()
    assert "exp-099" in drawn(wrong)
    assert MENDED in drawn(wrong)
    audit = run_app(home, "audit")
    assert not audit.exception
    assert "✓ Nothing is wrong in 10 commits and 3 versions" in drawn(audit)
    grid = run_app(home, "coverage")
    assert not grid.exception
    assert "59 of 72 cells are holes" in drawn(grid)


def test_deltas_that_were_not_scored_are_dashes(boost: ExperimentView) -> None:
    latest = boost.experiment.latest
    assert latest is not None
    bare = latest.model_copy(update={"deltas": Deltas(), "candidate": {}, "baseline": {}})
    one = boost.experiment.model_copy(update={"results": (bare,)})
    assert "Δ –– → –" in text(draw_results(replace(boost, experiment=one, comparison=None)))


def test_what_cannot_be_read_leaves_the_log_and_the_way_out(
    demo_home: Path, freeze: Callable[[Path], None], run_app: RunApp
) -> None:
    """A record that is none counts as open; the log stays in reach and says so."""
    freeze(demo_home)
    app = run_app(demo_home, "experiments")
    assert "open (its file cannot be read)" in drawn(app)
    app.query_params["experiment"] = "exp-001"
    app.run()
    assert not app.exception
    assert "exp-001 cannot be read" in drawn(app)
    assert "open (its file cannot be read)" in drawn(app)


def test_an_experiment_without_its_numbers_can_still_be_read(boost: ExperimentView) -> None:
    bare = without_numbers(boost.experiment)
    said = text(draw_results(bare))
    assert "Δ +0.095" in said
    assert "No interval is known." in said
    assert "Nothing is recorded yet." not in text(draw_numbers(bare))
