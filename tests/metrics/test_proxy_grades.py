"""Grades without a model: what each looks at, where it turns, and when there is nothing to say."""

from typing import Any

import pytest

from curation.domain.answer import Outcome
from curation.domain.case import Turn
from curation.domain.judging import JudgeMetric, Material, Passage
from curation.metrics.proxies import ProxyGrade, proxy_grades

ASKED = "Which gateway timeout closes idle relay sessions?"  # six words that carry meaning
HALF = "The gateway timeout closes."
ALL = "The gateway timeout closes idle relay sessions after 60 s."
RELEVANCE, PRECISION = JudgeMetric.RELEVANCE, JudgeMetric.CONTEXT_PRECISION


def passage(text: str | None = ALL, rank: int = 1, **fields: Any) -> Passage:
    return Passage(rank=rank, chunk_id=f"c{rank}", text=text, **fields)


def grades(**fields: Any) -> dict[JudgeMetric, ProxyGrade]:
    """The grades of an answer, the last of each metric."""
    given = {"question": ASKED, "answer": "It is 60 s.", "passages": (passage(),)} | fields
    return {grade.metric: grade for grade in proxy_grades(Material(**given))}


def told(metric: JudgeMetric, **fields: Any) -> tuple[int, str]:
    grade = grades(**fields)[metric]
    return grade.value, grade.reason


@pytest.mark.parametrize(
    ("text", "value", "share"),
    [
        (ALL, 2, "100%"),
        ("Gateway timeout closes idle.", 2, "67%"),
        (HALF, 1, "50%"),
        ("A gateway and its timeout.", 1, "33%"),
        ("The gateway.", 0, "17%"),
        ("Nothing of it.", 0, "0%"),
    ],
)
def test_a_chunk_is_graded_by_the_words_of_the_question_that_it_holds(
    text: str, value: int, share: str
) -> None:
    (chunk, *_) = proxy_grades(Material(question=ASKED, answer="", passages=(passage(text),)))
    assert chunk == ProxyGrade(
        metric=RELEVANCE,
        value=value,
        reason=f"The chunk holds {share} of the question's words.",
        chunk_id="c1",
    )


@pytest.mark.parametrize(
    ("version", "value", "said"),
    [
        ("4.2", 2, ""),
        (None, 2, ""),
        ("3.9", 1, " It is of 3.9, and the question names 4.2."),
    ],
)
def test_a_chunk_of_a_version_that_was_not_asked_for_is_at_most_in_part_relevant(
    version: str | None, value: int, said: str
) -> None:
    asked = ASKED.replace("sessions", "sessions in v4.2")
    chunk = passage(f"{ALL} Since v4.2.", doc_version=version)
    grade = grades(question=asked, passages=(chunk,))[RELEVANCE]
    assert grade.value == value
    assert grade.reason.removeprefix("The chunk holds 100% of the question's words.") == said
    other = grades(passages=(passage(doc_version="3.9"),))[RELEVANCE]
    assert other.value == 2, "the question names no version"


def test_faithfulness_counts_the_quantities_that_its_writer_was_shown() -> None:
    faithful = JudgeMetric.FAITHFULNESS
    assert told(faithful) == (2, "1 of 1 quantities stand in the retrieved text.")
    half = "It is 60 s, then 75 s, then 75 s, then 60 s."
    assert told(faithful, answer=half) == (
        1, "2 of 4 quantities stand in the retrieved text; not found: 75 s.",
    )  # fmt: skip
    assert told(faithful, answer="60 s, 61 s and 62 s.") == (
        0, "1 of 3 quantities stand in the retrieved text; not found: 61 s, 62 s.",
    )  # fmt: skip
    hidden = (passage(used=False), passage(None, 2))
    assert told(faithful, passages=hidden)[0] == 0
    assert told(faithful, passages=(), question="Is it 60 s?")[0] == 2
    said = (Turn(role="user", text="I set 60 s."),)
    assert told(faithful, passages=(), conversation=said)[0] == 2


@pytest.mark.parametrize(
    "fields", [{"answer": " "}, {"outcome": Outcome.ABSTAINED}, {"answer": "It depends."}]
)
def test_what_says_no_quantity_has_no_faithfulness(fields: dict[str, Any]) -> None:
    assert JudgeMetric.FAITHFULNESS not in grades(**fields)


