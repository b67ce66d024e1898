"""Undo of each verdict: answer, draft, cursor and counts are as before (acceptance 14 and 15)."""

from itertools import product

import pytest

from curation.domain.queue import QueueFilter, QueueState
from curation.domain.review import AnswerState, Verdict
from curation.services import changes, triage
from curation.services.publish import publish
from curation.store import answers as stored_answers
from curation.store import reviews as stored_reviews
from tests.ui.review.reviewer import Reviewer
from tests.ui.review.world import BARE, MIA, MIXUP, RIGHT, ROB, TURNS, make_home

AGAIN = {**MIXUP, "id": "again", "pipeline_version": "demo 2", "slice": "operations"}
ALSO = {**MIXUP, "id": "also", "answer": "It is 30 s."}
ASKED = {**RIGHT, "id": "asked", "pipeline_version": "demo 2"}
REFERENCE = "In 4.2 the relay closes idle sessions after 60 s by default: 60 s."
FILTERS = (
    QueueFilter(),
    QueueFilter(slice="operations"),
    QueueFilter(pipeline_version="demo 1"),
    QueueFilter(signal="correction"),
    QueueFilter(words="timeout"),
)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home with one published case (q-0001, where backups are written) and open answers."""
    made = make_home(
        tmp_path_factory.mktemp("undo"), answers=(MIXUP, AGAIN, ALSO, TURNS, BARE, RIGHT, ASKED)
    )
    mia = Reviewer(made)
    mia.open("right")
    mia.pick("required", "Backups are written to the second disk.")
    mia.type("reference", "Backups are written to the second disk.")
    mia.act("failure", value="none")
    mia.type("failure_why", "It shows a right answer.")
    assert "Proposed as change 0001" in mia.act("propose")["message"]["text"]
    changes.approve(mia.workspace, "0001", person=ROB, now=mia.room.now)
    assert publish(mia.workspace, person=ROB, now=mia.room.now).version
    mia.workspace.store.dispose()
    return made


@pytest.fixture
def mia(home):
    """Mia at the answers."""
    reviewer = Reviewer(home)
    yield reviewer
    reviewer.workspace.store.dispose()


def begun(mia, answer_id):
    """Open an answer with a draft in many fields."""
    mia.open(answer_id)
    mia.pick("required", "default: 60 s")
    mia.type("reference", REFERENCE)
    mia.type("notes", "A note.")
    mia.act("failure", value="context_recall")


def counted(mia):
    """Return the counts under every filter in every list; all of them add up."""
    found = {}
    for filters, state in product(FILTERS, QueueState):
        chosen = filters.model_copy(update={"state": state})
        page = triage.list_queue(mia.workspace, MIA, chosen, now=mia.room.now)
        counts = page.counts
        found[filters.model_dump_json(), state] = (counts, page.shown)
        of_state = {
            QueueState.TO_REVIEW: counts.open,
            QueueState.HELD: counts.held,
            QueueState.DONE: counts.done,
            QueueState.DISMISSED: counts.dismissed,
            QueueState.COVERED: counts.covered,
        }
        if state in of_state:
            assert sum(row.more + 1 for row in page.rows) == of_state[state]
        assert sum(of_state.values()) == counts.all
        assert counts.all == found[filters.model_dump_json(), QueueState.TO_REVIEW][0].all
    return found


def propose(mia):
    mia.act("propose")


def edit(mia):
    mia.act("edit_case", id="q-0001")
    mia.type("notes", "Edited.")
    mia.type("reason", "It says where.")
    mia.act("propose")


def right(mia):
    mia.act("right")


def duplicate(mia):
    mia.act("duplicate_of", id="q-0001")


def not_actionable(mia):
    mia.act("dismiss_not_actionable", reason="A price list.")


@pytest.mark.parametrize(
    ("give", "verdict", "state", "covered"),
    [
        (propose, Verdict.PROPOSED, AnswerState.DONE, True),
        (edit, Verdict.EDITED, AnswerState.DONE, True),
        (right, Verdict.RIGHT, AnswerState.DISMISSED, False),
        (duplicate, Verdict.DUPLICATE, AnswerState.DISMISSED, True),
        (not_actionable, Verdict.NOT_ACTIONABLE, AnswerState.DISMISSED, True),
    ],
)
def test_undo_restores_answer_draft_and_counts(mia, give, verdict, state, covered):
    begun(mia, "mixup")
    before, draft = counted(mia), mia.sitting.board.draft
    done = mia.drawn()["header"]["left"][0]
    give(mia)
    assert mia.sitting.answer_id != "mixup"
    with mia.workspace.store.reading() as session:
        (review,) = stored_reviews.get_reviews(session, "mixup")
        assert stored_answers.answer_state(session, "mixup") is state
        also = stored_answers.answer_state(session, "also")
    assert review.verdict is verdict
    assert also is (AnswerState.COVERED if covered else AnswerState.OPEN)
    assert counted(mia) != before
    drawn = mia.act("undo")
    assert mia.sitting.answer_id == "mixup"
    if give is not edit:
        assert mia.sitting.board.draft == draft
    else:
        assert mia.sitting.board.draft.case_id == "q-0001"
    assert counted(mia) == before
    assert drawn["header"]["left"][0] == done
    assert mia.act("undo")["message"]["text"]
    mia.act("discard")
