"""Two people look at one answer without knowing of each other (review-experience 12.11)."""

import pytest

from curation.domain.queue import QueueFilter
from curation.domain.review import AnswerState, Verdict
from curation.domain.sample import SampleRequest
from curation.errors import CurationError
from curation.services import changes, sampling
from curation.services.triage import list_queue, next_answer
from curation.services.verdicts import Dismissal, dismiss, undo
from curation.store.answers import answer_state
from curation.store.breaks import bad_without_category, confirmed_failures
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
    assert changes.get(world, change.id).state.closed


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
