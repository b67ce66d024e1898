"""Evaluation: outputs scored on a version, kept with their raw text, and found again."""

import json
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from curation.errors import CurationError, NotFoundError
from curation.evaluation.aggregates import read_report
from curation.evaluation.errors import RunFormError, naming
from curation.evaluation.evaluate import evaluate_run
from curation.evaluation.report import Report
from curation.evaluation.run import Run, parse_run
from curation.metrics.hits import HitRule
from curation.services.running import Progress, RunOptions, forget_part, run_over
from curation.services.scoring import hit_rule_for, scoring_for
from curation.services.targets import NamedTarget
from curation.services.whole_file import read_whole
from curation.services.workspace import Workspace
from curation.services.yardstick import Source, Yardstick
from curation.store import Session
from curation.store.runs import (
    KeptRun,
    get_report,
    get_run,
    list_runs,
    run_text_of,
    save_report,
    save_run,
)


class UnreadableRunError(CurationError):
    """A file of outputs, or a report, cannot be read."""

    exit_status = 2

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path} was not read: {problem}. Name a UTF-8 file that exists.")


@dataclass(frozen=True, kw_only=True)
class Outputs:
    """A run and its text, to the byte as it was given."""

    run: Run
    text: str


@dataclass(frozen=True, kw_only=True)
class ScoringOptions:
    """What a caller may ask for beyond the defaults."""

    hit_rule: HitRule | None = None
    failures_as_wrong: bool = False


@dataclass(frozen=True, kw_only=True)
class Evaluated:
    """A report; `outputs` are there where the raw outputs are kept."""

    report: Report
    outputs: Outputs | None = None
    report_id: str | None = None


def read_outputs(path: Path) -> Outputs:
    """Return the outputs of a run's file.

    Raises:
        UnreadableRunError: it cannot be read.
        RunFormError: a line is not one of a run.
    """
    text = _text(path)
    with naming(path):
        return Outputs(run=parse_run(text), text=text)


def _text(path: Path) -> str:
    return read_whole(path, partial(UnreadableRunError, path))


def run_target(
    workspace: Workspace,
    yardstick: Yardstick,
    target: NamedTarget,
    options: RunOptions,
    *,
    now: datetime,
    progress: Progress | None = None,
    scoring: ScoringOptions | None = None,
) -> Evaluated:
    """Run a target on every case, score it and keep both.

    Raises:
        RunError: a case failed; what succeeded is kept and not run again.
    """
    run, text = run_over(yardstick, target, options, now=now, progress=progress)
    done = score(workspace, yardstick, Outputs(run=run, text=text), now=now, options=scoring)
    forget_part(yardstick, target, options)
    return done


def score(
    workspace: Workspace,
    yardstick: Yardstick,
    outputs: Outputs,
    *,
    now: datetime,
    by: str | None = None,
    options: ScoringOptions | None = None,
) -> Evaluated:
    """Return the report of a run on a yardstick; the raw outputs and the report are kept.

    Raises:
        OtherVersionError: the run says that it was made on another version.
        RunError: the run does not hold exactly one good output for each case.
    """
    report = scored(workspace, yardstick, outputs, options=options)
    with workspace.store.writing() as session:
        keep_outputs(session, yardstick, outputs, now=now, by=by)
        report_id = str(uuid4())
        save_report(session, report, report_id=report_id, now=now)
    return Evaluated(report=report, outputs=outputs, report_id=report_id)


def scored(
    workspace: Workspace,
    yardstick: Yardstick,
    outputs: Outputs,
    *,
    options: ScoringOptions | None = None,
) -> Report:
    """Return the report of a run on a yardstick; nothing is kept.

    Raises:
        OtherVersionError: the run says that it was made on other cases.
        RunError: the run does not hold exactly one good output for each case.
    """
    asked = options or ScoringOptions()
    run = yardstick.fitted(outputs.run)
    choice = hit_rule_for(workspace, yardstick, wanted=asked.hit_rule)
    how = scoring_for(
        workspace,
        yardstick,
        [run],
        rule=choice.rule,
        failures_as_wrong=asked.failures_as_wrong,
    )
    return evaluate_run(yardstick.cases, run, pins=yardstick.pins, scoring=how)


