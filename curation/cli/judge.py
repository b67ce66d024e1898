"""`curation judge`: a judge's scores of stored answers and of outputs on a golden set."""

from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curation.cli.frame import Frame, Home, Json, frame
from curation.errors import CurationError

if TYPE_CHECKING:
    from curation.config import JudgeSettings
    from curation.services.judge_report import FactsAsked, JudgeRunReport
    from curation.services.judge_worker import Means
    from curation.services.judging import Estimate, JudgeOptions, Prepared
    from curation.services.workspace import Workspace

app = typer.Typer(help="Scores by a judge, and how far they agree with people.")


class JudgeName(StrEnum):
    """Who scores."""

    PROXY = "proxy"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"


class HowManyError(CurationError):
    """Two options that say how many answers are scored."""

    exit_status = 2

    def __init__(self) -> None:
        super().__init__("Nothing was judged. Give one of --limit, --all, --sample, --run.")


Judge = Annotated[
    JudgeName | None,
    typer.Option("--judge", help="Who scores; as configured, else the proxy.", show_default=False),
]
Model = Annotated[str | None, typer.Option("--model", help="The pinned model.")]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", metavar="URL", help="Another server than its own.")
]
Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help="The newest so many answers; 100 if left out.")
]
All = Annotated[bool, typer.Option("--all", help="Every answer that it has not scored.")]
Run = Annotated[
    str | None, typer.Option("--run", metavar="RUN", help="Outputs on the golden set instead.")
]
Failed = Annotated[bool, typer.Option("--failed", help="What this judge failed on, once more.")]
Sample = Annotated[
    float | None, typer.Option("--sample", min=0, max=1, help="Score each with this probability.")
]
Seed = Annotated[int, typer.Option("--seed", help="Which sample.")]
MaxCost = Annotated[
    float | None, typer.Option("--max-cost", min=0, help="The most it may cost, by your prices.")
]
MaxCalls = Annotated[
    int | None, typer.Option("--max-calls", min=0, help="The most calls, failed tries included.")
]
Concurrency = Annotated[
    int | None, typer.Option("--concurrency", min=1, max=64, help="Calls open at once.")
]
EstimateOnly = Annotated[bool, typer.Option("--estimate", help="Say what it would take and end.")]


