"""The form in which people and other programs hand in a case."""

from typing import Any

import pytest

from curation.codec import case_from_document, form_problems
from curation.errors import CaseFormError


def read(document: dict[str, Any], **more: Any) -> Any:
    return case_from_document(document, where="case.json", **more)


def test_only_the_question_is_needed_where_a_placeholder_id_is_given() -> None:
    case = read({"question": "Why?"}, defaults={"id": "new-case"})
    assert (case.id, case.question, case.slice, case.weight) == ("new-case", "Why?", "general", 1)


def test_what_the_document_says_wins_over_the_defaults() -> None:
    defaults = {"id": "x1", "slice": "billing", "provenance": {"origin": "imported"}}
    case = read(
        {"id": "q-7", "question": "Why?", "provenance": {"answer_id": "a"}}, defaults=defaults
    )
    assert (case.id, case.slice) == ("q-7", "billing")
    assert (case.provenance.origin, case.provenance.answer_id) == ("imported", "a")


def test_missing_ids_are_given_and_none_comes_twice() -> None:
    case = read(
        {
            "id": "q-7",
            "question": "Why?",
            "facts": {
                "required": ["one", {"id": "f2", "text": "two"}],
                "optional": [{"text": "three"}],
                "forbidden": ["four"],
            },
            "declines": ["five"],
            "evidence": [{"chunk_id": "c", "doc_id": "d"}, {"chunk_id": "c2", "doc_id": "d"}],
        },
        taken=("f3", "e1"),
    )
    assert [fact.id for _, fact in case.facts.each] == ["f1", "f2", "f4", "f5"]
    assert [line.id for line in case.declines] == ["d1"]
    assert [(item.id, item.group) for item in case.evidence] == [("e2", "e2"), ("e3", "e3")]
    assert form_problems(case) == ()


def test_null_stands_for_a_default() -> None:
    case = read({"id": "q-7", "question": "Why?", "notes": None, "facts": None, "evidence": None})
    assert (case.notes, case.evidence) == ("", ())


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({}, "the field question is missing"),
        ({"questoin": "x", "question": "y"}, "the field questoin is not known"),
        ({"question": "x", "facts": []}, "facts is not an object"),
        ({"question": "x", "facts": {"requird": []}}, "the field facts.requird is not known"),
        ({"question": "x", "facts": {"required": "a"}}, "facts.required is not a list"),
        ({"question": "x", "facts": {"required": [3]}}, "facts.required[0] is not an object or"),
        ({"question": "x", "facts": {"required": [{}]}}, "facts.required[0].text is missing"),
        ({"question": "x", "evidence": ["a"]}, "evidence[0] is not an object"),
        ({"question": "x", "evidence": [{"doc_id": "d"}]}, "evidence[0].chunk_id is missing"),
        ({"question": "x", "weight": "3"}, "weight is not a number"),
        ({"question": "x", "weight": True}, "weight is not a number"),
        ({"question": "x", "answerable": "yes"}, "answerable is not 'answerable', "),
        ({"question": "\ud800"}, "half of a surrogate pair"),
        ({"question": "x", "notes": b"raw"}, "what JSON cannot say"),
    ],
)
def test_a_mistake_is_told_with_its_field(document: dict[str, Any], words: str) -> None:
    with pytest.raises(CaseFormError) as refusal:
        read(document, defaults={"id": "q-7"})
    assert words in str(refusal.value)
    assert str(refusal.value).startswith("case.json is not a case: ")
