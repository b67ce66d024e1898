"""`curation queue`."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curation.cli.breaks import breaks_
from curation.cli.frame import Home, Json, Looker, frame
from curation.cli.queue_sample import estimate, sample
from curation.cli.queue_yield import yield_

if TYPE_CHECKING:
    from curation.domain.queue import HeldAnswer, MetricBelow, QueuePage, QueueRow


def register(app: typer.Typer) -> None:
    """Add the commands."""
    queue = typer.Typer(help="The answers most worth a minute.", no_args_is_help=True)
    queue.command("list")(list_)
    queue.command("sample")(sample)
    queue.command("estimate")(estimate)
    queue.command("yield")(yield_)
    queue.command("breaks")(breaks_)
    app.add_typer(queue, name="queue")


def list_(
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="Rows of a page.")] = 50,
    page: Annotated[int, typer.Option("--page", min=1, help="Which page.")] = 1,
    state: Annotated[
        str, typer.Option("--state", help="to_review, mine, held, done, dismissed or covered.")
    ] = "to_review",
    slice_: Annotated[str | None, typer.Option("--slice", help="Only this slice.")] = None,
    signal: Annotated[str | None, typer.Option("--signal", help="Only with this signal.")] = None,
    metric_below: Annotated[
        str | None,
        typer.Option("--metric-below", help="Only scored worse: METRIC=VALUE. Shows the judge."),
    ] = None,
    pipeline_version: Annotated[
        str | None, typer.Option("--pipeline-version", help="Only of this version.")
    ] = None,
    words: Annotated[str, typer.Option("--words", help="Only questions with these words.")] = "",
    show_judge: Annotated[
        bool, typer.Option("--show-judge", help="Show what the judge says; not blind any more.")
    ] = False,
    by: Looker = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """List question groups by priority, each with the reasons why it is there."""
    with frame(home, as_json) as running:
        from curation.domain.queue import QueueFilter
        from curation.services.triage import list_queue

        filters = QueueFilter(
            state=_state(state),
            slice=slice_,
            signal=_signal(signal),
            metric_below=_below(metric_below),
            pipeline_version=pipeline_version,
            words=words,
        )
        judged = show_judge or filters.metric_below is not None
        found = list_queue(
            running.workspace(),
            running.viewer(by, judged=judged),
            filters,
            now=datetime.now(UTC),
            page=page,
            size=limit,
            show_judge=show_judge,
        )
        running.emit(_document(found), _lines(found))


def _state(text: str) -> Any:  # noqa: ANN401 - an enum that is imported late
    from curation.domain.queue import QueueState

    return _member(QueueState, text, "--state")


def _signal(text: str | None) -> Any:  # noqa: ANN401 - an enum that is imported late
    from curation.domain.answer import SignalKind

    return None if text is None else _member(SignalKind, text, "--signal")


def _member(kind: Any, text: str, option: str) -> Any:  # noqa: ANN401 - an enum
    """Return the member of an enum, or say which there are."""
    try:
        return kind(text)
    except ValueError:
        names = ", ".join(kind)
        raise typer.BadParameter(
            f"There is no {text!r}. Choose one of {names}.", param_hint=option
        ) from None


def _below(text: str | None) -> "MetricBelow | None":
    """Return the metric and the value of `METRIC=VALUE`."""
    from curation.domain.queue import MetricBelow

    if text is None:
        return None
    metric, sign, value = text.rpartition("=")
    try:
        if not sign or not metric:
            raise ValueError(text)  # noqa: TRY301 - one sentence for both
        return MetricBelow(metric=metric, value=float(value))
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is not METRIC=VALUE, such as faithfulness=0.6.", param_hint="--metric-below"
        ) from None


def _document(page: "QueuePage") -> dict[str, Any]:
    counts = page.counts.model_dump(mode="json") | {"all": page.counts.all}
    return {
        "items": [_item(row) for row in page.rows],
        "counts": counts,
        "shown": page.shown,
        "page": page.page,
        "pages": page.pages,
    }


def _item(row: "QueueRow") -> dict[str, Any]:
    whole = row.model_dump(mode="json")
    held = whole.pop("lease")
    return whole | {"held_by": held}


def _lines(page: "QueuePage") -> list[str]:
    """Return the list for people, and the counts as one sentence that adds up."""
    counts = page.counts
    lines = [_line(row) for row in page.rows]
    lines += [_held_line(item) for item in page.leases]
    lines.append(
        f"{page.shown} shown, page {page.page} of {page.pages} · {counts.open} to review + "
        f"{counts.held} held + {counts.done} done + {counts.dismissed} dismissed + "
        f"{counts.covered} covered = {counts.all} in all"
    )
    return lines


def _held_line(item: "HeldAnswer") -> str:
    until = f"{item.lease.until:%H:%M} UTC"
    return f"   held  {item.answer_id}  {item.lease.person.name} until {until}"


def _line(row: "QueueRow") -> str:
    priority = "–" if row.priority is None else f"{row.priority:.1f}"
    question = " ".join(row.question.split())
    more = f" (and {row.more} more)" if row.more else ""
    return f"{priority:>7}  {row.answer_id}  {question[:80]}{more}  · {' · '.join(row.reasons)}"
