"""`curation queue breaks`."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from curation.cli.frame import Home, Json, frame

if TYPE_CHECKING:
    from curation.domain.breaks import Break, Breaks, Purchase


def breaks_(
    since: Annotated[
        datetime | None,
        typer.Option("--since", formats=["%Y-%m-%d"], help="Only answers asked since this day."),
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Show where the pipeline breaks, the stage to fix, and what a fix would buy."""
    with frame(home, as_json) as running:
        from datetime import UTC

        from curation.services.breaks import breaks

        start = since.replace(tzinfo=UTC) if since else None
        found = breaks(running.workspace(), since=start)
        document = found.model_dump(mode="json")
        for cell, one in zip(document["breaks"], found.breaks, strict=True):
            cell["stage"] = one.stage
        running.emit(document, _lines(found))


def _lines(found: "Breaks") -> Iterator[str]:
    if not found.confirmed:
        yield "No failure was confirmed yet. Propose a case from an answer that failed."
    for one in found.breaks:
        yield _line(one)
    if found.unconfirmed:
        yield f"{found.unconfirmed} answers called bad have no confirmed category."
    baseline = found.baseline
    if baseline.missing:
        yield baseline.missing
        return
    yield f"At most, on the baseline's {baseline.n} cases of {baseline.version}:"
    for purchase in baseline.purchases:
        yield _bought(purchase)


def _line(one: "Break") -> str:
    where = f"{one.slice or 'no slice'}, {one.pipeline_version or 'no version'}"
    return (
        f"{one.weight:>8.1f}  {one.category.value} · {where} · {one.confirmed} confirmed, "
        f"asked {one.asked} times · fix: {one.stage} · {one.answers[0]}"
    )


def _bought(one: "Purchase") -> str:
    return (
        f"  {one.category.value}: {one.failing} of {one.cases} cases fail; if all passed, the pass "
        f"rate would go from {one.pass_rate:.3f} to {one.pass_rate_after:.3f}"
    )
