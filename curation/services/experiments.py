"""Experiments: open, record, close, and the log of all of them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from curation.domain.change import Change, ChangeState
from curation.domain.experiment import (
    Decision,
    Experiment,
    ExperimentState,
    OpenExperiment,
    SliceDelta,
    WorstSlices,
)
from curation.domain.gate import GateOutcome
from curation.domain.person import Person, Role
from curation.errors import CurationError, PersonError
from curation.evaluation import experiment as deciding
from curation.evaluation.evaluate import evaluate_run
from curation.evaluation.report import Report
from curation.evaluation.wording import signed
from curation.golden import (
    Closing,
    ExperimentWritten,
    Opening,
    close_experiment,
    list_experiments,
    open_experiment,
    open_experiments,
    read_experiment,
    record_experiment,
)
from curation.metrics.hits import HitRule
from curation.services import changes
from curation.services.baselines import evaluated_baseline
from curation.services.evaluation import Outputs, keep_outputs, kept_outputs
from curation.services.scoring import hit_rule_for, scoring_for
from curation.services.workspace import Workspace
from curation.services.yardstick import Yardstick, of_version

NO_NUMBER = "–"


class RecordRefusedError(CurationError):
    """A run was not recorded with an experiment."""

    def __init__(self, experiment_id: str, why: str, what_to_do: str) -> None:
        super().__init__(f"Nothing was recorded with {experiment_id}, because {why}. {what_to_do}")


@dataclass(frozen=True, kw_only=True)
class LogRow:
    """One line of the log: what the method's own table has."""

    id: str
    date: datetime | None
    state: str
    component: str | None
    hypothesis: str | None
    version: str | None
    retrieval: float | None
    generation: float | None
    worst: WorstSlices
    decision: str | None

    def to_document(self) -> dict[str, Any]:
        """Return the row as a JSON object; a number that is not there is null."""
        return {
            "experiment_id": self.id,
            "date": self.date.isoformat() if self.date else None,
            "state": self.state,
            "component": self.component,
            "hypothesis": self.hypothesis,
            "version": self.version,
            "delta_retrieval": self.retrieval,
            "delta_generation": self.generation,
            "worst_slice": self.worst.model_dump(mode="json"),
            "decision": self.decision,
        }


@dataclass(frozen=True, kw_only=True)
class Closed:
    """A closed experiment, and what can be published now or who still freezes the set."""

    written: ExperimentWritten
    publishable: tuple[Change, ...]
    still_frozen_by: tuple[OpenExperiment, ...]


def open_(
    workspace: Workspace, opening: Opening, *, person: Person, now: datetime
) -> ExperimentWritten:
    """Open an experiment; from then on the golden set is frozen.

    Raises:
        RoleError: the person is no reviewer.
        ExperimentNotOpenedError: two components, an unknown one, or cases that no version holds.
    """
    workspace.require(person, Role.REVIEWER, "Opening an experiment")
    return open_experiment(workspace.golden, opening, person=person, now=now)


def show(workspace: Workspace, experiment_id: str) -> Experiment:
    """Return an experiment as git has it.

    Raises:
        NotFoundError: there is no such experiment.
    """
    return read_experiment(workspace.golden, experiment_id)


def log(workspace: Workspace) -> tuple[LogRow, ...]:
    """Return all experiments, oldest first; one that cannot be read is open."""
    found, unreadable = list_experiments(workspace.golden)
    rows = [_row(experiment) for experiment in found]
    rows += [_unreadable_row(experiment_id) for experiment_id in unreadable]
    return tuple(sorted(rows, key=lambda row: (len(row.id), row.id)))


def _row(experiment: Experiment) -> LogRow:
    result = experiment.latest
    counted = result if experiment.decision is not Decision.VOID else None
    return LogRow(
        id=experiment.id,
        date=experiment.opened_at,
        state=experiment.state.value,
        component=experiment.component,
        hypothesis=experiment.hypothesis,
        version=experiment.version,
        retrieval=counted.deltas.retrieval if counted else None,
        generation=counted.deltas.generation if counted else None,
        worst=counted.worst if counted else WorstSlices(),
        decision=experiment.decision.value if experiment.decision else None,
    )


