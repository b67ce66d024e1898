"""What recording and closing an experiment writes, and that its numbers recompute its gate."""

from datetime import UTC, datetime
from typing import Any

import pytest

from curation.domain.experiment import Baseline, Decision, Experiment, ExperimentState, Override
from curation.domain.gate import GateOutcome
from curation.evaluation.case_lines import lines_text, read_lines, reports_of
from curation.evaluation.errors import CaseLinesError, ExperimentError
from curation.evaluation.experiment import (
    Recording,
    baseline_of,
    changed_components,
    close,
    prove_component,
    record,
)
from curation.evaluation.report import Report
from curation.golden.experiment_gate import recomputed_gate
from curation.metrics.metric import Metric
from tests.evaluation.builders import a_policy, a_report, a_score

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
BY = "Ana Ruiz <ana@example.org>"
POLICY = a_policy("billing")
OLD = {"chunker": "v1", "retriever": "bm25"}
NEW = {"chunker": "v2", "retriever": "bm25"}


def an_experiment(**fields: Any) -> Experiment:
    return Experiment(
        **{
            "id": "exp-001",
            "component": "chunker",
            "hypothesis": "Smaller chunks find more.",
            "version": "golden/v3",
            "commit": "c3",
            "cases_tree": "t3",
            "policy_blob": "p1",
            "opened_by": BY,
            "opened_at": NOW,
            **fields,
        }
    )


def scored(values: dict[str, float], **pins: Any) -> Report:
    return a_report(
        [
            a_score(name, {Metric.RECALL: value}, slice_name=name.split("-")[0])
            for name, value in values.items()
        ],
        **pins,
    )


BEFORE = scored(
    {"billing-1": 1.0, "policy-1": 0.0, "policy-2": 0.0}, run_sha256="old", manifest=OLD
)
GOOD = scored(
    {"billing-1": 1.0, "policy-1": 1.0, "policy-2": 0.0},
    run_sha256="new",
    manifest=NEW,
    pipeline="rag-8",
)
HARM = scored({"billing-1": 0.5, "policy-1": 1.0, "policy-2": 1.0}, run_sha256="new", manifest=NEW)


def recorded(candidate: Report = GOOD, experiment: Experiment | None = None) -> Experiment:
    recording = Recording(baseline=BEFORE, candidate=candidate, policy=POLICY, by=BY, at=NOW)
    return record(experiment or an_experiment(), recording)[0]


def test_a_record_appends_the_two_deltas_the_worst_slice_and_the_gate() -> None:
    found = recorded(HARM)
    result = found.latest
    assert result is not None
    assert result.deltas.retrieval == pytest.approx(0.5)
    assert result.deltas.generation == 0.0
    assert result.worst.retrieval is not None
    assert (result.worst.retrieval.slice, result.worst.retrieval.delta) == ("billing", -0.5)
    assert result.worst.retrieval.protected
    assert result.gate.text == "keep baseline \u2014 protected slice regressed: ['billing']"
    assert (result.n, result.component) == (3, "component: chunker, proven by the manifests")
    assert len(recorded(GOOD, found).results) == 2


def test_the_opening_fields_stay_and_the_baseline_is_pinned_by_the_first_record() -> None:
    before = an_experiment()
    after = recorded()
    opening = ("id", "component", "hypothesis", "version", "commit", "cases_tree", "policy_blob")
    assert [getattr(before, name) for name in opening] == [getattr(after, name) for name in opening]
    assert after.baseline is not None
    assert after.baseline.run_sha256 == "old"
    pinned = Baseline(version="golden/v3", run_sha256="older")
    assert recorded(experiment=an_experiment(baseline=pinned)).baseline == pinned


def test_the_gate_recomputes_from_the_numbers_in_the_repository() -> None:
    experiment, lines = record(
        an_experiment(),
        Recording(baseline=BEFORE, candidate=HARM, policy=POLICY, by=BY, at=NOW),
    )
    text = lines_text(lines)
    again = recomputed_gate(experiment, read_lines(text), POLICY)
    assert experiment.latest is not None
    assert again == experiment.latest.gate
    assert text == lines_text(read_lines(text))
    before, after = reports_of(read_lines(text), BEFORE.pins, HARM.pins)
    assert (before.metrics, after.slices) == (BEFORE.metrics, HARM.slices)
    assert before.cases == BEFORE.cases


