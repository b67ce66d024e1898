"""Verdicts of two people in the store: what one that stands covers, and two given at once."""

import threading

import pytest

from curation.domain.adjudication import Settlement
from curation.domain.person import Person
from curation.domain.review import AnswerState, Verdict
from curation.domain.sample import Arm, Drawn, SampleRequest
from curation.store.adjudication import read_contest, settle, take_back
from curation.store.answers import answer_state
from curation.store.reviews import deciding, deciding_only, get_reviews
from curation.store.sampling import save_sample
from tests.store.logs import MIA, NOW, ROB, answer, finish, put

ANA = Person(name="Ana Ruiz", email="ana@example.org")
SAME = {"question": "Same?", "pipeline_version": "p1"}


@pytest.fixture
def pair(store):
    """Two answers to one question; two people are to look at the first."""
    put(store, answer("a", **SAME), answer("b", **SAME))
    item = Drawn(answer_id="a", arm=Arm.CONTROL, pi=1.0, slots=2)
    with store.writing() as session:
        save_sample(session, SampleRequest(n=1), [item], frame=2, person=MIA, now=NOW)
    return store


def states(store):
    with store.reading() as session:
        return [answer_state(session, name) for name in "ab"]


def stand(store, person):
    """Let the verdict of one of the people stand; return what was settled."""
    with store.writing() as session:
        contest = read_contest(session, "a")
        assert contest is not None
        chosen = contest.of(person)
        assert chosen is not None
        word = Settlement(review_id=chosen.review_id, person=ANA, at=NOW, reason="so")
        settle(session, "a", word)
        return word


def test_the_verdict_that_stands_covers_what_it_answers_for_and_opens_it_when_taken_back(pair):
    finish(pair, "a", Verdict.NOT_ACTIONABLE)
    finish(pair, "a", Verdict.RIGHT, person=ROB)
    assert states(pair) == [AnswerState.OPEN, AnswerState.OPEN]
    word = stand(pair, MIA)
    assert states(pair) == [AnswerState.DISMISSED, AnswerState.COVERED]
    with pair.reading() as session:
        decides = deciding(session, "a")
        assert decides is not None
        assert decides.person == MIA
        assert [review.person for review in deciding_only(session)] == [MIA]
        assert len(get_reviews(session, "a")) == 2
    with pair.writing() as session:
        take_back(session, "a", word)
    assert states(pair) == [AnswerState.OPEN, AnswerState.OPEN]
    stand(pair, ROB)  # right holds for its own text only
    assert states(pair) == [AnswerState.DISMISSED, AnswerState.OPEN]


def test_two_verdicts_given_at_once_decide(pair):
    ready = threading.Barrier(2)

    def give(person):
        ready.wait()
        finish(pair, "a", Verdict.RIGHT, person=person)

    both = [threading.Thread(target=give, args=(person,)) for person in (MIA, ROB)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert states(pair)[0] is AnswerState.DISMISSED
