"""The golden set as tests, by a pytest of its own in a folder of its own."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import CommandLine
from tests.cli.trial_world import IDS, output, publish_cases, run_lines
from tests.cli.world import MIA

TARGET = """
import json, pathlib
OUTPUTS = {
    line["case_id"]: line
    for line in map(json.loads, pathlib.Path(__file__).with_name("now.jsonl").open())
}
def answer(question, conversation):
    number = int(question.split("relay ")[1].split()[0])
    line = OUTPUTS[f"q-{number:04d}"]
    return {key: line[key] for key in line if key != "case_id"}
"""


@dataclass
class Ran:
    """How a pytest ended: each test's outcome by its id."""

    status: int
    said: str
    outcomes: dict[str, str]


@dataclass
class Project:
    """A RAG project with a home of curation."""

    line: CommandLine
    folder: Path

    def now(self, **odd: dict[str, Any]) -> None:
        """Write what the pipeline answers today; `q_0001={...}` changes one output."""
        outputs = [output(case_id, **odd.get(case_id.replace("-", "_"), {})) for case_id in IDS]
        text = "".join(json.dumps(line) + "\n" for line in outputs)
        (self.folder / "now.jsonl").write_text(text)

    def pytest(self, *args: str, golden: str | None = "golden/v3") -> Ran:
        junit = self.folder / "junit.xml"
        junit.unlink(missing_ok=True)
        options = ["-p", "curation.cli.pytest_plugin", "-p", "no:cacheprovider"]
        options += ["--golden", golden] if golden else []
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", f"--junitxml={junit}", *options, *args],
            cwd=self.folder,
            env={
                **os.environ,
                "CURATION_HOME": str(self.line.home),
                "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
                # Named on the command line, so that it is there without an installation too.
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            },
            capture_output=True,
            text=True,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout + ran.stderr, _outcomes(junit))


def _outcomes(junit: Path) -> dict[str, str]:
    if not junit.exists():
        return {}
    found = {}
    for case in ET.parse(junit).iter("testcase"):
        kinds = [child.tag for child in case if child.tag in {"failure", "error", "skipped"}]
        found[f"{case.get('classname')}::{case.get('name')}"] = (kinds or ["passed"])[0]
    return found


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A home whose golden set has ten cases, and whose baseline fails on the third."""
    folder = tmp_path_factory.mktemp("world")
    line = CommandLine(home=folder / "home", folder=folder)
    line.run("init", "--as", MIA)
    publish_cases(line)
    lines = run_lines("q-0001", "q-0002", pipeline="rag 1")
    lines[3] = output("q-0003", answer="The idle timeout is 30 s.")
    after = run_lines(pipeline="rag 2")
    after[3] = lines[3]
    opened = line.json(
        *("experiment", "open", "--component", "retriever", "--hypothesis", "Finds more."),
        *("--as", MIA),
    )["experiment_id"]
    before, better = line.file("before.jsonl", lines), line.file("after.jsonl", after)
    line.run(
        *("experiment", "record", opened, "--candidate", better, "--baseline", before),
        *("--as", MIA),
    )
    line.run(
        *("experiment", "close", opened, "--decision", "promote", "--why", "Good.", "--as", MIA)
    )
    return line


@pytest.fixture
def project(world: CommandLine, tmp_path: Path) -> Project:
    (tmp_path / "rag.py").write_text(TARGET)
    (tmp_path / "test_own.py").write_text("def test_own(): pass\n")
    made = Project(world, tmp_path)
    made.now(q_0003={"answer": "The idle timeout is 30 s."})
    return made


def test_each_case_is_a_test_with_a_stable_id(project: Project) -> None:
    ran = project.pytest("--target", "rag:answer")
    expected = {f"golden::{case_id}": "passed" for case_id in IDS}
    expected["golden::q-0003"] = "skipped"
    assert ran.outcomes == {**expected, "test_own::test_own": "passed"}
    assert ran.status == 0, ran.said
    assert "1 xfailed" in ran.said


def test_good_to_bad_fails_bad_to_good_passes_and_unsure_warns(project: Project) -> None:
    project.now(
        q_0005={"answer": "The idle timeout is 30 s."},
        q_0006={"outcome": None, "answer": "It might be 60 s."},
        q_0007={"answer": None, "error": "down"},
    )
    ran = project.pytest("--target", "rag:answer", "-m", "golden")
    assert ran.status == 1
    failed = {name for name, outcome in ran.outcomes.items() if outcome == "failure"}
    assert failed == {"golden::q-0005", "golden::q-0007"}, ran.said
    assert ran.outcomes["golden::q-0003"] == "passed"
    assert ran.outcomes["golden::q-0006"] == "passed"
    assert "test_own::test_own" not in ran.outcomes
    assert "question: What is the idle timeout of relay 5 in v4.2?" in ran.said
    assert "answer: The idle timeout is 30 s." in ran.said
    assert "lacks required fact" in ran.said
    assert "UnsureWarning: q-0006 is unsure on answer" in ran.said
    assert "the pipeline failed: down" in ran.said


def test_cases_can_be_chosen_by_id(project: Project) -> None:
    ran = project.pytest("--target", "rag:answer", "-k", "q-0004 or q-0009")
    assert set(ran.outcomes) == {"golden::q-0004", "golden::q-0009"}


def test_outputs_can_be_judged_without_a_pipeline(project: Project) -> None:
    ran = project.pytest("--golden-run", "now.jsonl")
    assert ran.outcomes["golden::q-0001"] == "passed"


def test_a_folder_and_a_version_are_a_golden_set(project: Project) -> None:
    source = f"{project.line.home / 'golden'}@golden/v3"
    ran = project.pytest("--target", "rag:answer", golden=source)
    assert len(ran.outcomes) == 11


@pytest.mark.parametrize(
    ("args", "golden", "said"),
    [
        (["--target", "rag:nothing"], "golden/v3", "no callable"),
        (["--target", "rag:answer"], "golden/v9", "no version"),
        ([], "golden/v3", "--target"),
        (["--target", "rag:answer"], "no/such/folder", "no golden set"),
        (["--target", "rag:answer", "--golden-timeout", "1e30"], "golden/v3", "not 1e+30"),
    ],
)
def test_what_cannot_be_run_ends_the_session_with_a_sentence(
    project: Project, args: list[str], golden: str, said: str
) -> None:
    ran = project.pytest(*args, golden=golden)
    assert ran.status == 4
    assert said in ran.said
    assert "Traceback" not in ran.said


def test_without_golden_the_plugin_stays_out_of_the_way(project: Project) -> None:
    (project.folder / "conftest.py").write_text(
        "def pytest_addoption(parser):\n    parser.addoption('--target')\n"
    )
    (project.folder / "test_own.py").write_text(
        "import sys\n"
        "def test_own(pytestconfig):\n"
        "    assert pytestconfig.getoption('--target') == 'mine'\n"
        "    loaded = [n for n in sys.modules if n.startswith('curation.')]\n"
        "    assert loaded == ['curation.cli', 'curation.cli.pytest_plugin']\n"
    )
    ran = project.pytest("--target", "mine", golden=None)
    assert ran.status == 0, ran.said
    assert ran.outcomes == {"test_own::test_own": "passed"}
