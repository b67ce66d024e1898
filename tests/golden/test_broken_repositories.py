"""What is damaged or refused is said in a sentence, and nothing is half written."""

import shutil
import stat
import sys
from pathlib import Path

import pytest

from curation.codec import case_path
from curation.errors import CaseFormError, PolicyError
from curation.golden import (
    ConflictReason,
    GitFailedError,
    GoldenWriteError,
    Location,
    RacedError,
    case_blame,
    case_history,
    diff_versions,
    list_versions,
    published_change_ids,
    read_version,
    used_ids,
)
from curation.golden.parsed import ParsedCases
from curation.golden.reader import forget
from curation.golden.runner import GitRunner
from curation.golden.tree import Entry
from tests.golden.desk import Desk, git

CASE = case_path("q-0001")


def commit(desk: Desk, path: str, text: str) -> None:
    (desk.location.path / path).write_text(text)
    desk.git("commit", "--quiet", "-am", "By hand")


def test_a_case_that_cannot_be_read_is_named(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    commit(desk, CASE, "{}")
    with pytest.raises(CaseFormError, match=f"{CASE} is not a case: the field id is missing"):
        read_version(desk.location)
    assert list(read_version(desk.location, "v2").cases) == ["q-0001"]
    with pytest.raises(CaseFormError):
        diff_versions(desk.location, "v2", desk.git("rev-parse", "main"))


def test_its_history_is_still_told(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    commit(desk, CASE, "{}")
    desk.git("revert", "--no-edit", "HEAD")
    again, broken, first = case_history(desk.location, "q-0001")
    assert (first.diff.added, broken.diff.removed, again.diff.added) == (True, True, True)
    assert [origin.commit for origin in case_blame(desk.location, "q-0001")] == [again.commit]


def test_a_policy_that_cannot_be_read_stops_a_publish(desk: Desk) -> None:
    change = desk.add("q-0001")
    commit(desk, "golden.toml", "approvals = -1\n")
    with pytest.raises(PolicyError, match=r"golden\.toml is not a policy"):
        desk.publish(change)


def test_a_manifest_that_cannot_be_read_counts_nothing(desk: Desk) -> None:
    commit(desk, "MANIFEST.json", '{"cases": "many"}')
    desk.git("tag", "-a", "-m", "x", "golden/v2")
    commit(desk, "MANIFEST.json", "{")
    desk.git("tag", "-a", "-m", "x", "golden/v3")
    assert [info.cases for info in list_versions(desk.location)] == [0, None, None]


def test_an_object_that_is_missing_is_named(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    blob = read_version(desk.location).blobs["q-0001"]
    file = desk.location.path / ".git" / "objects" / blob[:2] / blob[2:]
    kept = file.with_suffix(".kept")
    shutil.move(file, kept)
    forget()
    with pytest.raises(GitFailedError, match=f"read {CASE}"):
        read_version(desk.location)
    shutil.move(kept, file)


def test_a_repository_that_cannot_be_written_stays_as_it_was(desk: Desk) -> None:
    before = desk.git("rev-parse", "main")
    packs = desk.location.path / ".git" / "objects" / "pack"
    shutil.rmtree(packs)
    packs.write_text("in the way")
    with pytest.raises(GoldenWriteError, match="git fast-import failed"):
        desk.publish(desk.add("q-0001"))
    packs.unlink()
    packs.mkdir()
    assert desk.git("rev-parse", "main") == before
    assert desk.publish(desk.add("q-0001")).version == "golden/v2"


def test_a_reference_in_the_way_of_the_versions_is_told(desk: Desk) -> None:
    change = desk.add("q-0001")
    desk.git("tag", "-d", "golden/v1")
    desk.git("tag", "golden")
    with pytest.raises(GoldenWriteError, match="lacks the tag golden/v1"):
        desk.publish(change)
    desk.git("tag", "-d", "golden")


def test_a_version_that_is_taken_meanwhile_is_a_lost_race(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = desk.location.path / ".git" / "hooks" / "reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    # Whenever the branch is about to move, somebody else moves it first.
    hook.write_text(
        "#!/bin/sh\n"
        'test "$1" = prepared || exit 0\n'
        "grep -q refs/tags/golden || exit 0\n"
        "tree=$(git rev-parse main^{tree})\n"
        "next=$(git -c user.name=x -c user.email=x@y commit-tree -p main -m race $tree)\n"
        "echo $next > .git/refs/heads/main\n"
        "exit 1\n"
    )
    hook.chmod(hook.stat().st_mode | stat.S_IXUSR)
    change = desk.add("q-0001")
    # The function of that name hides the module.
    monkeypatch.setattr(sys.modules["curation.golden.publish"], "_TRIES", 3)
    with pytest.raises(RacedError, match="3 times in a row"):
        desk.publish(change)
    hook.unlink()
    assert desk.git("rev-list", "--count", "main") == "4"
    assert desk.publish(change).version == "golden/v2"


def test_one_file_twice_is_a_conflict(desk: Desk) -> None:
    change = desk.add("q-0001").change
    latest = change.latest.model_copy(update={"files": change.latest.files * 2})
    twice = desk.add("q-0001")
    made = twice.change.model_copy(update={"patch_sets": (latest,)})
    done = desk.publish(type(twice)(change=made, approvers=twice.approvers))
    assert [(c.reason, c.message) for c in done.conflicts] == [
        (ConflictReason.INVALID, "it writes one file twice")
    ]


def test_a_command_that_takes_too_long_is_ended(desk: Desk) -> None:
    with pytest.raises(GitFailedError, match="it took more than 0 seconds"):
        GitRunner(desk.location.path).run("log", timeout=0.0)


def test_a_folder_that_is_gone_is_no_reason_to_run_elsewhere(tmp_path: Path) -> None:
    runner = GitRunner(tmp_path / "gone")
    assert runner.run("rev-parse", "HEAD").status != 0


def test_an_unborn_branch_has_nothing(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "-b", "main", ".")
    location = Location.at(tmp_path)
    assert (published_change_ids(location), used_ids(location)) == ({}, frozenset())


def test_only_so_many_cases_are_kept(desk: Desk) -> None:
    desk.publish(*(desk.add(f"q-000{n}") for n in range(1, 6)))
    golden = read_version(desk.location)
    entries = [Entry("100644", "blob", oid, case_path(i)) for i, oid in golden.blobs.items()]
    kept = ParsedCases(2)
    runner = GitRunner(desk.location.path)
    assert len(kept.read(runner, entries)) == 5
    assert len(kept._kept) == 2
    assert {item.case.id for item in kept.read(runner, entries).values()} == set(golden.cases)


def test_a_clone_without_its_newest_tag_gives_no_number_twice(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    tip = desk.git("rev-parse", "main")
    desk.git("tag", "-d", "golden/v2")
    with pytest.raises(GoldenWriteError, match=r"lacks the tag golden/v2,.*`git fetch --tags`"):
        desk.publish(desk.add("q-0002"))
    assert desk.git("rev-parse", "main") == tip
