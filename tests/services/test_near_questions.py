"""Questions that ask nearly the same raise each other's frequency, and nothing else."""

import pytest

from curation.domain.person import Person
from curation.domain.queue import QueueFilter, QueueState
from curation.domain.review import Verdict
from curation.services.intake import ingest
from curation.services.near import NearNotCoveredError, cover_near, near_questions
from curation.services.priority import rebuild_near_groups, rebuild_priorities
from curation.services.triage import list_queue
from curation.store.reviews import undo_review
from tests.services.home import NOW, log, record
from tests.store.logs import finish

MIA = Person(name="Mia Kim", email="mia@example.org")
SIGNAL = [{"kind": "thumbs_down"}]


def bring(home, tmp_path, *records, name="log.jsonl"):
    ingest(home, [log(tmp_path, *records, name=name)], now=NOW)


def asked(home):
    page = list_queue(home, MIA, QueueFilter(), now=NOW)
    return {row.question: row.asked for row in page.rows}


def rebuild(home):
    found = rebuild_near_groups(home)
    rebuild_priorities(home)
    return found


ONE, TWO, OTHER = (
    "How do I reset my password?",
    "How do I reset my passwords?",
    "How do I reset my password in v4.2?",
)


def records(*questions, start=0):
    return [record(f"a{start + n}", question=q, signals=SIGNAL) for n, q in enumerate(questions)]


def test_near_questions_count_together_after_a_rebuild(home, tmp_path):
    bring(home, tmp_path, *records(ONE, ONE, TWO, OTHER))
    assert asked(home) == {ONE: 2, TWO: 1, OTHER: 1}
    assert rebuild(home) == 2
    assert asked(home) == {ONE: 3, TWO: 3, OTHER: 1}


def test_a_new_answer_raises_its_near_questions_too(home, tmp_path):
    bring(home, tmp_path, *records(ONE, TWO))
    rebuild(home)
    bring(home, tmp_path, *records(TWO, TWO, start=10), name="more.jsonl")
    assert asked(home) == {ONE: 4, TWO: 4}


def test_a_rebuild_forgets_what_was_before_and_covers_nothing(home, tmp_path):
    bring(home, tmp_path, *records(ONE, TWO))
    assert rebuild(home) == rebuild(home) == 2
    page = list_queue(home, MIA, QueueFilter(), now=NOW)
    assert (page.counts.open, page.counts.covered, page.counts.all) == (2, 0, 2)


def test_a_question_with_earlier_turns_is_never_near_another(home, tmp_path):
    turn = [{"role": "user", "text": "About the admin console."}]
    follow = record("b", question=TWO, signals=SIGNAL, conversation=turn)
    bring(home, tmp_path, *records(ONE), follow)
    assert rebuild(home) == 0


def rows(home, state=QueueState.TO_REVIEW):
    found = list_queue(home, MIA, QueueFilter(state=state), now=NOW)
    return {row.answer_id: row for row in found.rows}, found.counts


def test_a_row_says_how_many_open_answers_ask_nearly_the_same(home, tmp_path):
    bring(home, tmp_path, *records(ONE, TWO, TWO, OTHER))
    assert {row.near for row in rows(home)[0].values()} == {0}
    rebuild(home)
    assert {row.question: row.near for row in rows(home)[0].values()} == {ONE: 2, TWO: 1, OTHER: 0}
    assert [(one.question, one.open) for one in near_questions(home, "a0")] == [(TWO, 2)]
    finish(home.store, "a0", Verdict.NOT_ACTIONABLE)
    assert {row.question: row.near for row in rows(home)[0].values()} == {TWO: 0, OTHER: 0}


def test_a_review_covers_what_asks_nearly_the_same_only_when_somebody_says_so(home, tmp_path):
    bring(home, tmp_path, *records(ONE, TWO, TWO, OTHER))
    other = record("b1", question=TWO, pipeline_version="p2", signals=SIGNAL)
    bring(home, tmp_path, other, name="more.jsonl")
    rebuild(home)
    with pytest.raises(NearNotCoveredError, match="no verdict yet"):
        cover_near(home, "a0", person=MIA)
    finish(home.store, "a0", Verdict.NOT_ACTIONABLE)
    assert rows(home)[1].covered == 0
    assert cover_near(home, "a0", person=MIA) == 2
    found, counts = rows(home)
    assert set(found) == {"a3", "b1"}  # another version of the pipeline stays open
    assert (counts.open, counts.dismissed, counts.covered, counts.all) == (2, 1, 2, 5)
    assert cover_near(home, "a0", person=MIA) == 0
    with home.store.writing() as session:
        undo_review(session, "a0", MIA)
    assert (rows(home)[1].open, rows(home)[1].covered) == (5, 0)


def test_right_says_something_of_one_text_only(home, tmp_path):
    bring(home, tmp_path, *records(ONE, TWO))
    rebuild(home)
    finish(home.store, "a0", Verdict.RIGHT)
    with pytest.raises(NearNotCoveredError, match="its own text only"):
        cover_near(home, "a0", person=MIA)
    assert rows(home)[1].covered == 0
