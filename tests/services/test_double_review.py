"""Two people look at one answer without knowing of each other (review-experience 12.11)."""

import pytest
from sqlalchemy import event

from curation.domain.queue import QueueFilter, QueueState
from curation.domain.review import AnswerState, Verdict
from curation.domain.sample import Arm, SampleRequest
from curation.errors import CurationError
from curation.services import changes, review, sampling
from curation.services.desk import read_counts
from curation.services.near import NearNotCoveredError, cover_near
from curation.services.queue_yield import what_if
from curation.services.triage import list_queue, next_answer
from curation.services.verdicts import Dismissal, dismiss, give_back, renew, undo
from curation.store.answers import answer_state
from curation.store.breaks import bad_without_category, confirmed_failures
from curation.store.sampling import read_sightings
from tests.services.review_world import ANA, MIA, NOW, ROB, opened, proposed


@pytest.fixture
def world(tmp_path):
    with opened(tmp_path, answers=1) as workspace:
        sampling.draw(workspace, ANA, SampleRequest(n=1, double=1.0), now=NOW)
        yield workspace


def seen_by(world, person):
    """Everything that a person's lists say, times aside."""
    page = list_queue(world, person, QueueFilter(), now=NOW)
    lists = changes.list_for(world, person)
    return page, lists, changes.waiting_for(world, person), changes.all_changes(world)


def right(world, person):
    return dismiss(world, person, "a-1", Dismissal(verdict=Verdict.RIGHT), now=NOW)


def test_the_second_person_sees_the_same_whatever_the_first_did(world):
    before = seen_by(world, ROB)
    next_answer(world, MIA, QueueFilter(), now=NOW)
    assert seen_by(world, ROB) == before
    change = proposed(world).change
    assert seen_by(world, ROB) == before
    with pytest.raises(CurationError, match="There is no change"):
        changes.get(world, change.id, viewer=ROB)
    with pytest.raises(CurationError, match="There is no change"):
        changes.approve(world, change.id, person=ANA, now=NOW)
    assert changes.get(world, change.id, viewer=MIA) == change
    assert next_answer(world, ROB, QueueFilter(), now=NOW) == "a-1"


def test_the_first_person_is_not_served_it_again(world):
    proposed(world)
    assert next_answer(world, MIA, QueueFilter(), now=NOW) is None
    with pytest.raises(CurationError, match="Mia Kim finished this answer"):
        right(world, MIA)


def test_two_verdicts_that_agree_decide(world):
    right(world, MIA)
    with world.store.reading() as session:
        assert answer_state(session, "a-1") is AnswerState.OPEN
    right(world, ROB)
    with world.store.reading() as session:
        assert answer_state(session, "a-1") is AnswerState.DISMISSED
    with pytest.raises(CurationError, match="yours stays"):
        undo(world, MIA, now=NOW)


def test_two_that_differ_wait_for_a_third_look(world):
    change = proposed(world).change
    right(world, ROB)
    assert sampling.estimate(world).progress.to_settle == 1
    assert changes.get(world, change.id, viewer=ROB) == change
    with pytest.raises(CurationError, match="awaited"):
        changes.approve(world, change.id, person=ROB, now=NOW)
    right(world, ANA)
    found = sampling.estimate(world).progress
    assert (found.to_settle, found.finished) == (0, 1)


def test_undo_before_the_second_verdict_opens_it_again(world):
    change = proposed(world).change
    undo(world, MIA, now=NOW)
    assert sampling.estimate(world).progress.finished == 0
    assert changes.get(world, change.id, viewer=MIA).state.closed
    assert changes.all_changes(world, viewer=ROB) == ()


def test_a_first_verdict_counts_nowhere_and_takes_no_remark_before_the_second(world):
    change = proposed(world).change
    assert counted(world) == ((), 0)
    with pytest.raises(CurationError, match="There is no change"):
        changes.comment(world, change.id, person=ROB, text="I know its number.", now=NOW)
    with pytest.raises(CurationError, match="There is no change"):
        changes.ask(world, change.id, person=ROB, text="I know its number.", now=NOW)


def counted(world):
    with world.store.reading() as session:
        return confirmed_failures(session), bad_without_category(session)


