"""One question has one case: what is served after a proposal, and what counts to it."""

from datetime import UTC, datetime, timedelta

import pytest

from curation.domain.queue import QueueFilter
from curation.domain.review import AnswerState, FailureCategory, Verdict
from curation.errors import NotFoundError
from curation.services import changes, intake, triage, verdicts
from curation.services.publish import publish
from curation.services.verdicts import Dismissal
from curation.store import answers as stored_answers
from curation.store import reviews as stored_reviews
from curation.store.breaks import confirmed_failures
from tests.ui.review.reviewer import NOW, Reviewer
from tests.ui.review.world import MIA, MIXUP, RIGHT, ROB, TURNS, make_home, written

AGAIN = {**MIXUP, "id": "again", "pipeline_version": "demo 2"}
ALSO = {**AGAIN, "id": "also"}
ANSWERS = (MIXUP, AGAIN, ALSO, TURNS, RIGHT)
REFERENCE = "In 4.2 the relay closes idle sessions after 60 s by default: 60 s."


@pytest.fixture
def mia(tmp_path):
    """Mia at a store where two pipeline versions got the most urgent question wrong."""
    reviewer = Reviewer(make_home(tmp_path, answers=ANSWERS))
    yield reviewer
    reviewer.workspace.store.dispose()


@pytest.fixture
def rob(mia):
    """Rob at the same store."""
    reviewer = Reviewer(mia.workspace.settings.home, ROB)
    yield reviewer
    reviewer.workspace.store.dispose()


def propose(reviewer):
    """Propose the case of the mix-up and return what is on the screen then."""
    reviewer.open("mixup")
    reviewer.pick("required", "default: 60 s")
    reviewer.type("reference", REFERENCE)
    drawn = reviewer.act("propose")
    assert "Proposed as change 0001." in drawn["message"]["text"]
    return drawn


def served(reviewer):
    """Return what is served one after the other until nothing is left."""
    found = []
    while reviewer.sitting.answer_id is not None:
        found.append(reviewer.sitting.answer_id)
        reviewer.act("skip")
    return found


def state(reviewer, answer_id):
    with reviewer.workspace.store.reading() as session:
        return stored_answers.answer_state(session, answer_id)


def last_review(reviewer):
    with reviewer.workspace.store.reading() as session:
        return stored_reviews.last_reviews(session, MIA, limit=1)[0]


def publish_it(reviewer):
    changes.approve(reviewer.workspace, "0001", person=ROB, now=NOW)
    assert publish(reviewer.workspace, person=ROB, now=NOW).version


def test_after_a_proposal_the_next_question_is_served_and_the_same_one_last(mia):
    propose(mia)
    assert served(mia) == ["turns", "right", "also", "again"]


def test_another_person_is_served_it_last_too(mia, rob):
    propose(mia)
    verdicts.give_back(mia.workspace, MIA, mia.sitting.answer_id)
    rob.open()
    assert served(rob) == ["turns", "right", "also", "again"]


def test_it_stays_last_once_its_case_is_published(mia):
    propose(mia)
    publish_it(mia)
    assert served(mia) == ["turns", "right", "also", "again"]


def test_it_comes_in_its_turn_again_when_the_change_is_withdrawn(mia):
    propose(mia)
    changes.withdraw(mia.workspace, "0001", person=MIA)
    assert served(mia)[1] in {"mixup", "also", "again"}


def test_a_version_that_failed_since_is_served_at_once(mia, tmp_path):
    propose(mia)
    later = {
        **MIXUP,
        "id": "later",
        "pipeline_version": "demo 3",
        "asked_at": "2026-11-25T08:00:00Z",
    }
    after_the_home = datetime.now(UTC)  # which was made at the same clock
    file = written(tmp_path / "later.jsonl", [later])
    intake.ingest(mia.workspace, [file], now=after_the_home)
    assert served(mia)[1] == "later"


@pytest.mark.parametrize(("published", "words"), [(False, "waits as 0001"), (True, "has q-0001")])
def test_the_row_says_that_its_question_has_a_case(mia, published, words):
    propose(mia)
    if published:
        publish_it(mia)
    page = triage.list_queue(mia.workspace, MIA, QueueFilter(), now=NOW)
    assert {row.answer_id: row.given for row in page.rows} == {
        "also": words,
        "right": "",
    }


def test_the_check_of_a_question_that_waits_comes_first_and_says_what_goes_on(mia):
    propose(mia)
    drawn = mia.open("again")
    said = (
        "Change 0001 waits for approval and asks the same. "
        "D: count this answer to it, or S: skip it."
    )
    assert drawn["checks"]["lines"][0]["text"] == said
    assert drawn["checks"]["summary"].startswith("3 to fix · 1 to explain")
    assert drawn["bar"]["first"]["text"] == f"✕ 3 to fix · △ {said}"
    mia.pick("required", "default: 60 s")
    assert mia.drawn()["bar"]["first"]["text"].startswith("✕ 1 to fix")


