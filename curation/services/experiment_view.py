"""One experiment as a person looks at it: both sides compared, and the cases that flipped."""

from collections.abc import Iterable
from dataclasses import dataclass

from curation.domain.experiment import Experiment, ExperimentCase, SideScore
from curation.domain.policy import Policy
from curation.domain.verdict import Criterion, State
from curation.errors import CurationError
from curation.evaluation.case_lines import reports_of
from curation.evaluation.compare import Comparison, compare
from curation.evaluation.items import item_criteria
from curation.evaluation.run import RunLine
from curation.golden import GoldenSet, read_numbers, read_version
from curation.services.baselines import pins_of_result
from curation.services.evaluation import kept_outputs
from curation.services.workspace import Workspace


@dataclass(frozen=True, kw_only=True)
class SideAnswer:
    """What one run did on a case; `answer` is None where its raw outputs are not kept here."""

    answer: str | None
    outcome: str | None
    failing: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class FlippedCase:
    """A case that went from good to bad or back, with both answers."""

    id: str
    slice: str
    question: str | None
    reference: str | None
    baseline: SideAnswer
    candidate: SideAnswer


@dataclass(frozen=True, kw_only=True)
class ExperimentView:
    """An experiment with its last result compared; `comparison` is None before the first.

    `protected` are the slices that the pinned policy protects, `max_days` is how long it may stay
    open by it.
    """

    experiment: Experiment
    comparison: Comparison | None
    good_to_bad: tuple[FlippedCase, ...]
    bad_to_good: tuple[FlippedCase, ...]
    protected: tuple[str, ...]
    max_days: int


def view_experiment(workspace: Workspace, experiment: Experiment) -> ExperimentView:
    """Return an experiment with its numbers, recomputed from the lines that git keeps.

    Raises:
        CurationError: the version or the numbers cannot be read.
    """
    golden = read_version(workspace.golden, experiment.version)
    lines = read_numbers(workspace.golden, experiment.id) if experiment.results else ()
    comparison = _compared(experiment, lines, golden)
    flips = comparison.flips if comparison else None
    draw = _Flipped(workspace, experiment, golden, lines)
    return ExperimentView(
        experiment=experiment,
        comparison=comparison,
        good_to_bad=draw.cases(flips.good_to_bad if flips else ()),
        bad_to_good=draw.cases(flips.bad_to_good if flips else ()),
        protected=golden.policy.protected,
        max_days=golden.policy.experiment.max_days,
    )


def without_numbers(experiment: Experiment) -> ExperimentView:
    """Return an experiment whose numbers cannot be read: only what its record says."""
    policy = Policy()
    return ExperimentView(
        experiment=experiment,
        comparison=None,
        good_to_bad=(),
        bad_to_good=(),
        protected=policy.protected,
        max_days=policy.experiment.max_days,
    )


def _compared(
    experiment: Experiment, lines: tuple[ExperimentCase, ...], golden: GoldenSet
) -> Comparison | None:
    """Return the last result's two sides compared; None before the first, or without lines."""
    pins = pins_of_result(experiment)
    if pins is None or not lines:
        return None
    pinned = experiment.baseline
    old = pins.model_copy(
        update={
            "pipeline": pinned.pipeline if pinned else None,
            "run_sha256": pinned.run_sha256 if pinned else None,
        }
    )
    before, after = reports_of(lines, old, pins)
    return compare(before, after, item_criteria(golden.policy))


class _Flipped:
    """Looks up what both runs answered; the outputs are read once, and only if needed."""

    def __init__(
        self,
        workspace: Workspace,
        experiment: Experiment,
        golden: GoldenSet,
        lines: Iterable[ExperimentCase],
    ) -> None:
        self._workspace = workspace
        self._result = experiment.latest
        self._cases = golden.cases
        self._lines = {line.id: line for line in lines}

    def cases(self, ids: tuple[str, ...]) -> tuple[FlippedCase, ...]:
        """Return these cases with the answers of both sides."""
        result = self._result
        if not ids or result is None:
            return ()
        old = self._outputs(result.baseline_run_sha256)
        new = self._outputs(result.run_sha256)
        return tuple(self._case(case_id, old.get(case_id), new.get(case_id)) for case_id in ids)

    def _case(self, case_id: str, old: RunLine | None, new: RunLine | None) -> FlippedCase:
        line, case = self._lines[case_id], self._cases.get(case_id)
        return FlippedCase(
            id=case_id,
            slice=line.slice,
            question=case.question if case else None,
            reference=case.reference if case else None,
            baseline=_side(line.baseline, old),
            candidate=_side(line.candidate, new),
        )

    def _outputs(self, sha256: str | None) -> dict[str, RunLine]:
        """Return the first output for each case; none where the store does not have the run."""
        try:
            kept = kept_outputs(self._workspace, sha256)
        except CurationError:
            return {}
        found: dict[str, RunLine] = {}
        for line in kept.run.lines if kept else ():
            if line.repeat == 1:
                found[line.case_id] = line
        return found


def _side(score: SideScore | None, line: RunLine | None) -> SideAnswer:
    """Return one side: its answer, its outcome, and the criteria that it failed."""
    failing = [
        Criterion(name).value.replace("_", " ")
        for name, state in (score.criteria if score else {}).items()
        if state == State.FAIL
    ]
    return SideAnswer(
        answer=line.answer if line else None,
        outcome=score.outcome if score else None,
        failing=tuple(failing),
    )
