"""Import, export, validate: what goes in comes out, and every refused line is named."""

import gzip
import json
from datetime import UTC

import pytest

from curation.importers.cases import ImportFileError
from curation.services import changes, golden_files, golden_set
from curation.services.change_view import view_change
from curation.services.errors import ReasonMissingError, UnknownFormatError
from curation.services.publish import publish
from curation.ui.changes_view import Clock, Look, draw_change
from tests.services.review_world import ANA, MIA, NOW, ROB, opened

GOOD = {
    "id": "idle-42",
    "question": "When does a relay close a session in v4.2?",
    "reference": "After 60 s.",
    "required_facts": ["60 s"],
    "forbidden_facts": [{"text": "30 s", "value_of": "3.9"}],
    "gold_pids": ["guide#timeout"],
    "gold_docs": ["guide"],
    "doc_version": "4.2",
    "slice": "general",
    "license": "CC0",
}


@pytest.fixture
def workspace(tmp_path_factory):
    with opened(tmp_path_factory.mktemp("mine")) as work:
        yield work


def bring_in(workspace, lines, *, name="cases.jsonl"):
    file = workspace.settings.home / name
    text = "".join((ln if isinstance(ln, str) else json.dumps(ln)) + "\n" for ln in lines)
    data = text.encode("utf-8", "surrogatepass")
    file.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return golden_files.propose_import(workspace, file, person=MIA, reason="our old set", now=NOW)


def published(workspace, done):
    changes.approve(workspace, done.change.id, person=ROB, now=NOW)
    return publish(workspace, person=ANA, now=NOW)


@pytest.mark.parametrize("name", ["cases.jsonl", "cases.jsonl.gz"])
def test_an_import_is_one_change_and_one_version(workspace, name):
    other = {**GOOD, "id": "Ünfit id@7", "question": "Which limit?", "weight": 3}
    done = bring_in(workspace, [GOOD, other], name=name)
    assert (done.cases, done.refused) == (2, 0)
    assert published(workspace, done).version == "golden/v2"
    cases = golden_set.browse(workspace).cases
    assert set(cases) == {"idle-42", "q-0001"}
    assert cases["q-0001"].provenance.external_id == "Ünfit id@7"
    kept = cases["idle-42"]
    assert kept.facts.forbidden[0].value_of == "3.9"
    assert kept.evidence[0].chunk_sha256
    assert "license: CC0" in kept.notes
    assert kept.reference_source == "imported"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "Expecting"),
        ('{"id": "a", "id": "b"}', "comes twice"),
        ("[1]", "not a JSON object"),
        (json.dumps({**GOOD, "colour": "red"}), "colour"),
        (json.dumps({**GOOD, "reference": ""}), "reference"),
        (json.dumps({**GOOD, "gold_pids": []}), "evidence"),
        (json.dumps({**GOOD, "weight": 0}), "weight"),
        (json.dumps(GOOD).replace("After", "\\ud800 After"), ""),
        (json.dumps(GOOD).replace('"general"', "NaN"), "NaN"),
    ],
)
def test_a_bad_line_is_refused_with_its_number_and_reason(workspace, line, said):
    done = bring_in(workspace, [{**GOOD, "id": "good-one"}, line])
    assert (done.cases, done.refused) == (1, 1)
    reject = json.loads(done.rejects_file.read_text(encoding="utf-8"))
    assert reject["line"] == 2
    assert said in reject["reason"]


def test_an_id_is_imported_once(workspace):
    done = bring_in(workspace, [GOOD, GOOD])
    assert (done.cases, done.refused) == (1, 1)
    published(workspace, done)
    again = bring_in(workspace, [GOOD])
    assert (again.change, again.refused) == (None, 1)


def test_what_waits_in_an_import_is_not_imported_again(workspace):
    both = [GOOD, {**GOOD, "id": "Q 1", "question": "Which limit?"}]
    bring_in(workspace, both)
    again = bring_in(workspace, both)
    assert (again.change, dict(again.reasons)) == (
        None,
        {
            "the id idle-42 is taken in change 0001": 1,
            "the id Q 1 is taken in change 0001": 1,
        },
    )


