"""Experiments: one component changed, one hypothesis, one pinned version, results, a decision."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from curation.domain.base import Value
from curation.domain.gate import GateResult


class OpenExperiment(Value):
    """An experiment that is open (or cannot be read, which counts as open) and so freezes the set.

    Everything but the id may be unknown when the file cannot be read.
    """

    id: str
    component: str | None = None
    opened_by: str | None = None
    opened_at: datetime | None = None
    version: str | None = None


class ExperimentState(StrEnum):
    """Whether an experiment freezes the set."""

    OPEN = "open"
    CLOSED = "closed"


class Decision(StrEnum):
    """How an experiment ended; `void` counts for nothing."""

    PROMOTE = "promote"
    REJECT = "reject"
    VOID = "void"


class Baseline(Value):
    """What a candidate is measured against: `experiments/baseline.json`, and pinned by each."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    pipeline: str | None = None
    version: str
    cases_tree: str | None = None
    run_sha256: str | None = None
    manifest: dict[str, Any] | None = None
    metrics: dict[str, float] = Field(default_factory=dict)
    experiment: str | None = None


class Deltas(Value):
    """The two headline deltas, never blended into one number; None where nothing was scored."""

    retrieval: float | None = None  # recall@k
    generation: float | None = None  # faithfulness


class SliceDelta(Value):
    """A delta on one slice."""

    slice: str
    delta: float
    n: int
    protected: bool = False


class WorstSlices(Value):
    """The slice with the most negative delta, for each headline."""

    retrieval: SliceDelta | None = None
    generation: SliceDelta | None = None


class ExperimentResult(Value):
    """The numbers of one recorded candidate run beside the baseline's."""

    recorded_by: str
    recorded_at: datetime
    pipeline: str | None = None
    manifest: dict[str, Any] | None = None
    run_sha256: str | None = None
    baseline_run_sha256: str | None = None
    corpus_snapshot: str | None = None
    k: int
    hit_rule: str
    scorer: str
    repeats: int = 1
    n: int
    left_out: tuple[str, ...] = ()
    baseline: dict[str, float] = Field(default_factory=dict)
    candidate: dict[str, float] = Field(default_factory=dict)
    deltas: Deltas = Deltas()
    worst: WorstSlices = WorstSlices()
    component: str
    gate: GateResult


class Override(Value):
    """Why an admin promoted against the gate."""

    why: str
    by: str


class Experiment(Value):
    """One experiment: `experiments/exp-NNN.json`, keys in this order.

    The opening fields never change (a baseline that was not there is set by the first record),
    results are appended, a closed file never changes.
    """

    schema_: Literal[1] = Field(default=1, alias="schema")
    id: str = Field(pattern=r"^exp-\d{3,}$")
    state: ExperimentState = ExperimentState.OPEN
    decision: Decision | None = None
    component: str
    hypothesis: str = Field(min_length=1)
    version: str
    commit: str
    cases_tree: str
    policy_blob: str
    baseline: Baseline | None = None
    opened_by: str
    opened_at: datetime
    continues: str | None = None
    results: tuple[ExperimentResult, ...] = ()
    closed_by: str | None = None
    closed_at: datetime | None = None
    why: str | None = None
    override: Override | None = None

    @property
    def latest(self) -> ExperimentResult | None:
        """The result that was recorded last."""
        return self.results[-1] if self.results else None

    @property
    def summary(self) -> OpenExperiment:
        """What the rest of the program needs to know of an open one."""
        return OpenExperiment(
            id=self.id,
            component=self.component,
            opened_by=self.opened_by,
            opened_at=self.opened_at,
            version=self.version,
        )


class SideScore(Value):
    """What one run scored on one case."""

    outcome: str | None = None
    values: dict[str, float] = Field(default_factory=dict)
    bounds: dict[str, tuple[float, float]] = Field(default_factory=dict)
    unscored: dict[str, str] = Field(default_factory=dict)
    criteria: dict[str, str] = Field(default_factory=dict)
    unsure: tuple[str, ...] = ()
    nothing_to_check: bool = False
    fabricated: int = 0
    failed: int = 0
    output_sha256: str = ""
    latency_ms: tuple[float, ...] = ()
    cost_usd: float | None = None


class ExperimentCase(Value):
    """A line of `exp-NNN.cases.jsonl`: one case on both sides, so that deltas can be recomputed."""

    id: str
    slice: str
    weight: int | float = 1
    answerable: str
    question_type: str
    categories: tuple[str, ...] = ()
    cluster: str = ""
    digest: str = ""
    baseline: SideScore | None = None
    candidate: SideScore | None = None
