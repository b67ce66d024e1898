"""A git that runs beside us: heard whole, never waited for without end, gone afterwards."""

import subprocess
import sys
from pathlib import Path

import pytest

from curation.golden.errors import GitFailedError
from curation.golden.objects import object_reader
from curation.golden.runner import GitRunner
from curation.golden.running import Running
from tests.golden.desk import Desk, git


def script(text: str, *, timeout: float = 60.0) -> Running:
    """A program that stands where git would."""
    process = subprocess.Popen(
        [sys.executable, "-c", text],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    return Running(process, doing="try", timeout=timeout)


def test_what_git_writes_comes_piece_by_piece_and_whole(desk: Desk) -> None:
    runner = GitRunner(desk.location.path)
    whole = runner.output("log", "--format=%H", "main", doing="read")
    assert b"".join(runner.chunks("log", "--format=%H", "main", doing="read")) == whole


def test_a_command_that_fails_says_so_in_its_words(desk: Desk) -> None:
    runner = GitRunner(desk.location.path)
    with pytest.raises(GitFailedError, match="bad revision"):
        list(runner.chunks("log", "no-such-branch", "--", doing="read"))


def test_one_that_falls_silent_is_ended(tmp_path: Path) -> None:
    with script("import time; time.sleep(600)", timeout=0.05) as running:
        assert running.some(10) == b""
        with pytest.raises(GitFailedError, match="wrote nothing for 0 seconds"):
            running.require_success()


def test_one_that_nobody_waits_for_is_left_alone() -> None:
    text = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
    with script(text, timeout=0.5) as running:  # long enough for it to be there at first
        for _ in range(2):
            running.ask(b"still there\n")
            assert running.line() == b"still there\n"
            running._over.wait(1.2)


def test_a_flood_on_its_standard_error_holds_nothing_up() -> None:
    text = "import sys; sys.stderr.write('x' * 1_000_000); print('done')"
    with script(text) as running:
        assert running.line().strip() == b"done"
        running.require_success()


def test_a_reader_that_is_left_early_leaves_no_process(desk: Desk) -> None:
    runner = GitRunner(desk.location.path)
    chunks = runner.chunks("log", "--format=%H", "main", doing="read")
    assert next(chunks)
    chunks.close()


def test_objects_are_read_by_name_in_any_number(desk: Desk) -> None:
    tip = desk.git("rev-parse", "main")
    names = [f"{tip}:golden.toml", "0" * 40, f"{tip}:no such file"] * 150
    with object_reader(GitRunner(desk.location.path)) as reader:
        found = reader.contents(names)
        assert found[names[0]] == desk.git("show", "main:golden.toml").encode() + b"\n"
        assert (found[names[1]], found[names[2]]) == (None, None)
        assert reader.ids([f"{tip}:schema"]) == {
            f"{tip}:schema": desk.git("rev-parse", "main:schema")
        }
        assert reader.content(f"{tip}:golden.jsonl") == b""


def test_a_broken_object_ends_the_reading_with_a_sentence(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", ".")
    text = bytes(range(256)) * 400
    oid = git(tmp_path, "hash-object", "-w", "--stdin", stdin=text)
    file = tmp_path / ".git" / "objects" / oid[:2] / oid[2:]
    file.chmod(0o644)
    file.write_bytes(file.read_bytes()[:-40])
    with object_reader(GitRunner(tmp_path)) as reader, pytest.raises(GitFailedError):
        reader.content(oid)
