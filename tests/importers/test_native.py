"""The native format: what a record means, and the field and reason where it means nothing."""

import pytest

from curation.domain.answer import Citation, ScoreStatus
from curation.domain.chunk import Chunk
from curation.importers.native import answer_of, chunk_of
from curation.importers.reading import Raw, Refused

LEAST = {"id": "a", "question": "Q?", "answer": ""}


def answer(**fields):
    found = answer_of(Raw(1, {**LEAST, **fields}, "the line"))
    assert not isinstance(found, Refused), found
    return found


def refused(**fields):
    record = {name: value for name, value in {**LEAST, **fields}.items() if value is not ...}
    found = answer_of(Raw(3, record, "the line"))
    assert isinstance(found, Refused), found
    assert (found.line, found.text) == (3, "the line")
    return found.field, found.reason


def test_id_question_and_answer_are_enough():
    found = answer()
    assert (found.answer, found.retrieved, found.outcome) == ("", (), None)


def test_nothing_in_every_other_field_is_as_if_it_were_not_there():
    names = "asked_at conversation retrieved citations outcome pipeline_version model latency_ms"
    more = "cost_usd session_id user_id tags slice scores signals labels metadata"
    assert answer(**dict.fromkeys(f"{names} {more}".split())) == answer()


@pytest.mark.parametrize("word", ["null", "N/A", "007", "NaN", "true", "- 1", "=1+1", " "])
def test_an_answer_that_is_a_word_stays_that_word(word):
    assert answer(answer=word).answer == word


def test_fields_that_an_answer_does_not_know_go_to_its_metadata():
    found = answer(metadata={"a": 1}, trace={"x": [1]}, region="eu")
    assert found.metadata == {"a": 1, "trace": {"x": [1]}, "region": "eu"}
    assert refused(metadata={"region": "us"}, region="eu") == (
        "region",
        "the metadata has another value under this name",
    )


def test_citations_may_be_plain_ids():
    found = answer(citations=["c1", {"chunk_id": "c2", "start": 0, "end": 4}])
    assert found.citations == (Citation(chunk_id="c1"), Citation(chunk_id="c2", start=0, end=4))


def test_used_is_true_and_rank_the_place_unless_said():
    chunks = [{"chunk_id": "c", "used": None}, {"chunk_id": "d", "rank": 9, "used": False}]
    found = answer(retrieved=chunks).retrieved
    assert [(chunk.rank, chunk.used) for chunk in found] == [(1, True), (9, False)]


def test_numbers_as_ids_are_text():
    found = answer(id=7, user_id=8, session_id=9)
    assert (found.id, found.user_id, found.session_id) == ("7", "8", "9")
    hits = [{"chunk_id": 7, "doc_id": 8, "doc_version": 4}]
    scores = [{"metric": "m", "value": 1, "chunk_id": 7}]
    found = answer(retrieved=hits, citations=[7, {"chunk_id": 7}], scores=scores)
    assert {hit.chunk_id for hit in (*found.retrieved, *found.citations, *found.scores)} == {"7"}
    assert (found.retrieved[0].doc_id, found.retrieved[0].doc_version) == ("8", "4")
    assert refused(retrieved=[{"chunk_id": "c", "doc_version": 4.1}]) == (
        "retrieved.0.doc_version",
        "it is not a text",
    )
    chunk = chunk_of(Raw(1, {"chunk_id": 7, "doc_id": 8, "text": "t"}, "the line"))
    assert isinstance(chunk, Chunk)
    assert (chunk.chunk_id, chunk.doc_id) == ("7", "8")


@pytest.mark.parametrize(
    ("score", "kind"),
    [
        ({"value": 1.5, "scale": [0, 1]}, "range"),
        ({"value": -1, "scale": [0, 2]}, "range"),
        ({"value": -1, "scale": [5, 1]}, "range"),
        ({"value": -1}, "range"),
        ({"value": float("nan"), "scale": [0, 1]}, "nan"),
        ({"value": float("inf")}, "nan"),
        ({"value": True, "scale": [0, 2]}, "type"),
        ({"value": "2", "scale": [0, 2]}, "type"),
        ({"value": [1], "scale": [0, 2]}, "type"),
    ],
)
def test_a_score_that_cannot_count_is_a_failed_one_never_0_never_dropped(score, kind):
    (found,) = answer(scores=[{"metric": "m", "reason": "said so", **score}]).scores
    assert (found.status, found.error_kind, found.value) == (ScoreStatus.FAILED, kind, None)
    assert found.reason is not None
    assert repr(score["value"]) in found.reason
    assert found.reason.endswith("said so")


