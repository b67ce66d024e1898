"""Letting one of two verdicts stand: who may, what it moves, once, and taken back."""

import subprocess
import sys

import pytest

from curation.domain.change import ChangeState
from curation.domain.person import Person
from curation.domain.review import AnswerState, Verdict
from curation.domain.sample import SampleRequest
from curation.errors import CurationError, NotFoundError
from curation.services import adjudication, changes, sampling
from curation.services.adjudication import contests, let_stand, take_back
from curation.services.labels import all_labels
from curation.services.verdicts import Dismissal, dismiss
from curation.store.answers import answer_state
from curation.store.breaks import confirmed_failures
from tests.services.review_world import ANA, MIA, NOW, ROB, opened, proposed

ROLES = """
[people]
"mia@example.org" = "reviewer"
"rob@example.org" = "approver"
"ana@example.org" = "approver"
"eve@example.org" = "reviewer"
"""
EVE = Person.parse("Eve Lund <eve@example.org>")
ALSO = "Both are right, and the old value is named."
SETTLE = """
import sys
from datetime import datetime, UTC
from curation.config import load_settings
from curation.services.adjudication import let_stand
from curation.services.workspace import open_workspace
from curation.domain.person import Person
from curation.errors import CurationError
from pathlib import Path
ANA = Person.parse("Ana Ruiz <ana@example.org>")
workspace = open_workspace(load_settings(Path(sys.argv[1])))
print("ready", flush=True)
sys.stdin.readline()
try:
    let_stand(workspace, "a-1", sys.argv[2], person=ANA, reason="why", now=datetime.now(UTC))
    print("settled")
except CurationError as problem:
    print(problem)
"""


@pytest.fixture
def world(tmp_path):
    with opened(tmp_path, toml=ROLES, answers=1) as workspace:
        sampling.draw(workspace, MIA, SampleRequest(n=1, double=1.0), now=NOW)
        yield workspace


def right(world, person):
    return dismiss(world, person, "a-1", Dismissal(verdict=Verdict.RIGHT), now=NOW)


def stand(world, whose, *, person=ANA, reason=ALSO):
    return let_stand(world, "a-1", whose.email, person=person, reason=reason, now=NOW)


def stored(world, change):
    with world.store.reading() as session:
        return answer_state(session, "a-1"), changes.found(session, change.id).state


@pytest.fixture
def differ(world):
    """Mia proposed a case, Rob says the answer is right."""
    change = proposed(world).change
    right(world, ROB)
    return change


def test_the_case_stands(world, differ):
    done = stand(world, MIA)
    assert stored(world, differ) == (AnswerState.DONE, ChangeState.PROPOSED)
    assert (done.is_open, done.settled.reason, done.settled.person) == (False, ALSO, ANA)
    assert adjudication.settled_words(done) == "The verdict of Mia Kim stands: proposed as 0001."
    assert changes.why_not_approvable(world, differ, ANA) is None
    assert sampling.estimate(world).progress.finished == 1
    with world.store.reading() as session:
        assert [one.answer_id for one in confirmed_failures(session)] == ["a-1"]


def test_the_other_verdict_stands_and_the_case_is_withdrawn_without_opening_the_answer(
    world, differ
):
    done = stand(world, ROB)
    assert stored(world, differ) == (AnswerState.DISMISSED, ChangeState.WITHDRAWN)
    assert "stands: answer is right. Withdrawn: 0001 of Mia Kim." in adjudication.settled_words(
        done
    )
    with world.store.reading() as session:
        assert confirmed_failures(session) == ()
        assert {label.person for label in all_labels(session)} >= {ROB.key}


@pytest.mark.parametrize(
    ("person", "said"),
    [
        (EVE, "needs the role approver. Yours is reviewer"),
        (MIA, "needs the role approver. Yours is reviewer"),
        (ROB, "One of these verdicts is yours, so someone else says which stands"),
    ],
)
def test_who_may_not_settle(world, differ, person, said):
    contest = contests(world, ANA)[0]
    assert said in (adjudication.why_not_settled_by(world, contest, person) or "")
    with pytest.raises(CurationError, match=said):
        stand(world, MIA, person=person)
    assert stored(world, differ) == (AnswerState.OPEN, ChangeState.PROPOSED)


