"""What the hook says of the form of a case file, place by place."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from curation.codec import dumps
from curation.domain.case import CaseStatus, Decline, Retired, RetireReason, Turn
from curation.golden.hook.case_form import form_problem
from tests.golden.desk import make_case
from tests.golden.in_memory import CASE

Spoil = Callable[[dict[str, Any]], object]
WHOLE = make_case(
    "q-0001",
    conversation=(Turn(role="user", text="Hello"), Turn(role="assistant", text="Hi")),
    declines=(Decline(id="d1", text="The price is not known."),),
    status=CaseStatus.RETIRED,
    retired=Retired(reason=RetireReason.WRONG),
)


def written(document: object) -> bytes:
    return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"


def spoilt(spoil: Spoil) -> str | None:
    document = json.loads(dumps(WHOLE))
    spoil(document)
    return form_problem(CASE, written(document))


@pytest.mark.parametrize("case", [WHOLE, make_case("q-0001"), make_case("q-0001", notes="ä\u2028")])
def test_what_the_program_writes_is_in_form(case: Any) -> None:
    assert form_problem(CASE, dumps(case)) is None


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda d: d.pop("notes"), "notes is missing"),
        (lambda d: (d.pop("notes"), d.pop("slice")), "slice is missing"),
        (lambda d: d.update(colour=1, size=2), "colour is no key of a case"),
        (
            lambda d: (d.pop("notes"), d.update(note="")),
            "notes is missing; note is no key of a case",
        ),
        (lambda d: d.update(id=d.pop("id")), "the keys of the case are in another order"),
        (
            lambda d: d["facts"].update(required=d["facts"].pop("required")),
            "the keys of facts are in another order",
        ),
        (
            lambda d: d["facts"]["required"][0].update(id=d["facts"]["required"][0].pop("id")),
            "the keys of facts.required[0] are in another order",
        ),
        (lambda d: d["conversation"][1].pop("role"), "conversation[1].role is missing"),
        (lambda d: d["evidence"][0].pop("quote"), "evidence[0].quote is missing"),
        (lambda d: d["provenance"].pop("origin"), "provenance.origin is missing"),
        (lambda d: d["declines"][0].update(x=1), "declines[0].x is no key of a case"),
        (lambda d: d.update(facts=None), "facts is not an object"),
        (lambda d: d.update(facts=[]), "facts is not an object"),
        (lambda d: d.update(retired="wrong"), "retired is not an object"),
        (lambda d: d["retired"].pop("reason"), "retired.reason is missing"),
        (lambda d: d.update(conversation={}), "conversation is not a list"),
        (lambda d: d.update(conversation=["x"]), "conversation[0] is not an object"),
        (lambda d: d.update(readings="x"), "readings is not a list of values"),
        (lambda d: d.update(readings=["x", {}]), "readings is not a list of values"),
        (lambda d: d.update(readings=[[]]), "readings is not a list of values"),
        (lambda d: d.update(question=[]), "question is not a value"),
        (lambda d: d.update(question={}), "question is not a value"),
        (
            lambda d: d["facts"]["required"][0].update(any_of="x"),
            "facts.required[0].any_of is not a list of values",
        ),
        (lambda d: d.update(id="q-0002"), "it says that it is 'q-0002'"),
    ],
)
def test_where_a_case_file_is_not_in_form_is_said(spoil: Spoil, said: str) -> None:
    assert spoilt(spoil) == said


def test_null_is_a_value_and_what_was_not_retired() -> None:
    assert spoilt(lambda d: d.update(retired=None, doc_version=None, readings=["x", None])) is None


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"[]\n", "it is not a JSON object"),
        (b"null\n", "it is not a JSON object"),
        (b'{"a": 1, "a": 2}', "it cannot be read (a key comes twice)"),
        (b'{"a": NaN}', "it cannot be read (it holds NaN)"),
        (dumps(WHOLE) + b"\n", "it is not in canonical form"),
        (dumps(WHOLE)[:-1], "it is not in canonical form"),
        (dumps(WHOLE).replace(b"Hello", b"H\\u00e4llo"), "it is not in canonical form"),
    ],
)
def test_what_cannot_be_read_or_is_written_otherwise(data: bytes, said: str) -> None:
    assert form_problem(CASE, data) == said


@pytest.mark.parametrize("data", [b"", b"{", b"\xff{}", b"[" * 100_000, b'"\\ud800"'])
def test_bytes_that_are_no_json_are_refused_with_what_json_says(data: bytes) -> None:
    assert (form_problem(CASE, data) or "").startswith("it cannot be read (")


def test_a_case_in_another_place_says_that_it_is_another() -> None:
    assert form_problem("cases/00/q-0001.json", dumps(WHOLE)) == "it says that it is 'q-0001'"
