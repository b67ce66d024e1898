"""A kill at any point leaves the old version or the new one, and a retry finishes the job."""

import os
import random
import shutil
import signal
import time
from pathlib import Path

import pytest

from curation.golden import ApprovedChange, audit, published_change_ids, read_version, sweep
from tests.golden.desk import Desk
from tests.golden.test_concurrent_publishers import start

GIT = shutil.which("git")
# Stands in for git: ends the whole process group before or after the real one did its work.
WRAPPER = """#!/bin/sh
for word in "$@"; do
  if [ "$word" = "$KILL_AT" ]; then
    case "$KILL_WHEN" in
      before) kill -9 0 ;;
      within) head -c 700 | "$REAL_GIT" "$@"; kill -9 0 ;;
      after) "$REAL_GIT" "$@"; kill -9 0 ;;
    esac
  fi
done
exec "$REAL_GIT" "$@"
"""
POINTS = [
    ("fast-import", "before", False),
    ("fast-import", "within", False),
    ("fast-import", "after", False),
    ("mktag", "before", False),
    ("mktag", "after", False),
    ("update-ref", "before", False),
    ("update-ref", "after", True),
    ("read-tree", "before", True),
    ("read-tree", "after", True),
]


@pytest.mark.parametrize(("command", "when", "moved"), POINTS)
def test_killed_at_a_point_and_tried_again(
    desk: Desk, tmp_path: Path, command: str, when: str, moved: bool
) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").write_text(WRAPPER)
    (folder / "git").chmod(0o755)
    before = desk.git("rev-parse", "main")
    batch = [desk.add(f"q-{n:04d}") for n in range(1, 6)]
    surroundings = {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "REAL_GIT": GIT or "git",
        "KILL_AT": command,
        "KILL_WHEN": when,
    }
    changes = [item.change for item in batch]
    process = start(desk, tmp_path / "batch.json", [changes], **surroundings)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert (desk.git("rev-parse", "main") != before) is moved
    assert len(published_change_ids(desk.location)) == (5 if moved else 0)
    desk.git("fsck", "--strict", "--no-dangling")
    finish(desk, batch)


def finish(desk: Desk, batch: list[ApprovedChange]) -> None:
    """What the next start does."""
    sweep(desk.location, older_than=-1)
    desk.publish(*batch)
    assert len(read_version(desk.location).cases) == 5
    assert desk.git("rev-list", "--count", "main") == "7"
    assert desk.git("tag", "--list").split() == ["golden/v1", "golden/v2"]
    assert desk.git("status", "--porcelain") == ""
    assert audit(desk.location).findings == ()
    left = [*(desk.location.path / ".git").glob("fast_import_crash_*")]
    left += (desk.location.path / ".git" / "objects" / "pack").glob("tmp_*")
    assert left == []


@pytest.mark.slow
def test_killed_at_random_again_and_again(desk: Desk, tmp_path: Path) -> None:
    chance = random.Random(7)
    batch = [desk.add(f"q-{n:04d}") for n in range(1, 6)]
    for turn in range(12):
        changes = [item.change for item in batch]
        process = start(desk, tmp_path / f"{turn}.json", [changes])
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(chance.uniform(0, 0.25))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        known = published_change_ids(desk.location)
        assert len(known) in {0, 5}
        desk.git("fsck", "--strict", "--no-dangling")
        sweep(desk.location, older_than=-1)
    finish(desk, batch)


def test_a_sweep_leaves_a_living_writer_alone(desk: Desk) -> None:
    desk.git("update-ref", f"refs/curation/staging/{int(time.time())}-aa", "main")
    desk.git("update-ref", f"refs/curation/staging/{int(time.time()) - 3600}-bb", "main")
    desk.git("update-ref", "refs/curation/staging/what", "main")
    young = desk.location.path / ".git" / "fast_import_crash_1"
    young.write_text("")
    swept = sweep(desk.location)
    assert [name.rpartition("-")[2] for name in swept.references] == [
        "bb",
        "refs/curation/staging/what",
    ]
    assert young.exists()
    sweep(desk.location, older_than=-1)
    assert not young.exists()
