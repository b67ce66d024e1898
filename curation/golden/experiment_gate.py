"""The gate of an experiment, recomputed from what its commit holds and nothing else."""

from collections.abc import Sequence

from curation.domain.experiment import Experiment, ExperimentCase
from curation.domain.gate import GateResult, Profile
from curation.domain.policy import Policy
from curation.evaluation.case_lines import reports_of
from curation.evaluation.gate import gate
from curation.evaluation.report import Pins
from curation.metrics.hits import HitRule


def recomputed_gate(
    experiment: Experiment, numbers: Sequence[ExperimentCase], policy: Policy
) -> GateResult | None:
    """Return what the gate says of the last result; None before the first.

    Args:
        experiment: the experiment.
        numbers: its `exp-NNN.cases.jsonl`.
        policy: the policy that the opening pinned.
    """
    result = experiment.latest
    if result is None:
        return None
    pins = Pins(
        version=experiment.version,
        commit=experiment.commit,
        cases_tree=experiment.cases_tree,
        policy_blob=experiment.policy_blob,
        k=result.k,
        hit_rule=HitRule(result.hit_rule),
        scorer=result.scorer,
        repeats=result.repeats,
    )
    candidate = pins.model_copy(
        update={"pipeline": result.pipeline, "run_sha256": result.run_sha256}
    )
    before, after = reports_of(numbers, pins, candidate)
    return gate(after, before, policy, Profile.PROMOTE)