def test_a_question_that_nearly_waits_is_said_too(tmp_path):
    near = {**AGAIN, "question": "In 4.2 what is the default idle timeout of the relay?"}
    mia = Reviewer(make_home(tmp_path, answers=(MIXUP, near)))
    propose(mia)
    (line, *_) = mia.open("again")["checks"]["lines"]
    assert "waits for approval and asks nearly the same." in line["text"]
    mia.workspace.store.dispose()


def test_one_key_counts_it_to_the_change_with_what_it_covers(mia):
    propose(mia)
    mia.open("again")
    (first, *_) = mia.act("duplicate")["panel"]["cases"]
    assert first["label"] == "Count it to change 0001"
    assert first["match"] == "waits for approval as change 0001 · asks the same"
    drawn = mia.act("duplicate_of", id=first["id"])
    assert drawn["message"]["text"] == "Counted to change 0001. Z: undo."
    review, change = last_review(mia), changes.get(mia.workspace, "0001")
    assert (review.verdict, review.change_id) == (Verdict.DUPLICATE, change.id)
    assert state(mia, "again") is AnswerState.DISMISSED
    assert state(mia, "also") is AnswerState.COVERED
    assert mia.sitting.answer_id == "right"


def test_a_duplicate_is_asked_where_it_failed_too(mia):
    propose(mia)
    mia.open("again")
    asked = mia.act("duplicate")["panel"]["failed"]
    assert asked == "Where it failed: faithfulness (proposed). F changes it."
    drawn = mia.act("failure", value="answer_relevancy")
    assert drawn["panel"]["failed"] == "Where it failed: answer relevancy. F changes it."
    mia.act("duplicate_of", id="q-0001")
    assert last_review(mia).failure is FailureCategory.ANSWER_RELEVANCY
    with mia.workspace.store.reading() as session:
        found = {one.answer_id: one.category for one in confirmed_failures(session)}
    assert found["again"] is FailureCategory.ANSWER_RELEVANCY


def test_undo_of_a_counted_answer_leaves_the_change_alone(mia):
    propose(mia)
    mia.open("again")
    mia.act("duplicate_of", id="q-0001")
    mia.act("undo")
    assert mia.sitting.answer_id == "again"
    assert (state(mia, "again"), state(mia, "also")) == (AnswerState.OPEN, AnswerState.OPEN)
    assert not changes.get(mia.workspace, "0001").state.closed


@pytest.mark.parametrize("by", ["withdraw", "undo"])
def test_what_was_counted_opens_again_with_the_change(mia, rob, by):
    propose(mia)
    rob.open("again")
    rob.act("duplicate_of", id="q-0001")
    assert state(mia, "again") is AnswerState.DISMISSED
    if by == "withdraw":
        changes.withdraw(mia.workspace, "0001", person=MIA)
    else:
        verdicts.undo(mia.workspace, MIA, now=NOW)
    assert {state(mia, one) for one in ("mixup", "again", "also")} == {AnswerState.OPEN}


def test_it_stays_counted_when_the_change_is_published(mia):
    propose(mia)
    verdicts.dismiss(
        mia.workspace, MIA, "again", Dismissal(verdict=Verdict.DUPLICATE, duplicate_of="q-0001"),
        now=NOW,
    )  # fmt: skip
    publish_it(mia)
    assert state(mia, "again") is AnswerState.DISMISSED
    assert last_review(mia).duplicate_of == "q-0001"


def test_nothing_counts_to_a_case_that_neither_is_there_nor_waits(mia):
    propose(mia)
    changes.withdraw(mia.workspace, "0001", person=MIA)
    counted = Dismissal(verdict=Verdict.DUPLICATE, duplicate_of="q-0001")
    with pytest.raises(NotFoundError, match="q-0001"):
        verdicts.dismiss(mia.workspace, MIA, "again", counted, now=NOW + timedelta(minutes=1))
    assert state(mia, "again") is AnswerState.OPEN


def test_who_opens_a_counted_answer_reads_what_it_was_counted_to(mia, rob):
    propose(mia)
    mia.open("again")
    mia.act("duplicate_of", id="q-0001")
    said = rob.open("again")["notice"]["text"]
    assert said.endswith("(duplicate of q-0001).")


def test_who_skips_a_question_or_holds_an_answer_to_it_is_served_another_one(mia):
    mia.open()
    assert mia.sitting.answer_id == "mixup"
    mia.act("next")
    assert mia.sitting.answer_id == "turns"
    verdicts.give_back(mia.workspace, MIA, "mixup")
    mia.open("mixup")
    mia.act("skip")
    assert served(mia) == ["right", "also", "again", "turns"]  # the last is open already
