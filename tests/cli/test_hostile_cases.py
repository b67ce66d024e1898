"""Case files that no case can be made of: refused when they are proposed, not at publish."""

import copy
from pathlib import Path

import pytest
from typer.testing import CliRunner

from curation.cli.main import app
from tests.cli.conftest import CommandLine
from tests.cli.world import ANA, CASE, CHUNKS, MIA, ROB, answer


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
        (with_fact(id={"a": 1}), "facts.required[0].id is not a text"),
        (with_fact(role="conclusion", **{"from": ["f1"]}), "follows from itself"),
        (changed(category="x"), "only an unanswerable case names its category"),
        (changed(status="retired"), "it is retired without a reason"),
        (
            changed(status="retired", retired={"reason": "wrong", "superseded_by": None}),
            "is retired or restored by `change propose --retire`",
        ),
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
    given = ""
    for answer_id, fields in (("a-1", {"id": "q-99999999999999999999"}), ("a-2", {})):
        file = logged.file("case.json", changed(**fields))
        finish = ("review", "finish", answer_id, "--case", file, "--reason", "Wrong.", "--as", MIA)
        given = logged.json(*finish)["case_id"]
        logged.run("change", "approve", "1" if fields else "2", "--as", ROB)
        logged.run("publish", "--as", ROB)
    assert given == "q-0001"


@pytest.fixture
def published(logged):
    finish = ("review", "finish", "a-1", "--case", logged.file("case.json", CASE))
    logged.run(*finish, "--reason", "Wrong.", "--as", MIA)
    logged.run("change", "approve", "1", "--as", ROB)
    logged.run("publish", "--as", ROB)
    return logged


SAYS = ("--reason", "It is so.", "--as", MIA)


def test_a_case_does_not_supersede_itself(published):
    retire = ("--retire", "q-0001", "--why-retired", "wrong", "--superseded-by", "q-0001")
    error = published.json("change", "propose", *retire, *SAYS, status=2)["error"]
    assert error == "Nothing was proposed: q-0001 cannot supersede itself. Name another."


def test_a_patch_set_stays_what_its_change_is(published):
    retire = ("--retire", "q-0001", "--why-retired", "wrong")
    published.run("change", "propose", *retire, *SAYS)
    file = published.file("edit.json", {"id": "q-0001", "notes": "x"})
    error = published.json("change", "revise", "2", "--case", file, *SAYS, status=2)["error"]
    assert "change 0002 is of kind retire, and the file is not" in error
    published.run("change", "propose", "--case", file, *SAYS)
    other = published.file("other.json", changed(id="q-0700", question="Is it so?"))
    error = published.json("change", "revise", "3", "--case", other, *SAYS, status=2)["error"]
    assert "change 0003 is about q-0001, and the file is not" in error


def test_a_policy_that_is_no_text(published):
    file = published.folder / "policy.toml"
    file.write_bytes(b"\xff")
    for path, said in ((str(file), "byte 0 is not UTF-8"), ("/nope", "No such file")):
        error = published.json("change", "propose", "--policy", path, *SAYS, status=2)["error"]
        assert f"{path} is not a policy: {said}" in error


def test_an_acknowledgement_of_nothing(published):
    file = published.file("case.json", CASE)
    finish = ("review", "finish", "a-2", "--case", file, "--ack", "nosuch=y", *SAYS)
    assert "There is no check 'nosuch'" in published.json(*finish, status=2)["error"]


@pytest.mark.parametrize(
    "name",
    [
        "Mia\u202e <m@x.org>",
        "Rob Oduya <rob\u200b@example.org>",
        "\u200b <a@b.c>",
        ", <a@b.c>",
        "\ud800 <a@b.c>",
        "Mia \u2028 <a@b.c>",
        "x" * 5000 + " <a@b.c>",
    ],
)
def test_a_name_that_does_not_read_as_what_it_is(logged, name):
    finish = ("review", "finish", "a-1", "--dismiss", "right", "--as", name)
    assert "does not name a person" in logged.json(*finish, status=2)["error"]


@pytest.mark.parametrize("name", ["Мия Ким <m@x.org>", "علی\u200cرضا <a@b.c>", "李雷 <l@x.cn>"])
def test_names_of_the_world(logged, name):
    logged.run("review", "finish", "a-1", "--dismiss", "right", "--as", name)


def test_an_import_says_why_it_refuses_and_where(curation):
    lines = [changed(id=f"c-{n}", question=f"Question {n}?", slice="hr") for n in (1, 2)]
    file = curation.file("cases.jsonl", [*lines, {"id": "c-3", "gold": [5]}])
    with open(file, "a", encoding="utf-8") as more:  # noqa: PTH123
        more.write("[" * 100_000 + "\n")
    imported = ("golden", "import", file, "--reason", "Ours.", "--as", MIA)
    document = curation.json(*imported, status=1)
    assert (document["change_id"], document["cases"], document["refused"]) == (None, 0, 4)
    assert document["reasons"][0] == {"reason": "golden.toml has no slice 'hr'", "cases": 2}
    assert {"reason": "it is nested too deeply", "cases": 1} in document["reasons"]
    assert len(Path(document["rejects_file"]).read_text(encoding="utf-8").splitlines()) == 4
    assert "no case is good, 4 refused" in curation.run(*imported, status=1)


def test_a_damaged_gzip_of_cases(curation):
    file = curation.folder / "cases.jsonl.gz"
    file.write_bytes(b"\x1f\x8b\x08" + b"x" * 40)
    imported = ("golden", "import", str(file), "--reason", "Ours.", "--as", MIA)
    assert "the gzip file is cut short or damaged" in curation.json(*imported, status=2)["error"]


