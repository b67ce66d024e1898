"""Verdicts, what they cover, and taking them back; the counts always add up."""

import threading
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from curation.domain.queue import QueueFilter, QueueState
from curation.domain.review import AnswerState, Verdict
from curation.store.answers import answer_state
from curation.store.claims import claim
from curation.store.drafts import archive_draft, load_draft, save_fields
from curation.store.queue import count_queue, read_page
from curation.store.reviews import (
    done_today,
    get_reviews,
    is_blind,
    last_reviews,
    mark_not_blind,
    record_review,
    reopen_answers,
    undo_review,
)
from curation.store.schema import ANSWER, QUESTION_GROUP
from tests.store.logs import MIA, NOW, ROB, answer, finish, put

SAME = {"question": "Same?", "pipeline_version": "p1", "answer": "Text."}


def states(store):
    with store.reading() as session:
        rows = session.connection().execute(select(ANSWER.c.id, ANSWER.c.state))
        return {row.id: row.state for row in rows}


def open_counts_are_right(store):
    """What the groups remember equals what the answers say."""
    with store.reading() as session:
        connection = session.connection()
        groups = connection.execute(select(QUESTION_GROUP.c.id, QUESTION_GROUP.c.open_count))
        for group in groups:
            really = select(func.count()).where(
                ANSWER.c.group_id == group.id, ANSWER.c.state == "open"
            )
            assert connection.execute(really).scalar() == group.open_count


@pytest.fixture
def five(store):
    """Four answers to one question, two with the same text, one of another version; one alone."""
    put(
        store,
        answer("a", **SAME),
        answer("b", **SAME),
        answer("c", **SAME | {"answer": "Other text."}),
        answer("d", **SAME | {"pipeline_version": "p2"}),
        answer("e"),
    )
    return store


@pytest.mark.parametrize(
    ("verdict", "mine", "covered"),
    [
        (Verdict.PROPOSED, "done", {"b", "c"}),
        (Verdict.EDITED, "done", {"b", "c"}),
        (Verdict.DUPLICATE, "dismissed", {"b", "c"}),
        (Verdict.NOT_ACTIONABLE, "dismissed", {"b", "c"}),
        (Verdict.RIGHT, "dismissed", {"b"}),
    ],
)
def test_a_verdict_covers_its_group_of_that_pipeline_version(five, verdict, mine, covered):
    finish(five, "a", verdict)
    expected = {"a": mine} | {i: "covered" if i in covered else "open" for i in "bcde"}
    assert states(five) == expected
    open_counts_are_right(five)


def test_answers_that_come_later_are_covered_too(five):
    finish(five, "a", Verdict.RIGHT)
    put(
        five,
        answer("later same text", **SAME),
        answer("later other text", **SAME | {"answer": "News."}),
        answer("later other version", **SAME | {"pipeline_version": "p3"}),
    )
    found = states(five)
    assert found["later same text"] == "covered"
    assert found["later other text"] == found["later other version"] == "open"
    open_counts_are_right(five)


def test_undo_restores_the_answer_what_it_covered_and_the_draft(five):
    with five.writing() as session:
        save_fields(session, "a", MIA, {"reference": "text"}, now=NOW)
    before = states(five)
    review = finish(five, "a")
    with five.writing() as session:
        archive_draft(session, "a", MIA)
    with five.writing() as session:
        assert undo_review(session, "a", ROB) is None
        assert undo_review(session, "a", MIA) == review
    assert states(five) == before
    open_counts_are_right(five)
    with five.reading() as session:
        assert load_draft(session, "a", MIA).draft.reference == "text"
        assert get_reviews(session, "a") == ()


def test_what_two_reviews_cover_stays_covered_when_one_is_undone(five):
    finish(five, "a")
    finish(five, "c", Verdict.NOT_ACTIONABLE)
    assert states(five)["b"] == "covered"
    with five.writing() as session:
        undo_review(session, "a", MIA)
    assert states(five) == {
        "a": "covered",
        "b": "covered",
        "c": "dismissed",
        "d": "open",
        "e": "open",
    }
    open_counts_are_right(five)


def test_a_covered_answer_may_get_a_verdict_of_its_own(five):
    finish(five, "a")
    finish(five, "b", Verdict.RIGHT, person=ROB)
    with five.writing() as session:
        undo_review(session, "a", MIA)
    assert states(five)["b"] == "dismissed"


