"""A run scored on the cases of a version: the report."""

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from statistics import fmean, pstdev

from curation.domain.verdict import Criterion, State
from curation.evaluation.cases import ScoringCase
from curation.evaluation.errors import OtherVersionError
from curation.evaluation.intervals import SEED
from curation.evaluation.report import CaseScore, JudgePin, Pins, Report, Spread
from curation.evaluation.run import Run, RunLine, check_run
from curation.evaluation.scoring import Scoring, answer_sha256, score_case
from curation.evaluation.slices import group_by, run_means
from curation.metrics.metric import Metric

__all__ = ["build_report", "evaluate_run", "pins_of"]

_MUCH_UNSURE = 0.10


def pins_of(run: Run, pins: Pins, scoring: Scoring) -> Pins:
    """Return the pins of a version with what the run and its scoring add."""
    header = run.header
    return pins.model_copy(
        update={
            "k": scoring.k,
            "hit_rule": scoring.rule,
            "judge": _judge_of(run, scoring) or pins.judge,
            "corpus_snapshot": header.corpus_snapshot or pins.corpus_snapshot,
            "pipeline": header.pipeline or pins.pipeline,
            "manifest": header.manifest or pins.manifest,
            "concurrency": header.concurrency or pins.concurrency,
            "run_sha256": run.sha256,
            "repeats": run.repeats,
            "seed": SEED,
        }
    )


def _judge_of(run: Run, scoring: Scoring) -> JudgePin | None:
    """Return the judge that settled facts of the run's answers; of several, all their names."""
    if not scoring.judges:
        return None
    answers = {(line.case_id, answer_sha256(line)) for line in run.lines}
    used = {pin for (case, _, answer), pin in scoring.judges.items() if (case, answer) in answers}
    if not used:
        return None
    prompts = sorted({pin.prompt_version for pin in used if pin.prompt_version})
    models = sorted({pin.model for pin in used})
    return JudgePin(model=", ".join(models), prompt_version=", ".join(prompts) or None)


def evaluate_run(
    cases: Sequence[ScoringCase],
    run: Run,
    *,
    pins: Pins | None = None,
    scoring: Scoring | None = None,
) -> Report:
    """Return the report of a run on the cases of a version.

    Args:
        cases: The active cases.
        run: The outputs.
        pins: What names the version: its tag, commit, tree and policy.
        scoring: How the run is scored.

    Raises:
        OtherVersionError: the run says that it was made on another version.
        RunError: the run does not hold exactly one good output for each case and repeat.
    """
    how, own = scoring or Scoring(), pins or Pins()
    if None not in (run.header.version, own.version) and run.header.version != own.version:
        raise OtherVersionError(str(run.header.version), str(own.version))
    outputs = check_run(
        run.lines, [case.id for case in cases], failures_as_wrong=how.failures_as_wrong
    )
    with _uncollected():
        scores = [score_case(case, outputs[case.id], how) for case in cases]
        report = build_report(scores, pins_of(run, own, how))
    added: dict[str, object] = {}
    if run.header.k is not None and run.header.k < how.k:
        shallow = f"The pipeline retrieved {run.header.k} chunks a question, k is {how.k}."
        added["warnings"] = (*report.warnings, shallow)
    if run.repeats > 1:
        added["spread"] = _spread(cases, outputs, how)
    return report.model_copy(update=added)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Pause the collector of cycles: scoring makes none, and it would walk every case again.

    Two runs at a time do each other no harm: one merely lets it run again sooner.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def build_report(scores: Iterable[CaseScore], pins: Pins) -> Report:
    """Return the report that the numbers of the cases make."""
    listed = tuple(sorted(scores, key=lambda score: score.id))
    slices = group_by(listed, lambda score: (score.slice,))
    return Report(
        pins=pins,
        n=len(listed),
        metrics=run_means(listed),
        slices=slices,
        question_types=group_by(listed, lambda score: (score.question_type,)),
        answerability=group_by(listed, lambda score: (score.answerable.value,)),
        categories=group_by(listed, lambda score: score.categories),
        criteria=_criteria(listed),
        n_nothing_to_check=sum(score.nothing_to_check for score in listed),
        fabricated=sum(score.fabricated for score in listed),
        failed=tuple(score.id for score in listed if score.failed),
        warnings=tuple(_warnings(listed)),
        cases=listed,
    )


def _criteria(scores: Sequence[CaseScore]) -> dict[Criterion, dict[State, int]]:
    return {
        criterion: dict(Counter(s.criteria[criterion] for s in scores if criterion in s.criteria))
        for criterion in Criterion
    }


def _warnings(scores: Sequence[CaseScore]) -> Iterable[str]:
    """Yield what was left out, once each, and the slices where much is unsure."""
    left_out = Counter(
        (metric, reason) for score in scores for metric, reason in score.unscored.items()
    )
    for (metric, reason), count in sorted(left_out.items()):
        yield f"{metric.value}: {count} of {len(scores)} cases are unscored, because {reason}."
    for name, group in group_by(scores, lambda score: (score.slice,)).items():
        if group.unsure > _MUCH_UNSURE * group.n:
            yield f"{name}: in {group.unsure} of {group.n} cases a fact is unsure."


def _spread(
    cases: Sequence[ScoringCase], outputs: dict[str, tuple[RunLine, ...]], how: Scoring
) -> dict[Metric, Spread]:
    """Return how the mean of each metric moved from repeat to repeat."""
    repeats = range(max(len(lines) for lines in outputs.values()))
    means = [
        run_means([score_case(case, (outputs[case.id][at],), how) for case in cases])
        for at in repeats
    ]
    found = {}
    for metric in Metric:
        values = [mean[metric].value for mean in means if metric in mean]
        defined = [value for value in values if value is not None]
        if len(defined) > 1:
            found[metric] = Spread(
                low=min(defined),
                high=max(defined),
                standard_deviation=pstdev(defined, fmean(defined)),
            )
    return found
