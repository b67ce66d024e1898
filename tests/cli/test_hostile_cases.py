"""Case files that no case can be made of: refused when they are proposed, not at publish."""

import copy

import pytest

from tests.cli.world import CASE, MIA, ROB


def changed(**fields):
    return {**copy.deepcopy(CASE), **fields}


def with_fact(**fields):
    fact = {"id": "f1", "text": "60 s", "evidence": ["e1"], **fields}
    return changed(facts={**CASE["facts"], "required": [fact]})


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (changed(id="../../x"), "the id '../../x' is not 2 to 63 small letters"),
        (changed(id="con"), "is the name of a device"),
        (changed(id=""), "the id '' is not"),
        (changed(id="a\n"), "the id 'a\\n' is not"),
        (with_fact(evidence=["e9"]), "names the evidence 'e9', which is not there"),
        (with_fact(id="e1"), "the id 'e1' is used 2 times"),
        (with_fact(role="conclusion", **{"from": ["f1"]}), "follows from itself"),
        (changed(category="x"), "only an unanswerable case names its category"),
        (changed(status="retired"), "it is retired without a reason"),
        (changed(provenance={"answer_id": "other"}), "it comes from the answer 'other'"),
    ],
)
def test_a_case_that_could_never_be_published_is_not_proposed(logged, case, said):
    file = logged.file("case.json", case)
    finish = ("review", "finish", "a-1", "--case", file, "--reason", "Wrong.", "--as", MIA)
    error = logged.json(*finish, status=2)["error"]
    assert said in error
    assert "case.json is not a case" in error
    assert logged.json("change", "list") == {"changes": []}


def test_an_empty_fact_is_to_fix(logged):
    file = logged.file("case.json", with_fact(text=" "))
    finish = ("review", "finish", "a-1", "--case", file, "--reason", "Wrong.", "--as", MIA)
    found = logged.json(*finish, status=1)["findings"]
    assert ("facts_missing", "Required fact 1 is empty.") in [
        (f["check"], f["message"]) for f in found
    ]


def test_a_chunks_document_is_what_the_corpus_says(logged):
    evidence = [{**CASE["evidence"][0], "doc_id": "another"}]
    file = logged.file("case.json", changed(evidence=evidence))
    finish = ("review", "finish", "a-1", "--case", file, "--reason", "Wrong.", "--as", MIA)
    number = str(logged.json(*finish)["number"])
    assert '"doc_id": "guide"' in logged.json("change", "show", number)["file_diff"]


def test_a_file_nested_too_deeply_is_one_sentence(logged):
    file = logged.file("case.json", "[" * 100_000)
    finish = ("review", "finish", "a-1", "--case", file, "--reason", "Wrong.", "--as", MIA)
    assert "it is nested too deeply" in logged.json(*finish, status=2)["error"]


def test_a_huge_number_in_an_id_does_not_stop_the_counting(logged):
    for answer, fields in (("a-1", {"id": "q-99999999999999999999"}), ("a-2", {})):
        file = logged.file("case.json", changed(**fields))
        finish = ("review", "finish", answer, "--case", file, "--reason", "Wrong.", "--as", MIA)
        given = logged.json(*finish)["case_id"]
        logged.run("change", "approve", "1" if fields else "2", "--as", ROB)
        logged.run("publish", "--as", ROB)
    assert given == "q-0001"
