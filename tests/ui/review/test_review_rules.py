"""Rules of a review that hold wherever a verdict comes from, at the level of the sitting."""

import random
import string
from datetime import UTC, datetime

import pytest

from curation.domain.answer import Answer, RetrievedChunk, Signal, SignalKind
from curation.domain.case import Facts
from curation.domain.policy import DocumentRule, Policy
from curation.domain.review import Draft, FailureCategory, Verdict
from curation.services import changes, corpus, review, verdicts
from curation.services.cases import CaseSource, case_from_draft
from curation.services.errors import FailureUnexplainedError
from curation.services.verdicts import Dismissal
from curation.ui.review.counterparts import sentence_spans
from tests.ui.review.reviewer import NOW, Reviewer
from tests.ui.review.world import MIA, MIXUP, RIGHT, ROB, make_home, written

WORDS = string.ascii_letters + " .,:$|#*\n\u202e\u200b&<>" + "äß漢🙂"


@pytest.fixture
def mia(tmp_path):
    """Mia at a store of her own."""
    reviewer = Reviewer(make_home(tmp_path))
    yield reviewer
    reviewer.workspace.store.dispose()


@pytest.fixture
def rob(mia):
    """Rob at the same store."""
    reviewer = Reviewer(mia.workspace.settings.home, ROB)
    yield reviewer
    reviewer.workspace.store.dispose()


def some_text(dice, most=120):
    return "".join(dice.choices(WORDS, k=dice.randrange(1, most))) + "x"


def some_answer(number):
    """A logged answer as odd as a log may have it."""
    dice = random.Random(number)
    hits = [
        RetrievedChunk(
            rank=rank, chunk_id=f"c{rank}", doc_id=dice.choice(["d1", None]), text=some_text(dice)
        )
        for rank in range(1, dice.randrange(1, 7))
    ]
    signals = [
        Signal(kind=dice.choice(list(SignalKind)), comment=some_text(dice))
        for _ in range(dice.randrange(3))
    ]
    return Answer(
        id=f"a{number}",
        asked_at=datetime(2026, 11, 1, tzinfo=UTC),
        question=some_text(dice),
        answer=some_text(dice, 4000),
        retrieved=tuple(hits),
        signals=tuple(signals),
        slice=dice.choice(["billing", "general", None]),
    )


def test_a_new_case_of_a_thousand_answers_holds_no_words_but_the_question():
    for number in range(1000):
        answer = some_answer(number)
        source = CaseSource(answer=answer, base=None, policy=Policy(), find_chunk=lambda *_: None)
        case = case_from_draft(Draft(), source, failure=None)
        empty = (case.reference, case.other_references, case.evidence, case.notes, case.declines)
        assert empty == ("", (), (), "", ()), answer
        assert (case.facts, case.readings, case.standalone_question) == (Facts(), (), None)
        assert case.question == answer.question


def test_the_failure_follows_the_picks_until_a_person_chooses_and_then_stays(mia):
    mia.open("mixup")
    assert mia.drawn()["case"]["failure"]["category"] == "faithfulness"  # 77 is nowhere
    mia.pick("required", "default: 60 s")
    assert mia.drawn()["case"]["failure"]["category"] == "context_recall"
    mia.act("failure", value="citation")
    for words in ("limit: 9 sessions", "Closes sessions that are idle"):
        assert mia.pick("required", words)["case"]["failure"]["category"] == "citation"
    assert mia.act("failure", value="")["case"]["failure"]["category"] == "context_recall"


def ready_to_propose(mia):
    """Make the draft of the mix-up a whole case."""
    mia.open("mixup")
    mia.pick("required", "default: 60 s")
    mia.type("reference", "In 4.2 the relay closes idle sessions after 60 s by default: 60 s.")


def test_that_nothing_failed_needs_a_word_of_why_whoever_proposes(mia):
    ready_to_propose(mia)
    mia.act("failure", value="none")
    said = mia.act("propose")["message"]["text"]
    assert str(said).count("Nothing was proposed: you say that nothing failed") == 1
    with pytest.raises(FailureUnexplainedError):
        review.propose(mia.workspace, MIA, "mixup", now=mia.room.now)
    assert changes.all_changes(mia.workspace) == ()
    mia.type("failure_why", "The user tested us.")
    mia.act("propose")
    assert [change.failure for change in changes.all_changes(mia.workspace)] == [
        FailureCategory.NONE
    ]


DOCUMENTS = (
    DocumentRule(pattern="guide*", category="operations"),
    DocumentRule(pattern="price*", category="billing"),
)


@pytest.mark.parametrize(
    ("docs", "wanted"),
    [
        (("guide", "prices", "guide"), "operations"),
        (("prices", "guide"), "billing"),
        (("unknown",), None),
        ((None,), None),
        ((), None),
    ],
)
def test_a_no_starts_with_the_category_of_most_retrieved_documents(docs, wanted):
    hits = tuple(
        RetrievedChunk(rank=rank, chunk_id=f"c{rank}", doc_id=doc)
        for rank, doc in enumerate(docs, start=1)
    )
    answer = some_answer(1).model_copy(update={"retrieved": hits})
    policy = Policy(documents=DOCUMENTS)
    source = CaseSource(answer=answer, base=None, policy=policy, find_chunk=lambda *_: None)

    def category(**fields):
        return case_from_draft(Draft(**fields), source, failure=None).category

    assert category(answerable="unanswerable") == wanted
    assert category(answerable="unanswerable", category="billing") == "billing"
    assert category(answerable="unanswerable", category="") is None
    assert category(answerable="answerable") is None


