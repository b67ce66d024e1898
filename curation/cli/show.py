"""How commands show what the services give back, as documents and as lines."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from curation.domain.change import Change
from curation.domain.coverage import Coverage, FirstToCover
from curation.domain.finding import Finding, Level
from curation.domain.plural import plural

_MARKS = {Level.ERROR: "✕ Fix", Level.WARNING: "△ Explain", Level.FINE: "✓"}


def dated(moment: datetime | None) -> str:
    """Return the day of a commit: `27 Nov 2026`."""
    return f"{moment:%d %b %Y}" if moment else "no date"


def finding_documents(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Return the findings that ask for something, as documents."""
    return [
        {
            "check": f.check.value,
            "level": f.level.value,
            "message": f.message,
            "field": f.field,
            "item": f.item,
        }
        for f in findings
        if f.level is not Level.FINE
    ]


def finding_lines(findings: Iterable[Finding]) -> list[str]:
    """Return the findings for people."""
    return [f"{_MARKS[f.level]}: {f.message}" for f in findings]


def change_document(change: Change) -> dict[str, Any]:
    """Return a change as a document, without the bytes of its patch sets."""
    latest = change.latest
    return {
        "change_id": change.id,
        "number": change.number,
        "kind": change.kind.value,
        "state": change.state.value,
        "case_id": change.case_id,
        "answer_id": change.answer_id,
        "failure": change.failure.value if change.failure else None,
        "patch_set": latest.number,
        "authors": [str(a) for a in change.authors],
        "reason": latest.reason,
        "base_version": latest.base_version,
        "created_at": change.created_at.isoformat(),
        "approvals": approval_documents(change),
        "comments": [
            {
                "person": str(c.person),
                "at": c.at.isoformat(),
                "patch_set": c.patch_set,
                "field": c.field,
                "text": c.text,
            }
            for c in change.comments
        ],
        "findings": finding_documents(latest.findings),
        "conflict": change.conflict,
        "version": change.version,
        "commit": change.commit,
    }


def approval_documents(change: Change) -> list[dict[str, Any]]:
    """Return the approvals that count, as documents."""
    return [
        {"person": str(a.person), "patch_set": a.patch_set, "at": a.at.isoformat()}
        for a in change.valid_approvals
    ]


def change_line(change: Change) -> str:
    """Return a change in one line: `0148 Edit q-0093 · proposed · Mia Kim · patch set 2`."""
    what = f"{change.kind.value.capitalize()} {change.case_id or ''}".rstrip()
    names = ", ".join(a.name for a in change.authors)
    return (
        f"{change.shown_number} {what} · {change.state.value.replace('_', ' ')} · {names} "
        f"· patch set {change.latest.number}"
    )


def joined(parts: Sequence[str]) -> str:
    """Return the parts in one line, separated by a middle dot."""
    return " · ".join(part for part in parts if part)


def name_of(person: str | None) -> str:
    """Return the name of a person written as `Name <email>`; `unknown` where nobody is named."""
    return (person or "").partition("<")[0].strip() or "unknown"


def coverage_lines(grid: Coverage) -> list[str]:
    """Return the coverage grid as a table of text, and the holes."""
    width = max(len(row) for row in (*grid.rows, "type"))
    widths = [max(len(column), 4) for column in grid.columns]
    head = [column.rjust(at) for column, at in zip(grid.columns, widths, strict=True)]
    lines = ["  ".join(["type".ljust(width), *head])]
    for row in grid.rows:
        counts = [grid.cells[row][column] for column in grid.columns]
        cells = [str(n).rjust(at) for n, at in zip(counts, widths, strict=True)]
        lines.append("  ".join([row.ljust(width), *cells]))
    asked = "the policy asks for" if grid.target is not None else "no target is set; counted is"
    holes = plural(len(grid.holes), "hole")
    lines.append(f"{plural(grid.cases, 'case')}, {holes} ({asked} {grid.wanted} a cell)")
    return lines


def first_lines(first: Sequence[FirstToCover]) -> list[str]:
    """Return the logged questions to cover first, each with the cell that it fills."""
    if not first:
        return ["No logged question that waits would fill a hole."]
    return [
        "Cover first:",
        *(
            f"{one.candidate.answer_id}  {one.candidate.row} × {one.candidate.column}"
            f" ({one.cases} of {one.wanted})  {one.candidate.question}"
            for one in first
        ),
    ]
