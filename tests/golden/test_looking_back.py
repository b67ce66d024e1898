"""Versions, their differences, the history of a case and the origin of its facts."""

import json
from pathlib import Path

import pytest

from curation.codec import case_path, dumps
from curation.domain.case import CaseStatus, Fact, FactKind, Facts, Retired, RetireReason
from curation.domain.change import ChangeKind
from curation.domain.diff import diff_cases
from curation.domain.review import FailureCategory
from curation.errors import NotFoundError
from curation.golden import (
    case_blame,
    case_history,
    diff_versions,
    highest_case_number,
    list_versions,
    read_version,
    used_ids,
)
from tests.golden.desk import ANA, MIA, ROB, Desk, make_case

POLICY = (Path(__file__).parents[2] / "golden_repo" / "golden.toml").read_text()


@pytest.fixture
def told(desk: Desk) -> Desk:
    """Four versions: two cases, an edit by somebody else, a retirement, a restoration."""
    desk.publish(
        desk.add(
            make_case("q-0001", facts=Facts(required=(Fact(id="f1", text="30 s"),))),
            answer_id="ans-1",
            failure=FailureCategory.CONTEXT_RECALL,
            reason="Another version's value.",
        ),
        desk.add("q-0002"),
    )
    facts = Facts(required=(Fact(id="f1", text="30 s"), Fact(id="f2", text="by default")))
    desk.publish(
        desk.edit(
            "q-0001",
            change={"facts": facts, "weight": 3},
            author=ANA,
            approvers=(MIA,),
            answer_id="ans-2",
            reason="It lacked the condition.",
        )
    )
    gone = Retired(reason=RetireReason.OUTDATED, superseded_by="q-0001")
    retired = make_case("q-0002", status=CaseStatus.RETIRED, retired=gone)
    desk.publish(
        desk.of_case(ChangeKind.RETIRE, retired), desk.policy(POLICY.replace("k = 5", "k = 7"))
    )
    desk.publish(desk.of_case(ChangeKind.RESTORE, make_case("q-0002")), desk.add("q-0010"))
    return desk


def test_versions_say_when_by_whom_and_how_much(told: Desk) -> None:
    found = list_versions(told.location)
    assert [(v.version, v.cases, v.changes, v.released_by) for v in found] == [
        ("golden/v1", 0, 0, ROB),
        ("golden/v2", 2, 2, ROB),
        ("golden/v3", 2, 1, ROB),
        ("golden/v4", 1, 2, ROB),
        ("golden/v5", 3, 2, ROB),
    ]
    dates = [v.date for v in found if v.date is not None]
    assert len(dates) == len(found)
    assert dates == sorted(dates)
    assert set(found[0].to_document()) >= {"version", "commit", "date", "cases", "changes"}


def test_the_difference_of_two_versions(told: Desk) -> None:
    diff = diff_versions(told.location, "golden/v2", "v5").to_document()
    assert diff == {
        "added": ["q-0010"],
        "retired": [],
        "restored": [],
        "edited": [{"case_id": "q-0001", "fields": ["weight", "facts"]}],
        "removed": [],
        "policy": ["k: 5 → 7"],
    }
    assert diff_versions(told.location, "v3", "v4").to_document()["retired"] == ["q-0002"]
    assert diff_versions(told.location, "v4", "v5").to_document()["restored"] == ["q-0002"]
    back = diff_versions(told.location, "v5", "v4").to_document()
    assert (back["removed"], back["retired"]) == (["q-0010"], ["q-0002"])


def test_the_diff_of_versions_holds_the_diff_of_each_case_that_changed(told: Desk) -> None:
    old = read_version(told.location, "v2").cases
    new = read_version(told.location, "v5").cases
    diff = diff_versions(told.location, "v2", "v5")
    found = (*diff.added, *diff.edited, *diff.retired, *diff.restored)
    assert {change.case_id: change for change in found} == {
        name: diff_cases(old.get(name), case) for name, case in new.items() if old.get(name) != case
    }


def test_the_history_of_a_case_newest_first(told: Desk) -> None:
    edit, add = case_history(told.location, "q-0001")
    assert (edit.change, edit.version, edit.author, edit.approvers, edit.committer) == (
        "edit", "golden/v3", ANA, (MIA,), ROB,
    )  # fmt: skip
    assert (edit.reason, edit.answer_id, edit.failure) == (
        "It lacked the condition.", "ans-2", None,
    )  # fmt: skip
    assert edit.diff.names == ("weight", "facts")
    assert (add.change, add.version, add.failure) == ("add", "golden/v2", "context_recall")
    assert add.diff.added
    assert json.loads(json.dumps(edit.to_document()))["diff"][0] == {
        "field": "weight", "change": "changed", "old": 1, "new": 3,
    }  # fmt: skip
    assert [event.change for event in case_history(told.location, "q-0002")] == [
        "restore", "retire", "add",
    ]  # fmt: skip


def test_every_fact_has_an_origin(told: Desk) -> None:
    first, second = case_blame(told.location, "q-0001")
    assert (first.fact_id, first.kind, first.author, first.answer_id, first.version) == (
        "f1", FactKind.REQUIRED, MIA, "ans-1", "golden/v2",
    )  # fmt: skip
    assert (second.fact_id, second.author, second.approvers, second.version) == (
        "f2", ANA, (MIA,), "golden/v3",
    )  # fmt: skip
    assert second.to_document()["answer_id"] == "ans-2"


def test_a_case_that_came_by_import_has_its_history_too(desk: Desk) -> None:
    files = {case_path(i): dumps(make_case(i)).decode() for i in ("a1", "b2")}
    desk.publish(desk.change(ChangeKind.IMPORT, files, import_source=f"x sha256:{'0' * 64}"))
    (event,) = case_history(desk.location, "b2")
    assert (event.change, event.approvers) == ("import", (ANA,))


@pytest.mark.parametrize("name", ["q-0404", "--all", "../x", "Q-1", ""])
def test_a_case_that_never_was_has_no_history(told: Desk, name: str) -> None:
    with pytest.raises(NotFoundError):
        case_history(told.location, name)
    with pytest.raises(NotFoundError):
        case_blame(told.location, name)


def test_numbers_are_never_given_twice(told: Desk) -> None:
    assert highest_case_number(told.location) == 10
    assert read_version(told.location).highest_number == 10
    told.git("rm", "--quiet", case_path("q-0010"))
    told.git("commit", "--quiet", "-m", "Take a case away")
    assert read_version(told.location).highest_number == 2
    assert highest_case_number(told.location) == 10
    assert "q-0010" in used_ids(told.location)


def test_commits_without_a_version_have_none(told: Desk) -> None:
    path = told.location.path / case_path("q-0001")
    path.write_bytes(path.read_bytes().replace(b'"notes": ""', b'"notes": "by hand"'))
    told.git("commit", "--quiet", "-am", "By hand")
    event = case_history(told.location, "q-0001")[0]
    assert (event.version, event.change, event.approvers) == (None, "unknown", ())
    assert list_versions(told.location)[-1].version == "golden/v5"