def counts_of(world, person, state=QueueState.TO_REVIEW):
    page = list_queue(world, person, QueueFilter(state=state), now=NOW)
    states = page.counts.model_dump(exclude_defaults=True)
    return states, [(row.answer_id, row.state.value) for row in page.rows], page.shown


def test_to_the_first_person_the_answer_is_done_and_to_the_second_it_is_to_review(world):
    proposed(world)
    assert counts_of(world, MIA) == ({"done": 1}, [], 0)
    assert counts_of(world, MIA, QueueState.DONE) == ({"done": 1}, [("a-1", "done")], 1)
    assert counts_of(world, ROB) == ({"open": 1}, [("a-1", "open")], 1)
    assert counts_of(world, None, QueueState.DONE) == ({"open": 1}, [], 0)
    assert read_counts(world, MIA, "a-1", now=NOW).to_review == 0
    assert read_counts(world, ROB, "a-1", now=NOW).to_review == 1


def test_their_own_hold_is_held_to_one_person_and_open_to_the_other(world):
    next_answer(world, MIA, QueueFilter(), now=NOW)
    assert counts_of(world, MIA, QueueState.MINE) == ({"held": 1}, [("a-1", "held")], 1)
    assert counts_of(world, ROB) == ({"open": 1}, [("a-1", "open")], 1)


def test_no_check_tells_the_second_person_of_a_case_that_waits_behind_the_first_verdict(tmp_path):
    with opened(tmp_path, answers=2) as world:
        sampling.draw(world, ANA, SampleRequest(n=2, double=1.0), now=NOW)
        before = review.load_work(world, ROB, "a-2").pending
        proposed(world)
        assert review.load_work(world, ROB, "a-2").pending == before == ()
        assert len(review.load_work(world, MIA, "a-2").pending) == 1


def judged(world):
    found = what_if(world, None).after
    return found.answers, found.bad


def test_the_yield_takes_the_verdict_that_decides_and_none_before(world):
    assert judged(world) == (0, 0)
    right(world, MIA)
    assert judged(world) == (0, 0)
    right(world, ROB)
    assert judged(world) == (1, 0)


def test_covering_what_is_near_says_the_same_whether_or_not_a_first_verdict_is_in(world):
    def refusal(person):
        with pytest.raises(NearNotCoveredError) as said:
            cover_near(world, "a-1", person=person)
        return str(said.value)

    before = refusal(ROB)
    proposed(world)
    assert refusal(ROB) == before
    assert "another person's verdict" in refusal(MIA)


def test_another_sample_is_drawn_from_the_same_answers_whether_or_not_a_first_verdict_is_in(world):
    proposed(world)
    assert sampling.draw(world, ROB, SampleRequest(n=1), now=NOW).frame == 1


def test_where_both_propose_a_case_one_stays_when_the_other_is_withdrawn(world):
    first, second = proposed(world).change, proposed(world, person=ROB).change
    changes.withdraw(world, second.id, person=ROB)
    with world.store.reading() as session:
        assert answer_state(session, "a-1") is AnswerState.DONE
    assert changes.why_not_approvable(world, changes.get(world, first.id), ANA) is None
    changes.withdraw(world, first.id, person=MIA)
    with world.store.reading() as session:
        assert answer_state(session, "a-1") is AnswerState.OPEN


def test_a_control_item_is_read_by_the_same_queries_as_one_that_looks_bad(tmp_path):
    with opened(tmp_path, answers=2) as world:
        drawn = sampling.draw(world, ANA, SampleRequest(n=2, control=0.5), now=NOW)
        with world.store.reading() as session:
            items = read_sightings(session, drawn)
        asked = {item.arm: queries(world, item.answer_id) for item in items}
    assert asked[Arm.CONTROL] == asked[Arm.TARGETED]
    assert len(asked[Arm.CONTROL]) > 10


def queries(world, answer_id):
    """The statements that opening an answer sends, without the values in them."""
    found = []

    def note(_connection, _cursor, statement, *_rest):
        found.append(statement)

    event.listen(world.store.engine, "before_cursor_execute", note)
    try:
        work = review.load_work(world, ROB, answer_id)
        review.check_work(world, work)
        read_counts(world, ROB, answer_id, now=NOW)
        renew(world, ROB, answer_id, now=NOW)
        give_back(world, ROB, answer_id)
    finally:
        event.remove(world.store.engine, "before_cursor_execute", note)
    return found
