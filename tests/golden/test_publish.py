"""Approved changes become a commit each and together a version, once and whole."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from curation.codec import case_path, dumps, golden_jsonl
from curation.domain.case import Answerable, CaseStatus, Facts, Retired, RetireReason
from curation.domain.change import ChangeKind
from curation.domain.review import Acknowledgement, FailureCategory
from curation.golden import (
    Location,
    Published,
    Worktree,
    audit,
    published_change_ids,
    read_version,
)
from tests.golden.desk import ANA, MIA, ROB, Desk, make_case

STARTER = Path(__file__).parents[2] / "golden_repo"


def test_an_addition_becomes_a_commit_and_a_version(desk: Desk) -> None:
    change = desk.add("q-0001")
    done = desk.publish(change)
    assert (done.version, done.worktree, done.conflicts, done.skipped) == (
        "golden/v2", Worktree.SYNCED, (), (),
    )  # fmt: skip
    (published,) = done.published
    assert published == Published(
        change_id=change.change.id,
        case_id="q-0001",
        commit=desk.git("rev-parse", "main~1"),
        version="golden/v2",
    )
    assert desk.git("rev-parse", "golden/v2^{commit}") == desk.git("rev-parse", "main")
    assert desk.git("cat-file", "-t", "golden/v2") == "tag"
    assert done.commit == desk.git("rev-parse", "main")
    assert desk.git("status", "--porcelain") == ""


def test_the_commit_says_who_wrote_approved_and_published_and_why(desk: Desk) -> None:
    change = desk.add(
        "q-0001",
        reason="The user was told 30 s.\n\nSo was I.",
        answer_id="ans-17",
        failure=FailureCategory.CONTEXT_RECALL,
        earlier_authors=(ANA,),
        approvers=(ROB,),
        acks=(Acknowledgement(check="red_other", why="It is the version.", item="f1"),),
    )
    desk.publish(change)
    assert desk.git("log", "-1", "--skip=1", "--format=%an <%ae>|%cn <%ce>|%aI|%cI") == (
        "Mia Kim <mia@example.org>|Rob Oduya <rob@example.org>"
        "|2026-11-02T09:02:00+00:00|2026-11-02T09:03:00+00:00"
    )
    assert desk.git("log", "-1", "--skip=1", "--format=%B") == (
        "Add case q-0001: What is the default of option q-0001?\n"
        "\n"
        " The user was told 30 s.\n"
        "\n"
        " So was I.\n"
        "\n"
        "Explained:\n"
        " red_other (f1): It is the version.\n"
        "\n"
        "Case: q-0001\n"
        "Change: add\n"
        f"Change-Id: {change.change.id}\n"
        "Base-Blob: none\n"
        "Source-Answer: ans-17\n"
        "Failure: context_recall\n"
        "Co-authored-by: Ana Ruiz <ana@example.org>\n"
        "Reviewed-by: Rob Oduya <rob@example.org>\n"
    )


def test_the_files_of_a_version_are_what_its_cases_make(desk: Desk) -> None:
    desk.publish(desk.add("q-0002"), desk.add(make_case("q-0001", weight=3)))
    golden = read_version(desk.location)
    built = desk.git("show", "golden/v2:golden.jsonl").encode() + b"\n"
    assert built == golden_jsonl(golden.cases.values())
    manifest = json.loads(desk.git("show", "golden/v2:MANIFEST.json"))
    assert manifest["version"] == "golden/v2"
    assert manifest["weights"] == {"1": 1, "3": 1}
    assert manifest["cases_tree"] == desk.git("rev-parse", "golden/v2:cases") == golden.cases_tree
    path = desk.location.path / case_path("q-0001")
    assert path.read_bytes() == dumps(golden.cases["q-0001"])


def test_every_kind_of_change_goes_out_and_the_audit_finds_nothing(desk: Desk) -> None:
    unanswerable = make_case(
        "q-0003", answerable=Answerable.UNANSWERABLE, facts=Facts(), evidence=(), category="x"
    )
    desk.publish(desk.add("q-0001"), desk.add("q-0002"), desk.add(unanswerable))
    retired = make_case(
        "q-0002",
        status=CaseStatus.RETIRED,
        retired=Retired(reason=RetireReason.DUPLICATE, superseded_by="q-0001"),
    )
    desk.publish(
        desk.edit("q-0001", change={"reference": "It is 30 s, as before."}),
        desk.of_case(ChangeKind.RETIRE, retired),
        desk.policy((STARTER / "golden.toml").read_text() + "\n[slices.billing]\n"),
    )
    imported = {case_path(i): dumps(make_case(i, slice="billing")).decode() for i in ("a1", "b2")}
    desk.publish(
        desk.of_case(ChangeKind.RESTORE, make_case("q-0002")),
        desk.change(ChangeKind.IMPORT, imported, import_source=f"old.jsonl sha256:{'0' * 64}"),
        desk.change(ChangeKind.BASELINE, {"experiments/baseline.json": "{}\n"}),
    )
    assert desk.git("log", "--reverse", "--format=%s", "golden/v1..main").split("\n") == [
        "Add case q-0001: What is the default of option q-0001?",
        "Add case q-0002: What is the default of option q-0002?",
        "Add case q-0003: What is the default of option q-0003?",
        "Release golden/v2",
        "Change the policy: golden.toml",
        "Edit case q-0001: What is the default of option q-0001?",
        "Retire case q-0002: What is the default of option q-0002?",
        "Release golden/v3",
        "Import 2 cases from old.jsonl",
        "Restore case q-0002: What is the default of option q-0002?",
        "Set the baseline",
        "Release golden/v4",
    ]
    report = audit(desk.location)
    assert report.findings == ()
    assert (report.commits, report.versions) == (13, 4)
    assert [notice.kind for notice in report.notices] == ["root", "policy", "import"]
    assert read_version(desk.location).version == "golden/v4"
    assert len(read_version(desk.location, "v3").active) == 2


def test_publishing_again_writes_nothing_twice(desk: Desk) -> None:
    first, second = desk.add("q-0001"), desk.add("q-0002")
    done = desk.publish(first)
    again = desk.publish(first, second)
    assert again.skipped == done.published
    assert [item.change_id for item in again.published] == [second.change.id]
    last = desk.publish(first, second)
    assert (last.version, last.published, last.commit) == (None, (), again.commit)
    assert {item.version for item in last.skipped} == {"golden/v2", "golden/v3"}
    assert desk.git("rev-list", "--count", "main") == "5"


def test_a_change_that_is_given_twice_is_written_once(desk: Desk) -> None:
    change = desk.add("q-0001")
    done = desk.publish(change, change)
    assert (len(done.published), done.conflicts) == (1, ())


def test_git_says_what_is_published(desk: Desk) -> None:
    change = desk.add("q-0001")
    done = desk.publish(change)
    known = published_change_ids(desk.location)
    assert known == {change.change.id: (done.published[0].commit, "golden/v2", "q-0001")}


def test_a_retry_on_an_equal_parent_writes_the_very_same_commits(
    desk: Desk, tmp_path: Path
) -> None:
    changes = [desk.add("q-0001", approvers=(ANA,)), desk.add("q-0002", approvers=(ANA, ROB))]
    copy = tmp_path / "copy"
    shutil.copytree(desk.location.path, copy)
    first = desk.publish(*changes)
    elsewhere = replace(desk, location=Location.at(copy)).publish(*changes)
    assert [item.commit for item in elsewhere.published] == [p.commit for p in first.published]


def test_nothing_to_publish_makes_no_version(desk: Desk) -> None:
    before = desk.git("rev-parse", "main")
    done = desk.publish()
    assert (done.version, done.commit) == (None, before)
    assert desk.git("tag", "--list") == "golden/v1"


def test_what_others_need_goes_first(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    retired = make_case(
        "q-0001",
        status=CaseStatus.RETIRED,
        retired=Retired(reason=RetireReason.OUTDATED, superseded_by="q-0002"),
    )
    policy = (STARTER / "golden.toml").read_text() + "\n[slices.billing]\nprotected = true\n"
    done = desk.publish(
        desk.of_case(ChangeKind.RETIRE, retired),
        desk.add(make_case("q-0002", slice="billing")),
        desk.policy(policy),
    )
    assert done.conflicts == ()
    assert read_version(desk.location).cases["q-0001"].status is CaseStatus.RETIRED


def test_a_question_that_is_spelled_anew_is_marked(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    desk.publish(desk.edit("q-0001", change={"question": "What is the default of q-0001?"}))
    desk.publish(desk.edit("q-0001", change={"notes": "Asked often."}))
    shown = "--format=%(trailers:key=Question-Reworded,valueonly)"
    assert desk.git("log", "--grep=^Edit case", shown).split() == ["yes"]


def test_a_policy_of_self_approval_marks_what_it_allowed(desk: Desk) -> None:
    text = (STARTER / "golden.toml").read_text()
    policy = text.replace("self_approval = false", "self_approval = true")
    desk.publish(desk.policy(policy))
    done = desk.publish(
        desk.add("q-0001", approvers=(MIA,)), desk.add("q-0002", approvers=(MIA, ANA))
    )
    assert done.conflicts == ()
    shown = desk.git("log", "--reverse", "-3", "--format=%(trailers:only)")
    assert shown.count("Self-approved: yes") == 1
    assert "Reviewed-by: Mia Kim" not in shown
    report = audit(desk.location)
    assert report.findings == ()
    assert [n.message for n in report.notices if n.kind == "self_approved_share"] == [
        "1 of 3 changes were self-approved"
    ]


@pytest.mark.parametrize("version", ["golden/v2", "v2"])
def test_a_version_stays_what_it_was(desk: Desk, version: str) -> None:
    done = desk.publish(desk.add("q-0001"))
    desk.publish(desk.edit("q-0001", change={"notes": "later"}), desk.add("q-0002"))
    golden = read_version(desk.location, version)
    assert (golden.version, golden.commit, list(golden.cases)) == (
        "golden/v2", done.commit, ["q-0001"],
    )  # fmt: skip
    assert golden.cases["q-0001"].notes == ""
    assert read_version(desk.location, done.commit).cases == golden.cases


def test_what_the_baseline_fails_is_marked(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    change = replace(desk.edit("q-0001", change={"weight": 2}), baseline_fails=True)
    desk.publish(change)
    assert [n.kind for n in audit(desk.location).notices] == ["root", "baseline_fails"]