def test_relevancy_is_of_the_answer_with_what_it_cites() -> None:
    relevancy = JudgeMetric.ANSWER_RELEVANCY
    assert told(relevancy, answer=HALF) == (
        1, "The answer and what it cites hold 50% of the question's words.",
    )  # fmt: skip
    cited = (passage("Idle relay."), passage(None, 2))
    assert told(relevancy, answer=HALF, cited=cited) == (
        2, "The answer and what it cites hold 83% of the question's words.",
    )  # fmt: skip
    assert relevancy not in grades(outcome=Outcome.ABSTAINED)
    assert relevancy not in grades(question="What is it?")
    assert RELEVANCE not in grades(question="What is it?")


def test_precision_is_the_average_over_the_ranks_of_what_shares_words() -> None:
    none, good = passage("Nothing."), passage()
    assert told(PRECISION) == (
        2, "Average precision 1.00: 1 of 1 chunks share its words.",
    )  # fmt: skip
    assert told(PRECISION, passages=(none, good, good)) == (
        1, "Average precision 0.58: 2 of 3 chunks share its words.",
    )  # fmt: skip
    assert told(PRECISION, passages=(good, none, none, good)) == (
        2, "Average precision 0.75: 2 of 4 chunks share its words.",
    )  # fmt: skip
    assert told(PRECISION, passages=(none, none)) == (
        0, "Average precision 0.00: 0 of 2 chunks share its words.",
    )  # fmt: skip
    assert told(PRECISION, passages=(passage(None), good))[1].startswith("Average precision 1.00")
    assert PRECISION not in grades(passages=(passage(None),))
    assert PRECISION not in grades(passages=())


@pytest.mark.parametrize(
    ("answer", "value", "held"),
    [
        ("Gateway timeout closes. Relay sessions idle.", 2, "2 of 2"),
        ("Gateway timeout closes. Bananas ripen slowly.", 1, "1 of 2"),
        ("Gateway timeout closes. Bananas ripen slowly. Cats purr.", 0, "1 of 3"),
        ("Gateway bananas. Yes.", 2, "1 of 1"),
        ("Gateway bananas ripen.", 0, "0 of 1"),
    ],
)
def test_a_sentence_is_backed_when_half_of_its_words_are_cited(
    answer: str, value: int, held: str
) -> None:
    assert told(JudgeMetric.CITATION_OVERLAP, answer=answer, cited=(passage(),)) == (
        value,
        f"{held} sentences share half of their words with what is cited.",
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"cited": ()},
        {"cited": (passage(None),)},
        {"cited": (passage(),), "answer": "Yes."},
        {"cited": (passage(),), "outcome": Outcome.ABSTAINED},
    ],
)
def test_without_a_citation_or_a_sentence_nothing_overlaps(fields: dict[str, Any]) -> None:
    assert JudgeMetric.CITATION_OVERLAP not in grades(**fields)


def test_recall_is_of_the_reference_in_the_retrieved_texts_and_only_on_a_golden_set() -> None:
    recall = JudgeMetric.CONTEXT_RECALL
    known = {"golden": True, "reference": "Gateway timeout closes after 60 s"}
    assert told(recall, **known) == (2, "The retrieved texts hold 100% of the reference's words.")
    shorter = (passage("Gateway timeout closes after a while."), passage(None, 2))
    assert told(recall, **known, passages=shorter) == (
        1, "The retrieved texts hold 75% of the reference's words, and not 60 s.",
    )  # fmt: skip
    poor = (passage("The gateway."),)
    assert told(recall, **known, passages=poor)[0] == 0
    assert recall not in grades(golden=False, reference="Gateway")
    assert recall not in grades(golden=True, reference="")
    assert recall not in grades(**known, passages=(passage(None),))


def test_chunks_come_first_in_their_order() -> None:
    found = proxy_grades(
        Material(
            question=ASKED,
            answer="It is 60 s.",
            passages=(passage(rank=1), passage(None, 2), passage(rank=3)),
            cited=(passage(),),
            golden=True,
            reference="60 s",
        )
    )
    assert [(grade.metric.value, grade.chunk_id) for grade in found] == [
        ("relevance", "c1"),
        ("relevance", "c3"),
        ("faithfulness", None),
        ("answer_relevancy", None),
        ("context_precision", None),
        ("context_recall", None),
    ]
