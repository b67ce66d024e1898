"""Where it failed, as the page proposes it: one constructed answer per category (acceptance 9)."""

from dataclasses import dataclass

import pytest

from curation.domain.review import FailureCategory
from curation.store import reviews as stored_reviews
from tests.ui.review.reviewer import Reviewer
from tests.ui.review.world import BARE, LONG, MIXUP, TURNS, hit, make_home

DECLINED = "I could not find this in the documentation."
KEPT = "A backup is kept for 30 days."
BACKUP = {
    **TURNS,
    "conversation": [],
    "signals": [],
    "question": "How long is a backup kept in relay 4.2?",
    "retrieved": [hit("guide#backup", "4.2", 1), hit("guide#ports", "4.2", 2)],
}
CITED = [{"chunk_id": "guide#ports", "doc_version": "4.2", "marker": "[2]"}]


PROPOSED = "proposed"  # the id of the answer that ends as a change


@dataclass(frozen=True)
class Failed:
    """An answer that failed in one way, and the picks that show it, the last one telling."""

    answer: dict
    picks: tuple[tuple[str, str], ...]
    because: str


CONSTRUCTED = {
    FailureCategory.CONTEXT_RECALL: Failed(
        MIXUP, (("required", "default: 60 s"),), "only version 3.9 of the document was retrieved"
    ),
    FailureCategory.CONTEXT_PRECISION: Failed(
        {
            **MIXUP,
            "answer": "The default idle timeout is 30 s.",
            "retrieved": [hit("guide#timeout", "3.9", 1), hit("guide#timeout", "4.2", 2)],
            "citations": [],
        },
        (("forbidden", "default: 30 s"), ("required", "default: 60 s")),
        "the wrong value stands in chunk #1, above the evidence",
    ),
    FailureCategory.FAITHFULNESS: Failed(
        LONG, (("required", "The relay listens on port 7400."),), "9000 is in no retrieved chunk"
    ),
    FailureCategory.ANSWER_RELEVANCY: Failed(
        {**BACKUP, "answer": "Backups are written to the second disk."},
        (("required", KEPT),),
        "the answer lacks required fact 1, which was retrieved",
    ),
    FailureCategory.CITATION: Failed(
        {**BACKUP, "answer": "A backup is kept for 30 days [2].", "citations": CITED},
        (("required", KEPT),),
        "a cited chunk does not support its sentence",
    ),
    FailureCategory.FALSE_ANSWER: Failed(
        BARE, (("act", "answer_no"),), "the corpus has no answer and one was given"
    ),
    FailureCategory.OVER_ABSTENTION: Failed(
        {**BACKUP, "answer": DECLINED, "outcome": "abstained"},
        (("required", KEPT),),
        "it declined although the evidence was retrieved",
    ),
    FailureCategory.NONE: Failed(
        {**BARE, "answer": DECLINED, "outcome": "abstained"},
        (("act", "answer_no"),),
        "the corpus has no answer and none was given",
    ),
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home with the answers, each to a question of its own, and one more to propose."""
    named = [(category.value, failed) for category, failed in CONSTRUCTED.items()]
    named.append((PROPOSED, CONSTRUCTED[FailureCategory.FAITHFULNESS]))
    answers = tuple(
        {
            **failed.answer,
            "id": name,
            "question": failed.answer["question"].replace("?", f" for {name}?"),
        }
        for name, failed in named
    )
    return make_home(tmp_path_factory.mktemp("failures"), answers=answers)


@pytest.fixture
def mia(home):
    """Mia at the answers."""
    reviewer = Reviewer(home)
    yield reviewer
    reviewer.workspace.store.dispose()


def test_every_category_has_its_answer():
    assert set(CONSTRUCTED) == set(FailureCategory)


@pytest.mark.parametrize("category", CONSTRUCTED)
def test_the_category_follows_the_picks_until_it_is_set_by_hand(mia, category):
    failed = CONSTRUCTED[category]
    before = mia.open(category.value)["case"]["failure"]
    drawn = picked(mia, failed)
    line = drawn["case"]["failure"]
    assert (line["category"], line["lead"]) == (category.value, "proposed")
    assert line["because"] == failed.because
    for _ in failed.picks:
        drawn = mia.act("undo")
    assert drawn["case"]["failure"] == before
    by_hand = "citation" if category is not FailureCategory.CITATION else "faithfulness"
    mia.act("failure", value=by_hand)
    line = picked(mia, failed)["case"]["failure"]
    assert (line["category"], line["lead"]) == (by_hand, "yours")


def picked(mia, failed):
    """Pick what shows the failure and return what is drawn then."""
    drawn = mia.drawn()
    for kind, words in failed.picks:
        drawn = mia.act(words) if kind == "act" else mia.pick(kind, words)
    return drawn


def test_what_is_proposed_and_what_a_person_confirms_are_both_kept(mia):
    answer_id = PROPOSED
    mia.open(answer_id)
    picked(mia, CONSTRUCTED[FailureCategory.FAITHFULNESS])
    mia.type("reference", "The relay listens on port 7400.")
    mia.act("failure", value="answer_relevancy")
    assert "Proposed as change" in mia.act("propose")["message"]["text"]
    with mia.workspace.store.reading() as session:
        (review,) = stored_reviews.get_reviews(session, answer_id)
    assert review.proposed_failure is FailureCategory.FAITHFULNESS
    assert review.failure is FailureCategory.ANSWER_RELEVANCY
