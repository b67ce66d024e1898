"""`curation experiment`: one component changed, measured on one version, and a decision."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curation.cli.frame import As, Home, Json, frame
from curation.cli.show import change_line, joined, name_of
from curation.domain.experiment import Decision, Experiment, ExperimentResult
from curation.domain.plural import plural
from curation.domain.visible import shown

if TYPE_CHECKING:
    from curation.services.experiments import Closed, LogRow

app = typer.Typer(help="Experiments on a frozen golden set.", no_args_is_help=True)
ExperimentId = Annotated[str, typer.Argument(metavar="EXPERIMENT", help="Such as exp-007.")]


@app.command("open")
def open_(
    component: Annotated[
        list[str], typer.Option("--component", help="The one component that changes.")
    ],
    hypothesis: Annotated[str, typer.Option("--hypothesis", help="What becomes better, and why.")],
    as_: As = None,
    version: Annotated[
        str | None, typer.Option("--version", metavar="golden/vN", help="The newest if left out.")
    ] = None,
    continues: Annotated[
        str | None, typer.Option("--continues", metavar="EXPERIMENT", help="One that ended void.")
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Open an experiment: the golden set is frozen until it is closed."""
    from curation.golden import Opening
    from curation.services import experiments

    with frame(home, as_json) as run:
        opening = Opening(
            component=",".join(component),
            hypothesis=hypothesis,
            version=version,
            continues=continues,
        )
        done = experiments.open_(
            run.workspace(), opening, person=run.person(as_), now=datetime.now(UTC)
        )
        opened = done.experiment
        run.emit(
            {
                "experiment_id": opened.id,
                "version": opened.version,
                "cases_tree": opened.cases_tree,
                "commit": done.commit,
                "baseline": opened.baseline.model_dump(mode="json") if opened.baseline else None,
            },
            [
                (
                    f"{opened.id} ({opened.component}) is open on {opened.version}. "
                    "The golden set is frozen until it is closed."
                ),
                _baseline_line(opened),
            ],
        )
        if done.worktree_note:
            run.tell(done.worktree_note)


def _baseline_line(experiment: Experiment) -> str:
    if experiment.baseline is None:
        return "There is no current baseline: the first record names its outputs with --baseline."
    return f"It is measured against {experiment.baseline.pipeline or 'the current baseline'}."


