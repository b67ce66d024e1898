"""`curation eval`: run a pipeline on a version, compare reports, gate them."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curation.cli import baseline, run_options
from curation.cli.frame import Frame, Home, Json, frame
from curation.cli.rendering import Format, FormatOption, Out, Rendering, show
from curation.cli.run_options import Asked, Calls, Golden, Version, WhatToRunError
from curation.domain.gate import Profile

if TYPE_CHECKING:
    from curation.services.evaluation import Evaluated, ScoringOptions
    from curation.services.gating import Judged
    from curation.services.workspace import Workspace
    from curation.services.yardstick import Source, Yardstick

app = typer.Typer(help="Runs, reports and the gate.", no_args_is_help=True)
app.add_typer(baseline.app, name="baseline")
Candidate = Annotated[
    str, typer.Argument(metavar="CANDIDATE", help="A report, outputs, or the hash of a kept run.")
]
Policy = Annotated[
    Path | None, typer.Option("--policy", help="A golden.toml; the candidate's version's if not.")
]


@app.command("run")
def run_(
    version: Version = None,
    golden: Golden = None,
    outputs: run_options.RunFile = None,
    target: run_options.TargetName = None,
    http: run_options.Http = None,
    header: run_options.Header = None,
    pipeline: run_options.PipelineName = None,
    corpus_snapshot: run_options.Corpus = None,
    repeat: run_options.Repeat = 1,
    concurrency: run_options.Concurrency = 4,
    timeout: run_options.Timeout = 60.0,
    retries: run_options.Retries = 1,
    fresh: run_options.Fresh = False,
    failures_as_wrong: run_options.FailuresAsWrong = False,
    hit_rule: run_options.HitRuleOption = None,
    out: Out = None,
    format_: FormatOption = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Score outputs, or run a pipeline and score it, on every case of a version."""
    from curation.services.evaluation import ScoringOptions

    asked = Asked(
        target=target,
        http=http,
        headers=header or (),
        pipeline=pipeline,
        corpus_snapshot=corpus_snapshot,
        fresh=fresh,
        calls=Calls(concurrency=concurrency, timeout=timeout, retries=retries, repeat=repeat),
    )
    scoring = ScoringOptions(hit_rule=hit_rule, failures_as_wrong=failures_as_wrong)
    with frame(home, as_json) as run:
        if sum(given is not None for given in (outputs, target, http)) != 1:
            raise WhatToRunError
        with _measuring(run, golden, version) as (workspace, source):
            yardstick = source.yardstick(version)
            if outputs is not None:
                done = _score(workspace, yardstick, outputs, scoring)
            else:
                done = _run(workspace, yardstick, asked, scoring)
        _show_report(run, done, out=out, format_=format_)


@contextmanager
def _measuring(
    run: Frame, golden: str | None, version: str | None = None
) -> Generator[tuple["Workspace", "Source"], None, None]:
    """Give the workspace and the golden set that is measured on.

    With `--golden` no home is needed, so that a CI job can measure. What it ran is then gone with
    it, also where it was stopped: the next job may be of another commit.
    """
    from curation.services.passing import home_or_passing
    from curation.services.yardstick import open_source

    branch = run.settings.golden.branch
    if golden is None:
        workspace = run.workspace()
        with open_source(workspace.golden, None, branch=branch) as source:
            yield workspace, source
        return
    with (
        home_or_passing(run.settings) as passing,
        open_source(passing.golden, golden, version=version, branch=branch) as source,
    ):
        try:
            yield passing, source
        except KeyboardInterrupt:
            if run.settings.home.is_dir():
                raise
            run.tell(_NOTHING_KEPT)
            raise typer.Exit(130) from None


_NOTHING_KEPT = (
    "Stopped. There is no home here, so nothing is kept and the next run begins anew. Make a home "
    "with `curation init` to go on where a run was stopped."
)


def _score(
    workspace: "Workspace", yardstick: "Yardstick", outputs: Path, scoring: "ScoringOptions"
) -> "Evaluated":
    from curation.services.evaluation import read_outputs, score

    now = datetime.now(UTC)
    return score(workspace, yardstick, read_outputs(outputs), now=now, options=scoring)


def _run(
    workspace: "Workspace", yardstick: "Yardstick", asked: Asked, scoring: "ScoringOptions"
) -> "Evaluated":
    from curation.cli.progress import ProgressBar
    from curation.services.evaluation import run_target

    return run_target(
        workspace,
        yardstick,
        asked.named_target(),
        asked.options(workspace.settings.home / "runs"),
        now=datetime.now(UTC),
        progress=ProgressBar("outputs"),
        scoring=scoring,
    )


