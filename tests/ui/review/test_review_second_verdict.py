"""What is said after the second of two people's verdicts, and never before it."""

import pytest

from curation.domain.sample import SampleRequest
from curation.services import sampling
from tests.ui.review.reviewer import NOW, Reviewer
from tests.ui.review.world import MIXUP, ROB, TURNS, make_home

REFERENCE = "In 4.2 the relay closes idle sessions after 60 s by default: 60 s."


@pytest.fixture
def both(tmp_path):
    """Mia and Rob at a store whose answers are for two people each."""
    mia = Reviewer(make_home(tmp_path, answers=(MIXUP, TURNS)))
    request = SampleRequest(n=2, double=1.0)
    sampling.draw(mia.workspace, mia.room.person, request, now=NOW)
    rob = Reviewer(mia.workspace.settings.home, ROB)
    yield mia, rob
    mia.workspace.store.dispose()
    rob.workspace.store.dispose()


def propose(reviewer):
    reviewer.open("mixup")
    reviewer.pick("required", "default: 60 s")
    reviewer.type("reference", REFERENCE)
    return reviewer.act("propose")["message"]["text"]


def right(reviewer):
    reviewer.open("mixup")
    return reviewer.act("right")["message"]["text"]


def test_the_second_verdict_says_that_the_first_differs_and_where_it_is_settled(both):
    mia, rob = both
    assert propose(mia) == "Proposed as change 0001. It waits for a second person. Z: undo."
    assert right(rob) == (
        "Answer is right. Z: undo. Mia Kim decided otherwise on it (proposed as 0001): "
        "Q, then T settles which one stands."
    )


def test_a_second_case_for_the_same_answer_is_told_of_the_first(both):
    mia, rob = both
    assert right(mia) == "Answer is right. Z: undo."
    assert propose(rob) == (
        "Proposed as change 0001. Z: undo. Mia Kim decided otherwise on it (answer is right): "
        "Q, then T settles which one stands."
    )


def test_of_verdicts_that_agree_nothing_is_said(both):
    mia, rob = both
    assert right(mia) == right(rob) == "Answer is right. Z: undo."
