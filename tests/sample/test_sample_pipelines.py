"""The flaw of the version-blind pipeline shows, and the version-aware one mends it."""

from collections.abc import Callable
from typing import Any

import pytest

from curation.domain.answer import RetrievedChunk
from curation.domain.case import Answerable
from curation.sample.documents import chunk_texts
from curation.sample.pipeline import (
    AWARE,
    BLIND,
    BLIND_FIRST,
    BOOSTED,
    Pipeline,
    handbook_boost,
    version_aware,
    version_blind,
)
from curation.sample.questions import read_questions
from curation.sample.truth import Failure, failure_of, holds_truth

Target = Callable[..., dict[str, Any]]
TARGETS = (version_blind, version_aware, handbook_boost)

CONNECT = "What is the connect timeout of the collector in 4.2?"


def _failures(pipeline: Pipeline) -> list[tuple[Any, Failure]]:
    return [
        (question, failure_of(question.truth, pipeline.answer(wording), asked=wording))
        for question in read_questions()
        if question.after is None
        for wording in question.wordings
    ]


def _share_right(pipeline: Pipeline) -> float:
    """Return the share of versioned questions, in their first wording, with a right answer."""
    asked = [q for q in read_questions() if q.after is None and q.truth.forbidden]
    right = [q for q in asked if holds_truth(q.truth, pipeline.answer(q.wordings[0])["answer"])]
    return len(right) / len(asked)


def test_the_flaw_answers_from_another_release() -> None:
    blind, aware = version_blind(CONNECT, []), version_aware(CONNECT, [])
    assert "20 s" in blind["answer"]
    assert blind["hits"][0]["doc_version"] == "4.0"
    assert "10 s" in aware["answer"]
    assert aware["hits"][0]["doc_version"] == "4.2"


def test_the_evidence_is_not_retrieved_at_all_by_the_flawed_one() -> None:
    gold = ("collector/timeouts#connect", "4.2")
    blind, aware = version_blind(CONNECT, []), version_aware(CONNECT, [])
    assert gold not in {(hit["chunk_id"], hit["doc_version"]) for hit in blind["hits"]}
    assert gold in {(hit["chunk_id"], hit["doc_version"]) for hit in aware["hits"]}


def test_blind_is_wrong_on_a_good_share_and_aware_right_on_most() -> None:
    blind, aware = _share_right(BLIND), _share_right(AWARE)
    assert 0.3 < blind < 0.6
    assert aware > 0.8
    assert aware - blind > 0.3


def test_only_the_retriever_differs() -> None:
    blind, aware, boosted = BLIND.manifest, AWARE.manifest, BOOSTED.manifest
    for one, other in ((blind, aware), (aware, boosted)):
        assert [key for key in one if one[key] != other[key]] == ["retriever"]
    assert len([k for k in blind if blind[k] != BLIND_FIRST.manifest[k]]) > 1


@pytest.mark.parametrize("target", TARGETS)
def test_the_output_has_the_form_that_an_evaluation_reads(target: Target) -> None:
    output = target(CONNECT, [])
    assert set(output) == {"hits", "answer", "citations", "outcome", "latency_ms", "cost_usd"}
    hits = [RetrievedChunk.model_validate(hit) for hit in output["hits"]]
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit.score for hit in hits] == sorted((hit.score or 0 for hit in hits), reverse=True)
    assert any(hit.used for hit in hits)
    assert not all(hit.used for hit in hits)
    for hit in hits:
        assert hit.text == chunk_texts()[hit.chunk_id, hit.doc_version]
    assert output["latency_ms"] > 0
    assert output["cost_usd"] > 0


@pytest.mark.parametrize("target", TARGETS)
def test_the_same_question_gives_the_same_output(target: Target) -> None:
    assert target(CONNECT, []) == target(CONNECT, [])


def test_a_marker_numbers_the_hit_that_is_cited() -> None:
    output = version_aware("How much does a Team seat cost by the month?", [])
    assert output["citations"]
    for citation in output["citations"]:
        hit = output["hits"][int(citation["marker"].strip("[]")) - 1]
        assert citation["marker"] in output["answer"]
        assert (hit["chunk_id"], hit["doc_version"]) == (
            citation["chunk_id"],
            citation["doc_version"],
        )


def test_an_answer_may_hold_several_dollar_amounts() -> None:
    answer = version_aware("How much do 12 seats of the Team plan cost by the month?", [])["answer"]
    assert answer.count("$") >= 3
    assert "For 12 seats that is $348 per month." in answer


def test_a_short_question_borrows_from_the_turn_before() -> None:
    earlier = [{"role": "user", "text": CONNECT}, {"role": "agent", "text": "10 s [1]."}]
    assert "20 s" in version_aware("And in 4.0?", earlier)["answer"]
    assert version_aware("And in 4.0?", [])["outcome"] != "answered"


def test_what_the_corpus_cannot_match_is_declined() -> None:
    output = version_aware("ما هي مهلة الاتصال في الإصدار 4.2؟", [])
    assert output["outcome"] == "abstained"
    assert output["citations"] == []


def test_a_question_of_one_word_is_asked_back() -> None:
    output = version_aware("What is the timeout?", [])
    assert output["outcome"] == "clarified"
    assert output["answer"].endswith("?")


def test_unanswerable_questions_are_often_answered_all_the_same() -> None:
    failures = _failures(AWARE)
    unanswerable = [
        failure
        for question, failure in failures
        if question.truth.answerable is Answerable.UNANSWERABLE
    ]
    answered = unanswerable.count(Failure.FALSE_ANSWER)
    assert 0.5 < answered / len(unanswerable) < 1


def test_the_first_release_cites_the_first_chunk_for_everything() -> None:
    failures = [failure for _, failure in _failures(BLIND_FIRST)]
    assert failures.count(Failure.CITATION) >= 5
    assert Failure.CITATION not in [failure for _, failure in _failures(BLIND)]


def test_whole_minutes_lose_the_half_ones() -> None:
    question = "After what time is an idle connection closed in 4.2?"
    assert "closed after 90 s" in BLIND_FIRST.answer(question)["answer"]
    assert "closed after 2 minutes" in BLIND.answer(question)["answer"]