@pytest.mark.parametrize(
    "score",
    [
        {"value": 0, "scale": [0, 1]},
        {"value": 1, "scale": [1, 0]},
        {"value": 4, "scale": [1, 5]},
        {"value": 7},
        {"value": None, "scale": [0, 1]},
        {"value": 0.5, "scale": None, "status": None},
    ],
)
def test_a_score_on_its_scale_counts(score):
    (found,) = answer(scores=[{"metric": "m", **score}]).scores
    assert found.status is ScoreStatus.OK
    assert found.value == score["value"]


def test_a_failed_score_keeps_its_own_kind():
    score = {"metric": "m", "status": "failed", "error_kind": "time-out", "value": None}
    assert answer(scores=[score]).scores[0].error_kind == "time-out"


@pytest.mark.parametrize(
    ("fields", "field", "reason"),
    [
        ({"id": ...}, "id", "it is missing"),
        ({"answer": ...}, "answer", "it is missing"),
        ({"answer": None}, "answer", "it is not a text"),
        ({"question": 5}, "question", "it is not a text"),
        ({"id": ""}, "id", "it is empty"),
        ({"id": 1.5}, "id", "it is not a text"),
        ({"id": True}, "id", "it is not a text"),
        ({"question": " \n"}, "question", "it is empty"),
        ({"answer": "half \ud83d"}, "answer", "it holds half of a surrogate pair"),
        ({"answer": "a\0b"}, "answer", "it holds the character NUL"),
        ({"metadata": {"x": [float("nan")]}}, "metadata.x.0", "it is not a finite number"),
        ({"latency_ms": float("nan")}, "latency_ms", "it is not a finite number"),
        ({"extra": {"k\ud800": 1}}, "'metadata.extra.k\\ud800'", "the name of the field"),
        ({"retrieved": {}}, "retrieved", "it is not a list"),
        ({"retrieved": ["c"]}, "retrieved.0", "it is not an object"),
        ({"retrieved": [{"rank": 1}]}, "retrieved.0.chunk_id", "it is missing"),
        ({"retrieved": [{"chunk_id": "c", "rank": 0}]}, "retrieved.0.rank", "it is below 1"),
        (
            {"retrieved": [{"chunk_id": "c", "rank": 2**31}]},
            "retrieved.0.rank",
            "it is above 2147483647",
        ),
        ({"retrieved": [{"chunk_id": "c", "color": 1}]}, "retrieved.0.color", "it is not known"),
        ({"scores": [{"metric": "m", "scale": [0]}]}, "scores.0.scale.1", "it is missing"),
        ({"signals": [{"kind": "applause"}]}, "signals.0.kind", "it is not 'thumbs_up'"),
        ({"outcome": "shrugged"}, "outcome", "it is not 'answered'"),
        ({"asked_at": "yesterday"}, "asked_at", "it is not a moment"),
        ({"metadata": "x"}, "metadata", "it is not an object"),
        ({"metadata": 5, "extra": 1}, "metadata", "it is not an object"),
    ],
)
def test_what_is_no_answer_is_refused_with_its_field(fields, field, reason):
    found_field, found_reason = refused(**fields)
    assert found_field == field
    assert found_reason.startswith(reason)


def test_a_chunk_needs_its_id_document_and_text():
    whole = {"chunk_id": "c", "doc_id": "d", "text": "t"}
    found = chunk_of(Raw(1, {**whole, "doc_version": "", "url": "left out"}, ""))
    assert not isinstance(found, Refused)
    assert found.doc_version is None
    for name in whole:
        for value in (None, "", 5.5):
            bad = chunk_of(Raw(1, {**whole, name: value}, ""))
            assert isinstance(bad, Refused)
            assert bad.field == name
