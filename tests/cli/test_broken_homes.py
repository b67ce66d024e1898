"""Homes and files that are not what a command needs: one sentence, never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from curation.cli.frame import frame
from curation.cli.main import app
from tests.cli.world import ANA


def test_a_home_that_nobody_made_is_named(curation):
    curation.home = curation.folder / "typo"
    error = curation.json("queue", "list", status=2)["error"]
    assert error.startswith(f"There is no home at {curation.home}. Run `curation init`")
    assert not curation.home.exists()


def test_a_file_where_the_home_should_be(curation):
    curation.home = curation.folder / "file"
    curation.home.write_text("x")
    assert (
        "file could not be used: File exists"
        in curation.json("init", "--as", ANA, status=2)["error"]
    )
    assert "There is no home at" in curation.json("queue", "list", status=2)["error"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe", "byte 0 is not UTF-8"),
        (b"x = 1", "key x, cannot be used: there is no such key"),
        (b"[golden", "Expected ']'"),
    ],
)
def test_a_configuration_that_cannot_be_read(curation, content, said):
    (curation.home / "curation.toml").write_bytes(content)
    assert said in curation.json("queue", "list", status=2)["error"]


def test_a_configuration_may_begin_with_a_byte_order_mark(curation):
    (curation.home / "curation.toml").write_bytes(b'\xef\xbb\xbfme = "Ana <a@b.c>"\n')
    curation.run("queue", "list")


def test_a_fault_is_one_sentence_and_a_file(tmp_path, capsys):
    with pytest.raises(typer.Exit) as ended, frame(tmp_path, as_json=True):
        raise TypeError("of\nits own")
    out, err = capsys.readouterr()
    assert ended.value.exit_code == 2
    assert "a fault of its own: TypeError (of its own)" in err
    assert "Traceback" not in out + err
    file = err.split("written in ")[1].split(". Report")[0]
    assert "in test_a_fault_is_one_sentence" in Path(file).read_text(encoding="utf-8")


def test_bytes_that_are_no_text(curation):
    error = curation.json("review", "show", "\udcff", status=2)["error"]
    assert "Nothing was done" in error
    assert "it holds half of a surrogate pair" in error


def test_a_wrong_option_is_no_fault(curation):
    done = CliRunner().invoke(
        app, ["--home", str(curation.home), "queue", "list", "--signal", "no_such"]
    )
    assert done.exit_code == 2
    assert "There is no 'no_such'" in done.stderr
    assert "fault" not in done.stderr


def test_a_machine_that_knows_only_ascii(tmp_path):
    home = tmp_path / "Größe 日"
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [Path(sys.executable).with_name("curation"), "--home", home, "init"]
    done = subprocess.run(
        [*command, "--as", "Мия Ким <m@x.org>", "--json"],
        env={**os.environ, **ascii_only},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert str(home) in done.stdout.decode()


@pytest.mark.parametrize(
    ("words", "to", "status"),
    [
        (["golden", "versions", "--json"], "/dev/full", 2),
        (["golden", "versions"], "&-", 0),
        (["nosuch", "--json"], "/dev/full", 2),
        (["--help"], "/dev/full", 2),
    ],
)
def test_a_standard_output_that_takes_nothing(curation, words, to, status):
    command = [Path(sys.executable).with_name("curation"), "--home", curation.home, *words]
    shell = ["sh", "-c", f'"$@" >{to}', "sh", *command]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert done.stderr.count("No space left on device") == (1 if to == "/dev/full" else 0)
    assert "Traceback" not in done.stderr
    assert "fault" not in done.stderr


def test_a_file_that_cannot_take_its_place_leaves_nothing_beside_it(curation):
    out = curation.folder / "out"
    (out / "golden.jsonl").mkdir(parents=True)
    error = curation.json("golden", "export", "--out", str(out), status=2)["error"]
    assert error.startswith(f"{out / 'golden.jsonl'} could not be used: Is a directory")
    assert [file.name for file in out.iterdir()] == ["golden.jsonl"]
