"""`curation queue sample` and `curation queue estimate`."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curation.cli.frame import As, Home, Json, frame

if TYPE_CHECKING:
    from curation.domain.sample import Sample, SampleEstimate, ShareEstimate

Day = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"])]


def sample(
    n: Annotated[int, typer.Option("--n", min=1, help="How many answers to draw.")] = 50,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed draws the same.")] = 0,
    control: Annotated[
        float, typer.Option("--control", min=0, max=1, help="The share drawn by chance alone.")
    ] = 0.1,
    double: Annotated[
        float, typer.Option("--double", min=0, max=1, help="The share that two people look at.")
    ] = 0.0,
    since: Day = None,
    until: Day = None,
    as_: As = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Draw a sample of the unreviewed answers, with stored probabilities."""
    with frame(home, as_json) as running:
        from curation.domain.sample import SampleRequest
        from curation.services import sampling

        workspace = running.workspace()
        request = SampleRequest(
            n=n, seed=seed, control=control, double=double, since=_utc(since), until=_utc(until)
        )
        drawn = sampling.draw(workspace, running.person(as_), request, now=datetime.now(UTC))
        order = sampling.served_order(workspace, drawn)
        running.emit(_sample_document(drawn) | {"items": list(order)}, _sample_lines(drawn, order))


def estimate(
    number: Annotated[
        int | None, typer.Option("--sample", min=1, help="Which sample; the newest if left out.")
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Say how far a sample is and how many answers are bad, as far as it can tell."""
    with frame(home, as_json) as running:
        from curation.services import sampling
        from curation.services.sample_words import estimate_lines

        found = sampling.estimate(running.workspace(), number)
        running.emit(_estimate_document(found), estimate_lines(found))


def _utc(moment: datetime | None) -> datetime | None:
    """Return a moment without a zone as one in UTC."""
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


def _sample_document(drawn: "Sample") -> dict[str, Any]:
    return {
        "sample": drawn.id,
        "drawn_at": drawn.drawn_at.isoformat(),
        "drawn_by": str(drawn.person),
        "frame": drawn.frame,
        "size": drawn.size,
        "control": drawn.control,
        "targeted": drawn.targeted,
        **drawn.request.model_dump(mode="json", include={"seed", "double", "since", "until"}),
    }


def _sample_lines(drawn: "Sample", order: tuple[str, ...]) -> list[str]:
    """Return the drawn answers in the order in which they are to be reviewed."""
    head = (
        f"Sample {drawn.id}: {drawn.size} of {drawn.frame} unreviewed answers, "
        f"{drawn.control} of them by chance alone (seed {drawn.request.seed})."
    )
    return [head, *(f"  {answer_id}" for answer_id in order)]


def _estimate_document(found: "SampleEstimate") -> dict[str, Any]:
    progress = found.progress
    return {
        "sample": _sample_document(found.sample),
        "progress": progress.model_dump(mode="json") | {"share": progress.share},
        "control": _share_document(found.control),
        "combined": _share_document(found.combined),
    }


def _share_document(found: "ShareEstimate | None") -> dict[str, Any] | None:
    if found is None:
        return None
    return found.model_dump(mode="json") | {"silent_share": found.silent_share}
