"""The golden set as tests: one case at a time, judged on a pipeline and against the baseline."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from curation.config import Settings
from curation.domain.verdict import Criterion
from curation.errors import CurationError
from curation.evaluation.cases import ScoringCase
from curation.evaluation.evaluate import build_report
from curation.evaluation.items import ItemState, case_items, item_criteria
from curation.evaluation.report import CaseScore, Pins, Report
from curation.evaluation.run import Run, RunHeader, RunLine
from curation.evaluation.scoring import Scoring, score_case, verdict_of
from curation.evaluation.targets import (
    LONGEST_CALL_S,
    SHORTEST_CALL_S,
    Target,
    TargetSettings,
    run_target,
)
from curation.services.baselines import current_baseline
from curation.services.evaluation import read_outputs
from curation.services.passing import home_or_passing
from curation.services.scoring import hit_rule_for, scoring_for
from curation.services.targets import http_target, python_target
from curation.services.workspace import Workspace
from curation.services.yardstick import Yardstick, open_source

_VERSION = re.compile(r"(?:golden/)?v[1-9][0-9]*")
_AT = re.compile(r"(.+)@((?:golden/)?v[1-9][0-9]*)")


class SuiteError(CurationError):
    """The golden set cannot be run as tests like this."""

    exit_status = 2

    def __init__(self, problem: str) -> None:
        super().__init__(f"The golden set was not run as tests: {problem}.")


@dataclass(frozen=True, kw_only=True)
class SuiteRequest:
    """What is run as tests.

    Args:
        golden: `golden/vN` of the home's set, or a folder, file or git address, with
            `@golden/vN` behind it for one version.
        target: `module:function`, or the address of a pipeline.
        run_file: outputs to judge instead of running a target.
        folder: where modules are looked for.
        timeout_s: how long one call may take.
    """

    golden: str
    target: str | None
    run_file: Path | None
    folder: Path
    timeout_s: float = 60.0


@dataclass(frozen=True, kw_only=True)
class CaseOutcome:
    """How one case stands as a test, and why."""

    state: ItemState | None
    question: str
    answer: str | None
    reasons: Mapping[Criterion, str]
    error: str | None = None

    @property
    def words(self) -> str:
        """The question, the answer and the reasons, one a line."""
        lines = [f"question: {self.question}", f"answer: {self.answer}"]
        if self.error is not None:
            lines = [f"question: {self.question}", f"the pipeline failed: {self.error}"]
        return "\n".join([*lines, *(f"{name.value}: {why}" for name, why in self.reasons.items())])


@dataclass(frozen=True, kw_only=True)
class Suite:
    """The cases of a version, ready to be judged one by one."""

    version: str
    cases: Mapping[str, ScoringCase]
    criteria: tuple[Criterion, ...]
    scoring: Scoring
    baseline: Report | None
    target: Target | None
    outputs: Mapping[str, RunLine]
    timeout_s: float

    def check(self, case_id: str) -> CaseOutcome:
        """Return how the pipeline does on one case."""
        case = self.cases[case_id]
        line = self._line(case)
        if line is None or line.failed:
            error = "there is no output for it" if line is None else str(line.error)
            return _outcome(case, None, None, {}, error)
        score = score_case(case, [line], self.scoring)
        (state,) = case_items(build_report([score], Pins()), self._before(score), self.criteria)
        verdict = verdict_of(case, line, self.scoring)
        told = {*state.failing, *state.unsure}
        reasons = {name: verdict.on(name).reason for name in Criterion if name in told}
        return _outcome(case, state, line.answer, reasons, None)

    def _line(self, case: ScoringCase) -> RunLine | None:
        if self.target is None:
            return self.outputs.get(case.id)
        settings = TargetSettings(concurrency=1, timeout_s=self.timeout_s)
        return next(iter(run_target([case.case], self.target, settings)), None)

    def _before(self, score: CaseScore) -> Report | None:
        """Return the baseline on this case; nothing where the case has changed since."""
        if self.baseline is None:
            return None
        same = [c for c in self.baseline.cases if (c.id, c.digest) == (score.id, score.digest)]
        return build_report(same, self.baseline.pins)


def _outcome(
    case: ScoringCase,
    state: ItemState | None,
    answer: str | None,
    reasons: Mapping[Criterion, str],
    error: str | None,
) -> CaseOutcome:
    question = case.case.question
    return CaseOutcome(state=state, question=question, answer=answer, reasons=reasons, error=error)


def parse_reference(text: str) -> tuple[str | None, str | None]:
    """Return source and version of `golden/vN`, `SOURCE`, or `SOURCE@golden/vN`."""
    if _VERSION.fullmatch(text):
        return None, text
    found = _AT.fullmatch(text)
    return (found[1], found[2]) if found else (text, None)


def open_suite(settings: Settings, request: SuiteRequest) -> Suite:
    """Return the suite that was asked for.

    A home is used where there is one; without it, the baseline is taken from git alone.

    Raises:
        SuiteError: neither a target nor outputs were named, or no call can take so long.
        CurationError: the set, the target or the outputs cannot be read.
    """
    if (request.target is None) == (request.run_file is None):
        raise SuiteError("name either --target MODULE:FUNCTION or --golden-run FILE")
    if not SHORTEST_CALL_S <= request.timeout_s <= LONGEST_CALL_S:
        most = f"{SHORTEST_CALL_S:g} to {LONGEST_CALL_S:g}"
        raise SuiteError(f"--golden-timeout takes {most} seconds, not {request.timeout_s:g}")
    source_name, version = parse_reference(request.golden)
    with home_or_passing(settings) as workspace:
        branch = settings.golden.branch
        with open_source(workspace.golden, source_name, version=version, branch=branch) as source:
            yardstick = source.yardstick(version)
            baseline = current_baseline(workspace, source.location)
        return _suite(workspace, yardstick, request, baseline.report if baseline else None)


def _suite(
    workspace: Workspace, yardstick: Yardstick, request: SuiteRequest, baseline: Report | None
) -> Suite:
    run = _outputs(request)
    rule = hit_rule_for(workspace, yardstick).rule
    return Suite(
        version=yardstick.version,
        cases={case.id: case for case in yardstick.cases},
        criteria=item_criteria(yardstick.policy),
        scoring=scoring_for(workspace, yardstick, [run], rule=rule),
        baseline=baseline,
        target=_target(request),
        outputs={line.case_id: line for line in reversed(run.lines)},
        timeout_s=request.timeout_s,
    )


def _outputs(request: SuiteRequest) -> Run:
    if request.run_file is None:
        return Run(header=RunHeader(), lines=(), sha256="")
    return read_outputs(request.run_file).run


def _target(request: SuiteRequest) -> Target | None:
    name = request.target
    if name is None:
        return None
    if name.startswith(("http://", "https://")):
        return http_target(name, timeout_s=request.timeout_s).call
    return python_target(name, folder=request.folder).call
