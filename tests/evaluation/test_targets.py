"""Runs made by calling a Python callable: bounded, timed out, tried again, resumed."""

import sys
import threading
import time
from collections.abc import Sequence

import pytest

from curation.domain.case import Turn
from curation.evaluation.evaluate import evaluate_run
from curation.evaluation.run import RunLine, check_run
from curation.evaluation.scoring import Scoring
from curation.evaluation.targets import Target, TargetSettings, kept_lines, run_target
from curation.metrics.metric import Metric
from tests.evaluation.builders import a_case, a_run, an_output, hit, scoring, turns

CASES = [a_case(f"q-{at}", question=f"Question {at}?") for at in range(8)]


def run(target: Target, kept: Sequence[RunLine] = (), **settings: float) -> dict[str, RunLine]:
    how = TargetSettings(**{"pause_s": 0.001, **settings})  # type: ignore[arg-type]
    return {line.name: line for line in run_target(CASES, target, how, kept=kept)}


def test_a_target_gets_question_and_conversation_as_they_are_frozen() -> None:
    seen: list[tuple[str, Sequence[Turn]]] = []
    case = a_case(question=" What?\u2028 ", conversation=turns("Hello", "Hi"))

    def note(question: str, talk: Sequence[Turn]) -> str:
        seen.append((question, talk))
        return "x"

    list(run_target([case], note))
    assert seen == [(" What?\u2028 ", case.conversation)]


def test_a_text_or_an_object_with_fields_is_an_output() -> None:
    texts = run(lambda question, _: question.upper())
    assert texts["q-3"].answer == "QUESTION 3?"
    objects = run(lambda *_: {"answer": "60 s", "hits": [hit()], "cost_usd": 0.5})
    assert (objects["q-0"].hits[0].chunk_id, objects["q-0"].cost_usd) == ("gw:1", 0.5)
    lines = run(lambda *_: an_output("other", latency_ms=7))
    assert (lines["q-2"].case_id, lines["q-2"].latency_ms) == ("q-2", 7)


def test_a_coroutine_is_awaited() -> None:
    async def answer(question: str, _talk: Sequence[Turn]) -> str:
        return question

    assert run(answer)["q-1"].answer == "Question 1?"


@pytest.mark.parametrize(
    ("target", "error"),
    [
        (lambda *_: 5, "returned int, not an answer"),
        (lambda *_: {"answer": "x", "colour": 1}, "colour"),
        (lambda *_: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda *_: sys.exit("no key"), "SystemExit: no key"),
    ],
)
def test_what_is_no_output_is_a_failure_with_its_reason(target: Target, error: str) -> None:
    line = run(target)["q-0"]
    assert line.failed
    assert error in str(line.error)


def test_no_more_calls_are_open_than_allowed() -> None:
    lock, open_now, most = threading.Lock(), [0], [0]

    def busy(_question: str, _talk: Sequence[Turn]) -> str:
        with lock:
            open_now[0] += 1
            most[0] = max(most[0], open_now[0])
        time.sleep(0.02)
        with lock:
            open_now[0] -= 1
        return "x"

    assert len(run(busy, concurrency=3)) == 8
    assert most[0] <= 3


def test_a_call_that_takes_too_long_is_recorded_at_the_time_out() -> None:
    gate = threading.Event()
    lines = run(lambda *_: gate.wait(5) or "late", timeout_s=0.05, retries=0, concurrency=8)
    gate.set()
    assert {(line.timed_out, line.latency_ms) for line in lines.values()} == {(True, 50.0)}
    assert "timed out after 0.05 s" in str(lines["q-0"].error)


def test_a_failed_call_is_made_again() -> None:
    calls: dict[str, int] = {}

    def flaky(question: str, _talk: Sequence[Turn]) -> str:
        calls[question] = calls.get(question, 0) + 1
        if calls[question] < 3:
            raise ConnectionError("gone")
        return "back"

    assert all(line.answer == "back" for line in run(flaky, retries=2).values())
    calls.clear()
    assert all(line.failed for line in run(flaky, retries=1).values())


def test_what_an_interrupted_run_holds_is_not_run_again_but_failures_are() -> None:
    asked: list[str] = []

    def target(question: str, _talk: Sequence[Turn]) -> str:
        asked.append(question)
        return "new"

    partial = [an_output("q-0"), an_output("q-1", error="boom", answer=None), an_output("q-2")]
    kept = kept_lines(partial)
    fresh = run(target, kept)
    assert sorted(asked) == [f"Question {at}?" for at in range(8) if at not in {0, 2}]
    assert all(line.resumed for line in kept)
    whole = check_run([*kept, *fresh.values()], [case.id for case in CASES])
    assert whole["q-0"][0].answer != "new" == whole["q-1"][0].answer


def test_the_last_line_of_a_case_counts_when_a_run_is_resumed() -> None:
    kept = kept_lines([an_output("q-1", answer="old"), an_output("q-1", answer="new")])
    assert [line.answer for line in kept] == ["new"]


def test_each_case_is_run_as_often_as_asked_and_the_spread_is_told() -> None:
    count = iter(range(100))
    lines = run(
        lambda *_: {"answer": "x", "hits": [hit() if next(count) < 8 else hit("x:1")]},
        repeats=2,
        concurrency=1,
    )
    assert len(lines) == 16
    report = evaluate_run([scoring(case) for case in CASES], a_run(lines.values()))
    assert report.metrics[Metric.RECALL].value == 0.5
    assert (report.spread[Metric.RECALL].low, report.spread[Metric.RECALL].high) == (0.0, 1.0)
    assert report.spread[Metric.RECALL].standard_deviation == 0.5
    assert report.pins.repeats == 2


def test_closing_the_generator_ends_the_run() -> None:
    asked: list[str] = []

    def slow(question: str, _talk: Sequence[Turn]) -> str:
        asked.append(question)
        time.sleep(0.02)
        return "x"

    steps = run_target(CASES, slow, TargetSettings(concurrency=1))
    next(steps)
    steps.close()
    time.sleep(0.1)
    assert len(asked) <= 3


def test_a_run_with_time_outs_can_be_scored_as_wrong() -> None:
    gate = threading.Event()
    lines = run(lambda *_: gate.wait(5) or "x", timeout_s=0.02, retries=0, concurrency=8)
    gate.set()
    report = evaluate_run(
        [scoring(case) for case in CASES],
        a_run(lines.values()),
        scoring=Scoring(failures_as_wrong=True),
    )
    assert report.metrics[Metric.REQUIRED_RECALL].value == 0.0
    assert report.metrics[Metric.LATENCY_P95].value == pytest.approx(20)
    assert len(report.failed) == 8
