"""Bounds and arguments of small decisions: non-inferiority, scoring again, repeats of a target."""

import json
import threading
import time
from datetime import UTC, datetime
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from curation.domain.case import Fact, Facts
from curation.domain.experiment import Experiment
from curation.domain.gate import GateOutcome, Profile
from curation.domain.verdict import Criterion, Presence, State
from curation.errors import PolicyError
from curation.evaluation.compare import pair_reports
from curation.evaluation.errors import ExperimentError
from curation.evaluation.experiment import Recording, record
from curation.evaluation.gate import gate
from curation.evaluation.intervals import MIN_CASES, MIN_CHANGES
from curation.evaluation.noninferiority import gain_draws, holm_held, noninferior
from curation.evaluation.report import report_document
from curation.evaluation.rules import gate_settings
from curation.evaluation.run import RunLine
from curation.evaluation.scoring import Scoring, score_case
from curation.evaluation.targets import TargetSettings, run_target
from curation.metrics.hits import HitRule
from curation.metrics.metric import Metric
from tests.evaluation.builders import (
    a_case,
    a_policy,
    a_report,
    a_score,
    an_output,
    gold,
    hit,
    report_of,
    scoring,
    unanswerable,
)


@pytest.mark.parametrize(
    ("draws", "held"),
    [
        ([0.01] * 39, True),
        ([0.01] * 38, False),
        ([0.01] * 38 + [-0.06], False),
        ([0.01] * 38 + [-0.05], True),
        ([0.01] * 38 + [-0.04], True),
        ([0.01] * 78 + [-0.06], True),
        ([0.01] * 77 + [-0.06], False),
        ([0.0], True),
    ],
)
def test_a_slice_holds_by_the_share_of_draws_below_the_margin(
    draws: list[float], held: bool
) -> None:
    assert holm_held({"a": np.array(draws)}, 0.05) == {"a": held}


def test_a_slice_without_an_interval_is_left_out_and_the_others_share_the_error() -> None:
    few, many = np.array([0.01] * 39), np.array([0.01] * 200)
    assert holm_held({"a": few, "b": None}, 0.05) == {"a": True}
    assert holm_held({"a": few, "b": few}, 0.05) == {"a": False, "b": False}
    assert holm_held({"a": few, "b": many}, 0.05) == {"a": True, "b": True}


@pytest.mark.parametrize(
    ("gains", "held", "outcome"),
    [
        ([0.0], None, GateOutcome.PASS),
        ([-0.05], None, GateOutcome.PASS),
        ([-0.05], True, GateOutcome.PASS),
        ([-0.05], False, GateOutcome.UNDECIDED),
        ([-0.06], None, GateOutcome.FAIL),
        ([-0.06], True, GateOutcome.FAIL),
        ([-0.06, 0.05], None, GateOutcome.FAIL),
        ([-0.06, 0.07], None, GateOutcome.UNDECIDED),
    ],
)
def test_an_interval_decides_against_the_margin(
    gains: list[float], held: bool | None, outcome: GateOutcome
) -> None:
    assert noninferior(np.array(gains), 0.05, held=held) is outcome
    assert noninferior(None, 0.05, held=held) is GateOutcome.UNDECIDED


@pytest.mark.parametrize(
    ("first", "outcome"),
    [
        (-0.075, GateOutcome.PASS),
        (-0.085, GateOutcome.UNDECIDED),
        (-0.924, GateOutcome.UNDECIDED),
        (-0.926, GateOutcome.FAIL),
    ],
)
def test_the_interval_is_of_the_middle_95_of_100_draws(first: float, outcome: GateOutcome) -> None:
    assert noninferior(np.linspace(first, first + 1, 201), 0.05) is outcome


def test_a_rule_without_a_bound_is_refused_as_that() -> None:
    said = "a rule has exactly one of floor, ceiling, max_drop and min_gain"
    with pytest.raises(PolicyError, match=said):
        gate_settings(a_policy(extra="[gate]\nrecall = {}\n"))


def test_a_gate_without_a_baseline_leaves_no_case_out() -> None:
    found = gate(a_report([a_score("a")]), None, a_policy(), Profile.CI)
    assert found.result is GateOutcome.UNDECIDED
    said = "cannot be judged: there is no baseline to compare with."
    assert {warning[-len(said) :] for warning in found.warnings} == {said}
    beside = gate(a_report([a_score("a")]), a_report([a_score("b")]), a_policy(), Profile.CI)
    assert any("only in the candidate" in warning for warning in beside.warnings)


