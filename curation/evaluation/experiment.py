"""What recording and closing an experiment writes, decided from two reports."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curation.domain.experiment import (
    Baseline,
    Decision,
    Deltas,
    Experiment,
    ExperimentCase,
    ExperimentResult,
    ExperimentState,
    Override,
    SliceDelta,
    WorstSlices,
)
from curation.domain.gate import GateOutcome, Profile
from curation.domain.policy import Policy
from curation.evaluation.case_lines import case_lines
from curation.evaluation.compare import Pairing, WorstSlice, pair_reports, worst_slices
from curation.evaluation.errors import ExperimentError
from curation.evaluation.gate import gate
from curation.evaluation.report import Report
from curation.metrics.metric import Metric

__all__ = [
    "Closing",
    "Recording",
    "baseline_of",
    "changed_components",
    "close",
    "prove_component",
    "record",
]


@dataclass(frozen=True, kw_only=True)
class Recording:
    """A candidate run to be recorded, scored again beside the baseline's."""

    baseline: Report
    candidate: Report
    policy: Policy
    by: str
    at: datetime
    rescored: bool = True


@dataclass(frozen=True, kw_only=True)
class Closing:
    """What closing an experiment writes: its last record and, on promote, the new baseline."""

    experiment: Experiment
    baseline: Baseline | None = None


def changed_components(
    baseline: Mapping[str, Any], candidate: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the components whose entry in the two pipeline manifests differs."""
    missing = object()
    names = dict.fromkeys((*baseline, *candidate))
    return tuple(n for n in names if baseline.get(n, missing) != candidate.get(n, missing))


def prove_component(
    declared: str, baseline: Mapping[str, Any] | None, candidate: Mapping[str, Any] | None
) -> str:
    """Return in words whether exactly the declared component differs between two manifests.

    Raises:
        ExperimentError: nothing differs, more than one component does, or another one does.
    """
    if baseline is None or candidate is None:
        return "component: declared, not proven"
    changed = changed_components(baseline, candidate)
    if not changed:
        raise ExperimentError.nothing_changed(declared)
    if changed != (declared,):
        raise ExperimentError.other_components(declared, changed)
    return f"component: {declared}, proven by the manifests"


def record(
    experiment: Experiment, recording: Recording
) -> tuple[Experiment, tuple[ExperimentCase, ...]]:
    """Return the experiment with one more result, and the numbers of each case on both sides.

    The gate uses the policy that was pinned at the opening. A baseline that was not there at
    the opening is pinned by the first record.

    Raises:
        ExperimentError: the experiment is closed, was opened on another version, or the
            manifests do not show the declared component.
    """
    _must_be_open(experiment)
    before, after = recording.baseline, recording.candidate
    for report in (before, after):
        if report.pins.version not in {None, experiment.version}:
            raise ExperimentError.other_version(experiment, str(report.pins.version))
    proven = prove_component(experiment.component, before.pins.manifest, after.pins.manifest)
    pairing = pair_reports(before, after)
    result = ExperimentResult(
        recorded_by=recording.by,
        recorded_at=recording.at,
        pipeline=after.pins.pipeline,
        manifest=after.pins.manifest,
        run_sha256=after.pins.run_sha256,
        baseline_run_sha256=before.pins.run_sha256,
        corpus_snapshot=after.pins.corpus_snapshot,
        k=after.pins.k,
        hit_rule=after.pins.hit_rule.value,
        scorer=after.pins.scorer,
        repeats=after.pins.repeats,
        n=len(pairing.pairs),
        left_out=pairing.changed + pairing.only_baseline + pairing.only_candidate,
        baseline=_means(before),
        candidate=_means(after),
        deltas=Deltas(
            retrieval=pairing.delta(Metric.RECALL).delta,
            generation=pairing.delta(Metric.FAITHFULNESS).delta,
        ),
        worst=_worst(pairing, recording.policy),
        component=proven,
        gate=gate(after, before, recording.policy, Profile.PROMOTE, rescored=recording.rescored),
    )
    pinned = experiment.baseline or baseline_of(before, None)
    changed = experiment.model_copy(
        update={"results": (*experiment.results, result), "baseline": pinned}
    )
    return changed, case_lines(before, after)


def _means(report: Report) -> dict[str, float]:
    return {
        metric.value: mean.value
        for metric, mean in report.metrics.items()
        if mean.value is not None
    }


def _worst(pairing: Pairing, policy: Policy) -> WorstSlices:
    deltas = [
        delta
        for name in pairing.slice_names
        for delta in pairing.deltas((Metric.RECALL, Metric.FAITHFULNESS), name).values()
    ]
    found = {worst.metric: worst for worst in worst_slices(deltas)}
    return WorstSlices(
        retrieval=_slice_delta(found.get(Metric.RECALL), policy),
        generation=_slice_delta(found.get(Metric.FAITHFULNESS), policy),
    )


def _slice_delta(worst: WorstSlice | None, policy: Policy) -> SliceDelta | None:
    if worst is None:
        return None
    return SliceDelta(
        slice=worst.slice,
        delta=worst.delta,
        n=worst.n,
        protected=worst.slice in policy.protected,
    )


def baseline_of(report: Report, experiment_id: str | None) -> Baseline:
    """Return the baseline that a report is."""
    pins = report.pins
    return Baseline(
        pipeline=pins.pipeline,
        version=pins.version or "",
        cases_tree=pins.cases_tree,
        run_sha256=pins.run_sha256,
        manifest=pins.manifest,
        metrics=_means(report),
        experiment=experiment_id,
    )


def close(
    experiment: Experiment,
    decision: Decision,
    *,
    why: str,
    by: str,
    at: datetime,
    current: Baseline | None = None,
    override: Override | None = None,
) -> Closing:
    """Return what closing writes. A reject keeps its numbers, a void's count for nothing.

    Args:
        experiment: The open experiment.
        decision: How it ends.
        why: The person's reason.
        by: Who closes it.
        at: When.
        current: The baseline as it is now; a promote needs it to be the one that was pinned.
        override: Why an admin promotes against the gate.

    Raises:
        ExperimentError: it is closed, has no reason, or may not be promoted.
    """
    _must_be_open(experiment)
    if not why.strip():
        raise ExperimentError.no_reason(experiment)
    closed = experiment.model_copy(
        update={
            "state": ExperimentState.CLOSED,
            "decision": decision,
            "closed_by": by,
            "closed_at": at,
            "why": why,
            "override": override if decision is Decision.PROMOTE else None,
        }
    )
    if decision is not Decision.PROMOTE:
        return Closing(experiment=closed)
    return Closing(experiment=closed, baseline=_promoted(experiment, current, override))


def _promoted(
    experiment: Experiment, current: Baseline | None, override: Override | None
) -> Baseline:
    """Return the new baseline; the gate is the approval."""
    result = experiment.latest
    if result is None:
        raise ExperimentError.no_result(experiment)
    pinned = experiment.baseline
    if current is not None and (pinned is None or current.run_sha256 != pinned.run_sha256):
        raise ExperimentError.baseline_moved(experiment)
    if result.gate.result is not GateOutcome.PASS and override is None:
        raise ExperimentError.gate_refuses(experiment, result.gate.text)
    return Baseline(
        pipeline=result.pipeline,
        version=experiment.version,
        cases_tree=experiment.cases_tree,
        run_sha256=result.run_sha256,
        manifest=result.manifest,
        metrics=result.candidate,
        experiment=experiment.id,
    )


def _must_be_open(experiment: Experiment) -> None:
    if experiment.state is not ExperimentState.OPEN:
        raise ExperimentError.closed(experiment)
