"""The gate of an experiment, recomputed from what its commit holds and nothing else."""

from collections.abc import Sequence

from curation.domain.experiment import Experiment, ExperimentCase
from curation.domain.gate import GateResult, Profile
from curation.domain.policy import Policy
from curation.evaluation.case_lines import reports_of
from curation.evaluation.gate import gate
from curation.evaluation.report import Pins


def recomputed_gate(
    experiment: Experiment, numbers: Sequence[ExperimentCase], policy: Policy
) -> GateResult | None:
    """Return what the gate says of the last result; None before the first.

    Args:
        experiment: the experiment.
        numbers: its `exp-NNN.cases.jsonl`.
        policy: the policy that the opening pinned.
    """
    if experiment.latest is None:
        return None
    # Pins are only compared with each other, and what was recorded is on the pins of one opening.
    before, after = reports_of(numbers, Pins(), Pins())
    return gate(after, before, policy, Profile.PROMOTE)
