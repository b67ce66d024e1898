"""Making and examining a home."""

import os
import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import CommandLine
from tests.cli.world import ANA


def test_a_second_init_changes_nothing(curation):
    golden = curation.home / "golden"
    before = _git(golden, "rev-parse", "HEAD")
    again = curation.json("init", "--as", ANA)
    assert again["version"] == "golden/v1"
    assert _git(golden, "rev-parse", "HEAD") == before


def test_a_set_can_be_a_folder_of_a_bigger_repository(tmp_path):
    _git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "app.py").write_text("print('the application')\n")
    _git(tmp_path, "add", "app.py")
    who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
    _git(tmp_path, *who, "commit", "-q", "-m", "The application")
    home = tmp_path / ".curation"
    home.mkdir()
    (home / "curation.toml").write_text('[golden]\npath = "../evals/golden"\n')
    line = CommandLine(home=home, folder=tmp_path)
    assert line.json("init", "--as", ANA)["version"] == "golden/v1"
    assert not (tmp_path / "evals" / "golden" / ".git").exists()
    assert "evals/golden/golden.toml" in _git(tmp_path, "ls-tree", "-r", "--name-only", "main")
    assert line.json("golden", "audit")["findings"] == []


def test_the_doctor_says_what_is_well(curation):
    checks = curation.json("doctor")["checks"]
    names = {"home", "store", "golden set", "policy", "versions", "freeze", "me", "sign-in"}
    assert {c["name"] for c in checks} == names
    assert all(c["well"] for c in checks)


def test_the_doctor_says_what_to_do_without_a_home(tmp_path):
    line = CommandLine(home=tmp_path / "none", folder=tmp_path)
    [check] = line.json("doctor", status=1)["checks"]
    assert "Run `curation init`" in check["said"]


def test_what_is_derived_is_rebuilt(logged):
    assert logged.json("index", "rebuild")["chunks"] == 2
    assert logged.json("corpus", "search", "idle session")["hits"]


def test_a_machine_without_git_is_one_sentence(curation, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "curation.cli", "--home", str(curation.home), "golden", "versions"],
        env={"PATH": str(tmp_path), "HOME": os.environ["HOME"]},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "git" in done.stderr
    assert "Traceback" not in done.stderr


def _git(folder: Path, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def test_who_makes_a_home_is_noted_behind_a_byte_order_mark(tmp_path, curation):
    curation.home = tmp_path / "noted"
    curation.home.mkdir()
    settings = curation.home / "curation.toml"
    settings.write_bytes(b"\xef\xbb\xbf[review]\nlease_minutes = 5\n")
    curation.run("init", "--as", ANA)
    assert settings.read_text() == f'me = "{ANA}"\n[review]\nlease_minutes = 5\n'


def test_who_makes_a_home_works_there_unless_somebody_is_named_already(curation):
    settings = curation.home / "curation.toml"
    assert settings.read_text().startswith(f'me = "{ANA}"\n')
    curation.run("init", "--as", "Rob Oduya <rob@example.org>")
    assert settings.read_text().startswith(f'me = "{ANA}"\n')


def test_an_interrupt_while_the_program_is_read_is_no_traceback() -> None:
    interrupted = (
        "import sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'typer': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from curation.cli.entry import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", interrupted], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "Stopped. Nothing was begun.\n"