def test_too_few_cases_or_changes_have_no_interval() -> None:
    def draws(cases: int, changed: int) -> object:
        after = [0.0] * changed + [1.0] * (cases - changed)
        pairing = pair_reports(
            report_of(Metric.RECALL, [1.0] * cases), report_of(Metric.RECALL, after)
        )
        return gain_draws(pairing, Metric.RECALL, None)

    assert draws(MIN_CASES - 1, MIN_CHANGES) is None
    assert draws(MIN_CASES, MIN_CHANGES - 1) is None
    found = draws(MIN_CASES, MIN_CHANGES)
    assert isinstance(found, np.ndarray)
    assert found.mean() == pytest.approx(-MIN_CHANGES / MIN_CASES, abs=0.01)
    nothing = draws(3, 0)
    assert isinstance(nothing, np.ndarray)
    assert nothing.tolist() == [0.0]
    same = a_score("q-other", slice_name="other")
    lost = a_score("q-lost", {Metric.RECALL: 0.0})
    both = pair_reports(a_report([same, a_score("q-lost")]), a_report([same, lost]))
    other = gain_draws(both, Metric.RECALL, "other")
    assert other is not None
    assert other.tolist() == [0.0]
    assert gain_draws(both, Metric.RECALL, "nowhere") is None


NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
VAGUE = "Sessions are kept in memory, a volatile storage [1]."
UNSURE = a_case(facts=Facts(required=(Fact(id="f1", text="sessions live in volatile storage"),)))


@pytest.mark.parametrize("given", ["x", {"answer": "x"}, 5, {"answer": 5}, RunLine(case_id="y")])
def test_each_repeat_is_written_down_as_that_repeat(given: object) -> None:
    how = TargetSettings(repeats=2, retries=0, concurrency=1)
    lines = list(run_target([a_case()], lambda *_: given, how))
    assert [(line.case_id, line.repeat) for line in lines] == [("q-0001", 1), ("q-0001", 2)]


def test_an_error_is_written_down_for_its_repeat() -> None:
    def fails(*_: object) -> str:
        raise ValueError("no")

    how = TargetSettings(repeats=2, retries=0, concurrency=1)
    lines = list(run_target([a_case()], fails, how))
    assert [(line.repeat, line.error) for line in lines] == [
        (1, "ValueError: no"),
        (2, "ValueError: no"),
    ]


def test_the_wait_before_a_retry_doubles_with_each() -> None:
    called: list[float] = []

    def fails(*_: object) -> str:
        called.append(time.perf_counter())
        raise ValueError

    list(run_target([a_case()], fails, TargetSettings(retries=3, pause_s=0.01, concurrency=1)))
    waits = [later - before for before, later in pairwise(called)]
    assert [wait >= least for wait, least in zip(waits, (0.01, 0.02, 0.04), strict=True)] == [
        True,
        True,
        True,
    ]
    assert sum(waits) < 2


def test_a_call_that_takes_too_long_is_written_down_for_its_repeat() -> None:
    gate_of_all = threading.Event()
    how = TargetSettings(repeats=2, retries=0, concurrency=1, timeout_s=0.02)
    lines = list(run_target([a_case()], lambda *_: gate_of_all.wait(5), how))
    gate_of_all.set()
    assert [(line.repeat, line.timed_out, line.latency_ms) for line in lines] == [
        (1, True, 20.0),
        (2, True, 20.0),
    ]


def test_a_draw_is_of_the_cases_that_both_scored_and_takes_a_cluster_whole() -> None:
    values = [1.0, 0.0] * MIN_CASES
    before = report_of(Metric.RECALL, [1.0] * len(values))
    half = report_of(Metric.RECALL, [value or None for value in values])
    one_sided = gain_draws(pair_reports(before, half), Metric.RECALL, None)
    assert one_sided is not None
    assert one_sided.tolist() == [0.0]
    together = [
        score.model_copy(update={"cluster": "one" if at < MIN_CASES else "two"})
        for at, score in enumerate(report_of(Metric.RECALL, values).cases)
    ]
    draws = gain_draws(pair_reports(before, a_report(together)), Metric.RECALL, None)
    assert draws is not None
    assert set(draws.tolist()) == {-0.5}


def test_a_run_on_another_version_is_refused_by_both_names() -> None:
    experiment = Experiment(
        id="exp-001",
        component="chunker",
        hypothesis="h",
        version="golden/v3",
        commit="c",
        cases_tree="t",
        policy_blob="p",
        opened_by="A <a@b>",
        opened_at=NOW,
    )
    report, other = a_report([a_score("a")]), a_report([a_score("a")], version="golden/v4")
    for pair in ((report, other), (other, report)):
        recording = Recording(
            baseline=pair[0], candidate=pair[1], policy=a_policy(), by="A <a@b>", at=NOW
        )
        with pytest.raises(ExperimentError) as caught:
            record(experiment, recording)
        expected = ExperimentError.other_version(experiment, "golden/v4")
        assert str(caught.value) == str(expected)


