"""Exported lists."""

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from curation.domain.queue import QueueRow
from curation.domain.review import AnswerState
from curation.services import queue_export
from curation.services.queue_export import safe_cell


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