def _show_report(
    run: Frame, done: "Evaluated", *, out: Path | None, format_: Format | None
) -> None:
    from curation.evaluation.items import case_items
    from curation.evaluation.render_html import render_html
    from curation.evaluation.render_json import render_json, report_document
    from curation.evaluation.render_junit import render_junit
    from curation.evaluation.render_markdown import render_report_markdown
    from curation.evaluation.render_table import render_report_table

    report = done.report
    document = report_document(report) | {"report_id": done.report_id}
    rendering: Rendering = {
        Format.TEXT: lambda: render_report_table(report),
        Format.JSON: lambda: render_json(document),
        Format.MARKDOWN: lambda: render_report_markdown(report),
        Format.JUNIT: lambda: render_junit(case_items(report)),
        Format.HTML: lambda: render_html(report),
    }
    show(run, rendering, document, out=out, format_=format_)


@app.command()
def gate(
    candidate: Candidate,
    against: Annotated[
        str | None,
        typer.Argument(metavar="[BASELINE]", help="The current baseline if left out."),
    ] = None,
    profile: Annotated[
        Profile, typer.Option("--profile", help="Which question.")
    ] = Profile.PROMOTE,
    golden: Golden = None,
    policy: Policy = None,
    out: Out = None,
    format_: FormatOption = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Judge a candidate against a baseline: exit 0 pass, 1 fail, 2 could not judge."""
    from curation.services.baselines import current_baseline
    from curation.services.evaluation import find_evaluated
    from curation.services.gating import judge
    from curation.services.policy_file import read_policy

    with frame(home, as_json) as run:
        now = datetime.now(UTC)
        rules = None if policy is None else read_policy(policy)
        with _measuring(run, golden) as (workspace, source):
            mine = find_evaluated(workspace, source, candidate, now=now)
            theirs = (
                current_baseline(workspace, source.location)
                if against is None
                else find_evaluated(workspace, source, against, now=now)
            )
            judged = judge(workspace, source, mine, theirs, profile=profile, policy=rules)
        run.status = judged.result.exit_status
        _show_gate(run, judged, out=out, format_=format_)


def _show_gate(run: Frame, judged: "Judged", *, out: Path | None, format_: Format | None) -> None:
    from curation.evaluation.render_html import render_html
    from curation.evaluation.render_json import gate_document, render_json
    from curation.evaluation.render_junit import render_junit
    from curation.evaluation.render_markdown import render_markdown
    from curation.services.gating import judged_document

    result, report = judged.result, judged.sides.candidate
    document = gate_document(result) | judged_document(judged)
    rendering: Rendering = {
        Format.TEXT: lambda: _gate_text(judged),
        Format.JSON: lambda: render_json(document),
        Format.MARKDOWN: lambda: render_markdown(result, judged.comparison),
        Format.JUNIT: lambda: render_junit(judged.items, result),
        Format.HTML: lambda: render_html(report, judged.comparison, result),
    }
    show(run, rendering, document, out=out, format_=format_)


def _gate_text(judged: "Judged") -> str:
    from curation.domain.visible import shown

    result = judged.result
    lines = [result.text]
    lines += [f"{reason.outcome.value}: {shown(reason.message)}" for reason in result.reasons]
    lines += [f"warning: {shown(warning)}" for warning in result.warnings]
    lines += [f"not set: {', '.join(result.not_set)}"] if result.not_set else []
    return "\n".join(lines) + "\n"


@app.command()
def compare(
    baseline: Annotated[str, typer.Argument(metavar="A", help="A report, outputs, or a run.")],
    candidate: Annotated[str, typer.Argument(metavar="B", help="What it is compared with.")],
    golden: Golden = None,
    out: Out = None,
    format_: FormatOption = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Compare two reports case by case: deltas with intervals, slices, flipped cases."""
    from curation.evaluation.render_html import render_html
    from curation.evaluation.render_json import comparison_document, render_json
    from curation.evaluation.render_table import render_comparison_table
    from curation.services.evaluation import find_evaluated
    from curation.services.gating import compare_two

    with frame(home, as_json) as run:
        now = datetime.now(UTC)
        with _measuring(run, golden) as (workspace, source):
            before = find_evaluated(workspace, source, baseline, now=now)
            after = find_evaluated(workspace, source, candidate, now=now)
            found, sides = compare_two(workspace, source, before, after)
        document = comparison_document(found)
        rendering: Rendering = {
            Format.TEXT: lambda: render_comparison_table(found),
            Format.JSON: lambda: render_json(document),
            Format.HTML: lambda: render_html(sides.candidate, found),
        }
        show(run, rendering, document, out=out, format_=format_)


def register(root: typer.Typer) -> None:
    """Add the command family to the command line."""
    root.add_typer(app, name="eval")
