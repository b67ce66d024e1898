"""A home with experiments: one promoted, one open that harms billing."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from curation.config import load_settings
from curation.domain.experiment import Decision
from curation.domain.person import Person
from curation.evaluation.targets import TargetSettings
from curation.golden import Closing, Opening
from curation.services import experiments
from curation.services.evaluation import Outputs, read_outputs
from curation.services.running import RunOptions, run_over
from curation.services.targets import python_target
from curation.services.workspace import Workspace, open_workspace
from curation.services.yardstick import of_version

ANA = Person(name="Ana Ruiz", email="ana@kestrel.example")
MIA = Person(name="Mia Kim", email="mia@kestrel.example")
MENDED = "Search the version that is asked for."
BOOSTED = "The handbook is <b>asked</b> about most."


@dataclass(frozen=True)
class Runs:
    """The sample pipelines' outputs on the newest version, each also as a file."""

    blind: Path
    aware: Path
    boost: Path


def now() -> datetime:
    return datetime.now(UTC)


def run_samples(workspace: Workspace, folder: Path) -> Runs:
    """Run the sample pipelines and write their outputs."""
    yardstick = of_version(workspace.golden)
    files = []
    for name in ("version_blind", "version_aware", "handbook_boost"):
        target = python_target(f"curation.sample.pipeline:{name}", folder=Path.cwd())
        options = RunOptions(settings=TargetSettings(), folder=folder / "parts")
        _, text = run_over(yardstick, target, options, now=now())
        file = folder / f"{name}.jsonl"
        file.write_text(text, encoding="utf-8", newline="\n")
        files.append(file)
    return Runs(*files)


def outputs(file: Path) -> Outputs:
    """Read the outputs of a file."""
    return read_outputs(file)


def promote_the_mended(workspace: Workspace, runs: Runs) -> str:
    """Open, record and promote the first experiment; return its id."""
    opening = Opening(component="retriever", hypothesis=MENDED)
    opened = experiments.open_(workspace, opening, person=MIA, now=now()).experiment
    experiments.record(
        workspace,
        opened.id,
        outputs(runs.aware),
        baseline=outputs(runs.blind),
        person=MIA,
        now=now(),
    )
    closing = Closing(decision=Decision.PROMOTE, why="It finds the right release.")
    experiments.close(workspace, opened.id, closing, person=MIA, now=now())
    return opened.id


def open_the_boost(workspace: Workspace, runs: Runs) -> str:
    """Open the second experiment and record it; it harms billing."""
    opening = Opening(component="retriever", hypothesis=BOOSTED)
    opened = experiments.open_(workspace, opening, person=ANA, now=now()).experiment
    experiments.record(workspace, opened.id, outputs(runs.boost), person=ANA, now=now())
    return opened.id


def opened_workspace(home: Path) -> Workspace:
    """Open the workspace of a home."""
    return open_workspace(load_settings(home))
