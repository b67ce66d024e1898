"""Exported lists."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event

from curation.domain.queue import QueueFilter, QueueRow
from curation.domain.review import AnswerState
from curation.services import intake, queue_export, triage
from curation.services.queue_export import ExportFormat, export_queue, safe_cell
from tests.services.home import MIA, NOW, log, record, workspace


def row(question: str) -> QueueRow:
    return QueueRow(
        answer_id="a1",
        question=question,
        priority=-2.5,
        reasons=("thumbs up",),
        asked=1,
        slice="@home",
        date=None,
        more=0,
        state=AnswerState.OPEN,
    )


@given(st.text())
def test_no_cell_is_a_formula(text: str) -> None:
    cell = safe_cell(text)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert cell.removeprefix("'") == text.removeprefix("'") or cell == text


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0")))
def test_the_table_reads_back(question: str) -> None:
    text = queue_export._as_csv(iter([row(question)])).decode("utf-8-sig")
    cells = list(csv.reader(io.StringIO(text, newline="")))
    assert cells[1][2] == safe_cell(question)
    assert cells[1][1] == "-2.500"
    assert cells[1][5] == "'@home"


def test_a_list_is_exported_as_it_is_at_one_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two pages a log comes in whose answers are all worth more."""
    monkeypatch.setattr(triage, "MANY", 3)
    home = workspace(tmp_path)
    before = [f"old{n}" for n in range(7)]
    intake.ingest(home, [log(tmp_path, *map(record, before))], now=NOW)
    down = {"signals": [{"kind": "correction"}]}
    more = log(tmp_path, *(record(f"new{n}", **down) for n in range(4)), name="more.jsonl")
    pages = 0

    def between(*_what: object) -> None:
        nonlocal pages
        pages += "OFFSET" in str(_what[2])
        if pages == 2:
            pages += 1
            intake.ingest(home, [more], now=NOW)

    event.listen(home.store.engine, "before_cursor_execute", between)
    data = export_queue(home, MIA, QueueFilter(), now=NOW, form=ExportFormat.JSONL)
    assert pages > 2
    exported = [json.loads(line)["answer_id"] for line in data.decode().splitlines()]
    assert sorted(exported) == before
    home.store.dispose()
