"""`curation eval baseline`: what candidates are measured against."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from curation.cli.frame import As, Home, Json, Reason, frame
from curation.cli.show import change_document

if TYPE_CHECKING:
    from curation.services.baselines import BaselineState

app = typer.Typer(help="What candidates are measured against.", no_args_is_help=True)


@app.command()
def show(home: Home = None, as_json: Json = False) -> None:
    """Show the baseline of the golden set, and whether it is stale."""
    from curation.services.baselines import show_baseline

    with frame(home, as_json) as run:
        state = show_baseline(run.workspace())
        run.emit(state.to_document(), _lines(state))


def _lines(state: "BaselineState") -> list[str]:
    baseline = state.baseline
    if baseline is None:
        return ["There is no baseline yet. Promote an experiment, or set one with `set`."]
    source = f", promoted by {baseline.experiment}" if baseline.experiment else ""
    lines = [f"{baseline.pipeline or 'A pipeline'} on {baseline.version}{source}."]
    lines += [f"{name} {value:.3f}" for name, value in baseline.metrics.items()]
    if state.stale:
        lines.append(
            f"It is stale: it was measured on {baseline.version}, run it on {state.newest}."
        )
    if not state.outputs_kept:
        lines.append("Its raw outputs are not kept here, so it cannot be scored again.")
    return lines


@app.command("set")
def set_(
    report: Annotated[
        str, typer.Argument(metavar="REPORT", help="A report, outputs, or the hash of a kept run.")
    ],
    as_: As = None,
    reason: Reason = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Propose a report as the baseline; it is approved and published like a change."""
    from curation.services.baselines import propose_baseline
    from curation.services.evaluation import find_evaluated
    from curation.services.yardstick import Source

    with frame(home, as_json) as run:
        workspace, now = run.workspace(), datetime.now(UTC)
        found = find_evaluated(workspace, Source(location=workspace.golden), report, now=now)
        change = propose_baseline(
            workspace, found.report, person=run.person(as_), reason=reason, now=now
        )
        run.emit(
            change_document(change),
            [f"Change {change.shown_number}: the baseline. It waits for a second person."],
        )
