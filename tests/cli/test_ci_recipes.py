"""The recipes of the starter, run by a shell as a CI would."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import CommandLine
from tests.cli.trial_world import output, publish_cases, run_lines
from tests.cli.world import MIA

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A home with ten cases at golden/v3 and a promoted baseline."""
    folder = tmp_path_factory.mktemp("ci")
    line = CommandLine(home=folder / "home", folder=folder)
    line.run("init", "--as", MIA)
    publish_cases(line)
    line.json(
        *("experiment", "open", "--component", "retriever", "--hypothesis", "Finds more."),
        *("--as", MIA),
    )
    before = line.file("before.jsonl", run_lines("q-0001", "q-0002", pipeline="rag 1"))
    after = line.file("after.jsonl", run_lines("q-0001", pipeline="rag 2"))
    line.run(
        *("experiment", "record", "exp-001", "--candidate", after, "--baseline", before),
        *("--as", MIA),
    )
    line.run(
        *("experiment", "close", "exp-001", "--decision", "promote", "--why", "Good.", "--as", MIA)
    )
    return line


def shell(folder: Path, *args: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a recipe in an empty folder, with no home and no store of anybody."""
    return subprocess.run(
        ["sh", *args],
        cwd=folder,
        env={
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def outputs(world: CommandLine, folder: Path, *missed: str) -> str:
    lines: list[Any] = run_lines(*missed, pipeline="rag 3")
    return str(world.file(f"{folder.name}.jsonl", lines))


def test_a_pull_request_of_the_pipeline_is_gated_from_a_clone_alone(
    world: CommandLine, tmp_path: Path
) -> None:
    far = f"file://{world.home / 'golden'}"
    subprocess.check_call(["git", "clone", "-q", "--branch", "main", far, tmp_path / "set"])
    recipe = str(tmp_path / "set" / "ci" / "gate.sh")
    good = shell(tmp_path, recipe, "golden/v3", outputs(world, tmp_path, "q-0001"))
    assert good.returncode == 0, good.stderr
    assert "PASS" in (tmp_path / "gate.md").read_text()
    summary = tmp_path / "summary.md"
    bad = shell(
        *(tmp_path, recipe, "golden/v3", outputs(world, tmp_path, "q-0009", "q-0010")),
        GITHUB_STEP_SUMMARY=str(summary),
    )
    assert bad.returncode == 1
    assert "recall dropped" in summary.read_text()


def test_a_callable_is_run_where_the_recipe_is_called(world: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "rag.py").write_text(
        "def answer(question, conversation):\n"
        f"    return {{**{output('q-0001')!r}, 'answer': 'It is 60 s.'}}\n"
    )
    recipe = str(ROOT / "golden_repo" / "ci" / "gate.sh")
    golden = str(world.home / "golden")
    ran = shell(tmp_path, recipe, "golden/v3", "rag:answer", GOLDEN=golden)
    assert ran.returncode == 1, ran.stderr
    assert (tmp_path / "candidate.json").exists()


def test_a_version_that_is_not_there_could_not_be_judged(
    world: CommandLine, tmp_path: Path
) -> None:
    recipe, golden = str(ROOT / "golden_repo/ci/gate.sh"), str(world.home / "golden")
    ran = shell(tmp_path, recipe, "golden/v9", "none.jsonl", GOLDEN=golden)
    assert ran.returncode == 2
    assert "golden/v9" in ran.stderr


def test_a_pull_request_of_the_set_is_audited(world: CommandLine, tmp_path: Path) -> None:
    far = f"file://{world.home / 'golden'}"
    subprocess.check_call(["git", "clone", "-q", far, tmp_path / "set"])
    recipe = str(tmp_path / "set" / "ci" / "audit.sh")
    assert shell(tmp_path / "set", recipe).returncode == 0
    git = ["git", "-C", str(tmp_path / "set"), "-c", "user.name=X", "-c", "user.email=x@x.org"]
    (tmp_path / "set" / "golden.jsonl").write_text("{}\n")
    subprocess.check_call([*git, "commit", "-q", "-a", "-m", "Slip"])
    ran = shell(tmp_path / "set", recipe)
    assert ran.returncode == 1
    assert "unknown_kind" in ran.stdout


def steps(recipe: str) -> str:
    """Return what a recipe for GitHub runs, but for the installing."""
    text = (ROOT / "golden_repo/ci" / recipe).read_text()
    ran = re.findall(r"- run: (?:\|\n((?: {10}.*\n)+)|(?!pip )(.*\n))", text)
    return "".join(block or line for block, line in ran)


def test_the_recipe_of_the_pipeline_finds_a_version_that_is_not_the_newest_commit(
    world: CommandLine, tmp_path: Path
) -> None:
    far = f"file://{world.home / 'golden'}"
    pipeline = outputs(world, tmp_path, "q-0001")
    named = {"GOLDEN": far, "VERSION": "golden/v3", "PIPELINE": pipeline}
    ran = shell(tmp_path, "-ec", steps("github-gate.yml"), **named)
    assert ran.returncode == 0, ran.stderr
    assert "PASS" in (tmp_path / "gate.md").read_text()


def test_the_recipe_of_the_set_judges_a_checkout_without_a_branch(
    world: CommandLine, tmp_path: Path
) -> None:
    git = ["git", "-C", str(tmp_path)]
    for words in (
        ("init", "-q", "-b", "elsewhere"),
        ("remote", "add", "origin", f"file://{world.home / 'golden'}"),
        ("fetch", "-q", "origin"),
        ("checkout", "-q", "--detach", "refs/remotes/origin/main"),
    ):
        subprocess.check_call([*git, *words])
    ran = shell(tmp_path, "-ec", steps("github-audit.yml"))
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_clone_of_a_version_is_audited_up_to_the_branch_of_its_origin(
    world: CommandLine, tmp_path: Path
) -> None:
    clone = ("git", "clone", "-q", "-c", "advice.detachedHead=false", "--branch", "golden/v1")
    subprocess.check_call([*clone, f"file://{world.home / 'golden'}", tmp_path / "set"])
    report = world.json("golden", "audit", str(tmp_path / "set"))
    assert (report["versions"], report["findings"]) == (3, [])


def test_a_version_that_a_shallow_clone_lacks(world: CommandLine, tmp_path: Path) -> None:
    far = f"file://{world.home / 'golden'}"
    subprocess.check_call(["git", "clone", "-q", "--depth", "1", far, tmp_path / "set"])
    run = ("eval", "run", "--golden", str(tmp_path / "set"), "--run", outputs(world, tmp_path))
    error = world.json(*run, "--version", "golden/v3", status=2)["error"]
    assert "no version 'golden/v3'. It is a shallow clone: `git fetch --unshallow --tags`" in error