@app.command()
def record(
    experiment: ExperimentId,
    candidate: Annotated[
        str, typer.Option("--candidate", metavar="RUN", help="Outputs: a file, or a run's hash.")
    ],
    as_: As = None,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", metavar="RUN", help="Those of the baseline, if none is pinned."),
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Score a candidate beside the baseline and append the result to the experiment."""
    from curation.services import experiments
    from curation.services.evaluation import find_outputs

    with frame(home, as_json) as run:
        workspace = run.workspace()
        done = experiments.record(
            workspace,
            experiment,
            find_outputs(workspace, candidate),
            baseline=find_outputs(workspace, baseline) if baseline else None,
            person=run.person(as_),
            now=datetime.now(UTC),
        )
        run.emit(_document(done.experiment, commit=done.commit), _result_lines(done.experiment))
        if done.worktree_note:
            run.tell(done.worktree_note)


@app.command()
def close(
    experiment: ExperimentId,
    decision: Annotated[Decision, typer.Option("--decision", help="How it ends.")],
    why: Annotated[str, typer.Option("--why", help="Why, in your own words.")],
    as_: As = None,
    override: Annotated[
        str | None,
        typer.Option("--override", metavar="WHY", help="Promote against the gate (admins)."),
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Close an experiment; a promoted candidate becomes the baseline."""
    from curation.golden import Closing
    from curation.services import experiments

    with frame(home, as_json) as run:
        closing = Closing(decision=decision, why=why, override=override)
        done = experiments.close(
            run.workspace(),
            experiment,
            closing,
            person=run.person(as_),
            now=datetime.now(UTC),
        )
        document = _document(done.written.experiment, commit=done.written.commit) | {
            "publishable": [change.id for change in done.publishable],
            "still_frozen_by": [open_one.id for open_one in done.still_frozen_by],
        }
        run.emit(document, _closed_lines(done))
        if done.written.worktree_note:
            run.tell(done.written.worktree_note)


def _closed_lines(done: "Closed") -> list[str]:
    experiment = done.written.experiment
    decision = experiment.decision.value if experiment.decision else ""
    lines = [f"{experiment.id} is closed: {decision}."]
    if done.written.baseline is not None:
        lines.append(f"The baseline is now {done.written.baseline.pipeline or 'the candidate'}.")
    if experiment.override is not None:
        lines.append(f"Promoted against the gate: {shown(experiment.override.why)}")
    if done.still_frozen_by:
        names = ", ".join(open_one.id for open_one in done.still_frozen_by)
        lines.append(f"The golden set is still frozen by {names}.")
    elif done.publishable:
        waiting = plural(len(done.publishable), "approved change")
        lines.append(f"{waiting} can be published now:")
        lines += [change_line(change) for change in done.publishable]
    return lines


@app.command()
def show(experiment: ExperimentId, home: Home = None, as_json: Json = False) -> None:
    """Show an experiment: what it pinned, its results, its decision."""
    from curation.services import experiments

    with frame(home, as_json) as run:
        found = experiments.show(run.workspace(), experiment)
        lines = [
            joined([found.id, found.state.value, found.component, found.version]),
            f"Hypothesis: {shown(found.hypothesis)}",
            f"Opened by {name_of(found.opened_by)} on {found.opened_at:%d %b %Y, %H:%M}.",
            _baseline_line(found),
            *_result_lines(found),
        ]
        if found.decision is not None:
            lines.append(f"Decision: {found.decision.value}. {shown(found.why or '')}")
        run.emit(_document(found), lines)


@app.command("list")
def list_(home: Home = None, as_json: Json = False) -> None:
    """List all experiments with their decisions, oldest first."""
    from curation.services import experiments

    with frame(home, as_json) as run:
        rows = experiments.log(run.workspace())
        run.emit(
            {"experiments": [row.to_document() for row in rows]},
            _table([_HEAD, *map(_cells, rows)]) if rows else ["No experiments yet."],
        )


_HEAD = (
    "id",
    "date",
    "state",
    "component",
    "hypothesis",
    "on",
    "Δ retrieval",
    "Δ generation",
    "worst slice",
    "decision",
)
_HYPOTHESIS_WIDTH = 40


def _cells(row: "LogRow") -> tuple[str, ...]:
    from curation.services.experiments import NO_NUMBER, worst_text

    hypothesis = shown(row.hypothesis or NO_NUMBER)
    if len(hypothesis) > _HYPOTHESIS_WIDTH:
        hypothesis = hypothesis[: _HYPOTHESIS_WIDTH - 1] + "…"
    return (
        row.id,
        f"{row.date:%d %b %Y}" if row.date else NO_NUMBER,
        row.state,
        row.component or NO_NUMBER,
        hypothesis,
        row.version or NO_NUMBER,
        _signed(row.retrieval),
        _signed(row.generation),
        worst_text(row.worst),
        row.decision or NO_NUMBER,
    )


def _signed(delta: float | None) -> str:
    from curation.evaluation.wording import signed

    return "–" if delta is None else signed(delta)


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(_HEAD))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _document(experiment: Experiment, *, commit: str | None = None) -> dict[str, Any]:
    """Return an experiment as a document, the id under the name that every command uses."""
    body = {"experiment_id": experiment.id} | experiment.model_dump(mode="json")
    return body | ({"recorded_in": commit} if commit else {})


def _result_lines(experiment: Experiment) -> list[str]:
    result = experiment.latest
    if result is None:
        return ["Nothing is recorded yet."]
    return [*_numbers(result), result.gate.text, *_reasons(result)]


def _numbers(result: ExperimentResult) -> list[str]:
    from curation.services.experiments import worst_text

    deltas = result.deltas
    return [
        joined(
            [
                f"{result.pipeline or 'the candidate'}: {plural(result.n, 'case')}",
                f"Δ retrieval {_signed(deltas.retrieval)}",
                f"Δ generation {_signed(deltas.generation)}",
            ]
        ),
        f"Worst slice: {worst_text(result.worst)}",
        f"{result.component} · hit rule {result.hit_rule} · k {result.k}",
    ]


def _reasons(result: ExperimentResult) -> list[str]:
    return [f"{reason.outcome.value}: {shown(reason.message)}" for reason in result.gate.reasons]


def register(root: typer.Typer) -> None:
    """Add the command family to the command line."""
    root.add_typer(app, name="experiment")
