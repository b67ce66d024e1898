"""The baseline: what a candidate is measured against, where its numbers are, and setting it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curation.domain.change import Change, ChangeKind, FileContent
from curation.domain.experiment import Baseline, Experiment
from curation.domain.person import Person, Role
from curation.errors import CurationError
from curation.evaluation.case_lines import reports_of
from curation.evaluation.experiment import baseline_of
from curation.evaluation.report import Pins, Report
from curation.golden import (
    Location,
    baseline_blob,
    baseline_bytes,
    read_baseline,
    read_experiment,
    read_numbers,
    read_version,
)
from curation.metrics.aggregate import Mean
from curation.metrics.hits import HitRule
from curation.metrics.metric import Metric
from curation.services import changes
from curation.services.errors import ReasonMissingError
from curation.services.evaluation import Evaluated, kept_outputs, scored
from curation.services.workspace import Workspace
from curation.services.yardstick import of_version

BASELINE_FILE = "experiments/baseline.json"


class NoBaselineError(CurationError):
    """A report cannot become the baseline."""

    exit_status = 2

    def __init__(self, why: str) -> None:
        super().__init__(
            f"No baseline was proposed, because {why}. "
            "Run the pipeline on a version with `curation eval run --version golden/vN`."
        )


@dataclass(frozen=True, kw_only=True)
class BaselineState:
    """The baseline and whether it was measured on what the newest version holds."""

    baseline: Baseline | None
    stale: bool
    newest: str | None
    outputs_kept: bool

    def to_document(self) -> dict[str, Any]:
        """Return the document of `curation eval baseline show`."""
        return {
            "baseline": self.baseline.model_dump(mode="json") if self.baseline else None,
            "stale": self.stale,
            "newest": self.newest,
            "outputs_kept": self.outputs_kept,
        }


def show_baseline(workspace: Workspace) -> BaselineState:
    """Return the baseline at the tip of the golden set."""
    baseline = read_baseline(workspace.golden)
    golden = read_version(workspace.golden)
    stale = baseline is not None and not measured_on(
        baseline, version=golden.version, cases_tree=golden.cases_tree
    )
    kept = baseline is not None and kept_outputs(workspace, baseline.run_sha256) is not None
    return BaselineState(baseline=baseline, stale=stale, newest=golden.version, outputs_kept=kept)


def measured_on(baseline: Baseline, *, version: str | None, cases_tree: str | None) -> bool:
    """Return whether a baseline was measured on these cases."""
    if baseline.cases_tree is None or cases_tree is None:
        return baseline.version == version
    return baseline.cases_tree == cases_tree


def current_baseline(workspace: Workspace, location: Location | None) -> Evaluated | None:
    """Return the report of the current baseline: scored again, else from git, else its means.

    A plain file has no baseline.
    """
    baseline = read_baseline(location) if location else None
    if location is None or baseline is None:
        return None
    return evaluated_baseline(workspace, location, baseline)


def evaluated_baseline(workspace: Workspace, location: Location, baseline: Baseline) -> Evaluated:
    """Return the report of a baseline from the best that there is of it."""
    outputs = kept_outputs(workspace, baseline.run_sha256)
    if outputs is not None:
        yardstick = of_version(location, baseline.version)
        return Evaluated(report=scored(workspace, yardstick, outputs), outputs=outputs)
    report = _from_experiment(location, baseline) if baseline.experiment else None
    return Evaluated(report=report or _means_only(baseline))


def _from_experiment(location: Location, baseline: Baseline) -> Report | None:
    """Return the report that the experiment which promoted the baseline left in git."""
    try:
        experiment = read_experiment(location, baseline.experiment or "")
        numbers = read_numbers(location, experiment.id)
    except CurationError:
        return None
    pins = pins_of_result(experiment)
    if pins is None or pins.run_sha256 != baseline.run_sha256:
        return None
    return reports_of(numbers, pins, pins)[1]


def pins_of_result(experiment: Experiment) -> Pins | None:
    """Return what the last result of an experiment depends on; None before the first."""
    result = experiment.latest
    if result is None:
        return None
    return Pins(
        version=experiment.version,
        commit=experiment.commit,
        cases_tree=experiment.cases_tree,
        policy_blob=experiment.policy_blob,
        k=result.k,
        hit_rule=HitRule(result.hit_rule),
        scorer=result.scorer,
        corpus_snapshot=result.corpus_snapshot,
        pipeline=result.pipeline,
        run_sha256=result.run_sha256,
        repeats=result.repeats,
    )


def _means_only(baseline: Baseline) -> Report:
    means = {Metric(name): Mean(value=value, n=0) for name, value in baseline.metrics.items()}
    pins = Pins(
        version=baseline.version,
        cases_tree=baseline.cases_tree,
        pipeline=baseline.pipeline,
        run_sha256=baseline.run_sha256,
    )
    return Report(pins=pins, n=0, metrics=means, aggregates_only=True)


def propose_baseline(
    workspace: Workspace, report: Report, *, person: Person, reason: str, now: datetime
) -> Change:
    """Propose that a report becomes the baseline; it is approved like a change of the policy.

    Raises:
        NoBaselineError: the report is of no version, or its raw outputs are not kept.
        ReasonMissingError: there is no reason.
    """
    workspace.require(person, Role.REVIEWER, "Proposing a baseline")
    if not reason.strip():
        raise ReasonMissingError("A new baseline")
    if report.pins.version is None or report.pins.unpinned:
        raise NoBaselineError("the report is of no version")
    if kept_outputs(workspace, report.pins.run_sha256) is None:
        raise NoBaselineError("the raw outputs behind the report are not kept here")
    golden = read_version(workspace.golden)
    text = baseline_bytes(baseline_of(report, None)).decode()
    proposal = changes.Proposal(
        kind=ChangeKind.BASELINE,
        case_id=None,
        files=(FileContent(path=BASELINE_FILE, text=text),),
        reason=reason.strip(),
        base_blob=baseline_blob(workspace.golden),
        base_version=golden.version,
    )
    with workspace.store.writing() as session:
        return changes.insert(session, proposal, person=person, now=now)