def test_who_sees_what_is_to_settle(world):
    proposed(world)
    assert contests(world, ANA) == contests(world, ROB) == contests(world, MIA) == ()
    right(world, ROB)
    assert len(contests(world, ANA)) == len(contests(world, MIA)) == len(contests(world, ROB)) == 1
    assert contests(world, EVE) == contests(world, None) == ()


@pytest.mark.parametrize("first", [False, True])
def test_nothing_tells_whether_a_first_verdict_is_in(world, first):
    if first:
        proposed(world)
    with pytest.raises(CurationError, match="fewer than two people gave a verdict"):
        stand(world, MIA)


def test_saying_it_twice_changes_nothing(world, differ):
    once = stand(world, ROB)
    assert stand(world, ROB) == once
    with pytest.raises(CurationError, match="Ana Ruiz let the verdict of Rob Oduya stand at 10:00"):
        stand(world, MIA)
    take_back(world, "a-1", person=ANA)
    with pytest.raises(CurationError, match="needs a word of why"):
        stand(world, MIA, reason="  ")


def test_what_was_taken_back_is_open_again_with_its_change(world, differ):
    before = contests(world, ANA)[0]
    stand(world, ROB)
    with pytest.raises(CurationError, match="Ana Ruiz let this verdict stand, so they take it"):
        take_back(world, "a-1", person=ROB)
    assert take_back(world, "a-1", person=ANA) == before
    assert stored(world, differ) == (AnswerState.OPEN, ChangeState.PROPOSED)
    with pytest.raises(CurationError, match="nothing to take back"):
        take_back(world, "a-1", person=ANA)
    stand(world, MIA)
    changes.approve(world, differ.id, person=ANA, now=NOW)
    with pytest.raises(CurationError, match="change 0001 was looked at since"):
        take_back(world, "a-1", person=ANA)


def test_where_both_propose_one_case_stands_and_neither_is_approved_before(world):
    first, second = proposed(world).change, proposed(world, person=ROB).change
    why = changes.why_not_approvable(world, second, ANA)
    assert "settles which one stands" in (why or "")
    assert contests(world, ANA)[0].is_open
    stand(world, MIA)
    assert stored(world, second) == (AnswerState.DONE, ChangeState.WITHDRAWN)
    assert changes.why_not_approvable(world, changes.get(world, first.id), ANA) is None
    assert len(changes.all_changes(world, states=[ChangeState.PROPOSED])) == 1


def test_one_of_two_that_differ_is_not_withdrawn_by_its_author(world, differ):
    with pytest.raises(CurationError, match="0001 was not withdrawn: two verdicts"):
        changes.withdraw(world, differ.id, person=MIA)
    stand(world, MIA)
    changes.withdraw(world, differ.id, person=MIA)
    assert stored(world, differ) == (AnswerState.OPEN, ChangeState.WITHDRAWN)
    assert contests(world, ANA) == ()


def test_only_verdicts_that_are_there_can_stand(world, differ):
    with pytest.raises(CurationError, match=r"are by Mia Kim .* and Rob Oduya"):
        stand(world, EVE)
    with pytest.raises(NotFoundError):
        let_stand(world, "a-9", MIA.email, person=ANA, reason="why", now=NOW)


def test_a_third_look_decides_and_leaves_a_case_that_did_not_stand_to_settle(world, differ):
    right(world, EVE)
    assert contests(world, ANA)[0].is_open
    stand(world, ROB)
    assert stored(world, differ) == (AnswerState.DISMISSED, ChangeState.WITHDRAWN)


def test_two_that_agree_are_nothing_to_settle(world):
    right(world, MIA)
    right(world, ROB)
    assert contests(world, ANA) == ()
    with pytest.raises(CurationError, match="the verdicts on this answer agree"):
        stand(world, ROB)


def test_two_processes_at_once_settle_once(world, differ):
    home = str(world.settings.home)
    running = [settling(home, whose) for whose in (MIA, ROB)]
    for process in running:
        assert process.stdout.readline() == "ready\n", process.communicate()
    for process in running:  # both are up, so that they meet
        process.stdin.write("go\n")
        process.stdin.flush()
    said = sorted(process.communicate() for process in running)
    assert [problem for _, problem in said] == ["", ""]
    refused, settled = (words.strip() for words, _ in said)
    assert (settled, "Take that back first" in refused) == ("settled", True), said
    assert not contests(world, ANA)[0].is_open


def settling(home, whose):
    return subprocess.Popen(
        [sys.executable, "-c", SETTLE, home, whose.email],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
