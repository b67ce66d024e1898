"""Export what I see: the filtered queue as CSV that is safe to open in a spreadsheet, or JSONL."""

import csv
import io
import json
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from curation.domain.person import Person
from curation.domain.queue import QueueFilter, QueueRow
from curation.services.triage import whole_queue
from curation.services.workspace import Workspace

_COLUMNS = ("answer_id", "priority", "question", "reasons", "asked", "slice", "date", "state")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


class ExportFormat(StrEnum):
    """How the list is written."""

    CSV = "csv"
    JSONL = "jsonl"


def export_queue(
    workspace: Workspace,
    person: Person | None,
    filters: QueueFilter,
    *,
    now: datetime,
    form: ExportFormat,
    show_judge: bool = False,
) -> bytes:
    """Return every row of the filtered list, in its order."""
    rows = whole_queue(workspace, person, filters, now=now, show_judge=show_judge)
    return _as_csv(rows) if form is ExportFormat.CSV else _as_jsonl(rows)


def _as_jsonl(rows: Iterable[QueueRow]) -> bytes:
    """Return a JSON object a line."""
    lines = (
        json.dumps(row.model_dump(mode="json", include=set(_COLUMNS)), ensure_ascii=False)
        for row in rows
    )
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


def _as_csv(rows: Iterable[QueueRow]) -> bytes:
    """Return a table in UTF-8 with a mark, so that spreadsheets read it as such."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(_COLUMNS)
    for row in rows:
        writer.writerow(
            (
                safe_cell(row.answer_id),
                "" if row.priority is None else f"{row.priority:.3f}",
                safe_cell(row.question),
                safe_cell(" · ".join(row.reasons)),
                row.asked,
                safe_cell(row.slice or ""),
                row.date.isoformat() if row.date else "",
                row.state.value,
            )
        )
    return out.getvalue().encode("utf-8-sig", "backslashreplace")


def safe_cell(text: str) -> str:
    """Return the text so that no spreadsheet takes it for a formula: with a quote before it."""
    return f"'{text}" if text.startswith(_FORMULA) else text
