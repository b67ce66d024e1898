"""Answers counted to a case that waits: what becomes of them when that case does not come."""

import pytest

from curation.domain.review import AnswerState, Verdict
from curation.domain.sample import SampleRequest
from curation.errors import CurationError
from curation.services import changes, sampling, verdicts
from curation.services.adjudication import contests, let_stand, take_back
from curation.services.publish import publish
from curation.services.verdicts import Dismissal
from curation.store.answers import answer_state
from curation.store.reviews import get_reviews
from tests.services.review_world import ANA, MIA, NOW, ROB, opened, proposed

LATER = "q-0001"  # the first case that is proposed


@pytest.fixture
def world(tmp_path):
    """Mia proposed a case for `a-1`; two people are to look at `a-2`."""
    with opened(tmp_path, answers=2) as workspace:
        proposed(workspace)
        sampling.draw(workspace, ANA, SampleRequest(n=1, double=1.0), now=NOW)
        yield workspace


def counted(world, person, answer_id="a-2", case_id=LATER):
    dismissal = Dismissal(verdict=Verdict.DUPLICATE, duplicate_of=case_id)
    return verdicts.dismiss(world, person, answer_id, dismissal, now=NOW)


def right(world, person, answer_id="a-2"):
    return verdicts.dismiss(world, person, answer_id, Dismissal(verdict=Verdict.RIGHT), now=NOW)


def states(world, *answers):
    with world.store.reading() as session:
        return [answer_state(session, one) for one in answers or ("a-1", "a-2")]


def verdicts_on(world, answer_id="a-2"):
    with world.store.reading() as session:
        return [(one.person, one.verdict) for one in get_reviews(session, answer_id)]


@pytest.mark.parametrize("by", ["withdraw", "undo"])
def test_what_two_people_counted_to_it_opens_again_with_it(world, by):
    counted(world, ROB)
    counted(world, ANA)
    assert states(world) == [AnswerState.DONE, AnswerState.DISMISSED]
    if by == "withdraw":
        changes.withdraw(world, "0001", person=MIA)
    else:
        verdicts.undo(world, MIA, now=NOW)
    assert states(world) == [AnswerState.OPEN, AnswerState.OPEN]
    assert verdicts_on(world) == []


def test_the_first_of_two_that_counted_it_gives_a_new_verdict(world):
    counted(world, MIA)
    changes.withdraw(world, "0001", person=MIA)
    assert verdicts_on(world) == []
    right(world, MIA)
    right(world, ROB)
    assert states(world) == [AnswerState.OPEN, AnswerState.DISMISSED]


def test_a_verdict_that_somebody_let_stand_stays_when_the_other_s_case_goes(world):
    counted(world, MIA)
    right(world, ROB)
    let_stand(world, "a-2", ROB.email, person=ANA, reason="It is right.", now=NOW)
    changes.withdraw(world, "0001", person=MIA)
    assert states(world) == [AnswerState.OPEN, AnswerState.DISMISSED]
    assert verdicts_on(world) == [(MIA, Verdict.DUPLICATE), (ROB, Verdict.RIGHT)]


def test_an_answer_counted_to_a_case_that_did_not_stand_opens_again(tmp_path):
    with opened(tmp_path, answers=2) as world:
        with_two = SampleRequest(n=1, double=1.0)
        drawn = sampling.draw(world, ANA, with_two, now=NOW)
        (doubled,) = sampling.served_order(world, drawn)
        (single,) = {"a-1", "a-2"} - {doubled}
        proposed(world, doubled)
        right(world, ROB, doubled)
        counted(world, ROB, single)
        assert states(world, single) == [AnswerState.DISMISSED]
        let_stand(world, doubled, ROB.email, person=ANA, reason="It is right.", now=NOW)
        assert states(world, doubled, single) == [AnswerState.DISMISSED, AnswerState.OPEN]


def test_what_is_counted_to_a_case_follows_it_to_another_id(tmp_path):
    """Another store on the same golden repository published a case under the id meanwhile."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    with opened(here) as mine:
        shared = f'golden.path = "{mine.settings.golden_path}"'
        with opened(there, toml=shared) as world:
            proposed(world)
            counted(world, ROB, "a-2")
            sampling.draw(world, ANA, SampleRequest(n=1, double=1.0), now=NOW)
            counted(world, ROB, "a-3")
            for one in (mine, world):
                if one is mine:
                    proposed(mine)
                changes.approve(one, "0001", person=ANA, now=NOW)
                publish(one, person=ANA, now=NOW)
            assert changes.get(world, "0001").case_id == "q-0002"
            with world.store.reading() as session:
                reviews = [get_reviews(session, one)[0] for one in ("a-2", "a-3")]
            assert [review.duplicate_of for review in reviews] == ["q-0002"] * 2


def test_a_settlement_ends_with_the_verdict_that_it_let_stand(tmp_path):
    with opened(tmp_path, answers=1) as world:
        sampling.draw(world, ANA, SampleRequest(n=1, double=1.0), now=NOW)
        first, second = proposed(world).change, proposed(world, person=ROB).change
        let_stand(world, "a-1", MIA.email, person=ANA, reason="The better one.", now=NOW)
        changes.withdraw(world, first.id, person=MIA)
        right(world, MIA, "a-1")
        right(world, ROB, "a-1")
        assert contests(world, ANA) == ()
        with pytest.raises(CurationError, match="nothing to take back"):
            take_back(world, "a-1", person=ANA)
        assert changes.get(world, second.id).state.closed
