"""Refusals are in our words: none of pydantic's reach a user, with `--json` as without."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import curation
from curation.cli.main import main
from curation.domain.policy import parse_policy
from curation.errors import PolicyError
from curation.evaluation.errors import DepthError
from curation.evaluation.rules import gate_settings
from curation.golden.experiment_errors import UnreadableExperimentError
from curation.golden.experiment_files import parse_experiment

THEIRS = (
    "Input should", "Field required", "validation error", "Extra inputs", "Value error",
    "pydantic", "unable to parse", "valid integer", "valid number", "type=",
)  # fmt: skip
GOLDEN = '{"id": "q-1", "question": "How long?", "reference": "60 s", "gold_pids": ["c"]}\n'
LINE: dict[str, Any] = {"case_id": "q-1", "answer": "60 s", "hits": ["c"]}


class Outside:
    """The program as a user calls it, in a folder with files of theirs."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
        self.folder, self.patch, self.capsys = folder, monkeypatch, capsys

    def write(self, name: str, text: str) -> None:
        """Write a file of the user's."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def run(self, *words: str) -> tuple[int, str, str]:
        """Return the exit status, standard output and standard error of a command."""
        self.patch.chdir(self.folder)
        self.patch.setattr("sys.argv", ["curation", *words, "--home", str(self.folder / "home")])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = self.capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    def refused(self, *words: str) -> str:
        """Return the one sentence of a refusal, the same with `--json` as without."""
        status, out, plain = self.run(*words)
        assert (status, out) == (2, "")
        status, out, err = self.run(*words, "--json")
        said: str = json.loads(out)["error"]
        assert (status, err) == (2, plain)
        for theirs in THEIRS:
            assert theirs not in plain + said
        return said


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Outside:
    (tmp_path / "home").mkdir()
    found = Outside(tmp_path, monkeypatch, capsys)
    found.write("golden.jsonl", GOLDEN)
    found.write("run.jsonl", json.dumps(LINE) + "\n")
    return found


def test_the_files_of_these_tests_are_good(outside: Outside) -> None:
    assert outside.run("eval", "run", "--golden", "golden.jsonl", "--run", "run.jsonl")[0] == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            LINE | {"latency": 3},
            "Line 1 of run.jsonl cannot be read: the field latency is not known",
        ),
        (LINE | {"answer": 5}, "answer is not a text"),
        (LINE | {"hits": [{"rank": 1}]}, "the field hits[0].chunk_id is missing"),
        (LINE | {"hits": [{"chunk_id": "c", "rank": 0}]}, "hits[0].rank is below 1"),
        (LINE | {"hits": "c"}, "hits is not a list"),
        (LINE | {"repeat": 1.5}, "repeat is not a whole number"),
        (LINE | {"repeat": "one"}, "repeat is not a whole number"),
        (LINE | {"latency_ms": "soon"}, "latency_ms is not a number"),
        (LINE | {"latency_ms": -1}, "latency_ms is below 0"),
        (LINE | {"outcome": "maybe"}, "outcome is not 'answered', 'abstained' or 'clarified'"),
        (LINE | {"resumed": "perhaps"}, "resumed is not true or false"),
        ({"k": 0}, "k is below 1"),
        ({"k": 10**9}, "k is above 1000"),
        ({"started_at": "today"}, "started_at is not a moment such as 2026"),
        ({"case_id": "q-1", "answer": None}, "failed: q-1 (the first: its line has no text as"),
    ],
)
def test_a_line_of_a_run(outside: Outside, line: dict[str, Any], said: str) -> None:
    outside.write("run.jsonl", json.dumps(line) + "\n")
    found = outside.refused("eval", "run", "--golden", "golden.jsonl", "--run", "run.jsonl")
    assert said in found


def test_a_sign_that_is_none_is_no_part_of_a_question(outside: Outside) -> None:
    (outside.folder / "golden.jsonl").write_bytes(
        b'{"id": "q", "question": "A"}\n{"id": "r\xff"}\n'
    )
    found = outside.refused("eval", "run", "--golden", "golden.jsonl", "--run", "run.jsonl")
    assert "Line 2 of golden.jsonl cannot be read: byte 38 is not UTF-8" in found


def test_a_gate_says_which_of_its_two_reports_is_none(outside: Outside) -> None:
    outside.write("old.json", "\ufeff" + json.dumps({"recall": 0.7}))
    outside.write("new.json", json.dumps({"recall": "much"}))
    for pair in (("new.json", "old.json"), ("old.json", "new.json")):
        assert "new.json is not a report: recall" in outside.refused("eval", "gate", *pair)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"id": 5}, "Line 1 of golden.jsonl cannot be read: id is not a text"),
        ({"question": "How?"}, "the field id is missing"),
        ({"id": "", "question": "How?"}, "id has fewer letters than 1"),
        ({"id": "q", "question": "How?", "weight": "heavy"}, "weight is not a number"),
        ({"id": "q", "question": "How?", "gold": [{}]}, "the field gold[0].pid is missing"),
    ],
)
def test_a_line_of_a_golden_set(outside: Outside, line: dict[str, Any], said: str) -> None:
    outside.write("golden.jsonl", json.dumps(line) + "\n")
    found = outside.refused("eval", "run", "--golden", "golden.jsonl", "--run", "run.jsonl")
    assert said in found


@pytest.mark.parametrize(
    ("report", "said"),
    [
        ({"recall": 0.5, "k": 0}, "k is below 1"),
        ({"recall": {"value": "x"}}, "recall.value is not a number"),
        ({"pins": {}, "cases": 5}, "is missing"),
    ],
)
def test_a_report(outside: Outside, report: dict[str, Any], said: str) -> None:
    outside.write("report.json", json.dumps(report))
    assert said in outside.refused("eval", "gate", "report.json", "report.json")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[search]\ntimeout_seconds = 0", "key search.timeout_seconds, cannot be used: it is not"),
        ("[search]\nengine = 'http'", "names the engine http and no url for it"),
        ("[search]\nengine = 'grep'", "it is not 'auto', 'tantivy', 'postgresql' or 'http'"),
        ("[priority]\ncorrection = 'much'", "key priority.correction, cannot be used: it is not a"),
        ("[search]\ndepth = 3", "key search.depth, cannot be used: there is no such key"),
    ],
)
def test_a_configuration(outside: Outside, text: str, said: str) -> None:
    outside.write("home/curation.toml", text)
    assert said in outside.refused("queue", "list")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("eval", "run", "--jsn"), "No such option: --jsn"),
        (("eval", "nope"), "No such command 'nope'. Run `curation eval --help`"),
        (("eval", "run", "--concurrency", "x"), "'--concurrency': it is not a whole number."),
        (("eval", "run", "--concurrency", "0"), "'--concurrency': it is below 1."),
        (("eval", "gate", "a", "b", "--profile", "x"), "'x' is not one of 'ci', 'promote'"),
        (
            ("experiment", "close", "exp-001"),
            "Missing option '--decision'. Choose from: promote, reject, void. Run `curation exp",
        ),
        (("queue", "yield", "--weight", "correction=much"), "correction is not a number"),
    ],
)
def test_how_a_command_is_called(outside: Outside, words: tuple[str, ...], said: str) -> None:
    assert said in outside.refused(*words)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("k = 0", "golden.toml is not a policy: k is below 1"),
        ("k = 1000000000", "k is above 1000"),
        ("depth = 3", "the field depth is not known"),
        ("[slices.billing]\nprotected = 'maybe'", "slices.billing.protected is not true or false"),
        ("[gate]\nmode = 'strict'", "gate.mode is not "),
        ("[gate]\nmode = 'noninferior'", "gate: the mode noninferior needs a margin"),
        ("[[gate.rules]]\nmetric = 'beauty'\nfloor = 1", "'beauty' is no metric"),
    ],
)
def test_a_policy(text: str, said: str) -> None:
    with pytest.raises(PolicyError) as found:
        gate_settings(parse_policy(text))
    assert said in str(found.value)
    assert not any(theirs in str(found.value) for theirs in THEIRS)


@pytest.mark.parametrize(("data", "said"), [(b"{", "it is not JSON"), (b"{}", "is missing")])
def test_the_file_of_an_experiment(data: bytes, said: str) -> None:
    with pytest.raises(UnreadableExperimentError, match=said) as found:
        parse_experiment("exp-001", data)
    assert not any(theirs in str(found.value) for theirs in THEIRS)


INTERRUPTIBLE = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
    "from curation.cli.main import main; main()"
)


def test_a_run_that_is_stopped_without_a_home_says_that_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "golden.jsonl").write_text(GOLDEN, encoding="utf-8")
    (tmp_path / "stopped.py").write_text(
        "import os, signal, time\n"
        "def answer(question, conversation):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    time.sleep(1)\n"
        "    return 'too late'\n"
    )
    words = ("eval", "run", "--golden", "golden.jsonl", "--target", "stopped:answer")
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTIBLE, *words, "--home", "home"],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (130, "")
    assert "Stopped. There is no home here, so nothing is kept" in done.stderr
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("k", [0, -1, 10**9])
def test_a_depth_that_is_none_is_refused_before_anything_runs(k: int) -> None:
    def never(_question: str) -> list[str]:
        raise AssertionError("it was run")

    with pytest.raises(DepthError, match=rf"k is {k}\. Name how many hits count: from 1 to 1000"):
        curation.evaluate([json.loads(GOLDEN)], never, never, k)
