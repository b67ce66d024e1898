"""Holds: one at a time, over when the lease is, the best free answer next."""

import threading
from datetime import timedelta

import pytest

from curation.domain.person import Person
from curation.domain.queue import QueueFilter, QueueState
from curation.domain.review import Verdict
from curation.errors import NotFoundError
from curation.store.claims import (
    claim,
    claim_next,
    current_holds,
    holder,
    record_skip,
    release,
)
from tests.store.logs import MIA, NOW, ROB, answer, finish, put, score, signal

ANY = QueueFilter()


def take(store, person, answer_id, minutes=30.0, later=timedelta()):
    with store.writing() as session:
        return claim(session, answer_id, person, now=NOW + later, minutes=minutes)


def take_next(store, person, filters=ANY, later=timedelta()):
    with store.writing() as session:
        return claim_next(session, person, filters, now=NOW + later, minutes=30)


def test_a_free_answer_is_taken_and_then_held(store):
    put(store, answer("a"))
    mine = take(store, MIA, "a")
    assert mine.mine
    assert mine.lease.until == NOW + timedelta(minutes=30)
    theirs = take(store, ROB, "a", later=timedelta(minutes=29))
    assert not theirs.mine
    assert theirs.lease.person == MIA
    with store.reading() as session:
        assert holder(session, "a", NOW) == mine.lease
        assert [item.answer_id for item in current_holds(session, NOW).answers] == ["a"]


def test_a_hold_that_is_over_is_free(store):
    put(store, answer("a"))
    take(store, MIA, "a")
    with store.reading() as session:
        assert holder(session, "a", NOW + timedelta(minutes=30)) is None
        assert current_holds(session, NOW + timedelta(minutes=30)).answers == ()
    assert take(store, ROB, "a", later=timedelta(minutes=30)).mine


def test_the_holder_renews_even_late_while_nobody_took_it(store):
    put(store, answer("a"))
    take(store, MIA, "a")
    with store.writing() as session:
        later = NOW + timedelta(hours=2)
        assert claim(session, "a", MIA, now=later, minutes=5).lease.until == later + timedelta(
            minutes=5
        )


def test_only_the_holder_gives_back(store):
    put(store, answer("a"))
    take(store, MIA, "a")
    with store.writing() as session:
        release(session, "a", ROB)
        assert holder(session, "a", NOW) is not None
        release(session, "a", MIA)
        assert holder(session, "a", NOW) is None


def test_the_same_person_writes_their_address_in_whatever_case(store):
    put(store, answer("a"))
    take(store, MIA, "a")
    other = Person(name="M. Kim", email=MIA.email.upper())
    assert take(store, other, "a").mine


def test_an_unknown_answer_is_refused(store):
    with pytest.raises(NotFoundError, match="no answer 'x'"):
        take(store, MIA, "x")


def test_next_is_the_highest_priority_first(store):
    put(
        store,
        answer("plain"),
        answer("judged", scores=[score("m", 0.5)]),
        answer("corrected", signals=[signal("correction")]),
    )
    assert [take_next(store, MIA) for _ in range(4)] == ["corrected", "judged", "plain", None]


def test_next_of_a_group_is_its_worst_answer(store):
    same = {"question": "Same?"}
    put(
        store,
        answer("fine", **same),
        answer("bad", **same, signals=[signal("thumbs_down")]),
        answer("worse", **same, signals=[signal("correction")]),
    )
    assert take_next(store, MIA) == "worse"


def test_a_group_that_somebody_works_on_comes_after_the_others(store):
    same = {"question": "Same?", "signals": [signal("correction")]}
    put(store, answer("s1", **same), answer("s2", **same), answer("other"))
    first = take_next(store, MIA)
    assert first in {"s1", "s2"}
    assert take_next(store, ROB) == "other"
    assert take_next(store, ROB) in {"s1", "s2"} - {first}


def test_a_skipped_answer_is_not_served_again_that_day(store):
    put(store, answer("a", signals=[signal("correction")]), answer("b"))
    with store.writing() as session:
        record_skip(session, "a", MIA, now=NOW)
        record_skip(session, "a", MIA, now=NOW)
    assert take_next(store, MIA) == "b"
    assert take_next(store, MIA) is None
    assert take_next(store, ROB) == "a"
    with store.writing() as session:
        release(session, "a", ROB)
    assert take_next(store, MIA, later=timedelta(days=1)) == "a"


def test_next_keeps_to_the_filters(store):
    put(store, answer("a", slice="x", signals=[signal("correction")]), answer("b", slice="y"))
    assert take_next(store, MIA, QueueFilter(slice="y")) == "b"
    assert take_next(store, MIA, QueueFilter(slice="y")) is None


def test_next_of_mine_is_what_i_hold(store):
    put(store, answer("a"), answer("b", signals=[signal("correction")]))
    take(store, MIA, "a")
    take(store, ROB, "b")
    assert take_next(store, MIA, QueueFilter(state=QueueState.MINE)) == "a"


def test_finished_answers_are_not_served(store):
    put(store, answer("a"), answer("b"), answer("c"))
    finish(store, "a", Verdict.PROPOSED)
    finish(store, "b", Verdict.NOT_ACTIONABLE)
    assert take_next(store, MIA) == "c"


def test_many_people_at_once_never_get_the_same(store):
    put(store, *(answer(f"a{n}") for n in range(120)))
    got: list[str | None] = []

    def work(number):
        person = Person(name=f"P{number}", email=f"p{number}@example.org")
        got.extend(take_next(store, person) for _ in range(15))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 120
    assert None not in got
    assert len(set(got)) == 120


def test_many_people_at_once_on_one_answer_and_one_gets_it(store):
    put(store, answer("a"))
    got: list[bool] = []

    def work(number):
        person = Person(name=f"P{number}", email=f"p{number}@example.org")
        got.append(take(store, person, "a").mine)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == [False] * 11 + [True]
