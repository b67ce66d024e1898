"""`curation golden`: versions, diff, validation, import, export and audit of the set."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curation.cli.frame import As, Home, Json, Reason, frame
from curation.cli.show import (
    coverage_lines,
    dated,
    finding_documents,
    finding_lines,
    first_lines,
)
from curation.domain.plural import plural

if TYPE_CHECKING:
    from curation.services.golden_files import ImportOutcome

app = typer.Typer(help="The golden set.", no_args_is_help=True)
Version = Annotated[
    str | None, typer.Option("--version", metavar="golden/vN", help="The tip when left out.")
]


@app.command()
def versions(home: Home = None, as_json: Json = False) -> None:
    """List the versions of the golden set, oldest first."""
    from curation.services import golden_set

    with frame(home, as_json) as run:
        found = golden_set.versions(run.workspace())
        run.emit(
            {"versions": [info.to_document() for info in found]},
            [
                f"{v.version} · {dated(v.date)} · "
                f"{'cases unknown' if v.cases is None else plural(v.cases, 'case')} · "
                f"{plural(v.changes, 'change')} · {v.commit[:12]} · "
                f"published by {v.released_by}"
                for v in found
            ],
        )


@app.command()
def diff(
    a: Annotated[str, typer.Argument(metavar="A")],
    b: Annotated[str, typer.Argument(metavar="B")],
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Show what changed between two versions, by case and field."""
    from curation.services import golden_set

    with frame(home, as_json) as run:
        change = golden_set.compare(run.workspace(), a, b)
        document = change.to_document()
        lines = [f"added {case_id}" for case_id in document["added"]]
        lines += [f"retired {case_id}" for case_id in document["retired"]]
        lines += [f"restored {case_id}" for case_id in document["restored"]]
        lines += [f"edited {e['case_id']}: {', '.join(e['fields'])}" for e in document["edited"]]
        lines += [f"policy: {line}" for line in document["policy"]]
        run.emit(document, lines or ["No difference."])


@app.command()
def validate(
    source: Annotated[
        Path | None, typer.Argument(help="A golden set's folder or a golden.jsonl.")
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Validate a golden set: any folder, or a plain golden.jsonl."""
    from curation.services.golden_files import validate as validate_source

    with frame(home, as_json) as run:
        report = validate_source(source or run.settings.golden_path)
        run.status = 1 if report.problems else 0
        run.emit(report.to_document(), report.lines)


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="Cases, one JSON object a line.")],
    as_: As = None,
    reason: Reason = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Propose the cases of a file as one change of kind import."""
    from curation.services.golden_files import propose_import

    with frame(home, as_json) as run:
        done = propose_import(
            run.workspace(), file, person=run.person(as_), reason=reason, now=datetime.now(UTC)
        )
        run.status = 1 if done.refused or done.change is None else 0
        run.emit(
            {
                "change_id": done.change.id if done.change else None,
                "number": done.change.number if done.change else None,
                "cases": done.cases,
                "refused": done.refused,
                "findings": finding_documents(done.findings),
                "reasons": [{"reason": why, "cases": count} for why, count in done.reasons],
                "rejects_file": str(done.rejects_file) if done.rejects_file else None,
            },
            [_import_line(done), *finding_lines(done.findings)],
        )
        for line in _refused_lines(done):
            run.tell(line)


def _import_line(done: "ImportOutcome") -> str:
    """Return what an import proposed, in one line."""
    if done.change is None:
        return f"Nothing was proposed: no case is good, {done.refused} refused."
    return (
        f"Change {done.change.shown_number}: {plural(done.cases, 'case')}, {done.refused} refused. "
        "It waits for a second person."
    )


_SHOWN_REASONS = 20


def _refused_lines(done: "ImportOutcome") -> list[str]:
    """Return why cases were refused, the most frequent reason first, and where they are."""
    lines = [f"{plural(n, 'case')}: {why}" for why, n in done.reasons[:_SHOWN_REASONS]]
    if len(done.reasons) > _SHOWN_REASONS:
        lines.append(f"and {plural(len(done.reasons) - _SHOWN_REASONS, 'other reason')}")
    if any(why.startswith("golden.toml has no") for why, _ in done.reasons):
        lines.append(
            "List the missing slices and question types in golden.toml first: "
            "`curation change propose --policy FILE`."
        )
    if done.rejects_file is not None:
        lines.append(f"Line and reasons of each are in {done.rejects_file}.")
    return lines


@app.command()
def export(
    format_: Annotated[str, typer.Option("--format", help="jsonl or seeds.")] = "jsonl",
    out: Annotated[Path, typer.Option("--out", help="The folder to write to.")] = Path(),
    version: Version = None,
    answerable_only: Annotated[bool, typer.Option("--answerable-only")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Write the set of a version as a file that evaluation tools read."""
    from curation.services.golden_files import export as export_set

    with frame(home, as_json) as run:
        done = export_set(
            run.workspace(), out, format_=format_, version=version, answerable_only=answerable_only
        )
        run.emit(done.to_document(), [f"{done.path}: {plural(done.cases, 'case')}."])
        if done.left_out:
            run.tell(f"{plural(done.left_out, 'case')} left out: not answerable.")


@app.command()
def audit(
    source: Annotated[
        Path | None, typer.Argument(help="A clone; the home's set if left out.")
    ] = None,
    since: Annotated[str | None, typer.Option("--since", metavar="golden/vN")] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Prove from git alone that the set was written, approved and frozen as it should."""
    from curation.services.golden_files import audit as audit_source

    with frame(home, as_json) as run:
        report = audit_source(source or run.settings.golden_path, run.settings, since=since)
        run.status = 1 if report.findings else 0
        run.emit(report.to_document(), report.lines)


@app.command()
def coverage(
    version: Version = None,
    propose: Annotated[
        int,
        typer.Option(
            "--propose", min=0, metavar="N", help="Name N logged questions to cover first."
        ),
    ] = 0,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Count the cases of each question type and document category, and name the holes."""
    from curation.services.coverage import coverage as cover
    from curation.services.coverage import propose_first
    from curation.services.triage import keep_current

    with frame(home, as_json) as run:
        workspace = run.workspace()
        grid = cover(workspace, version)
        document, lines = grid.to_document(), coverage_lines(grid)
        if propose:
            keep_current(workspace)
            first = propose_first(workspace, propose)
            document["cover_first"] = [one.to_document() for one in first]
            lines += first_lines(first)
        run.emit(document, lines)


def register(root: typer.Typer) -> None:
    """Add the command family to the command line."""
    root.add_typer(app, name="golden")