def test_a_report_is_a_document_of_plain_json() -> None:
    document = report_document(a_report([a_score("a"), a_score("b")]))
    assert document == json.loads(json.dumps(document))


def test_the_criteria_are_judged_with_the_depth_and_the_rule_of_the_scoring() -> None:
    line = an_output(hits=[hit("x", text="Notes."), hit("new", rank=2)], answer="So it is [2].")

    def states(**how: Any) -> tuple[State, State]:
        found = score_case(scoring(a_case()), [line], Scoring(**how)).criteria
        return found[Criterion.RETRIEVAL], found[Criterion.CITATION]

    assert states(rule=HitRule.QUOTE) == (State.PASS, State.PASS)
    assert states(rule=HitRule.QUOTE, k=1) == (State.FAIL, State.PASS)
    assert states() == (State.FAIL, State.UNSURE)


def test_a_citation_that_only_a_paraphrase_could_tell_is_unscored_as_that() -> None:
    line = an_output(
        hits=[hit(), hit("talk", rank=2, text="Talk.", doc_id="talk")], answer="So [2]."
    )
    found = score_case(scoring(a_case()), [line])
    assert found.unscored == {Metric.CITATION: "only a paraphrase could tell"}
    assert Metric.CITATION not in found.values
    right = score_case(scoring(a_case()), [an_output()])
    assert right.unscored == {}


def test_an_unanswerable_case_has_no_retrieval_whatever_its_evidence() -> None:
    found = score_case(scoring(unanswerable(evidence=(gold(),))), [an_output("q-0009")])
    assert Metric.RECALL not in found.values
    assert found.criteria[Criterion.RETRIEVAL] is State.NOT_APPLICABLE


def test_one_unsure_fact_leaves_the_answer_unsure() -> None:
    found = score_case(scoring(UNSURE), [an_output(answer=VAGUE)])
    assert (found.criteria[Criterion.ANSWER], found.unsure) == (State.UNSURE, ("f1",))


def test_an_abstention_has_none_of_the_facts_whatever_it_says() -> None:
    said = "The request timeout is 60 s. The request timeout is 30 s."
    found = score_case(scoring(a_case()), [an_output(outcome="abstained", answer=said)])
    assert found.criteria[Criterion.ANSWER] is State.FAIL
    assert (found.values[Metric.REQUIRED_RECALL], found.values[Metric.FORBIDDEN_RATE]) == (0, 0)
    silent = an_output("q-0009", outcome="abstained", answer="The request timeout is 30 s.")
    assert score_case(scoring(unanswerable()), [silent]).criteria[Criterion.ANSWER] is State.PASS


def test_what_nobody_settled_stays_unsure() -> None:
    other = ("q-0001", "f1", sha256(b"another answer").hexdigest())
    for settled in ({}, {other: Presence.PRESENT}):
        found = score_case(scoring(UNSURE), [an_output(answer=VAGUE)], Scoring(settled=settled))
        assert (found.unsure, found.criteria[Criterion.ANSWER]) == (("f1",), State.UNSURE)
    sure = score_case(scoring(a_case()), [an_output()], Scoring(settled={other: Presence.ABSENT}))
    assert (sure.unsure, sure.criteria[Criterion.ANSWER]) == ((), State.PASS)


def test_retrieval_that_cannot_be_told_says_why() -> None:
    bare = scoring(a_case(evidence=(gold(quote=""),)))
    quote = score_case(bare, [an_output()], Scoring(rule=HitRule.QUOTE)).unscored[Metric.RECALL]
    assert quote == "the evidence has no quote or a chunk no text"
    line = an_output(hits=[hit(version=None)])
    twice = score_case(scoring(a_case()), [line], Scoring(ambiguous=frozenset({"gw:1"})))
    said = "a chunk id is in more than one version and the run does not say which"
    assert twice.unscored[Metric.MRR] == said
    assert twice.criteria[Criterion.RETRIEVAL] is State.UNSURE


def test_a_hit_below_the_depth_is_none() -> None:
    line = an_output(hits=[hit("x", text="Notes."), hit(rank=2)])
    values = score_case(scoring(a_case()), [line], Scoring(k=1)).values
    assert (values[Metric.HIT_RATE], values[Metric.RECALL], values[Metric.MRR]) == (0.0, 0.0, 0.5)
