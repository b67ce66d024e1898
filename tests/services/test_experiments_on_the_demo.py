"""The walk of the README on the sample world: promote the mended retriever, reject the boost."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from curation.config import Settings
from curation.domain.experiment import Decision
from curation.domain.gate import GateOutcome, Profile
from curation.domain.person import Person
from curation.evaluation.errors import ExperimentError
from curation.evaluation.targets import TargetSettings
from curation.golden import Closing, Opening, audit, read_baseline
from curation.services import experiments
from curation.services.baselines import current_baseline
from curation.services.demo import load_demo
from curation.services.evaluation import Evaluated, Outputs, run_target
from curation.services.gating import judge
from curation.services.running import RunOptions
from curation.services.targets import python_target
from curation.services.workspace import Workspace, open_workspace
from curation.services.yardstick import Source, of_version

MIA = Person(name="Mia Kim", email="mia@kestrel.example")
NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)


@pytest.fixture
def demo(tmp_path: Path) -> Workspace:
    """The sample world in a home."""
    settings = Settings(home=tmp_path / "home")
    load_demo(settings, now=NOW, tell=lambda _: None)
    return open_workspace(settings)


def answered(workspace: Workspace, pipeline: str) -> Evaluated:
    """Run a sample pipeline on the newest version."""
    target = python_target(f"curation.sample.pipeline:{pipeline}", folder=Path.cwd())
    options = RunOptions(settings=TargetSettings(), folder=workspace.settings.home / "runs")
    return run_target(workspace, of_version(workspace.golden), target, options, now=NOW)


def outputs(evaluated: Evaluated) -> Outputs:
    assert evaluated.outputs is not None
    return evaluated.outputs


def test_the_mended_retriever_is_promoted_and_the_boost_is_rejected(demo: Workspace) -> None:
    blind, aware, boost = (
        answered(demo, name) for name in ("version_blind", "version_aware", "handbook_boost")
    )
    later = NOW + timedelta(hours=1)
    first = Opening(component="retriever", hypothesis="Search the version that is asked for.")
    opened = experiments.open_(demo, first, person=MIA, now=NOW).experiment
    done = experiments.record(
        demo, opened.id, outputs(aware), baseline=outputs(blind), person=MIA, now=later
    )
    result = done.experiment.latest
    assert result is not None
    assert result.gate.result is GateOutcome.PASS, result.gate.text
    assert result.gate.text == "PROMOTE"
    assert result.component == "component: retriever, proven by the manifests"
    promote = Closing(decision=Decision.PROMOTE, why="It finds the right release.")
    closed = experiments.close(demo, opened.id, promote, person=MIA, now=later)
    assert closed.still_frozen_by == ()
    baseline = read_baseline(demo.golden)
    assert baseline is not None
    assert baseline.pipeline == "kestrel-rag 1.5"

    second = Opening(component="retriever", hypothesis="The handbook is asked about most.")
    again = experiments.open_(demo, second, person=MIA, now=later).experiment
    assert again.baseline == baseline
    harmed = experiments.record(demo, again.id, outputs(boost), person=MIA, now=later).experiment
    latest = harmed.latest
    assert latest is not None
    assert latest.deltas.retrieval is not None
    assert latest.deltas.retrieval > 0
    assert latest.worst.retrieval is not None
    assert (latest.worst.retrieval.slice, latest.worst.retrieval.protected) == ("billing", True)
    assert "protected slice regressed: ['billing']" in latest.gate.text
    with pytest.raises(ExperimentError, match="billing"):
        experiments.close(demo, again.id, promote, person=MIA, now=later)
    reject = Closing(decision=Decision.REJECT, why="Billing must never get worse.")
    experiments.close(demo, again.id, reject, person=MIA, now=later)
    assert [(row.id, row.decision) for row in experiments.log(demo)] == [
        ("exp-001", "promote"),
        ("exp-002", "reject"),
    ]
    assert audit(demo.golden).findings == ()


def test_the_gate_without_an_experiment_says_the_same(demo: Workspace) -> None:
    blind, aware = answered(demo, "version_blind"), answered(demo, "version_aware")
    source = Source(location=demo.golden)
    judged = judge(demo, source, aware, blind, profile=Profile.PROMOTE)
    assert judged.result.text == "PROMOTE"
    assert judged.sides.rescored is True
    backwards = judge(demo, source, blind, aware, profile=Profile.CI)
    assert backwards.result.result is GateOutcome.FAIL
    assert current_baseline(demo, demo.golden) is None