def _unreadable_row(experiment_id: str) -> LogRow:
    return LogRow(
        id=experiment_id,
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


def worst_text(worst: WorstSlices) -> str:
    """Return the worst slice of each headline in words; a dash where nothing was scored."""
    sides = (("retrieval", worst.retrieval), ("generation", worst.generation))
    told = [f"{name} {_slice_text(found)}" for name, found in sides if found is not None]
    return ", ".join(told) or NO_NUMBER


def _slice_text(found: SliceDelta) -> str:
    protected = ", protected" if found.protected else ""
    return f"{found.slice} {signed(found.delta)} (n {found.n}{protected})"


def record(
    workspace: Workspace,
    experiment_id: str,
    candidate: Outputs,
    *,
    baseline: Outputs | None = None,
    person: Person,
    now: datetime,
) -> ExperimentWritten:
    """Score a candidate beside the baseline and append the result to the experiment.

    Without a current baseline the first record brings the baseline's run, which is pinned then.

    Raises:
        RoleError: the person is no reviewer.
        RecordRefusedError: there is no baseline, or another one is pinned.
        ExperimentError: closed, another version, or not exactly the declared component differs.
        RunError: a run does not hold exactly one good output for each case.
    """
    workspace.require(person, Role.REVIEWER, "Recording a result")
    experiment = read_experiment(workspace.golden, experiment_id)
    yardstick = of_version(workspace.golden, experiment.version)
    before, after, rescored = _reports(workspace, experiment, yardstick, candidate, baseline)
    recording = deciding.Recording(
        baseline=before,
        candidate=after,
        policy=yardstick.policy,
        by=str(person),
        at=now,
        rescored=rescored,
    )
    with workspace.store.writing() as session:
        for outputs in filter(None, (candidate, baseline)):
            keep_outputs(session, yardstick, outputs, now=now, by=str(person))
    return record_experiment(
        workspace.golden,
        experiment_id,
        lambda current: deciding.record(current, recording),
        person=person,
        now=now,
    )


def _reports(
    workspace: Workspace,
    experiment: Experiment,
    yardstick: Yardstick,
    candidate: Outputs,
    baseline: Outputs | None,
) -> tuple[Report, Report, bool]:
    """Return baseline and candidate, and whether both were scored from their raw outputs."""
    before = _baseline_outputs(workspace, experiment, baseline)
    kept: Report | None = None
    if before is None and experiment.baseline is not None:
        kept = evaluated_baseline(workspace, workspace.golden, experiment.baseline).report
    wanted = HitRule.QUOTE if kept and kept.pins.hit_rule is HitRule.QUOTE else None
    choice = hit_rule_for(workspace, yardstick, component=experiment.component, wanted=wanted)
    mine = yardstick.fitted(candidate.run)
    both = [mine, *([yardstick.fitted(before.run)] if before else [])]
    how = scoring_for(workspace, yardstick, both, rule=choice.rule)
    after = evaluate_run(yardstick.cases, mine, pins=yardstick.pins, scoring=how)
    if before is not None:
        old = evaluate_run(yardstick.cases, both[1], pins=yardstick.pins, scoring=how)
        return old, after, True
    if kept is None or kept.aggregates_only:
        raise _no_baseline(experiment)
    return kept, after, False


def _baseline_outputs(
    workspace: Workspace, experiment: Experiment, given: Outputs | None
) -> Outputs | None:
    """Return the raw outputs of the baseline: those given, else those that are kept."""
    pinned = experiment.baseline
    if given is not None:
        if pinned is not None and pinned.run_sha256 != given.run.sha256:
            raise RecordRefusedError(
                experiment.id,
                f"its baseline is pinned as {pinned.pipeline or 'another run'} "
                f"({(pinned.run_sha256 or '')[:12]}) and the run given is another one",
                "Leave --baseline out, or open another experiment.",
            )
        return given
    if pinned is None:
        raise _no_baseline(experiment)
    return kept_outputs(workspace, pinned.run_sha256)


def _no_baseline(experiment: Experiment) -> RecordRefusedError:
    return RecordRefusedError(
        experiment.id,
        "there is no current baseline to measure against",
        f"Run the present pipeline on {experiment.version} and name its outputs with --baseline.",
    )


def close(
    workspace: Workspace, experiment_id: str, closing: Closing, *, person: Person, now: datetime
) -> Closed:
    """Close an experiment, and say what can be published now.

    Raises:
        RoleError: it is somebody else's and the person is no approver (for a void: no admin).
        ExperimentError: it is closed, has no reason, or may not be promoted.
    """
    experiment = read_experiment(workspace.golden, experiment_id)
    _require_closer(workspace, experiment, closing, person)
    written = close_experiment(workspace.golden, experiment_id, closing, person=person, now=now)
    frozen = open_experiments(workspace.golden)
    approved = changes.all_changes(workspace, states=[ChangeState.APPROVED])
    return Closed(
        written=written,
        publishable=() if frozen else tuple(reversed(approved)),
        still_frozen_by=frozen,
    )


def _require_closer(
    workspace: Workspace, experiment: Experiment, closing: Closing, person: Person
) -> None:
    """Refuse who may not: the opener closes, others need more, against the gate only an admin."""
    workspace.require(person, Role.REVIEWER, "Closing an experiment")
    if closing.override is not None and not _passes(experiment):
        workspace.require(person, Role.ADMIN, "Promoting against the gate")
    if _is_opener(experiment, person):
        return
    if closing.decision is Decision.VOID:
        workspace.require(person, Role.ADMIN, "Voiding somebody else's experiment")
    else:
        workspace.require(person, Role.APPROVER, "Closing somebody else's experiment")


def is_overdue(experiment: Experiment, max_days: int, *, now: datetime) -> bool:
    """Return whether an open experiment has been open for longer than the policy says."""
    if experiment.state is ExperimentState.CLOSED:
        return False
    return now - experiment.opened_at > timedelta(days=max_days)


def _passes(experiment: Experiment) -> bool:
    return experiment.latest is not None and experiment.latest.gate.result is GateOutcome.PASS


def _is_opener(experiment: Experiment, person: Person) -> bool:
    try:
        return Person.parse(experiment.opened_by).key == person.key
    except PersonError:
        return False
