"""The rules of a case: its form, and what it needs to count."""

from typing import Any

import pytest

from curation.codec import (
    case_from_document,
    content_problems,
    form_problems,
    named_content_problems,
)
from curation.domain.case import Case, CaseStatus, Retired, RetireReason
from curation.domain.policy import Policy, parse_policy

GOLD = {"chunk_id": "c", "doc_id": "d", "quote": "60 s"}


def case(**fields: Any) -> Case:
    document = {
        "id": "q-0001",
        "question": "How long?",
        "reference": "60 s.",
        "facts": {"required": [{"id": "f1", "text": "60 s", "evidence": ["e1"]}]},
        "evidence": [GOLD],
    }
    return case_from_document(document | fields, where="it")


def test_a_whole_case_has_no_problem() -> None:
    assert form_problems(case()) == ()
    assert content_problems(case(), Policy()) == ()


FORM: list[tuple[dict[str, Any], str]] = [
    ({"id": "Q-1"}, "the id 'Q-1'"),
    ({"id": "nul"}, "the id 'nul'"),
    (
        {"facts": {"required": [{"id": "e1", "text": "x"}]}, "evidence": [GOLD | {"id": "e1"}]},
        "'e1' is used 2 times",
    ),
    ({"declines": [{"id": "f1", "text": "x"}]}, "'f1' is used 2 times"),
    ({"facts": {"required": [{"id": "a b", "text": "x"}]}}, "'a b' is not an id"),
    ({"facts": {"required": [{"text": "x", "evidence": ["e9"]}]}}, "names the evidence 'e9'"),
    (
        {"facts": {"required": [{"text": "x", "role": "conclusion", "from": ["f9"]}]}},
        "follows from 'f9'",
    ),
    ({"facts": {"required": [{"text": "x", "from": ["f2"]}, "y"]}}, "not a conclusion"),
    (
        {
            "facts": {
                "required": [
                    {"id": "f1", "text": "x", "role": "conclusion", "from": ["f2"]},
                    {"id": "f2", "text": "y", "role": "conclusion", "from": ["f1"]},
                ]
            }
        },
        "fact f1 follows from itself",
    ),
    ({"category": "console"}, "only an unanswerable case names its category"),
    ({"evidence": [GOLD | {"chunk_sha256": "abc"}]}, "not 64 hex digits"),
    ({"evidence": [GOLD | {"group": " "}]}, "evidence e1 has no group"),
    ({"status": "retired"}, "retired without a reason"),
    ({"retired": {"reason": "wrong"}}, "it is active and yet"),
    (
        {"status": "retired", "retired": {"reason": "merged", "superseded_by": "q-0001"}},
        "'q-0001' cannot supersede it",
    ),
]


@pytest.mark.parametrize(("fields", "words"), FORM)
def test_a_wrong_form_is_told(fields: dict[str, Any], words: str) -> None:
    assert any(words in problem for problem in form_problems(case(**fields)))


def test_a_weight_that_slipped_past_the_model_is_told() -> None:
    assert form_problems(case().model_copy(update={"weight": 0}))
    assert form_problems(case().model_copy(update={"weight": float("nan")}))


CONTENT: list[tuple[dict[str, Any], str]] = [
    ({"question": " "}, "question_missing"),
    ({"reference": ""}, "reference_missing"),
    ({"answerable": "underspecified", "reference": "", "evidence": []}, "reference_missing"),
    ({"evidence": [], "facts": {"required": ["60 s"]}}, "evidence_missing"),
    ({"answerable": "partial", "evidence": [], "facts": {"required": ["x"]}}, "evidence_missing"),
    ({"evidence": [GOLD | {"role": "distractor"}]}, "evidence_missing"),
    ({"facts": {"optional": ["60 s"]}}, "facts_missing"),
    ({"facts": {"required": [" "]}}, "facts_missing"),
    ({"declines": [" "]}, "facts_missing"),
    ({"answerable": "partial", "facts": {"forbidden": ["30 s"]}}, "facts_missing"),
    ({"answerable": "unanswerable"}, "required_on_unanswerable"),
    (
        {"facts": {"required": ["60 S"], "forbidden": [{"text": "x", "any_of": ["60  s"]}]}},
        "forbidden_equals_required",
    ),
    ({"slice": "billing"}, "unknown_slice"),
    ({"question_type": "riddle"}, "unknown_question_type"),
]


@pytest.mark.parametrize(("fields", "rule"), CONTENT)
def test_what_a_case_lacks_is_told_by_rule(fields: dict[str, Any], rule: str) -> None:
    assert [p.rule for p in named_content_problems(case(**fields), Policy())] == [rule]


@pytest.mark.parametrize(
    "fields",
    [
        {"answerable": "unanswerable", "reference": "", "facts": {}, "evidence": []},
        {"answerable": "unanswerable", "facts": {"forbidden": ["4,000 EUR"]}, "evidence": []},
        {"facts": {"forbidden": ["30 s"]}},
        {"facts": {}, "provenance": {"origin": "imported"}},
        {"answerable": "underspecified", "evidence": [], "facts": {"required": ["which version"]}},
    ],
)
def test_what_may_be_missing_may_be_missing(fields: dict[str, Any]) -> None:
    assert content_problems(case(**fields), Policy()) == ()


def test_a_retired_case_needs_nothing_any_more() -> None:
    gone = case(question="", slice="gone").model_copy(
        update={"status": CaseStatus.RETIRED, "retired": Retired(reason=RetireReason.WRONG)}
    )
    assert content_problems(gone, Policy()) == ()


def test_slices_are_those_of_the_policy_or_any_without_one() -> None:
    policy = parse_policy("[slices.billing]\nprotected = true\n")
    assert content_problems(case(slice="billing"), policy) == ()
    assert content_problems(case(slice="whatever", question_type="riddle"), None) == ()
