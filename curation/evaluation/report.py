"""A report: what a run scored, overall and by slice, with everything that it depends on."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field, ValidationError

from curation import __version__
from curation.domain.answer import Outcome
from curation.domain.base import Value
from curation.domain.case import Answerable
from curation.domain.policy import UNCATEGORISED
from curation.domain.verdict import Criterion, State
from curation.errors import first_problem
from curation.evaluation.errors import ReportError
from curation.metrics.aggregate import Mean
from curation.metrics.hits import HitRule
from curation.metrics.metric import Metric

__all__ = [
    "MATCHER",
    "SCORER",
    "CaseScore",
    "Group",
    "JudgePin",
    "Pins",
    "Report",
    "Spread",
    "parse_report",
    "report_document",
]

MATCHER = 2  # raised whenever the same texts may get another verdict on a fact
SCORER = f"curation {__version__}, facts {MATCHER}"


class JudgePin(Value):
    """The judge whose verdicts were used."""

    model: str
    prompt_version: str | None = None


class Pins(Value):
    """What a report depends on (measures.md section 5); None where it is not known."""

    version: str | None = None
    commit: str | None = None
    cases_tree: str | None = None
    policy_blob: str | None = None
    k: int = Field(default=5, ge=1)
    hit_rule: HitRule = HitRule.ID
    scorer: str = SCORER
    judge: JudgePin | None = None
    corpus_snapshot: str | None = None
    pipeline: str | None = None
    manifest: dict[str, Any] | None = None
    run_sha256: str | None = None
    repeats: int = Field(default=1, ge=1)
    seed: int | None = None
    concurrency: int | None = None

    @property
    def unpinned(self) -> bool:
        """Whether the golden set was a plain file, of no version."""
        return self.version is not None and self.version.startswith("unpinned:")


class CaseScore(Value):
    """The numbers of one case; with repeats the mean over them.

    `values` has the metrics that are defined for the case, `bounds` their ends where a fact is
    unsure, `unscored` the metrics that would apply but could not be scored, and why.
    """

    id: str
    slice: str
    weight: float = 1
    answerable: Answerable = Answerable.ANSWERABLE
    question_type: str = "other"
    categories: tuple[str, ...] = (UNCATEGORISED,)
    cluster: str = ""
    digest: str = ""
    output_sha256: str = ""
    outcome: Outcome | None = None
    values: dict[Metric, float] = Field(default_factory=dict)
    bounds: dict[Metric, tuple[float, float]] = Field(default_factory=dict)
    unscored: dict[Metric, str] = Field(default_factory=dict)
    criteria: dict[Criterion, State] = Field(default_factory=dict)
    unsure: tuple[str, ...] = ()
    nothing_to_check: bool = False
    fabricated: int = 0
    failed: int = 0
    latency_ms: tuple[float, ...] = ()
    cost_usd: float | None = None

    def ends(self, metric: Metric) -> tuple[float, float] | None:
        """Return the low and high end of a metric; both the value where nothing is unsure."""
        value = self.values.get(metric)
        if value is None:
            return None
        return self.bounds.get(metric, (value, value))


class Group(Value):
    """The means of the cases that share a slice, a type, an answerability or a category."""

    n: int
    metrics: dict[Metric, Mean]
    unsure: int = 0


class Spread(Value):
    """How a metric's mean moved over the repeats of a run."""

    low: float
    high: float
    standard_deviation: float


class Report(Value):
    """What a run scored. Retrieval and generation are never blended into one number."""

    pins: Pins
    n: int
    metrics: dict[Metric, Mean]
    slices: dict[str, Group] = Field(default_factory=dict)
    question_types: dict[str, Group] = Field(default_factory=dict)
    answerability: dict[str, Group] = Field(default_factory=dict)
    categories: dict[str, Group] = Field(default_factory=dict)
    criteria: dict[Criterion, dict[State, int]] = Field(default_factory=dict)
    spread: dict[Metric, Spread] = Field(default_factory=dict)
    n_nothing_to_check: int = 0
    fabricated: int = 0
    failed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    cases: tuple[CaseScore, ...] = ()
    aggregates_only: bool = False

    def mean(self, metric: Metric, slice_name: str | None = None) -> Mean | None:
        """Return the mean of a metric, overall or in one slice; None where it is not there."""
        if slice_name is None:
            return self.metrics.get(metric)
        group = self.slices.get(slice_name)
        return None if group is None else group.metrics.get(metric)


def report_document(report: Report) -> dict[str, Any]:
    """Return the report as the JSON document of `curation eval run`."""
    body = report.model_dump(mode="json")
    head = {name: body["pins"][name] for name in ("version", "commit", "cases_tree")}
    return head | body


def parse_report(document: Mapping[str, Any]) -> Report:
    """Return the report that a document holds.

    Raises:
        ReportError: the document is not a report.
    """
    body = {name: document[name] for name in document if name in Report.model_fields}
    try:
        return Report.model_validate(body)
    except ValidationError as problem:
        raise ReportError(first_problem(problem)) from problem
