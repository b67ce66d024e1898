"""The wheel holds what a checkout holds, and runs from anywhere."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT],
        check=True,
        capture_output=True,
    )
    return next(out.glob("*.whl"))


@pytest.mark.parametrize("name", ["pages", "golden_repo"])
def test_the_wheel_ships_every_file_of(wheel, name):
    tracked = subprocess.run(
        ["git", "ls-files", "-z", name], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split("\0")
    expected = {f"curation/_tree/{path}" for path in tracked if path}
    shipped = {n for n in zipfile.ZipFile(wheel).namelist() if n.startswith("curation/_tree/")}
    assert expected
    assert {n for n in shipped if n.startswith(f"curation/_tree/{name}/")} == expected


def test_an_installed_wheel_finds_its_pages_and_starter_from_elsewhere(wheel, tmp_path):
    target = tmp_path / "site"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", target, wheel],
        check=True,
        capture_output=True,
    )
    code = (
        f"import sys; sys.path.insert(0, {str(target)!r})\n"
        "from curation.config import shipped\n"
        "print(shipped('pages')); print(shipped('golden_repo'))"
    )
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = subprocess.run(
        [sys.executable, "-I", "-c", code],
        cwd=elsewhere,
        check=True,
        capture_output=True,
        text=True,
    )
    assert all(line.startswith(str(target)) for line in done.stdout.split())
