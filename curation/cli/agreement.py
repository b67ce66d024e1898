"""`curation judge agreement` and `curation judge spot-check`: how far a judge can be believed."""

import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import click
import typer

from curation.cli import judge
from curation.cli.files import InputFileError, read_lines
from curation.cli.frame import As, Frame, Home, Json, Looker, frame

if TYPE_CHECKING:
    from curation.domain.person import Person
    from curation.services.spot_check import Said, ShownItem, Standing
    from curation.services.workspace import Workspace

Judge = Annotated[str | None, typer.Option("--judge", help="Only this judge.", show_default=False)]
Metric = Annotated[
    str | None, typer.Option("--metric", help="Only this metric.", show_default=False)
]
NO_MORE = ("q", "\x1b", "\x03", "\x04", "")
BACK = ("z", "u")


@judge.app.command("agreement")
def agreement(
    judge_name: Judge = None,
    metric: Metric = None,
    slice_: Annotated[
        str | None, typer.Option("--slice", help="Only answers of this slice.", show_default=False)
    ] = None,
    below: Annotated[
        float | None,
        typer.Option("--below", help="The judge says bad where its score is below this."),
    ] = None,
    show_judge: Annotated[
        bool, typer.Option("--show-judge", help="List every disagreement; not blind any more.")
    ] = False,
    by: Looker = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Compare each judge with people, in words and in figures."""
    from curation.services.agreement import AgreementQuery, judge_reports
    from curation.services.agreement_lines import report_document, report_lines
    from curation.services.judge_blindness import seen_disagreements

    with frame(home, as_json) as run:
        workspace = run.workspace()
        person = run.viewer(by, judged=show_judge)
        query = AgreementQuery(judge=judge_name, metric=metric, slice=slice_, below=below)
        now = datetime.now(UTC)
        told = [
            (
                one,
                seen_disagreements(
                    workspace, one.disagreements, person=person, now=now, show_judge=show_judge
                ),
            )
            for one in judge_reports(workspace, query, person=person)
        ]
        lines = [line for one, seen in told for line in report_lines(one, seen)]
        run.emit(
            {"judges": [report_document(one, seen) for one, seen in told]},
            lines or ["No judge has scored anything of the kind. Run `curation judge run`."],
        )


@judge.app.command("spot-check")
def spot_check(
    as_: As = None,
    n: Annotated[int, typer.Option("--n", min=1, max=500, help="How many items.")] = 30,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Names the draw, so that it can be made again.")
    ] = None,
    metric: Metric = None,
    judge_name: Judge = None,
    new: Annotated[
        bool, typer.Option("--new", help="Draw anew, even where one is unfinished.")
    ] = False,
    ties: Annotated[
        bool, typer.Option("--ties", help="Decide where people's labels have no majority.")
    ] = False,
    labels: Annotated[
        Path | None,
        typer.Option("--labels", help="JSON lines {position, level, seconds} instead of keys."),
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Label answers 0, 1 or 2 without seeing the judge; go on where you stopped."""
    from curation.services.spot_check import SpotRequest, begin, label_items

    with frame(home, as_json) as run:
        workspace, person = run.workspace(), run.person(as_)
        request = SpotRequest(n=n, judge=judge_name, metric=metric, seed=seed, new=new, ties=ties)
        where = begin(workspace, request, person=person, now=datetime.now(UTC))
        if labels is not None:
            said = [_said(row, f"{labels}, line {at},") for at, row in read_lines(labels)]
            number = where.check.number
            where = label_items(workspace, number, said, person=person, now=datetime.now(UTC))
        elif not run.as_json:
            where = _ask(run, workspace, where, person)
        _tell(run, workspace, where, person)


def _said(row: Mapping[str, Any], where: str) -> "Said":
    """Return a line of the file as a label."""
    from curation.services.spot_check import NoLevelError, Said

    position, level, seconds = row.get("position"), row.get("level"), row.get("seconds")
    if not isinstance(position, int):
        raise InputFileError(where, "its position is not a whole number")
    if not isinstance(level, int):
        raise NoLevelError(level)
    measured = float(seconds) if isinstance(seconds, int | float) and seconds >= 0 else None
    return Said(position=position, level=level, seconds=measured)


def _ask(run: Frame, workspace: "Workspace", where: "Standing", person: "Person") -> "Standing":
    """Ask item by item until the end, or until the person stops."""
    from curation.services.spot_check import Said, label_items, shown_item, take_back

    run.tell(f"Spot check {where.check.number}. 0 no, 1 in part, 2 yes; z takes back; q stops.")
    while (item := where.next) is not None:
        _show(run, where, shown_item(workspace, where, item))
        began = monotonic()
        pressed = _pressed()
        if pressed in NO_MORE:
            break
        if pressed in BACK:
            where = take_back(workspace, where.check.number, person=person)
            continue
        if pressed not in {"0", "1", "2"}:
            run.tell("That is none of 0, 1, 2, z and q. Nothing was stored.")
            continue
        said = Said(position=item.position, level=int(pressed), seconds=monotonic() - began)
        now = datetime.now(UTC)
        where = label_items(workspace, where.check.number, [said], person=person, now=now)
    return where


def _pressed() -> str:
    """Return the key that was pressed; a line where the input is no terminal."""
    if sys.stdin.isatty():
        return click.getchar().lower()
    return sys.stdin.readline().strip().lower()


def _show(run: Frame, where: "Standing", item: "ShownItem") -> None:
    """Print an item, with nothing of what the judge said."""
    from curation.services.spot_questions import question_of

    run.tell(f"\n[{item.number} of {item.of}] {question_of(where.check.metric)}")
    for turn in item.answer.conversation:
        run.tell(f"  {turn.role}: {turn.text}")
    run.tell(f"Question: {item.answer.question}")
    for chunk in item.answer.retrieved:
        if item.chunk_id in {None, chunk.chunk_id}:
            run.tell(f"Passage {chunk.rank} ({chunk.chunk_id}): {chunk.text or 'not logged'}")
    if item.chunk_id is None:
        run.tell(f"Answer: {item.answer.answer}")


def _tell(run: Frame, workspace: "Workspace", where: "Standing", person: "Person") -> None:
    """Emit the end of the spot check, or what is left of it."""
    from curation.services.agreement_lines import summary_lines
    from curation.services.spot_check import shown_items
    from curation.services.spot_summary import summary

    number = where.check.number
    head = {
        "spot_check": number,
        "metric": where.check.metric,
        "seed": where.check.seed,
        "items": len(where.items),
        "done": where.done,
    }
    if where.finished:
        end = summary(workspace, number, person=person, now=datetime.now(UTC))
        run.emit({**head, "summary": end.model_dump(mode="json")}, summary_lines(end))
        return
    left = len(where.items) - where.done
    items = [_item(item) for item in shown_items(workspace, where)] if run.as_json else []
    run.emit(
        {**head, "summary": None, "left": items},
        [f"Spot check {number}: {where.done} labelled, {left} left. The same command goes on."],
    )


def _item(item: "ShownItem") -> dict[str, Any]:
    """Return an item as a script sees it, with nothing of what the judge said."""
    answer = item.answer.model_dump(
        mode="json", include={"question", "conversation", "answer", "retrieved", "citations"}
    )
    return {
        "position": item.position,
        "answer_id": item.answer.id,
        "chunk_id": item.chunk_id,
        **answer,
    }


def register(root: typer.Typer) -> None:
    """Add nothing more: the commands hang under `curation judge`."""
    del root
