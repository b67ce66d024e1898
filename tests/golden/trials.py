"""Reports of two imaginary runs, for experiments whose numbers do not matter."""

from collections.abc import Callable, Sequence
from datetime import datetime

from curation.domain.experiment import Experiment, ExperimentCase
from curation.domain.policy import Policy
from curation.evaluation.evaluate import build_report
from curation.evaluation.experiment import Recording, record
from curation.evaluation.report import CaseScore, Pins, Report
from curation.metrics.metric import Metric

Record = Callable[[Experiment], tuple[Experiment, Sequence[ExperimentCase]]]


def report(experiment: Experiment, recall: float, *, pipeline: str) -> Report:
    """A report of twenty cases, all with this recall and nothing else to say against them."""
    values = {
        Metric.RECALL: recall,
        Metric.FAITHFULNESS: 1.0,
        Metric.CITATION: 1.0,
        Metric.REQUIRED_RECALL: 1.0,
    }
    scores = [
        CaseScore(id=f"q-{n:04d}", slice="general", values=dict(values), digest=str(n))
        for n in range(20)
    ]
    pins = Pins(
        version=experiment.version,
        cases_tree=experiment.cases_tree,
        pipeline=pipeline,
        run_sha256=f"{pipeline} {recall}",
    )
    return build_report(scores, pins)


def trial(*, before: float = 0.5, after: float = 0.9, at: datetime, policy: Policy) -> Record:
    """A recording of a baseline and a candidate with these recalls."""

    def decide(experiment: Experiment) -> tuple[Experiment, Sequence[ExperimentCase]]:
        return record(
            experiment,
            Recording(
                baseline=report(experiment, before, pipeline="rag 1"),
                candidate=report(experiment, after, pipeline="rag 2"),
                policy=policy,
                by="Mia Kim <mia@example.org>",
                at=at,
            ),
        )

    return decide