def finished_by_rob(mia, rob, *, propose):
    """Let Rob finish the mix-up while Mia's hold has ended and her draft is there."""
    mia.open("mixup")
    mia.type("reference", "In 4.2 it is 60 s.")
    mia.pick("required", "default: 60 s")
    rob.later(minutes=40)
    if propose:
        ready_to_propose(rob)
        rob.act("propose")
    else:
        right = Dismissal(verdict=Verdict.RIGHT)
        verdicts.dismiss(rob.workspace, ROB, "mixup", right, now=rob.room.now)
    mia.later(minutes=45)
    return mia.send({"type": "here"})


def labels(drawn):
    return [act["label"] for act in drawn["notice"]["acts"]]


def test_a_draft_of_a_finished_answer_goes_to_its_change_as_a_comment(mia, rob):
    drawn = finished_by_rob(mia, rob, propose=True)
    assert "(proposed as 0001)." in drawn["notice"]["text"]
    assert labels(drawn) == [
        "Open 0001 with my draft as comment",
        "Discard my draft",
        "Next answer",
    ]
    assert "In 4.2 it is 60 s." in drawn["copy"]
    mia.act("hand_over", change="0001")
    assert mia.sitting.leave_for == "changes:0001"
    assert review.load_work(mia.workspace, MIA, "mixup").draft.reference == "In 4.2 it is 60 s."


def test_a_draft_of_a_finished_answer_can_be_discarded(mia, rob):
    finished_by_rob(mia, rob, propose=True)
    drawn = mia.act("discard")
    assert mia.sitting.answer_id != "mixup"
    assert drawn["message"]["text"] == "Your draft is discarded."
    assert review.load_work(mia.workspace, MIA, "mixup").draft == Draft()


def test_without_a_change_the_draft_can_be_copied(mia, rob):
    drawn = finished_by_rob(mia, rob, propose=False)
    assert labels(drawn) == ["Copy my draft", "Discard my draft", "Next answer"]


def test_without_a_draft_the_change_is_offered(mia, rob):
    ready_to_propose(rob)
    rob.act("propose")
    assert labels(mia.open("mixup")) == ["Open 0001", "Next answer"]


def test_the_address_of_a_page_and_its_change_are_told_apart(mia):
    mia.open("mixup")
    mia.act("go", page="changes:0007")
    assert mia.sitting.leave_for == "changes:0007"


def test_a_question_that_waits_as_a_change_already_is_said_but_not_what_others_make_of_the_same(
    tmp_path,
):
    again = {**MIXUP, "id": "again", "pipeline_version": "demo 2"}
    mia = Reviewer(make_home(tmp_path, answers=(MIXUP, again)))
    ready_to_propose(mia)
    mia.act("propose")
    said = (
        "Change 0001 waits for approval and asks the same. "
        "D: count this answer to it, or S: skip it."
    )
    assert mia.open("again")["checks"]["lines"][0]["text"] == said
    work = review.load_work(mia.workspace, MIA, "mixup")
    assert work.pending == ()
    mia.workspace.store.dispose()


def test_a_pick_where_nothing_can_be_picked_says_what_to_do(mia):
    mia.open("bare")
    said = mia.act("nothing_to_pick")["message"]["text"]
    assert said == "There are no words to pick here. / searches the corpus, A types a fact."


def test_other_versions_open_with_the_cursor_where_they_differ(mia):
    mia.open("mixup")
    place = mia.act("versions", block="c0")["goto"]
    passage = mia.sitting.board.desk.passages[place["block"]]
    start, end = sentence_spans(passage.text)[place["sentence"]]
    assert (passage.doc_version, passage.text[start:end]) == ("4.2", "+ default: 60 s")


def test_what_the_user_did_is_said_with_the_strongest_first(mia):
    left = [part["text"] for part in mia.open("mixup")["header"]["left"]]
    assert left[2:5] == ["correction", "escalation", "thumbs down"]


def test_a_refused_proposal_names_the_key_that_repairs_it_and_the_one_that_explains_it(mia):
    mia.open("mixup")
    mia.pick("required", "default: 60 s")
    mia.type("reference", "It closes after 60 s.")
    said = mia.act("propose")["message"]["text"]
    assert said == (
        "Nothing was proposed: Green is unsure: it cannot be told whether the reference has "
        "required fact 1. B: accept “60 s”. Y: say why."
    )


def test_evidence_without_a_version_is_named_by_its_rank(tmp_path):
    words = "A backup is kept for 30 days."
    chunk = {"chunk_id": "a-very-long-name", "doc_id": "guide", "text": words}
    asked = {**RIGHT, "id": "plain", "retrieved": [{**chunk, "rank": 1}], "citations": []}
    reviewer = Reviewer(make_home(tmp_path, answers=(asked,)))
    corpus.add_chunks(reviewer.workspace, [written(tmp_path / "more.jsonl", [chunk])], now=NOW)
    reviewer.open("plain")
    fact = reviewer.pick("required", words)["case"]["facts"]["groups"][0]["rows"][0]
    assert fact["status"][2]["text"] == "Evidence #1"
    reviewer.workspace.store.dispose()