def test_an_import_whose_ids_another_store_took_says_so(workspace, tmp_path):
    with opened(tmp_path, toml=f'golden.path = "{workspace.settings.golden_path}"') as there:
        mine, theirs = bring_in(workspace, [GOOD]), bring_in(there, [GOOD])
        published(workspace, mine)
        assert [change.state for change in published(there, theirs).conflicts] == ["conflict"]
        found = changes.get(there, theirs.change.id)
        assert found.conflict == "idle-42 exists already"
        drawn = draw_change(view_change(there, found), Look.FIELDS, None, Clock(now=NOW, zone=UTC))
        assert "In conflict: idle-42 exists already." in str(drawn)
        assert changes.withdraw(there, found.id, person=MIA).state == "withdrawn"


def test_chunk_ids_that_are_numbers_are_text_as_in_a_corpus(workspace):
    done = bring_in(workspace, [{**GOOD, "gold_pids": [7], "gold_docs": []}])
    case = changes.case_of(done.change.latest)
    assert case is not None
    assert [item.chunk_id for item in case.evidence] == ["7"]


def test_imported_cases_that_ask_the_same_are_told_to_who_approves(workspace):
    other = {**GOOD, "id": "else", "question": "Which limit?"}
    done = bring_in(workspace, [GOOD, {**GOOD, "id": "two"}, other])
    (said,) = done.change.latest.findings
    assert said.message == "1 of 3 cases ask the same as another: two as idle-42."
    published(workspace, done)
    later = bring_in(workspace, [{**GOOD, "id": "three"}, {**other, "id": "4", "doc_version": "3"}])
    assert [one.message for one in later.findings] == [
        "1 of 2 cases ask the same as another: three as idle-42."
    ]


@pytest.mark.parametrize("old", ["Ünfit id@7", 7])
def test_an_id_that_is_not_kept_is_imported_once_too(workspace, old):
    strange = {**GOOD, "id": old}
    done = bring_in(workspace, [strange, strange])
    assert (done.cases, done.reasons) == (1, ((f"the id {old} is taken by an earlier line", 1),))
    published(workspace, done)
    again = bring_in(workspace, [strange])
    assert (again.change, again.reasons) == (
        None,
        ((f"the id {old} is taken, imported as q-0001", 1),),
    )


@pytest.mark.parametrize(
    "lines", [["[", '{"id": 1},', "]"], ["id,question", "1,What?"], ['[{"id": "a"}]'], ["\0\ufffd"]]
)
def test_a_file_of_another_form_is_refused_once(workspace, lines):
    with pytest.raises(ImportFileError, match=r"no line of it is a JSON object \(it is not"):
        bring_in(workspace, lines)


def test_an_import_needs_a_reason_and_a_file(workspace, tmp_path):
    with pytest.raises(ReasonMissingError):
        golden_files.propose_import(
            workspace, tmp_path / "none.jsonl", person=MIA, reason=" ", now=NOW
        )
    with pytest.raises(ImportFileError, match="was not imported"):
        golden_files.propose_import(
            workspace, tmp_path / "none.jsonl", person=MIA, reason="x", now=NOW
        )


def test_what_is_exported_is_what_the_version_holds_and_comes_in_again(workspace, tmp_path):
    published(workspace, bring_in(workspace, [GOOD]))
    out = golden_files.export(workspace, tmp_path / "out", version="golden/v2")
    built = workspace.settings.golden_path / "golden.jsonl"
    assert out.path.read_bytes() == built.read_bytes()
    line = json.loads(out.path.read_text(encoding="utf-8"))
    again = bring_in(workspace, [{**line, "id": "idle-43"}], name="again.jsonl")
    assert (again.cases, again.refused) == (1, 0)


def test_the_plain_form_holds_only_what_the_plainest_loader_takes(workspace, tmp_path):
    none = {
        "id": "none",
        "question": "Is there a relay 9?",
        "answerable": "unanswerable",
        "category": "operations",
        "slice": "general",
    }
    published(workspace, bring_in(workspace, [GOOD, none]))
    out = golden_files.export(workspace, tmp_path, format_="seeds", answerable_only=True)
    assert (out.cases, out.left_out) == (1, 1)
    row = json.loads(out.path.read_text(encoding="utf-8"))
    assert list(row) == ["id", "question", "reference", "gold_pids", "slice", "weight"]
    with pytest.raises(UnknownFormatError):
        golden_files.export(workspace, tmp_path, format_="yaml")


def test_validate_ends_with_the_line_that_people_expect(workspace):
    published(workspace, bring_in(workspace, [GOOD, {**GOOD, "id": "two", "weight": 3}]))
    report = golden_files.validate(workspace.settings.golden_path)
    assert report.lines[-1] == "loaded 2 cases | slices: general 2 | weight 3 on 1"
    assert not report.problems
