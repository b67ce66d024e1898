"""Runs over the cases of a yardstick: kept as they come, gone on with after a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from curation.domain.case import Case, Turn
from curation.domain.policy import Policy
from curation.evaluation.cases import scoring_cases
from curation.evaluation.report import Pins
from curation.evaluation.run import parse_run
from curation.evaluation.targets import TargetSettings
from curation.services.running import RunOptions, forget_part, run_over
from curation.services.targets import NamedTarget, TargetError, python_target
from curation.services.yardstick import Yardstick

NOW = datetime(2026, 11, 3, 9, 0, tzinfo=UTC)


def yardstick(number: int = 6) -> Yardstick:
    cases = [
        Case(id=f"q-{n:04d}", question=f"Question {n}?", reference="60 s") for n in range(number)
    ]
    return Yardstick(cases=scoring_cases(cases), pins=Pins(version="golden/v2"), policy=Policy(k=3))


def options(folder: Path, **more: Any) -> RunOptions:
    fresh = more.pop("fresh", False)
    settings = TargetSettings(**{"concurrency": 1, "retries": 0, "pause_s": 0.0, **more})
    return RunOptions(settings=settings, folder=folder, fresh=fresh)


def counting(asked: list[str], *, manifest: dict[str, str] | None = None) -> NamedTarget:
    def call(question: str, conversation: Sequence[Turn]) -> object:
        asked.append(question)
        return {"answer": f"60 s for {question}", "hits": ["c-1"]}

    return NamedTarget(call=call, pipeline="rag 1", manifest=manifest)


def part(folder: Path) -> Path:
    (found,) = folder.glob("*.part.jsonl")
    return found


def test_the_header_says_what_made_the_run(tmp_path: Path) -> None:
    target = counting([], manifest={"model": "m-1"})
    run, text = run_over(yardstick(), target, options(tmp_path, timeout_s=2.0), now=NOW)
    assert parse_run(text) == run
    header = run.header
    assert (header.pipeline, header.manifest, header.k) == ("rag 1", {"model": "m-1"}, 3)
    assert (header.version, header.concurrency, header.timeout_ms) == ("golden/v2", 1, 2000.0)
    assert [line.case_id for line in run.lines] == [f"q-{n:04d}" for n in range(6)]


def test_each_output_is_written_down_before_the_next_call(tmp_path: Path) -> None:
    seen: list[int] = []

    def call(question: str, conversation: Sequence[Turn]) -> object:
        seen.append(len(parse_run(part(tmp_path).read_text()).lines))
        return "60 s"

    run_over(yardstick(), NamedTarget(call=call, pipeline="p"), options(tmp_path), now=NOW)
    # The one that was just made may still be on its way.
    assert all(written >= at - 1 for at, written in enumerate(seen))
    assert seen[-1] >= 4


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    asked: list[str] = []
    run_over(yardstick(), counting(asked), options(tmp_path), now=NOW)
    file = part(tmp_path)
    lines = file.read_text().split("\n")
    file.write_text("\n".join(lines[:4]) + '\n{"case_id": "q-00')
    asked.clear()
    run, _ = run_over(yardstick(), counting(asked), options(tmp_path), now=NOW)
    assert len(asked) == 3
    assert sum(line.resumed for line in run.lines) == 3
    assert len(run.lines) == 6


def test_a_failed_output_is_run_again(tmp_path: Path) -> None:
    run_over(yardstick(), counting([]), options(tmp_path), now=NOW)
    file = part(tmp_path)
    head, first, *rest = file.read_text().split("\n")
    failed = {"case_id": json.loads(first)["case_id"], "error": "down"}
    file.write_text("\n".join([head, json.dumps(failed), *rest]))
    asked: list[str] = []
    run, _ = run_over(yardstick(), counting(asked), options(tmp_path), now=NOW)
    assert len(asked) == 1
    assert not [line for line in run.lines if line.failed]


@pytest.mark.parametrize("how", ["fresh", "manifest", "repeats", "cases"])
def test_what_is_another_run_begins_anew(tmp_path: Path, how: str) -> None:
    run_over(yardstick(), counting([], manifest={"m": "1"}), options(tmp_path), now=NOW)
    asked: list[str] = []
    target = counting(asked, manifest={"m": "2" if how == "manifest" else "1"})
    asks: dict[str, dict[str, Any]] = {"fresh": {"fresh": True}, "repeats": {"repeats": 2}}
    more = asks.get(how, {})
    cases = yardstick(5) if how == "cases" else yardstick()
    run_over(cases, target, options(tmp_path, **more), now=NOW)
    assert len(asked) == {"repeats": 12, "cases": 5}.get(how, 6)


def test_a_kill_in_the_middle_of_a_letter_leaves_what_is_whole(tmp_path: Path) -> None:
    run_over(yardstick(), counting([]), options(tmp_path), now=NOW)
    whole = part(tmp_path).read_bytes()
    part(tmp_path).write_bytes(whole + '{"case_id": "q-0005", "answer": "é'.encode()[:-1])
    asked: list[str] = []
    run_over(yardstick(), counting(asked), options(tmp_path), now=NOW)
    assert asked == []


def test_a_finished_run_leaves_nothing_when_it_is_kept_elsewhere(tmp_path: Path) -> None:
    target, how = counting([]), options(tmp_path)
    run_over(yardstick(), target, how, now=NOW)
    forget_part(yardstick(), target, how)
    assert list(tmp_path.iterdir()) == []


def test_progress_counts_up_to_the_whole(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    run_over(
        yardstick(),
        counting([]),
        options(tmp_path, repeats=2),
        now=NOW,
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(n, 12) for n in range(1, 13)]


KILLED = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
sys.path.insert(0, {root!r})
from curation.services.running import run_over
from curation.services.targets import NamedTarget
from tests.services.test_running import options, yardstick

def call(question, conversation):
    with open({calls!r}, "a") as file:
        file.write(question + chr(10))
    time.sleep(0.05)
    return "60 s"

run_over(yardstick(40), NamedTarget(call=call, pipeline="p"), options(Path({folder!r})),
         now=datetime.now(UTC))
"""


