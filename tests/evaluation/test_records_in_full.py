"""What is read, scored and written down, field by field."""

import json
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest

from curation.domain.answer import Outcome
from curation.domain.case import (
    Answerable,
    Case,
    CaseStatus,
    Decline,
    Evidence,
    EvidenceRole,
    Fact,
    Facts,
    ForbiddenFact,
    Provenance,
    ReferenceSource,
    Retired,
    RetireReason,
    Turn,
)
from curation.domain.experiment import (
    Baseline,
    Decision,
    Deltas,
    Experiment,
    ExperimentResult,
    ExperimentState,
    Override,
    SliceDelta,
    WorstSlices,
)
from curation.domain.gate import Profile
from curation.domain.verdict import Criterion, State
from curation.evaluation.cases import parse_golden, scoring_case
from curation.evaluation.evaluate import evaluate_run, pins_of
from curation.evaluation.experiment import Recording, close, record
from curation.evaluation.gate import gate
from curation.evaluation.intervals import SEED
from curation.evaluation.report import Pins, Report, Spread
from curation.evaluation.run import RunHeader, RunLine
from curation.evaluation.scoring import Scoring
from curation.evaluation.targets import TargetSettings, run_target
from curation.metrics.hits import HitRule
from curation.metrics.metric import Metric
from tests.evaluation.builders import (
    a_case,
    a_policy,
    a_report,
    a_run,
    a_score,
    an_output,
    hit,
    scoring,
)

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
BY = "Ana Ruiz <ana@example.org>"
WHOLE = Case(
    id="q-1",
    question="What is it?",
    conversation=(Turn(role="user", text="Hello"),),
    standalone_question="What is the timeout?",
    answerable=Answerable.PARTIAL,
    question_type="value",
    slice="billing",
    category="gateway",
    weight=2.5,
    reference="60 s.",
    other_references=("A minute.",),
    facts=Facts(
        required=(Fact(id="f1", text="60 s", any_of=("a minute",)),),
        optional=(Fact(id="f2", text="by default"),),
        forbidden=(ForbiddenFact(id="f3", text="30 s", value_of="3.9"),),
    ),
    declines=(Decline(id="d1", text="The price is not known."),),
    readings=("gateway",),
    evidence=(
        Evidence(id="e1", group="g", chunk_id="c1", doc_id="gw", doc_version="4.2", quote="60 s"),
    ),
    doc_version="4.2",
)
LINE: dict[str, Any] = {
    "id": "q-1",
    "question": "What is it?",
    "conversation": [{"role": "user", "text": "Hello"}],
    "standalone_question": "What is the timeout?",
    "answerable": "partial",
    "question_type": "value",
    "slice": "billing",
    "category": "gateway",
    "weight": 2.5,
    "reference": "60 s.",
    "other_references": ["A minute."],
    "required_facts": [{"id": "f1", "text": "60 s", "any_of": ["a minute"]}],
    "optional_facts": [{"id": "f2", "text": "by default"}],
    "forbidden_facts": [{"id": "f3", "text": "30 s", "value_of": "3.9"}],
    "declines": [{"id": "d1", "text": "The price is not known."}],
    "readings": ["gateway"],
    "gold": [{"pid": "c1", "doc_id": "gw", "doc_version": "4.2", "group": "g", "quote": "60 s"}],
    "doc_version": "4.2",
}


def test_a_line_of_a_golden_file_is_read_whole() -> None:
    assert parse_golden(json.dumps(LINE)) == (WHOLE,)


@pytest.mark.parametrize(
    ("given", "evidence"),
    [
        (
            {"gold_pids": ["c1", "c2"], "gold_docs": ["gw"]},
            [("e1", "c1", "gw"), ("e2", "c2", "gw")],
        ),
        ({"gold_pids": ["c1"], "gold_docs": ["gw", "faq"]}, [("e1", "c1", "")]),
        ({"gold_pids": ["c1"]}, [("e1", "c1", "")]),
        ({"gold": [{"pid": "c9"}], "gold_pids": ["c1"]}, [("e1", "c9", "")]),
        ({}, []),
    ],
)
def test_a_plain_line_names_its_passages(
    given: dict[str, Any], evidence: list[tuple[str, str, str]]
) -> None:
    (case,) = parse_golden(json.dumps({"id": "q", "question": "?", **given}))
    assert [(item.group, item.chunk_id, item.doc_id) for item in case.evidence] == evidence
    assert [item.id for item in case.evidence] == [item.group for item in case.evidence]
    assert (case.slice, case.weight, case.question_type) == ("general", 1, "other")