def test_a_withdrawn_change_reopens_its_answer_and_what_that_covered(five):
    finish(five, "a", change_id="ch-1")
    finish(five, "e", change_id="ch-2")
    with five.writing() as session:
        assert reopen_answers(session, "ch-1") == ("a",)
        assert reopen_answers(session, "ch-9") == ()
    assert states(five) == {"a": "open", "b": "open", "c": "open", "d": "open", "e": "done"}
    open_counts_are_right(five)
    finish(five, "a", Verdict.RIGHT)
    with five.reading() as session:
        assert [r.verdict for r in get_reviews(session, "a")] == [Verdict.RIGHT]


def test_reviews_are_listed_newest_first_and_counted_by_day(five):
    finish(five, "a", later=timedelta(days=-1))
    finish(five, "d", Verdict.RIGHT)
    finish(five, "e", Verdict.RIGHT, later=timedelta(hours=1))
    with five.reading() as session:
        assert [r.answer_id for r in last_reviews(session, MIA, 2)] == ["e", "d"]
        assert last_reviews(session, ROB, 2) == ()
        assert done_today(session, MIA, NOW) == 2
        assert done_today(session, MIA, NOW - timedelta(days=1)) == 1


def test_a_review_after_a_look_at_the_judge_is_not_blind(five):
    with five.writing() as session:
        mark_not_blind(session, "a", MIA, now=NOW)
        mark_not_blind(session, "a", MIA, now=NOW)
        assert not is_blind(session, "a", MIA)
        assert is_blind(session, "a", ROB)
    finish(five, "a")
    finish(five, "e")
    with five.reading() as session:
        assert [get_reviews(session, i)[0].blind for i in ("a", "e")] == [False, True]


def test_the_counts_add_up_after_every_step(five):
    def counts(later=timedelta()):
        with five.reading() as session:
            return count_queue(session, QueueFilter(), NOW + later)

    def tuple_of(found):
        assert found.all == 5
        return (found.open, found.held, found.done, found.dismissed, found.covered)

    assert tuple_of(counts()) == (5, 0, 0, 0, 0)
    with five.writing() as session:
        claim(session, "a", MIA, now=NOW, minutes=30)
        claim(session, "e", ROB, now=NOW, minutes=30)
    assert tuple_of(counts()) == (3, 2, 0, 0, 0)
    assert tuple_of(counts(timedelta(hours=1))) == (5, 0, 0, 0, 0)
    finish(five, "a")
    assert tuple_of(counts()) == (1, 1, 1, 0, 2)
    finish(five, "e", Verdict.RIGHT, person=ROB)
    assert tuple_of(counts()) == (1, 0, 1, 1, 2)
    with five.writing() as session:
        undo_review(session, "a", MIA)
    assert tuple_of(counts()) == (3, 1, 0, 1, 0)


def test_rows_are_groups_in_every_list(five):
    finish(five, "a")
    with five.reading() as session:
        found = {
            state: read_page(session, QueueFilter(state=state), MIA, now=NOW).shown
            for state in QueueState
        }
        assert answer_state(session, "b") is AnswerState.COVERED
        assert answer_state(session, "x") is None
    assert found == {
        QueueState.TO_REVIEW: 2,
        QueueState.MINE: 0,
        QueueState.HELD: 0,
        QueueState.DONE: 1,
        QueueState.DISMISSED: 0,
        QueueState.COVERED: 1,
    }


def test_a_second_review_of_an_answer_is_kept_beside_the_first(five):
    first = finish(five, "e")
    second = finish(five, "e", Verdict.RIGHT, person=ROB)
    with five.writing() as session:
        assert get_reviews(session, "e") == (first, second)
        record_review(session, first.model_copy(update={"reason": "again"}))
        assert undo_review(session, "e", MIA) is not None
        assert get_reviews(session, "e") == (second,)
    assert states(five)["e"] == "dismissed"


def test_people_who_finish_at_once_leave_the_right_counts(store):
    put(store, *(answer(f"a{n}", question="Same?", pipeline_version=f"p{n}") for n in range(24)))

    def work(number):
        for n in range(number, 24, 6):
            finish(store, f"a{n}", Verdict.RIGHT)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    open_counts_are_right(store)
    assert set(states(store).values()) == {"dismissed"}
