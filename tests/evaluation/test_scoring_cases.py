"""A golden set is scored the same from its case files and from its golden.jsonl."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.codec.built import golden_jsonl, scoring_digest
from curation.domain.case import (
    Answerable,
    Case,
    CaseStatus,
    EvidenceRole,
    Fact,
    FactRole,
    Facts,
    Provenance,
)
from curation.domain.policy import parse_policy
from curation.evaluation.cases import parse_golden, scoring_case, scoring_cases
from curation.evaluation.errors import GoldenFileError
from curation.evaluation.evaluate import evaluate_run
from tests.evaluation.builders import (
    a_case,
    a_run,
    an_output,
    gold,
    partial,
    turns,
    unanswerable,
    underspecified,
)

POLICY = parse_policy('[[documents]]\npattern = "gw*"\ncategory = "gateway"\n')


def some_cases() -> list[Case]:
    near_miss = gold("gw:9", number=3).model_copy(update={"role": EvidenceRole.DISTRACTOR})
    facts = Facts(
        required=(
            Fact(id="f1", text="The request timeout is 60 s", evidence=("e2",)),
            Fact(id="f4", text="Not compatible", role=FactRole.CONCLUSION, from_=("f1",)),
        )
    )
    return [
        a_case("q-0003", facts=facts, evidence=(near_miss, gold(number=2), gold("gw:2", number=4))),
        a_case("q-0002", notes="A note.", provenance=Provenance(answer_id="a-1"), weight=3),
        a_case("q-0004", conversation=turns("Hello", "Hi"), other_references=("A minute.",)),
        partial(),
        underspecified(),
        unanswerable(),
        a_case("q-0008", status=CaseStatus.RETIRED),
    ]


def test_both_forms_give_the_same_cases() -> None:
    text = golden_jsonl(some_cases()).decode()
    from_file = scoring_cases(parse_golden(text), POLICY)
    from_cases = scoring_cases(some_cases(), POLICY)
    assert from_file == from_cases
    assert [case.id for case in from_file] == sorted(case.id for case in from_file)
    assert "q-0008" not in {case.id for case in from_file}


def test_a_run_scored_from_both_forms_gives_the_same_report() -> None:
    text = golden_jsonl(some_cases()).decode()
    cases = scoring_cases(some_cases(), POLICY)
    run = a_run([an_output(case.id) for case in cases])
    from_file = evaluate_run(scoring_cases(parse_golden(text), POLICY), run)
    assert from_file == evaluate_run(cases, run)


def test_a_corrected_note_keeps_the_digest_and_a_corrected_fact_does_not() -> None:
    case = a_case()
    digest = scoring_case(case).digest
    assert scoring_case(case.model_copy(update={"notes": "Better."})).digest == digest
    assert scoring_case(case.model_copy(update={"weight": 2})).digest != digest
    assert scoring_case(case.model_copy(update={"slice": "policy"})).digest != digest
    assert scoring_case(case.model_copy(update={"reference": "61 s."})).digest != digest
    assert digest == scoring_digest(case)


def test_categories_are_those_of_the_gold_documents_else_the_named_one() -> None:
    two = a_case(evidence=(gold(), gold("x:1", number=2, doc_id="x")))
    assert scoring_case(two, POLICY).categories == ("gateway", "uncategorised")
    assert scoring_case(unanswerable(category="gateway"), POLICY).categories == ("gateway",)


def test_cases_of_one_conversation_share_a_cluster() -> None:
    first = scoring_case(a_case(question="Which timeout?"))
    later = scoring_case(a_case("q-2", question="And in v3?", conversation=turns("Which timeout?")))
    other = scoring_case(a_case("q-3", question="Which limit?"))
    assert first.cluster == later.cluster != other.cluster


def test_the_plainest_file_is_read() -> None:
    line = {
        "id": "q-041",
        "question": "What is the relocation cap?",
        "reference": "4000 EUR.",
        "gold_pids": ["handbook:2", "faq:1"],
        "gold_docs": ["handbook"],
        "slice": "policy",
        "weight": 3.0,
        "required_facts": ["4000 EUR"],
        "forbidden_facts": ["60 days"],
        "lookup": "kept by its owner",
    }
    case = parse_golden(json.dumps(line))[0]
    assert [item.group for item in case.gold] == ["e1", "e2"]
    assert case.gold[0].doc_id == "handbook"
    assert [fact.text for fact in case.facts.required] == ["4000 EUR"]
    assert (case.weight, case.slice) == (3.0, "policy")


def test_a_yes_or_no_answerable_is_understood() -> None:
    line = {"id": "q-1", "question": "?", "answerable": False}
    assert parse_golden(json.dumps(line))[0].answerable is Answerable.UNANSWERABLE


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[1]", "not a JSON object"),
        ("{", "Line 1"),
        ('{"question": "?"}', "the field id is missing"),
        ('{"id": "q-1", "question": "?", "weight": -1}', "weight"),
        ('{"id": "q-1", "question": "?"}\n{"id": "q-1", "question": "?"}', "'q-1' stands twice"),
    ],
)
def test_what_is_no_golden_set_is_named_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(GoldenFileError, match=problem):
        parse_golden(text)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(
    question=TEXT,
    reference=TEXT,
    quotes=st.lists(TEXT, max_size=3),
    weight=st.sampled_from([1, 2.5, 100]),
    facts=st.lists(TEXT, max_size=3),
)
def test_any_case_is_the_same_from_its_line(
    question: str, reference: str, quotes: list[str], weight: float, facts: list[str]
) -> None:
    case = a_case(
        question=question,
        reference=reference,
        weight=weight,
        facts=Facts(required=tuple(Fact(id=f"f{n}", text=text) for n, text in enumerate(facts))),
        evidence=tuple(gold(f"c{n}", number=n, quote=quote) for n, quote in enumerate(quotes)),
    )
    read = parse_golden(golden_jsonl([case]).decode())
    assert scoring_cases(read, POLICY) == scoring_cases([case], POLICY)


SHARED = Path(__file__).parents[3] / "shared" / "data" / "cases.jsonl.gz"


@pytest.mark.skipif(not SHARED.exists(), reason="the shared data is not here")
def test_the_real_cases_are_read_and_keep_their_digest() -> None:
    with gzip.open(SHARED, "rt", encoding="utf-8", newline="\n") as file:
        rows = [json.loads(row) for row in file]
    documents = [row for row in rows if row["answerable"] in set(Answerable)]
    cases = parse_golden("".join(json.dumps(document) + "\n" for document in documents))
    assert len(cases) == len(documents) > 1000
    again = parse_golden(golden_jsonl(cases).decode())
    assert scoring_cases(again) == scoring_cases(cases)
