"""Validation by case and rule, of folders and of plain files."""

import json
from pathlib import Path
from typing import Any

import pytest

from curation.codec import case_path, dumps, golden_jsonl
from curation.domain.case import CaseStatus, Facts, Retired, RetireReason
from curation.errors import NotFoundError
from curation.golden import validate
from tests.golden.desk import Desk, make_case


def plain(**fields: Any) -> str:
    line = {"id": "q-1", "question": "How?", "reference": "So.", "gold_pids": ["c-1"]}
    return json.dumps(line | fields)


def write(folder: Path, *lines: str) -> Path:
    file = folder / "golden.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def rules(source: Path) -> list[tuple[str, str]]:
    return [(fault.where, fault.rule) for fault in validate(source).problems]


def test_it_ends_with_the_line_that_people_expect(tmp_path: Path) -> None:
    slices = ["benefits"] * 51 + ["billing"] * 34 + ["policy"] * 41
    lines = [
        plain(id=f"q-{n}", slice=name, weight=3 if n < 18 else 1) for n, name in enumerate(slices)
    ]
    report = validate(write(tmp_path, *lines))
    assert report.problems == ()
    assert report.lines[-1] == (
        "loaded 126 cases | slices: benefits 51, billing 34, policy 41 | weight 3 on 18"
    )


def test_a_plain_file_is_refused_by_case_and_rule(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        plain(),
        plain(),
        plain(id="q-2", reference=" "),
        plain(id="q-3", gold_pids=[]),
        plain(id="q-4", answerable="unanswerable", reference="", gold_pids=[]),
        plain(id="q-5", question=""),
        '{"id": "q-6", "id": "q-7"}',
        "[]",
        "{",
        plain(id="q-8", weight="x"),
        plain(id="q-9", reference="a\u2028b\u0085c"),
        "",
    )
    report = validate(file)
    assert [(fault.where, fault.rule) for fault in report.problems] == [
        ("line 7", "case_form"),
        ("line 8", "case_form"),
        ("line 9", "case_form"),
        ("line 10", "case_form"),
        ("q-1", "duplicate_id"),
        ("q-2", "reference_missing"),
        ("q-3", "evidence_missing"),
        ("q-5", "question_missing"),
    ]
    assert "Line 10" in report.problems[3].message
    assert report.cases == 6
    assert "q-2: the reference is empty (reference_missing)" in report.lines
    assert any("no reference (no_reference): q-4" in line for line in report.lines)
    assert json.loads(json.dumps(report.to_document()))["problems"][4]["where"] == "q-1"


def test_the_built_file_of_a_set_validates(tmp_path: Path) -> None:
    file = tmp_path / "golden.jsonl"
    file.write_bytes(golden_jsonl([make_case("q-0001"), make_case("q-0002", weight=2)]))
    assert validate(file).lines == ["loaded 2 cases | slices: general 2 | weight 2 on 1"]
    assert validate(tmp_path).lines == validate(file).lines


def test_a_set_in_git_validates(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    report = validate(desk.location.path)
    assert (report.problems, report.cases) == ((), 1)
    assert report.warnings == ("slices with fewer cases than min_cases: general 1",)


def place(folder: Path, path: str, data: bytes) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(data)


def test_a_folder_is_refused_by_case_and_rule(tmp_path: Path) -> None:
    (tmp_path / "golden.toml").write_text("[slices.billing]\n")
    retired = make_case(
        "q-0009", status=CaseStatus.RETIRED, retired=Retired(reason=RetireReason.WRONG)
    )
    place(tmp_path, case_path("q-0001"), dumps(make_case("q-0001")))
    place(tmp_path, "cases/00/q-0001.json", dumps(make_case("q-0001")))
    place(tmp_path, case_path("q-0002"), dumps(make_case("q-0002")).replace(b"\n", b"\r\n"))
    place(tmp_path, case_path("q-0003"), dumps(make_case("q-0003", slice="nowhere")))
    place(tmp_path, case_path("q-0004"), dumps(make_case("q-0004", facts=Facts())))
    place(tmp_path, case_path("q-0005"), dumps(make_case("q-0005", evidence=())))
    place(tmp_path, case_path("q-0006"), b"{}")
    place(tmp_path, case_path("q-0009"), dumps(retired))
    report = validate(tmp_path)
    assert sorted((fault.where, fault.rule) for fault in report.problems) == [
        ("cases/00/q-0001.json", "wrong_place"),
        (case_path("q-0002"), "not_canonical"),
        (case_path("q-0006"), "case_form"),
        ("q-0001", "duplicate_id"),
        ("q-0003", "unknown_slice"),
        ("q-0004", "facts_missing"),
        ("q-0005", "case_form"),
        ("q-0005", "evidence_missing"),
    ]
    assert (report.cases, report.retired) == (5, 1)


def test_a_policy_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "golden.toml").write_text("approvals = 0\n")
    place(tmp_path, case_path("q-0001"), dumps(make_case("q-0001")))
    assert rules(tmp_path) == [("golden.toml", "policy")]


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_nothing_is_said_to_be_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotFoundError):
        validate(tmp_path / name)


def test_a_file_of_no_bytes_is_a_set_of_no_case(tmp_path: Path) -> None:
    (tmp_path / "golden.jsonl").write_bytes(b"")
    assert validate(tmp_path / "golden.jsonl").lines == ["loaded 0 cases"]