def keep_outputs(
    session: Session,
    yardstick: Yardstick,
    outputs: Outputs,
    *,
    now: datetime,
    by: str | None = None,
) -> None:
    """Keep the raw outputs of a run, in the caller's transaction."""
    run = outputs.run
    kept = KeptRun(
        sha256=run.sha256,
        pipeline=run.header.pipeline,
        version=yardstick.version,
        cases_tree=yardstick.pins.cases_tree,
        repeats=run.repeats,
        outputs=len(run.lines),
        stored_at=now,
        stored_by=by,
    )
    save_run(session, kept, outputs.text)


def find_outputs(workspace: Workspace, name: str) -> Outputs:
    """Return the outputs that a text names: a run's file, a report's file, a kept run's hash.

    Raises:
        NotFoundError: it names none, or the outputs behind the report are not kept here.
    """
    path = Path(name).expanduser()
    if not path.is_file():
        return _kept_or_refuse(workspace, name, "Name a file, or the beginning of its hash.")
    text = _text(path)
    with naming(path):
        document = _document(text)
        if document is None:
            return Outputs(run=parse_run(text), text=text)
        sha256 = read_report(document).pins.run_sha256 or ""
    return _kept_or_refuse(workspace, sha256, f"Name the file of the outputs behind {path}.")


def _kept_or_refuse(workspace: Workspace, sha256: str, what_to_do: str) -> Outputs:
    found = kept_outputs(workspace, sha256)
    if found is None:
        raise NotFoundError("run", sha256, what_to_do)
    return found


def kept_outputs(workspace: Workspace, sha256: str | None) -> Outputs | None:
    """Return the raw outputs that the store has under a hash, or the beginning of one."""
    if sha256 is None:
        return None
    with workspace.store.reading() as session:
        run = get_run(session, sha256)
        text = run_text_of(session, run.sha256) if run else None
    return None if text is None else Outputs(run=parse_run(text), text=text)


def find_evaluated(workspace: Workspace, source: Source, name: str, *, now: datetime) -> Evaluated:
    """Return what a text names: a report's file or id, or outputs, which are then scored.

    Raises:
        NotFoundError: it names nothing.
        ReportError, RunFormError: the file is neither.
    """
    path = Path(name).expanduser()
    if path.is_file():
        return _from_file(workspace, source, path, now=now)
    with workspace.store.reading() as session:
        report = get_report(session, name)
    if report is not None:
        outputs = kept_outputs(workspace, report.pins.run_sha256)
        return Evaluated(report=report, outputs=outputs, report_id=name)
    found = kept_outputs(workspace, name)
    if found is None:
        raise NotFoundError(
            "report", name, "Name a file, a report's id, or the beginning of a run's hash."
        )
    return score(workspace, source.yardstick(found.run.header.version), found, now=now)


def _from_file(workspace: Workspace, source: Source, path: Path, *, now: datetime) -> Evaluated:
    text = _text(path)
    with naming(path):
        document = _document(text)
        found = parse_run(text) if document is None else read_report(document)
    if isinstance(found, Report):
        return Evaluated(report=found, outputs=kept_outputs(workspace, found.pins.run_sha256))
    outputs = Outputs(run=found, text=text)
    return score(workspace, source.yardstick(outputs.run.header.version), outputs, now=now)


def _document(text: str) -> dict[str, Any] | None:
    """Return the one JSON object of a text; None when it holds lines of a run."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict):
        raise RunFormError(1, "it is not a JSON object")
    return None if "case_id" in document else document


def runs(workspace: Workspace, *, version: str) -> tuple[KeptRun, ...]:
    """Return the runs on a version that are kept, newest first."""
    with workspace.store.reading() as session:
        return list_runs(session, version=version)