def test_texts_are_facts_and_a_flag_is_a_state() -> None:
    given = {"id": "q", "question": "?", "required_facts": ["a", {"id": "x", "text": "b"}]}
    (case,) = parse_golden(json.dumps(given | {"answerable": False}))
    assert [(fact.id, fact.text) for fact in case.facts.required] == [("f1", "a"), ("x", "b")]
    assert case.answerable is Answerable.UNANSWERABLE
    (case,) = parse_golden(json.dumps(given | {"answerable": True, "question_type": None}))
    assert case.answerable is Answerable.ANSWERABLE


def test_what_decides_no_score_is_left_out_of_a_scored_case() -> None:
    near = WHOLE.evidence[0].model_copy(
        update={"id": "e0", "group": "n", "role": EvidenceRole.DISTRACTOR}
    )
    shown = WHOLE.evidence[0].model_copy(update={"id": "e7", "chunk_sha256": "0" * 64})
    facts = WHOLE.facts.model_copy(
        update={
            name: tuple(
                fact.model_copy(update={"evidence": ("e7",)}) for fact in getattr(WHOLE.facts, name)
            )
            for name in ("required", "optional", "forbidden")
        }
    )
    written = WHOLE.model_copy(
        update={
            "status": CaseStatus.RETIRED,
            "retired": Retired(reason=RetireReason.WRONG),
            "facts": facts,
            "evidence": (near, shown),
            "reference_source": ReferenceSource.QUOTED,
            "provenance": Provenance(answer_id="a-1"),
            "notes": "n",
        }
    )
    assert scoring_case(written).case == WHOLE
    assert scoring_case(written).categories == ("uncategorised",)


def called(given: object, **settings: Any) -> RunLine:
    """What a run holds of a target that returns this; each call takes two seconds."""
    ticks = count(step=2)
    how = TargetSettings(concurrency=1, retries=0, **settings)
    (line,) = run_target([WHOLE], lambda *_: given, how, clock=lambda: float(next(ticks)))
    return line


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("60 s", {"answer": "60 s", "latency_ms": 2000.0}),
        ({"answer": "60 s"}, {"answer": "60 s", "latency_ms": 2000.0}),
        ({"answer": "60 s", "latency_ms": 7, "case_id": "x"}, {"answer": "60 s", "latency_ms": 7}),
        (RunLine(case_id="x", answer="60 s", cost_usd=1), {
            "answer": "60 s", "cost_usd": 1, "latency_ms": 2000.0,
        }),
        (RunLine(case_id="x", answer="60 s", latency_ms=7), {"answer": "60 s", "latency_ms": 7}),
        (None, {"error": "the target returned NoneType, not an answer"}),
        ([], {"error": "the target returned list, not an answer"}),
    ],
)  # fmt: skip
def test_what_a_target_gives_is_written_down(given: object, expected: dict[str, Any]) -> None:
    assert called(given) == RunLine(case_id="q-1", **expected)


def test_what_a_target_gives_that_cannot_be_read_is_a_failure_that_says_so() -> None:
    line = called({"answer": 5})
    assert (line.case_id, line.failed, line.latency_ms) == ("q-1", True, None)
    assert (line.error or "").startswith("the target's output cannot be read: answer is not a text")


def test_an_error_without_a_text_is_named_by_its_kind() -> None:
    def fails(*_: object) -> str:
        raise KeyError

    how = TargetSettings(concurrency=1, retries=0)
    (line,) = run_target([WHOLE], fails, how)
    assert line == RunLine(case_id="q-1", error="KeyError")


