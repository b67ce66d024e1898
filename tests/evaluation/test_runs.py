"""A run read from its file: every case once, or an error with names."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.evaluation.errors import OtherVersionError, RunError, RunFormError
from curation.evaluation.evaluate import evaluate_run
from curation.evaluation.run import check_run, parse_run, run_text
from tests.evaluation.builders import PINS, a_case, a_run, an_output, scoring

HEADER = {"pipeline": "rag-7", "corpus_snapshot": "2026-11", "k": 5, "concurrency": 4}


def written(*documents: dict[str, object]) -> str:
    return "".join(json.dumps(document) + "\n" for document in documents)


def test_the_first_line_without_a_case_is_the_header() -> None:
    run = parse_run(written(HEADER, {"case_id": "q-1", "answer": "60 s"}))
    assert (run.header.pipeline, run.header.concurrency) == ("rag-7", 4)
    assert [line.case_id for line in run.lines] == ["q-1"]


def test_a_run_without_a_header_is_read() -> None:
    assert parse_run(written({"case_id": "q-1", "answer": "60 s"})).header.pipeline is None


def test_plain_ids_are_hits_in_order_and_citations() -> None:
    line = parse_run(
        written({"case_id": "q-1", "answer": "x", "hits": ["a", "b"], "citations": ["b"]})
    ).lines[0]
    assert [(hit.chunk_id, hit.rank) for hit in line.hits] == [("a", 1), ("b", 2)]
    assert line.citations[0].chunk_id == "b"


def test_a_hit_without_a_rank_takes_its_place() -> None:
    hits = [{"chunk_id": "a"}, {"chunk_id": "b", "rank": None}]
    line = parse_run(written({"case_id": "q-1", "answer": "x", "hits": hits})).lines[0]
    assert [(hit.chunk_id, hit.rank) for hit in line.hits] == [("a", 1), ("b", 2)]


def test_hits_are_taken_by_rank() -> None:
    hits = [{"chunk_id": "b", "rank": 2}, {"chunk_id": "a", "rank": 1}]
    line = parse_run(written({"case_id": "q-1", "answer": "x", "hits": hits})).lines[0]
    assert [hit.chunk_id for hit in line.hits] == ["a", "b"]


def test_lines_end_at_the_line_feed_only() -> None:
    text = json.dumps({"case_id": "q-1", "answer": "a\u2028b\u0085c"}, ensure_ascii=False)
    assert parse_run("\ufeff" + text + "\r\n").lines[0].answer == "a\u2028b\u0085c"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("{", "Line 2"),
        ("[]", "not a JSON object"),
        ('{"case_id": "q-1", "case_id": "q-2", "answer": ""}', "'case_id' stands twice"),
        ('{"case_id": "q-1", "answer": "", "latency_ms": NaN}', "NaN is not a number"),
        ('{"case_id": "q-1", "answer": "", "latency": 3}', "the field latency is not known"),
        ('{"case_id": "q-1", "answer": "", "outcome": "maybe"}', "outcome"),
        (
            '{"case_id": "q-1", "answer": "", "hits": [{"rank": 1}]}',
            "the field hits[0].chunk_id is missing",
        ),
        ('{"case_id": "q-1", "answer": "", "latency_ms": -1}', "latency_ms"),
        ('{"case_id": "q-1", "answer": "", "hits": "a"}', "hits"),
        ('{"case_id": "q-1", "answer": "", "citations": 3}', "citations"),
    ],
)
def test_what_is_no_run_line_is_named_with_its_line(row: str, problem: str) -> None:
    with pytest.raises(RunFormError) as caught:
        parse_run(written({"case_id": "q-0", "answer": "x"}) + row + "\n")
    assert problem in str(caught.value)
    assert caught.value.line == 2
    assert caught.value.exit_status == 2


def test_missing_extra_duplicate_and_failed_cases_are_named_together() -> None:
    lines = [
        an_output("q-1"),
        an_output("q-1"),
        an_output("q-2", error="TimeoutError"),
        an_output("q-9"),
    ]
    with pytest.raises(RunError) as caught:
        check_run(lines, ["q-1", "q-2", "q-3"])
    error = caught.value
    assert (error.missing, error.extra) == (("q-3",), ("q-9",))
    assert (error.duplicate, error.failed) == (("q-1",), ("q-2",))
    assert error.exit_status == 2
    assert "failed: q-2 (the first: TimeoutError)" in str(error)


def test_an_output_without_an_answer_has_failed() -> None:
    with pytest.raises(RunError) as caught:
        check_run([an_output("q-1", answer=None)], ["q-1"])
    assert caught.value.failed == ("q-1",)


def test_failures_may_count_as_wrong_but_never_missing_ones() -> None:
    found = check_run([an_output("q-1", error="boom")], ["q-1"], failures_as_wrong=True)
    assert found["q-1"][0].failed
    with pytest.raises(RunError):
        check_run([an_output("q-1")], ["q-1", "q-2"], failures_as_wrong=True)


def test_every_case_has_every_repeat() -> None:
    lines = [an_output("q-1"), an_output("q-1", repeat=2), an_output("q-2")]
    with pytest.raises(RunError) as caught:
        check_run(lines, ["q-1", "q-2"])
    assert caught.value.missing == ("q-2 (repeat 2)",)


def test_a_run_made_on_another_version_is_refused() -> None:
    run = a_run([an_output()], version="golden/v2")
    with pytest.raises(OtherVersionError, match="made on golden/v2 and the cases are those of"):
        evaluate_run([scoring(a_case())], run, pins=PINS)
    assert evaluate_run([scoring(a_case())], run).n == 1


def test_a_run_that_retrieved_less_than_k_says_so() -> None:
    report = evaluate_run([scoring(a_case())], a_run([an_output()], k=3))
    assert report.warnings == ("The pipeline retrieved 3 chunks a question, k is 5.",)
    assert evaluate_run([scoring(a_case())], a_run([an_output()], k=5)).warnings == ()


def test_a_report_pins_what_it_depends_on() -> None:
    run = a_run([an_output()], pipeline="rag-7", corpus_snapshot="nov", manifest={"model": "m"})
    pins = evaluate_run([scoring(a_case())], run, pins=PINS).pins
    assert (pins.version, pins.commit, pins.cases_tree) == ("golden/v3", "c3", "t3")
    assert (pins.pipeline, pins.corpus_snapshot, pins.manifest) == ("rag-7", "nov", {"model": "m"})
    assert (pins.run_sha256, pins.repeats, pins.k) == (run.sha256, 1, 5)
    assert pins.seed is not None
    assert "facts" in pins.scorer


def test_many_names_are_cut() -> None:
    with pytest.raises(RunError) as caught:
        check_run([], [f"q-{at:03d}" for at in range(30)])
    assert "q-019 and 10 more" in str(caught.value)
    assert len(caught.value.missing) == 30


@given(
    st.lists(
        st.tuples(st.text(max_size=20), st.sampled_from(["answered", "abstained", None])),
        max_size=5,
    )
)
def test_a_run_is_read_as_it_was_written(outputs: list[tuple[str, str | None]]) -> None:
    lines = [
        an_output(f"q-{at}", answer=answer, outcome=outcome)
        for at, (answer, outcome) in enumerate(outputs)
    ]
    read = parse_run(run_text(parse_run("").header, lines))
    assert list(read.lines) == lines