@app.command("run")
def run_(
    judge: Judge = None,
    model: Model = None,
    base_url: BaseUrl = None,
    limit: Limit = None,
    all_: All = False,
    run_name: Run = None,
    failed: Failed = False,
    sample: Sample = None,
    seed: Seed = 0,
    max_cost: MaxCost = None,
    max_calls: MaxCalls = None,
    concurrency: Concurrency = None,
    estimate: EstimateOnly = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Score stored answers, or the outputs of a run, with a judge."""
    from curation.services.judging import DEFAULT_LIMIT, JudgeOptions

    with frame(home, as_json) as running:
        if (limit is not None) + all_ + (sample is not None) + (run_name is not None) > 1:
            raise HowManyError
        chosen = all_ or sample is not None or run_name is not None or failed
        options = JudgeOptions(
            limit=None if chosen and limit is None else limit or DEFAULT_LIMIT,
            run=run_name,
            again=failed,
            sample=sample,
            seed=seed,
            max_calls=max_calls,
            max_cost=max_cost,
        )
        settings = _settings(running, judge, model, base_url)
        _judge(running, settings, options, concurrency, estimate_only=estimate)


def _settings(
    running: Frame, judge: JudgeName | None, model: str | None, base_url: str | None
) -> "JudgeSettings":
    """Return the configured judge with what the command says instead.

    The configured model and address belong to the configured judge.
    """
    from curation.services.judge_access import check_options

    configured = running.settings.judge
    given: dict[str, Any] = {"model": model, "base_url": base_url}
    if judge is not None and judge.value != configured.provider:
        given |= {"provider": judge.value}
        if configured.provider != JudgeName.PROXY.value:
            configured = configured.model_copy(update={"model": None, "base_url": None})
    changed = {name: value for name, value in given.items() if value is not None}
    settings = configured.model_copy(update=changed)
    check_options(settings, model=model, base_url=base_url)
    return settings


def _judge(
    running: Frame,
    settings: "JudgeSettings",
    options: "JudgeOptions",
    concurrency: int | None,
    *,
    estimate_only: bool,
) -> None:
    from curation.services.judge_report import refuse_failed
    from curation.services.judging import estimate_of, judge_client, prepare, real_means

    workspace = running.workspace()
    now = datetime.now(UTC)
    if estimate_only:
        found = estimate_of(workspace, settings, options, now=now)
        running.emit(found.to_document(), _estimated(found))
        return
    with judge_client(settings) as client:
        prepared = prepare(workspace, settings, options, now=now)
        for line in _estimated(prepared.estimate):
            running.tell(line)
        means, number = real_means(client), concurrency or settings.concurrency
        report = _worked(running, workspace, prepared, means, number)
    running.emit(report.model_dump(mode="json"), _lines(report))
    try:
        refuse_failed(report)
    except CurationError as problem:
        running.tell(str(problem))
        running.status = problem.exit_status


def _worked(
    running: Frame, workspace: "Workspace", prepared: "Prepared", means: "Means", concurrency: int
) -> "JudgeRunReport":
    from curation.cli.progress import ProgressBar
    from curation.services.judge_report import report_of
    from curation.services.judging import work

    try:
        return work(
            workspace,
            prepared,
            means,
            concurrency=concurrency,
            progress=ProgressBar("judged"),
        )
    except KeyboardInterrupt:
        report = report_of(workspace, prepared.run.id)
        running.emit(report.model_dump(mode="json"), _lines(report))
        running.tell("Run the same command again to go on.")
        raise


def _estimated(estimate: "Estimate") -> Iterator[str]:
    what = f"{estimate.judge}: {estimate.subjects} to judge"
    if estimate.joined:
        what += f", {estimate.done} done before (run {estimate.run_id} goes on)"
    yield f"{what}."
    if estimate.calls:
        tokens = f"{estimate.input_tokens:,} tokens in, {estimate.output_tokens:,} out"
        yield f"About {estimate.calls:,} calls, {tokens}, {_money(estimate.cost)}."


def _money(cost: float | None) -> str:
    return "cost unknown without prices" if cost is None else f"cost {cost:.4f}"


def _lines(report: "JudgeRunReport") -> Iterator[str]:
    yield f"{report.judge} (prompts {report.prompt_version}): {report.judged} judged."
    for metric in report.metrics:
        mean = "\u2013" if metric.mean is None else f"{metric.mean:.2f}"
        yield f"  {metric.metric}: {mean} of 2 (n = {metric.n}, {metric.failed} failed)"
    if report.facts is not None:
        yield f"  facts that were unsure: {_facts_said(report.facts)}"
    if report.precision is not None:
        yield f"  {report.precision.average_relevance}"
        for name, found in (
            ("strict", report.precision.strict),
            ("lenient", report.precision.lenient),
        ):
            value = "\u2013" if found.value is None else f"{found.value:.3f}"
            unscored = f", {found.unscored} unscored" if found.unscored else ""
            yield f"  precision@{report.precision.k} {name}: {value} (n = {found.n}{unscored})"
    if report.failures:
        yield f"Failed: {', '.join(f'{kind} {n}' for kind, n in report.failures.items())}."
    spent = report.spent
    if spent.calls:
        tokens = f"{spent.input_tokens:,} tokens in, {spent.output_tokens:,} out"
        yield f"{spent.calls:,} calls, {tokens}, {_money(spent.cost)}."
    if report.left:
        yield f"{report.left} are left{_WHY_LEFT.get(report.ended_by or '', '')}."
    yield from report.warnings


def _facts_said(facts: "FactsAsked") -> str:
    counts = [f"{facts.present} present", f"{facts.absent} absent", f"{facts.unsure} still unsure"]
    return ", ".join([*counts, *([f"{facts.failed} failed"] if facts.failed else [])])


_WHY_LEFT = {
    "max_calls": ": --max-calls is reached",
    "max_cost": ": the next call could go over --max-cost",
    "failing": ": the judge stopped answering",
}


def register(root: typer.Typer) -> None:
    """Add the command family to the command line."""
    root.add_typer(app, name="judge", no_args_is_help=True)
