"""`curation.evaluate` from a notebook: any usual shape of retriever and generator."""

import io
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

import curation
from curation.codec.built import golden_document
from curation.evaluation.errors import RunError, RunFormError
from curation.evaluation.report import Report
from curation.metrics.metric import Metric
from tests.evaluation.builders import QUOTE, a_case, hit, scoring, turns, unanswerable

CASES = [a_case("q-1"), a_case("q-2", conversation=turns("Hello", "Hi"))]
ANSWER = "The request timeout is 60 s [1]."


def evaluate(retrieve: Any, generate: Any, **options: Any) -> Report:
    return curation.evaluate(CASES, retrieve, generate, **{"out": None, **options})


def recall(report: Report) -> float | None:
    return report.metrics[Metric.RECALL].value


@pytest.mark.parametrize(
    "found",
    [
        ["gw:1"],
        [hit()],
        [("gw:1", 0.7)],
        [("gw:1", QUOTE)],
        [{"pid": "gw:1", "text": QUOTE}],
        [{"id": "gw:1"}],
        [SimpleNamespace(chunk_id="gw:1", doc_version="4.2", text=QUOTE)],
    ],
)
def test_chunks_come_in_any_usual_shape(found: list[Any]) -> None:
    assert recall(evaluate(lambda _question: found, lambda _question, _chunks: ANSWER)) == 1.0


def test_functions_get_what_their_parameters_ask_for() -> None:
    seen: list[Any] = []

    def retrieve(query: str, top_k: int) -> list[str]:
        seen.append((query, top_k))
        return ["gw:1"]

    def generate(question: str, contexts: list[str], history: Any) -> str:
        seen.append((question, contexts, history))
        return ANSWER

    evaluate(retrieve, generate, k=3)
    assert seen[0] == (CASES[0].question, 3)
    assert seen[-1] == (CASES[1].question, ["gw:1"], CASES[1].conversation)


@pytest.mark.parametrize(
    "retrieve",
    [
        lambda _question, k: ["gw:1"][:k],
        lambda _question, k=5: ["gw:1"][:k],
        lambda _question, limit=3, _rerank=False: ["gw:1"][:limit],
    ],
)
def test_retrievers_with_and_without_a_depth(retrieve: Any) -> None:
    assert recall(evaluate(retrieve, lambda _question, _chunks: ANSWER)) == 1.0


def test_a_generator_may_return_an_object() -> None:
    report = evaluate(
        lambda _question: ["gw:1"],
        lambda _question, _chunks: {"answer": "No idea.", "outcome": "abstained", "cost_usd": 0.5},
    )
    assert report.metrics[Metric.OVER_ABSTENTION_RATE].value == 1.0
    assert report.metrics[Metric.COST].value == 0.5


def test_a_function_whose_signature_cannot_be_read_gets_the_question() -> None:
    report = evaluate(max, lambda _question, _chunks: ANSWER)
    assert recall(report) == 0.0


def test_objects_of_a_golden_file_are_cases() -> None:
    documents = [golden_document(case) for case in CASES]
    from_objects = curation.evaluate(
        documents, lambda _q: ["gw:1"], lambda _q, _c: ANSWER, out=None
    )
    from_cases = evaluate(lambda _q: ["gw:1"], lambda _q, _c: ANSWER)
    assert from_objects.pins.version == from_cases.pins.version
    assert str(from_objects.pins.version).startswith("unpinned:")


def test_both_recalls_of_the_method_are_printed_and_deltas_beside_a_baseline() -> None:
    out = io.StringIO()
    first = evaluate(lambda _q: ["x:1"], lambda _q, _c: ANSWER, out=out)
    assert "hit_rate@5" in out.getvalue()
    assert "recall@5" in out.getvalue()
    beside = io.StringIO()
    evaluate(lambda _q: ["gw:1"], lambda _q, _c: ANSWER, baseline=first, out=beside)
    row = next(line for line in beside.getvalue().split("\n") if line.startswith("recall@5"))
    assert row.split()[:4] == ["recall@5", "0.000", "1.000", "+1.000"]


def test_a_pipeline_that_fails_is_an_error_with_names_and_the_reason() -> None:
    def broken(question: str) -> list[str]:
        raise ConnectionError("index gone")

    with pytest.raises(RunError, match=r"failed: q-1, q-2 \(the first: ConnectionError: index"):
        evaluate(broken, lambda _q, _c: ANSWER)


def test_a_chunk_without_an_id_is_named() -> None:
    with pytest.raises(RunFormError, match="chunk_id"):
        evaluate(lambda _q: [{"text": "no id"}], lambda _q, _c: ANSWER)


def test_cases_that_are_prepared_are_taken_as_they_are() -> None:
    prepared = [scoring(case) for case in CASES]
    report = curation.evaluate(prepared, lambda _q: ["gw:1"], lambda _q, _c: ANSWER, out=None)
    assert recall(report) == 1.0


def test_unanswerable_cases_count_for_false_answers_only() -> None:
    report = curation.evaluate(
        [*CASES, unanswerable()], lambda _q: ["gw:1"], lambda _q, _c: ANSWER, out=None
    )
    assert report.metrics[Metric.RECALL].n == 2
    assert report.metrics[Metric.RECALL].unscored == 1
    assert report.metrics[Metric.FALSE_ANSWER_RATE].value == 1.0


def test_importing_the_package_imports_no_evaluation() -> None:
    code = "import sys, curation; print('numpy' in sys.modules, curation.__version__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "False"


def test_the_package_has_no_other_attributes() -> None:
    with pytest.raises(AttributeError, match="no attribute 'guess'"):
        curation.guess  # noqa: B018