def test_a_kill_loses_one_call_at_most(tmp_path: Path) -> None:
    calls, folder = tmp_path / "calls", tmp_path / "runs"
    root = str(Path(__file__).resolve().parents[2])
    code = KILLED.format(root=root, calls=str(calls), folder=str(folder))
    process = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and (not calls.exists() or len(_lines(calls)) < 8):
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = len(_lines(calls))
    assert 8 <= before < 40
    asked: list[str] = []
    target = counting(asked)
    again = NamedTarget(call=target.call, pipeline="p")
    run, _ = run_over(yardstick(40), again, options(folder), now=NOW)
    assert len(run.lines) == 40
    assert 40 - before <= len(asked) <= 40 - before + 1


def _lines(file: Path) -> list[str]:
    return file.read_text().splitlines()


def test_a_target_gets_question_and_turns_as_plain_objects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_rag.py").write_text(
        "def both(question, conversation):\n    return repr((question, conversation))\n"
        "def alone(question):\n    return question\n"
        "class Pipeline:\n"
        "    pipeline, manifest = 'own 3', {'model': 'm'}\n"
        "    def __call__(self, question, conversation): return 'x'\n"
        "thing = Pipeline()\n"
        "class Holder:\n    answer = staticmethod(alone)\n"
    )
    monkeypatch.setattr(sys, "path", list(sys.path))
    turns = (Turn(role="user", text="Hello"),)
    both = python_target("own_rag:both", folder=tmp_path)
    assert both.call("q", turns) == "('q', [{'role': 'user', 'text': 'Hello'}])"
    assert (both.pipeline, both.manifest) == ("own_rag:both", None)
    assert python_target("own_rag:alone", folder=tmp_path).call("q", ()) == "q"
    assert python_target("own_rag:Holder.answer", folder=tmp_path).call("q", ()) == "q"
    thing = python_target("own_rag:thing", folder=tmp_path)
    assert (thing.pipeline, thing.manifest) == ("own 3", {"model": "m"})


def test_a_module_that_cannot_be_imported_is_told_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_rag.py").write_text("raise RuntimeError('no key is set')\n")
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(TargetError, match="no key is set"):
        python_target("broken_rag:answer", folder=tmp_path)
