"""One case has one spelling, and everything else is refused or told apart."""

import json

import pytest

from curation.codec import case_id_of, case_path, dumps, loads, read_case, read_document
from curation.domain.case import Case, Fact, Facts, ForbiddenFact, Turn
from curation.errors import CaseFormError

CASE = Case(
    id="q-0041",
    question="Was ist das Zeitlimit? \u2028 \u0085 \x00 \x7f \U0001f600",
    conversation=(Turn(role="user", text="a\r\nb"),),
    reference="60 s",
    facts=Facts(
        required=(Fact(id="f1", text="60 s"),),
        forbidden=(ForbiddenFact(id="f2", text="30 s", value_of="3.9"),),
    ),
)
DATA = dumps(CASE)


def test_the_keys_are_in_the_order_of_the_model() -> None:
    document = json.loads(DATA)
    assert list(document) == [
        "schema", "id", "status", "question", "conversation", "standalone_question",
        "answerable", "question_type", "slice", "category", "weight", "reference",
        "other_references", "reference_source", "facts", "declines", "readings", "evidence",
        "doc_version", "provenance", "retired", "notes",
    ]  # fmt: skip
    assert list(document["facts"]["forbidden"][0]) == [
        "id", "text", "any_of", "evidence", "role", "from", "value_of", "mention",
    ]  # fmt: skip
    assert list(document["provenance"]) == [
        "origin", "answer_id", "external_id", "pipeline_version", "failure", "signals",
        "reported_at",
    ]  # fmt: skip


def test_the_bytes_are_those_of_pythons_own_json() -> None:
    document = json.loads(DATA)
    assert json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n" == DATA


def test_nulls_and_empty_lists_are_written_and_text_is_kept() -> None:
    document = json.loads(DATA)
    assert document["standalone_question"] is None
    assert document["readings"] == []
    assert document["question"] == CASE.question
    assert document["conversation"][0]["text"] == "a\r\nb"


@pytest.mark.parametrize(
    ("weight", "written"), [(2.0, b"2"), (3, b"3"), (0.5, b"0.5"), (1e-7, b"1e-07")]
)
def test_whole_weights_are_written_as_integers(weight: float, written: bytes) -> None:
    data = dumps(CASE.model_copy(update={"weight": weight}))
    assert b'"weight": ' + written + b",\n" in data
    assert read_case(data, "it").canonical
    assert loads(data, "it").weight == weight


def swapped(old: bytes, new: bytes) -> bytes:
    assert old in DATA
    return DATA.replace(old, new)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not JSON"),
        (b"null", "not a JSON object"),
        (b"\xef\xbb\xbf" + DATA, "byte order mark"),
        (b'{"id": "\xff"}', "byte 8 is not UTF-8"),
        (DATA[:-9], "not JSON"),
        (DATA + b"{}", "not JSON"),
        (swapped(b'"notes": ""', b'"notes": "", "notes": ""'), "'notes' comes twice"),
        (swapped(b'"value_of": "3.9"', b'"value_of": "3.9", "text": "x"'), "'text' comes twice"),
        (swapped(b'"weight": 1', b'"weight": NaN'), "NaN"),
        (swapped(b'"weight": 1', b'"weight": -Infinity'), "-Infinity"),
        (swapped(b'"weight": 1', b'"weight": 1e999'), "too large"),
        (swapped(b'"weight": 1', b'"weight": ' + b"9" * 5000), "too long"),
        (swapped(b'"weight": 1', b'"weight": "1"'), "weight is not a number"),
        (swapped(b'"weight": 1', b'"weight": true'), "weight is not a number"),
        (swapped(b'"weight": 1', b'"weight": 0'), "weight is not above 0"),
        (swapped(b'"weight": 1', b'"weight": 101'), "weight is above 100"),
        (swapped(b'"60 s"', b'"\\ud800"'), "half of a surrogate pair"),
        (swapped(b'"notes": ""', b'"notes": "", "note": ""'), "the field note is not known"),
        (swapped(b'"value_of": "3.9"', b'"value": "3.9"'), "facts.forbidden[0].value is not known"),
        (swapped(b'"active"', b'"gone"'), "status is not 'active' or 'retired'"),
        (swapped(b'"schema": 1', b'"schema": 2'), "schema is not 1"),
        (swapped(b'"readings": []', b'"readings": {}'), "readings is not a list"),
        (swapped(b'"readings": []', b'"readings": null'), "readings is not a list"),
        (swapped(b'"text": "30 s"', b'"text": 30'), "facts.forbidden[0].text is not a text"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_case_is_refused_with_place_and_field(data: bytes, words: str) -> None:
    with pytest.raises(CaseFormError) as refusal:
        loads(data, "cases/aa/x.json")
    assert str(refusal.value).startswith("cases/aa/x.json is not a case: ")
    assert words in str(refusal.value)


@pytest.mark.parametrize(
    "data",
    [
        DATA[:-1],
        DATA + b"\n",
        DATA.replace(b"\n", b"\r\n"),
        swapped(b'  "schema": 1', b'    "schema": 1'),
        swapped(b'"weight": 1', b'"weight": 1.0'),
        swapped(b'"60 s"', b'"60\\u0020s"'),
        swapped(b'  "readings": [],\n', b""),
        json.dumps(json.loads(DATA), indent=2, ensure_ascii=True).encode() + b"\n",
        json.dumps(json.loads(DATA), indent=2, ensure_ascii=False, sort_keys=True).encode() + b"\n",
    ],
)
def test_another_spelling_is_read_and_told_apart(data: bytes) -> None:
    assert read_case(data, "it") == (CASE, False)


def test_half_a_surrogate_pair_is_never_written() -> None:
    broken = CASE.model_copy(update={"notes": "\ud800"})
    with pytest.raises(CaseFormError, match="surrogate"):
        dumps(broken)
    with pytest.raises(CaseFormError, match="surrogate"):
        dumps(broken.model_copy(update={"weight": 0.5}))


def test_a_key_may_not_hold_half_a_pair_either() -> None:
    with pytest.raises(CaseFormError, match="a key holds half"):
        read_document(b'{"\\ud800": 1}', "it")


def test_a_case_lies_where_the_hash_of_its_id_says() -> None:
    assert case_path("q-0041") == "cases/34/q-0041.json"
    assert case_id_of("cases/34/q-0041.json") == "q-0041"


@pytest.mark.parametrize(
    "path",
    [
        "cases/35/q-0041.json", "cases/34/q-0041.JSON", "cases/q-0041.json", "34/q-0041.json",
        "cases/34/q-0041.json/", "cases/34/../34/q-0041.json", "x/cases/34/q-0041.json",
        case_path("con"), case_path("Q-1"), case_path("q"), case_path("-q"), case_path("a" * 64),
        case_path("q-1\n"), case_path("é-1"), case_path(""),
    ],
)  # fmt: skip
def test_no_other_path_is_a_cases_path(path: str) -> None:
    assert case_id_of(path) is None