def test_a_run_and_its_scoring_are_pinned() -> None:
    header = RunHeader(
        pipeline="rag 1", manifest={"chunker": "v1"}, corpus_snapshot="s1", concurrency=3
    )
    run = a_run([an_output()], **header.model_dump(exclude_none=True))
    own = Pins(version="golden/v3", commit="c3", cases_tree="t3", policy_blob="p1")
    how = Scoring(k=7, rule=HitRule.QUOTE)
    assert pins_of(run, own, how) == own.model_copy(
        update={
            "k": 7,
            "hit_rule": HitRule.QUOTE,
            "corpus_snapshot": "s1",
            "pipeline": "rag 1",
            "manifest": {"chunker": "v1"},
            "concurrency": 3,
            "run_sha256": run.sha256,
            "repeats": 1,
            "seed": SEED,
        }
    )
    kept = own.model_copy(
        update={"corpus_snapshot": "s0", "pipeline": "p", "manifest": {}, "concurrency": 9}
    )
    found = pins_of(a_run([an_output()]), kept, how)
    assert (found.corpus_snapshot, found.pipeline, found.manifest, found.concurrency) == (
        "s0", "p", {}, 9,
    )  # fmt: skip


def test_a_report_counts_what_failed_and_what_there_was_nothing_to_check_in() -> None:
    cases = [scoring(a_case(f"q-{at}", slice="xy"[at // 2])) for at in range(4)]
    outputs = [
        an_output("q-0"),
        an_output("q-1", answer="It depends.", hits=[hit(text=None)]),
        an_output("q-2", answer="It is so [1]. It is so [gw:99]."),
        an_output("q-3", answer=None, error="timed out"),
    ]
    report = evaluate_run(cases, a_run(outputs), scoring=Scoring(failures_as_wrong=True))
    assert (report.n, report.n_nothing_to_check, report.fabricated) == (4, 2, 1)
    assert report.failed == ("q-3",)
    assert report.criteria[Criterion.RETRIEVAL] == {State.PASS: 3, State.FAIL: 1}
    assert sum(report.criteria[Criterion.ANSWER].values()) == 4
    assert set(report.slices) == {"x", "y"}
    assert set(report.question_types) == {"other"}
    assert set(report.answerability) == {"answerable"}
    assert set(report.categories) == {"uncategorised"}
    assert [score.id for score in report.cases] == ["q-0", "q-1", "q-2", "q-3"]


def test_a_pipeline_that_retrieves_fewer_than_k_is_warned_of() -> None:
    run = a_run([an_output()], k=3)
    said = "The pipeline retrieved 3 chunks a question, k is 5."
    assert said in evaluate_run([scoring(a_case())], run).warnings
    assert evaluate_run([scoring(a_case())], run, scoring=Scoring(k=3)).warnings == ()


def test_repeats_say_how_far_the_mean_moved() -> None:
    lines = [
        an_output("q-0001"),
        an_output("q-0001", repeat=2, hits=[]),
        an_output("q-0002"),
        an_output("q-0002", repeat=2),
    ]
    cases = [scoring(a_case(case_id)) for case_id in ("q-0001", "q-0002")]
    report = evaluate_run(cases, a_run(lines))
    assert report.spread[Metric.RECALL] == Spread(low=0.5, high=1.0, standard_deviation=0.25)
    assert report.metrics[Metric.RECALL].value == 0.75
    assert evaluate_run(cases, a_run(lines[::2])).spread == {}


EXPERIMENT = Experiment(
    id="exp-001",
    component="chunker",
    hypothesis="Smaller chunks find more.",
    version="golden/v3",
    commit="c3",
    cases_tree="t3",
    policy_blob="p1",
    opened_by=BY,
    opened_at=NOW,
)
POLICY = a_policy("billing")


def reported(values: dict[str, float], **pins: Any) -> Report:
    scores = [
        a_score(name, {Metric.RECALL: value}, slice_name=name.split("-")[0])
        for name, value in values.items()
    ]
    return a_report(scores, **pins)


BEFORE = reported(
    {"billing-1": 1.0, "policy-1": 0.0, "policy-2": 0.0, "old-1": 1.0},
    run_sha256="old",
    pipeline="rag 1",
    manifest={"chunker": "v1", "k": 5},
    corpus_snapshot="s1",
    scorer="7",
)
AFTER = reported(
    {"billing-1": 0.5, "policy-1": 1.0, "policy-2": 1.0, "new-1": 0.0},
    run_sha256="new",
    pipeline="rag 2",
    manifest={"chunker": "v2", "k": 5},
    corpus_snapshot="s2",
    scorer="7",
    repeats=2,
)


def recorded() -> Experiment:
    recording = Recording(baseline=BEFORE, candidate=AFTER, policy=POLICY, by=BY, at=NOW)
    return record(EXPERIMENT, recording)[0]


def test_a_record_says_everything_of_the_two_runs() -> None:
    result = recorded().latest
    assert result is not None
    assert result == ExperimentResult(
        recorded_by=BY,
        recorded_at=NOW,
        pipeline="rag 2",
        manifest={"chunker": "v2", "k": 5},
        run_sha256="new",
        baseline_run_sha256="old",
        corpus_snapshot="s2",
        k=5,
        hit_rule="id",
        scorer="7",
        repeats=2,
        n=3,
        left_out=("old-1", "new-1"),
        baseline={"recall@k": 0.5, "faithfulness": 1.0},
        candidate={"recall@k": 0.625, "faithfulness": 1.0},
        deltas=Deltas(retrieval=2.5 / 3 - 1 / 3, generation=0.0),
        worst=WorstSlices(
            retrieval=SliceDelta(slice="billing", delta=-0.5, n=1, protected=True),
            generation=SliceDelta(slice="billing", delta=0.0, n=1, protected=True),
        ),
        component="component: chunker, proven by the manifests",
        gate=gate(AFTER, BEFORE, POLICY, Profile.PROMOTE, rescored=True),
    )
    assert result.gate.reasons[0].rule != "pins"
    bare = Recording(baseline=BEFORE, candidate=AFTER, policy=POLICY, by=BY, at=NOW, rescored=False)
    (reason,) = (record(EXPERIMENT, bare)[0].latest or result).gate.reasons
    assert reason.phrase == "corpus_snapshot, repeats differ"
    unprotected = record(
        EXPERIMENT,
        Recording(baseline=BEFORE, candidate=AFTER, policy=a_policy(), by=BY, at=NOW),
    )[0].latest
    assert unprotected is not None
    assert unprotected.worst.retrieval is not None
    assert not unprotected.worst.retrieval.protected


def test_the_first_record_pins_the_baseline_and_later_ones_keep_it() -> None:
    first = recorded()
    assert first.baseline == Baseline(
        pipeline="rag 1",
        version="golden/v3",
        cases_tree="t3",
        run_sha256="old",
        manifest={"chunker": "v1", "k": 5},
        metrics={"recall@k": 0.5, "faithfulness": 1.0},
        experiment=None,
    )
    pinned = EXPERIMENT.model_copy(update={"baseline": Baseline(version="golden/v2")})
    recording = Recording(baseline=BEFORE, candidate=AFTER, policy=POLICY, by=BY, at=NOW)
    again = record(record(pinned, recording)[0], recording)[0]
    assert again.baseline == Baseline(version="golden/v2")
    assert len(again.results) == 2


def test_closing_writes_who_when_and_why_and_a_promote_the_baseline() -> None:
    override = Override(why="Legal needs it.", by=BY)
    done = close(recorded(), Decision.PROMOTE, why="See numbers.", by=BY, at=NOW, override=override)
    assert done.experiment == recorded().model_copy(
        update={
            "state": ExperimentState.CLOSED,
            "decision": Decision.PROMOTE,
            "closed_by": BY,
            "closed_at": NOW,
            "why": "See numbers.",
            "override": override,
        }
    )
    assert done.baseline == Baseline(
        pipeline="rag 2",
        version="golden/v3",
        cases_tree="t3",
        run_sha256="new",
        manifest={"chunker": "v2", "k": 5},
        metrics={"recall@k": 0.625, "faithfulness": 1.0},
        experiment="exp-001",
    )
    rejected = close(recorded(), Decision.REJECT, why="No.", by=BY, at=NOW, override=override)
    assert (rejected.baseline, rejected.experiment.override) == (None, None)
    assert rejected.experiment.decision is Decision.REJECT


def test_an_output_is_scored_with_the_texts_of_the_corpus_by_version() -> None:
    asked: list[tuple[str, str | None]] = []

    def text_of(chunk_id: str, version: str | None) -> str | None:
        asked.append((chunk_id, version))
        return "The request timeout is 60 s in v4.2."

    line = an_output(hits=[hit(text=None), hit("gw:2", rank=2, text="")], outcome=None)
    report = evaluate_run([scoring(a_case())], a_run([line]), scoring=Scoring(text_of=text_of))
    assert asked == [("gw:1", "4.2")]
    assert report.cases[0].outcome is Outcome.ANSWERED
    assert report.cases[0].values[Metric.FAITHFULNESS] == 1.0
