"""Signals derived from sessions, in the store and in the queue."""

import pytest

from curation.services.intake import ingest
from curation.services.signals import derive_signals
from curation.services.triage import QueueFilter, list_queue
from curation.store.answers import load_answers
from curation.store.session_signals import note_derived_by
from tests.services.home import MIA, NOW, log, record


def bring(home, *records, name="log.jsonl"):
    return ingest(home, [log(home.settings.home, *records, name=name)], now=NOW)


def asked(name, minute, question, **fields):
    at = f"2026-11-02T09:{minute:02}:00Z"
    return record(name, asked_at=at, session_id="s", user_id="u", question=question, **fields)


def signals(home, name):
    with home.store.reading() as session:
        stored = load_answers(session, [name])[name].signals
    return [(s.kind.value, (s.rule or "").partition(":")[2]) for s in stored]


def reasons(home):
    rows = list_queue(home, MIA, QueueFilter(), now=NOW).rows
    return {row.answer_id: (row.priority, row.reasons) for row in rows}


AGAIN = [asked("a", 0, "What is X?"), asked("b", 1, "what is x")]


def test_an_import_derives_them_and_the_queue_knows(home):
    bring(home, *AGAIN, record("z", asked_at="2026-11-03T09:00:00Z"))
    assert signals(home, "a") == [("reformulation", "same_question")]
    assert signals(home, "b") == []
    # two answers of one group, one user who asked again: 2 x (2 x 0.95)
    assert reasons(home)["a"] == (pytest.approx(3.8), ("reformulation",))


def test_a_later_import_of_the_same_session_goes_on_from_the_earlier_one(home):
    bring(home, asked("a", 0, "What is X?", answer=""))
    assert signals(home, "a") == []
    bring(home, record("z", asked_at="2026-11-03T09:00:00Z"), name="next.jsonl")
    assert signals(home, "a") == [("abandoned", "empty_answer")]
    bring(home, AGAIN[1], name="again.jsonl")
    assert signals(home, "a") == [("reformulation", "same_question")]


def test_deriving_again_changes_nothing_and_so_does_importing_again(home):
    bring(home, *AGAIN)
    first = derive_signals(home, now=NOW)
    assert (first.sessions, first.answers, first.signals) == (1, 2, {"reformulation": 1})
    assert (first.added, first.removed) == (0, 0)
    assert bring(home, *AGAIN).unchanged == 2
    assert signals(home, "a") == [("reformulation", "same_question")]


def test_what_the_log_says_is_never_replaced(home):
    bring(home, asked("a", 0, "What is X?", signals=[{"kind": "reformulation"}]), AGAIN[1])
    assert signals(home, "a") == [("reformulation", "")]
    # the log learns of it later: the derived one gives way
    bring(home, *[r | {"id": r["id"] + "2", "session_id": "t"} for r in AGAIN], name="t.jsonl")
    assert signals(home, "a2") == [("reformulation", "same_question")]
    late = AGAIN[0] | {"id": "a2", "session_id": "t", "signals": [{"kind": "reformulation"}]}
    bring(home, late, name="late.jsonl")
    assert signals(home, "a2") == [("reformulation", "")]


def test_an_import_under_new_rules_derives_all_of_them_anew(home):
    bring(home, *AGAIN)
    with home.store.writing() as session:
        note_derived_by(session, -1)
        session.connection().exec_driver_sql(
            "UPDATE signal SET rule = 'session/0:same_question', confidence = 0.1"
        )
    bring(home, record("other"), name="other.jsonl")
    assert signals(home, "a") == [("reformulation", "same_question")]
    assert reasons(home)["a"][0] == pytest.approx(3.8)
