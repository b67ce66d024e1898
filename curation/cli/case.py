"""`curation case`: one case of the golden set, its checks, its history, who wrote its facts."""

from collections.abc import Sequence
from typing import Annotated

import typer

from curation.cli.frame import Home, Json, frame
from curation.cli.golden import Version
from curation.cli.show import dated, finding_documents, finding_lines
from curation.domain.case import Case
from curation.domain.person import Person

app = typer.Typer(help="One case of the golden set.", no_args_is_help=True)
CaseId = Annotated[str, typer.Argument(metavar="CASE")]


@app.command()
def show(
    case_id: CaseId, version: Version = None, home: Home = None, as_json: Json = False
) -> None:
    """Show a case, at the tip or at a version."""
    from curation.services import golden_set

    with frame(home, as_json) as run:
        case = golden_set.show_case(run.workspace(), case_id, version)
        run.emit(case.model_dump(mode="json", by_alias=True), _case_lines(case))


def _case_lines(case: Case) -> list[str]:
    """Return a case for people."""
    lines = [
        f"{case.id} · {case.status} · {case.slice} · {case.question_type} · {case.answerable}",
        f"Question   {case.question}",
        f"Reference  {case.reference}",
    ]
    signs = {"required": "✓ must", "optional": "○ may", "forbidden": "✕ must not"}
    lines += [f"{signs[kind]}  {fact.id}  {fact.text}" for kind, fact in case.facts.each]
    lines += [f"❝ {item.chunk_id} {item.doc_version or ''}: {item.quote}" for item in case.evidence]
    if case.retired is not None:
        after = f", see {case.retired.superseded_by}" if case.retired.superseded_by else ""
        lines.append(f"Retired: {case.retired.reason}{after}")
    return lines


@app.command()
def check(case_id: CaseId, home: Home = None, as_json: Json = False) -> None:
    """Run the checks on a case as it stands; exit 1 when something is to fix."""
    from curation.services import golden_set

    with frame(home, as_json) as run:
        findings = golden_set.check_case_in_set(run.workspace(), case_id)
        run.status = 1 if any(f.blocks for f in findings) else 0
        run.emit(
            {"case_id": case_id, "findings": finding_documents(findings)},
            finding_lines(findings),
        )


@app.command()
def history(case_id: CaseId, home: Home = None, as_json: Json = False) -> None:
    """Show what happened to a case, newest first: who wrote it, who approved it, why."""
    from curation.services import golden_set

    with frame(home, as_json) as run:
        events = golden_set.history(run.workspace(), case_id)
        run.emit(
            {"case_id": case_id, "events": [event.to_document() for event in events]},
            [
                f"{e.version or 'unreleased'} · {dated(e.date)} · {e.change} · "
                f"{_by(e.author, e.approvers)} · {_source(e.answer_id, e.failure)} · "
                f"{e.commit[:12]} · {e.reason}"
                for e in events
            ],
        )


@app.command()
def blame(case_id: CaseId, home: Home = None, as_json: Json = False) -> None:
    """Show for each fact who wrote it, who approved it and which answer it came from."""
    from curation.services import golden_set

    with frame(home, as_json) as run:
        origins = golden_set.blame(run.workspace(), case_id)
        run.emit(
            {"case_id": case_id, "facts": [origin.to_document() for origin in origins]},
            [
                f"{o.kind} {o.fact_id} {o.text} · {o.version or 'unreleased'} · "
                f"{_by(o.author, o.approvers)} · {_source(o.answer_id)} · {o.commit[:12]}"
                for o in origins
            ],
        )


def _by(author: Person, approvers: Sequence[Person]) -> str:
    """Return who wrote a change and who approved it; the address tells two of one name apart."""
    return f"{author}, approved by {', '.join(map(str, approvers)) or 'nobody'}"


def _source(answer_id: str | None, failure: str | None = None) -> str:
    """Return what a change came from."""
    return f"answer {answer_id or '–'}" + (f" ({failure})" if failure else "")


def register(root: typer.Typer) -> None:
    """Add the command family to the command line."""
    root.add_typer(app, name="case")
