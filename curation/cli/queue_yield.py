"""`curation queue yield`."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from curation.cli.frame import Home, Json, frame

if TYPE_CHECKING:
    from curation.config import PrioritySettings
    from curation.services.queue_yield import WhatIf

NOTHING = (
    "No answer has a person's word yet, so there is nothing to count. "
    "Review some answers, or bring in labels."
)


def yield_(
    first: Annotated[int, typer.Option("--first", min=1, help="How many rows count.")] = 50,
    tag: Annotated[
        list[str] | None,
        typer.Option("--tag", help="Only answers with this tag; may be given several times."),
    ] = None,
    metric: Annotated[
        str, typer.Option("--metric", help="The imported label of the whole answer.")
    ] = "verdict",
    weight: Annotated[
        list[str] | None,
        typer.Option("--weight", help="Try another weight: KEY=NUMBER of [priority]."),
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Count the answers that people called bad among the first rows of the queue's order."""
    with frame(home, as_json) as running:
        from curation.services.queue_yield import what_if

        workspace = running.workspace()
        tried = _tried(running.settings.priority, weight or []) if weight else None
        found = what_if(workspace, tried, first=first, metric=metric, tags=tag or ())
        running.emit(_document(found, tried=tried is not None), _lines(found, tried is not None))


def _tried(own: "PrioritySettings", weights: list[str]) -> "PrioritySettings":
    """Return the weights of the configuration with some of them changed."""
    from pydantic import ValidationError

    from curation.errors import first_problem

    changed: dict[str, Any] = {}
    for text in weights:
        name, sign, number = text.partition("=")
        if not sign or name not in type(own).model_fields or name == "slice_weight":
            raise typer.BadParameter(
                f"{text!r} is not KEY=NUMBER of [priority], such as correction=5.",
                param_hint="--weight",
            )
        changed[name] = number
    try:
        return type(own).model_validate(own.model_dump() | changed)
    except ValidationError as problem:
        raise typer.BadParameter(f"{first_problem(problem)}.", param_hint="--weight") from None


def _document(found: "WhatIf", *, tried: bool) -> dict[str, Any]:
    """Return the yield; with other weights also that of the configuration's, and what moves."""
    whole = found.after.model_dump(mode="json")
    if not tried:
        return whole
    rest = found.model_dump(mode="json", include={"before", "moved", "lines"})
    return whole | rest


def _lines(found: "WhatIf", tried: bool) -> list[str]:
    after, before = found.after, found.before
    if not after.answers:
        return [NOTHING]
    rows = min(after.first, after.rows)
    judged = f"People judged {after.answers} answers in {after.rows} rows"
    lines = [
        f"{judged}: {after.bad} bad, {after.not_good} not good.",
        f"Among the first {rows} rows, by their worst-looking answer:",
        _row("by priority", after.by_priority.found.bad, after.by_priority.found.not_good),
    ]
    if tried:
        was = before.by_priority.found
        lines.append(_row("  as configured", was.bad, was.not_good))
    judge = after.by_judge.found
    lines.append(_row("by judge score", judge.bad, judge.not_good))
    lines.append(_row("at random", after.at_random.bad, after.at_random.not_good))
    return [*lines, *(["", *found.lines] if found.lines else [])]


def _row(name: str, bad: float, not_good: float) -> str:
    return f"  {name:<16} {bad:>6.4g} bad  {not_good:>6.4g} not good"
