"""Questions that ask nearly the same raise each other's frequency, and nothing else."""

import pytest

from curation.domain.person import Person
from curation.domain.queue import QueueFilter
from curation.services.intake import ingest
from curation.services.priority import rebuild_near_groups, rebuild_priorities
from curation.services.triage import list_queue
from tests.services.home import NOW, log, record, workspace

MIA = Person(name="Mia Kim", email="mia@example.org")
SIGNAL = [{"kind": "thumbs_down"}]


@pytest.fixture
def home(tmp_path):
    opened = workspace(tmp_path)
    yield opened
    opened.store.dispose()


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
