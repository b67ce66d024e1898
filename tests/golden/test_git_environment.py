"""Nothing of the surroundings leaks in: variables, configuration, hooks, locks, threads."""

import gc
import os
import threading
from pathlib import Path

import pytest

from curation.golden import (
    GoldenWriteError,
    Location,
    LockedError,
    audit,
    case_history,
    create,
    list_versions,
    read_version,
)
from tests.golden.desk import ROB, START, Desk, git


def test_the_variables_of_git_do_not_reach_git(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    create(Location.at(other), person=ROB, now=START)
    index = (other / ".git" / "index").read_bytes()
    leaked = {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / ".git" / "index"),
        "GIT_OBJECT_DIRECTORY": str(other / ".git" / "objects"),
        "GIT_COMMON_DIR": str(other / ".git"),
        "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z",
        "GIT_COMMITTER_NAME": "Leak",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.bare",
        "GIT_CONFIG_VALUE_0": "true",
        "GIT_NAMESPACE": "ns",
        "GIT_REPLACE_REF_BASE": "refs/x",
    }
    before = git(other, "rev-parse", "main")
    for name, value in leaked.items():
        monkeypatch.setenv(name, value)
    change = desk.add("q-0001")
    done = desk.publish(change)
    golden, report = read_version(desk.location), audit(desk.location)
    for name in leaked:
        monkeypatch.delenv(name)
    assert list(golden.cases) == ["q-0001"]
    assert report.findings == ()
    assert desk.git("rev-parse", "main") == done.commit
    assert desk.git("log", "-1", "--format=%cn %aI", "--skip=1").startswith("Rob Oduya 2026-11-02")
    assert git(other, "rev-parse", "main") == before
    assert (other / ".git" / "index").read_bytes() == index


def test_where_the_process_runs_does_not_matter(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    create(Location.at(elsewhere), person=ROB, now=START)
    monkeypatch.chdir(elsewhere)
    desk.publish(desk.add("q-0001"))
    assert list(read_version(desk.location).cases) == ["q-0001"]
    assert list(read_version(Location.at(elsewhere)).cases) == []


def test_settings_of_the_person_change_nothing(desk: Desk) -> None:
    (Path(os.environ["HOME"]) / ".gitconfig").write_text(
        "[core]\nautocrlf = true\nquotePath = true\nabbrev = 4\n"
        "[log]\nshowSignature = true\nshowRoot = false\nmailmap = true\ndate = relative\n"
        "[diff]\nnoprefix = true\nrenames = copies\nmnemonicPrefix = true\n"
        '[trailer]\nseparators = "="\n[i18n]\nlogOutputEncoding = ISO-8859-1\n'
        "[user]\nuseConfigOnly = true\n[color]\nui = always\n[format]\npretty = oneline\n"
    )
    done = desk.publish(desk.add("q-0001", reason="Größe ☃"))
    assert done.conflicts == ()
    assert case_history(desk.location, "q-0001")[0].reason == "Größe ☃"
    assert b"\r" not in desk.git("cat-file", "blob", f"{done.commit}:golden.jsonl").encode()
    assert audit(desk.location).findings == ()
    assert [info.changes for info in list_versions(desk.location)] == [0, 1]


def hook(desk: Desk, name: str, body: str) -> None:
    folder = desk.location.path / ".git" / "hooks"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{body}\n")
    (folder / name).chmod(0o755)


@pytest.mark.parametrize("name", ["pre-commit", "commit-msg", "post-commit", "prepare-commit-msg"])
def test_the_hooks_of_commits_do_not_run(desk: Desk, name: str) -> None:
    hook(desk, name, "exit 1")
    assert desk.publish(desk.add("q-0001")).version == "golden/v2"


def test_a_hook_that_guards_references_may_refuse(desk: Desk) -> None:
    before = desk.git("rev-parse", "main")
    refusal = 'echo "hint: other" >&2; test "$1" != prepared || ! grep -q refs/heads/main'
    hook(desk, "reference-transaction", refusal)
    with pytest.raises(GoldenWriteError, match="refused to move the branch") as refused:
        desk.publish(desk.add("q-0001"))
    assert "hint" not in str(refused.value)
    (desk.location.path / ".git" / "hooks" / "reference-transaction").unlink()
    assert desk.git("rev-parse", "main") == before
    assert desk.git("tag", "--list") == "golden/v1"
    assert desk.publish(desk.add("q-0001")).version == "golden/v2"


def test_a_lock_of_somebody_else_is_named_and_not_removed(desk: Desk) -> None:
    before = desk.git("rev-parse", "main")
    lock = desk.location.path / ".git" / "refs" / "heads" / "main.lock"
    lock.write_text("")
    with pytest.raises(LockedError, match=r"main\.lock has been there for \d+ seconds"):
        desk.publish(desk.add("q-0001"))
    assert lock.exists()
    lock.unlink()
    assert desk.git("rev-parse", "main") == before
    assert desk.publish(desk.add("q-0001")).version == "golden/v2"


def test_many_threads_read_and_one_writes(desk: Desk) -> None:
    desk.publish(*(desk.add(f"q-{n:04d}") for n in range(1, 6)))
    wrong: list[object] = []

    def read() -> None:
        for _ in range(10):
            try:
                golden = read_version(desk.location)
                if list(golden.cases)[:5] != [f"q-{n:04d}" for n in range(1, 6)]:
                    wrong.append(golden)
                if len(case_history(desk.location, "q-0001")) != 1:
                    wrong.append("history")
            except Exception as problem:  # noqa: BLE001 - any of them is a failure
                wrong.append(problem)

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    desk.publish(desk.add("q-0010"))
    for thread in threads:
        thread.join()
    assert wrong == []


def test_nothing_is_left_open(desk: Desk) -> None:
    def handles() -> int:
        gc.collect()
        return len(list(Path("/proc/self/fd").iterdir()))

    read_version(desk.location)
    before = handles()
    for number in range(30):
        read_version(desk.location)
        if number % 10 == 0:
            desk.publish(desk.add(f"q-{number + 1:04d}"))
    assert handles() <= before
