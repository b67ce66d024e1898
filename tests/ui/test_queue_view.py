"""The queue as it is drawn."""

import re
from datetime import UTC, datetime

import pytest

from curation.domain.person import Person
from curation.domain.queue import HeldAnswer, QueueCounts, QueueFilter, QueuePage, QueueRow
from curation.domain.review import AnswerState, Lease
from curation.ui.holders import held_sentence
from curation.ui.queue_filters import QueueView
from curation.ui.queue_view import Around, draw_queue, draw_unreadable
from curation.ui.tree import node, words

ROB = Person(name="Rob Oduya", email="rob@x.test")
ANA = Person(name="Ana Ruiz", email="ana@x.test")


def held(person: Person, minute: int) -> HeldAnswer:
    until = datetime(2026, 11, 30, 10, minute, tzinfo=UTC)
    return HeldAnswer(answer_id=f"a{minute}", lease=Lease(person=person, until=until))


def row(**more: object) -> QueueRow:
    plain: dict[str, object] = {
        "answer_id": "a1",
        "question": "What is it?",
        "priority": 108.8,
        "reasons": ("correction", "thumbs down"),
        "asked": 12,
        "slice": "billing",
        "date": datetime(2026, 11, 27, tzinfo=UTC),
        "more": 0,
        "state": AnswerState.OPEN,
    }
    return QueueRow.model_validate(plain | more)


def text(view: QueueView, page: QueuePage, around: Around | None = None) -> str:
    return words(node("div", *draw_queue(view, page, UTC, around)))


def test_the_count_sentence_adds_up() -> None:
    counts = QueueCounts(open=40, held=2, done=6, dismissed=3, covered=0)
    said = text(QueueView(), QueuePage(rows=(row(),), counts=counts, shown=18))
    assert "18 shown · 40 to review + 2 held + 6 done + 3 dismissed + 0 covered = 51 in all" in said
    numbers = [int(n) for n in re.findall(r"(\d+) (?:to review|held|done|dismissed|cov)", said)]
    assert sum(numbers) == 51


def test_a_row_without_a_signal_says_so_and_keeps_its_priority_to_itself() -> None:
    said = text(QueueView(), QueuePage(rows=(row(priority=None, reasons=()),)))
    assert "–What is it?score or sample" in said


def test_at_most_four_reasons_are_shown() -> None:
    said = text(QueueView(), QueuePage(rows=(row(reasons=("a1", "b2", "c3", "d4", "e5")),)))
    assert "a1 · b2 · c3 · d4" in said
    assert "e5" not in said


@pytest.mark.parametrize(
    ("view", "around", "sentence"),
    [
        (QueueView(), Around(counts=QueueCounts()), "No answers yet. Bring in a log to begin."),
        (
            QueueView(),
            Around(counts=QueueCounts(done=45, dismissed=6), waiting=4),
            "All 51 answers are reviewed. 4 changes wait for approval.",
        ),
        (
            QueueView(),
            Around(counts=QueueCounts(held=2, done=9), leases=(held(ANA, 47), held(ROB, 42))),
            (
                "Nothing is free right now: 2 answers are held. "
                "Rob Oduya until 10:42, Ana Ruiz until 10:47."
            ),
        ),
        (
            QueueView(filters=QueueFilter(words="zebra")),
            Around(counts=QueueCounts(open=40)),
            "Nothing matches these filters. 40 answers are waiting without them.",
        ),
    ],
)
def test_an_empty_list_says_why(view: QueueView, around: Around, sentence: str) -> None:
    assert sentence in text(view, QueuePage(), around)


def test_held_answers_are_never_called_reviewed() -> None:
    around = Around(counts=QueueCounts(held=1, done=9), leases=(held(ROB, 42),))
    assert "reviewed" not in text(QueueView(), QueuePage(), around)


def test_who_holds_what_until_when() -> None:
    assert held_sentence((held(ROB, 47), held(ROB, 42)), UTC) == (
        "2 held: Rob Oduya, until 10:42 and 10:47"
    )


def test_many_holds_are_said_once_for_each_time_and_from_the_first_to_the_last() -> None:
    several = (held(ROB, 42), held(ROB, 42), held(ANA, 44), held(ANA, 49), held(ANA, 47))
    assert held_sentence(several, UTC) == (
        "5 held: Rob Oduya, until 10:42; Ana Ruiz, until 10:44 to 10:49"
    )


def test_that_a_row_stands_for_several_answers_is_said_beside_the_count() -> None:
    counts = QueueCounts(open=3)
    page = QueuePage(rows=(row(more=2),), counts=counts, shown=1)
    assert "1 shown, one row for each question · 3 to review" in text(QueueView(), page)


def test_an_unreadable_store_is_never_called_done() -> None:
    said = words(node("div", *draw_unreadable("the disk is full.")))
    assert "The queue could not be read (the disk is full). Nothing is lost." in said


def test_a_question_is_literal() -> None:
    said = text(QueueView(), QueuePage(rows=(row(question="![x](http://a) <b>\u202e"),)))
    assert "![x](http://a) <b>⟦U+202E⟧" in said