def test_without_a_result_or_a_common_case_nothing_is_made_up() -> None:
    assert recomputed_gate(an_experiment(), (), POLICY) is None
    other = scored({"policy-9": 1.0}, manifest=NEW)
    result = recorded(other).latest
    assert result is not None
    assert (result.n, result.worst.retrieval, result.deltas.retrieval) == (0, None, None)
    assert result.left_out == ("billing-1", "policy-1", "policy-2", "policy-9")


def test_a_line_that_cannot_be_read_is_named() -> None:
    with pytest.raises(CaseLinesError, match="Line 2"):
        read_lines(lines_text(()) + '\n{"id": 1}\n')


def test_a_record_on_another_version_is_refused() -> None:
    other = scored({"billing-1": 1.0}, version="golden/v4", manifest=NEW)
    with pytest.raises(ExperimentError, match="measures golden/v3"):
        recorded(other)


def test_exactly_the_declared_component_must_differ() -> None:
    assert prove_component("chunker", OLD, NEW) == "component: chunker, proven by the manifests"
    with pytest.raises(ExperimentError, match="Nothing changed"):
        prove_component("chunker", OLD, OLD)
    with pytest.raises(ExperimentError, match="retriever"):
        prove_component("chunker", OLD, OLD | {"retriever": "dense"})
    with pytest.raises(ExperimentError, match="chunker, retriever"):
        prove_component("chunker", OLD, {"chunker": "v2", "retriever": "dense"})
    assert changed_components({"a": 1}, {"b": None}) == ("a", "b")


def closing(experiment: Experiment, decision: Decision, **fields: Any) -> Any:
    return close(experiment, decision, **{"why": "It helps.", "by": BY, "at": NOW, **fields})


def test_a_promote_makes_the_candidate_the_baseline() -> None:
    found = closing(recorded(), Decision.PROMOTE)
    assert (found.experiment.state, found.experiment.decision) == (
        ExperimentState.CLOSED,
        Decision.PROMOTE,
    )
    assert found.baseline.run_sha256 == "new"
    assert (found.baseline.version, found.baseline.experiment) == ("golden/v3", "exp-001")
    assert found.baseline.metrics["recall@k"] == pytest.approx(2 / 3)
    assert found.baseline.manifest == NEW


def test_a_reject_keeps_its_numbers_and_writes_no_baseline() -> None:
    found = closing(recorded(HARM), Decision.REJECT)
    assert found.baseline is None
    assert found.experiment.results == recorded(HARM).results


def test_a_void_needs_a_reason_and_no_numbers() -> None:
    assert closing(an_experiment(), Decision.VOID).baseline is None
    with pytest.raises(ExperimentError, match="reason is empty"):
        closing(an_experiment(), Decision.VOID, why=" ")


def test_a_promote_against_the_gate_needs_an_override() -> None:
    with pytest.raises(ExperimentError, match="protected slice regressed"):
        closing(recorded(HARM), Decision.PROMOTE)
    found = closing(recorded(HARM), Decision.PROMOTE, override=Override(why="Agreed.", by=BY))
    assert found.experiment.override.why == "Agreed."
    assert found.baseline is not None
    rejected = closing(recorded(HARM), Decision.REJECT, override=Override(why="x", by=BY))
    assert rejected.experiment.override is None


def test_a_promote_needs_a_result_and_the_baseline_that_it_was_measured_against() -> None:
    with pytest.raises(ExperimentError, match="no result"):
        closing(an_experiment(), Decision.PROMOTE)
    moved = Baseline(version="golden/v3", run_sha256="another")
    with pytest.raises(ExperimentError, match="another experiment replaced"):
        closing(recorded(), Decision.PROMOTE, current=moved)
    same = Baseline(version="golden/v3", run_sha256="old")
    assert closing(recorded(), Decision.PROMOTE, current=same).baseline is not None


def test_a_closed_experiment_never_changes() -> None:
    closed = closing(recorded(), Decision.REJECT).experiment
    with pytest.raises(ExperimentError, match="never changes"):
        closing(closed, Decision.VOID)
    with pytest.raises(ExperimentError, match="never changes"):
        recorded(GOOD, closed)


def test_a_baseline_is_what_its_report_was() -> None:
    found = baseline_of(GOOD, None)
    assert (found.pipeline, found.version, found.experiment) == ("rag-8", "golden/v3", None)
    assert found.metrics["recall@k"] == pytest.approx(2 / 3)
    assert "citation" not in found.metrics


def test_the_gate_of_a_result_is_kept_as_it_was() -> None:
    result = recorded().latest
    assert result is not None
    assert result.gate.result is GateOutcome.PASS
    again = Experiment.model_validate_json(recorded().model_dump_json())
    assert again == recorded()
