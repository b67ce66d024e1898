"""Many processes publish at once: nothing is lost, nothing comes twice, the line stays a line."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from curation.domain.change import Change
from curation.golden import audit, published_change_ids, read_version
from tests.golden.desk import Desk
from tests.golden.publisher import BATCHES

PROCESSES, ROUNDS, SIZE = 8, 3, 2
ROOT = Path(__file__).parents[2]


def start(
    desk: Desk, file: Path, batches: list[list[Change]], **more: str
) -> subprocess.Popen[str]:
    file.write_bytes(BATCHES.dump_json(batches))
    return subprocess.Popen(
        [sys.executable, "-m", "tests.golden.publisher", str(desk.location.path), str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, **more},
        start_new_session=True,
    )


def batches_of(desk: Desk, worker: int) -> list[list[Change]]:
    return [
        [desk.add(f"w{worker}-r{turn}-{n}").change for n in range(SIZE)] for turn in range(ROUNDS)
    ]


@pytest.mark.slow
def test_eight_processes_publish_and_nothing_is_lost(desk: Desk, tmp_path: Path) -> None:
    work = [batches_of(desk, worker) for worker in range(PROCESSES)]
    running = [start(desk, tmp_path / f"{n}.json", batches) for n, batches in enumerate(work)]
    said = []
    for process in running:
        out, err = process.communicate(timeout=240)
        assert process.returncode == 0, err
        said += out.split()[1:]
    number = PROCESSES * ROUNDS
    assert sorted(said, key=lambda v: int(v.removeprefix("golden/v"))) == [
        f"golden/v{n}" for n in range(2, number + 2)
    ]
    meant = [change.id for batches in work for batch in batches for change in batch]
    assert published_change_ids(desk.location).keys() == set(meant)
    ids = desk.git("log", "--format=%(trailers:key=Change-Id,valueonly)", "main").split()
    assert Counter(ids) == Counter(meant)
    assert desk.git("rev-list", "--count", "main") == str(1 + number * (SIZE + 1))
    assert desk.git("rev-list", "--min-parents=2", "--count", "main") == "0"
    assert len(read_version(desk.location).cases) == number * SIZE
    assert audit(desk.location).findings == ()
    assert desk.git("status", "--porcelain") == ""


@pytest.mark.slow
def test_the_same_changes_by_many_processes_go_out_once(desk: Desk, tmp_path: Path) -> None:
    batch = [[desk.add(f"q-{n:04d}").change for n in range(1, 4)]]
    running = [start(desk, tmp_path / f"{n}.json", batch) for n in range(4)]
    said = []
    for process in running:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        said += out.split()[1:]
    assert sorted(said) == ["None", "None", "None", "golden/v2"]
    assert desk.git("rev-list", "--count", "main") == "5"