@pytest.mark.parametrize("variants", [5, "ab", [5]])
def test_variants_of_a_fact_are_a_list_of_texts(curation, variants):
    file = curation.file("pairs.jsonl", [{"fact": "60 s", "text": "60 s", "any_of": variants}])
    error = curation.json("fact", "match", file, status=2)["error"]
    assert "line 1, was not read: the field any_of is not a list of texts" in error


def test_a_moment_after_the_last_year_is_one_refused_record(logged):
    answers = [answer(8, asked_at="9999-12-31T23:59:59-14:00"), answer(9)]
    document = logged.json("ingest", logged.file("late.jsonl", answers), status=1)
    assert (document["stored"], document["refused"]) == (1, 1)


def test_a_number_that_no_database_can_hold(logged):
    sample = ("queue", "sample", "--seed", "9" * 30, "--as", MIA)
    assert "it holds a number of more than 64 bits" in logged.json(*sample, status=2)["error"]


def test_a_proposal_that_is_made_twice_says_so(published):
    file = published.file("case.json", changed(question="How long may a session idle in v4.2?"))
    propose = ("change", "propose", "--case", file, *SAYS)
    waits = "Change 0002 waits for approval and asks the same."
    assert waits not in str(published.json(*propose)["findings"])
    assert waits not in str(published.json("change", "revise", "2", *propose[2:])["findings"])
    assert waits in str(published.json(*propose)["findings"])


def test_outputs_nested_too_deeply_and_half_an_address(published):
    run = published.file("run.jsonl", '{"pipeline": "p", "k": 5}\n' + "[" * 100_000 + "\n")
    error = published.json("eval", "run", "--run", run, status=2)["error"]
    assert error.startswith(f"Line 2 of {run} cannot be read: it is nested too deeply")
    plain = published.file("golden.jsonl", "[" * 100_000 + "\n")
    error = published.json("eval", "run", "--run", run, "--golden", plain, status=2)["error"]
    assert "it is nested too deeply" in error
    error = published.json("eval", "run", "--http", "http://[::1", status=2)["error"]
    assert "it is no address of a pipeline" in error


def test_a_policy_at_the_gate_or_beside_a_plain_set_that_is_no_text(published):
    policy = published.folder / "golden.toml"
    policy.write_bytes(b"\x1f\x8b")
    gate = ("eval", "gate", "none", "none", "--policy", str(policy))
    plain = published.folder / "golden.jsonl"
    plain.write_bytes((published.home / "golden" / "golden.jsonl").read_bytes())
    run = ("eval", "run", "--run", published.file("run.jsonl", []), "--golden", str(plain))
    for command in (gate, run):
        error = published.json(*command, status=2)["error"]
        assert f"{policy} is not a policy: byte 1 is not UTF-8" in error


@pytest.mark.parametrize("seconds", ["inf", "nan", "1e30", "-1", "0"])
def test_a_call_takes_some_time_and_at_most_a_day(published, seconds):
    run = ("eval", "run", "--target", "json:dumps", "--timeout", seconds)
    done = CliRunner().invoke(app, ["--home", str(published.home), *run])
    assert done.exit_code == 2
    assert "--timeout" in done.stderr


def test_a_change_that_lacks_an_approval_takes_one_more(published):
    policy = (published.home / "golden" / "golden.toml").read_text(encoding="utf-8")
    two = published.file("two.toml", policy.replace("approvals = 1", "approvals = 2"))
    published.run("change", "propose", "--policy", two, *SAYS)
    finish = ("review", "finish", "a-2", "--case", published.file("case.json", CASE))
    published.run(*finish, "--reason", "Wrong.", "--as", MIA)
    for number in ("2", "3"):
        published.run("change", "approve", number, "--as", ROB)
    [waits] = published.json("publish", "--as", ROB, status=1)["conflicts"]
    assert "needs the approval of 2 people" in waits["message"]
    assert published.json("change", "show", "3")["state"] == "proposed"
    published.run("change", "approve", "3", "--as", ANA)
    assert [done["case_id"] for done in published.json("publish", "--as", ROB)["published"]] == [
        "q-0002"
    ]


def test_two_stores_on_one_set_are_told_what_to_do(published, tmp_path):
    other = CommandLine(home=tmp_path / "other", folder=tmp_path)
    other.home.mkdir()
    golden = published.home / "golden"
    (other.home / "curation.toml").write_text(f"[golden]\npath = '{golden}'\n")
    other.run("corpus", "add", published.file("chunks.jsonl", CHUNKS))
    for line, question in ((published, "First?"), (other, "Second?")):
        new = line.file("new.json", changed(question=question))
        line.run("change", "propose", "--case", new, *SAYS)
        edit = line.file("edit.json", {"id": "q-0001", "notes": question})
        line.run("change", "propose", "--case", edit, *SAYS)
        for change in line.json("change", "list", "--state", "proposed")["changes"]:
            line.run("change", "approve", str(change["number"]), "--as", ROB)
    published.run("publish", "--as", ROB)
    told = other.run("publish", "--as", ROB, status=1)
    assert "its id was taken meanwhile; it is q-0003 now and needs approval once more" in told
    shown = other.run("change", "show", "2")
    assert "In conflict: q-0001 changed since this was proposed." in shown
    assert "`curation change revise 0002 --case FILE`" in shown
