"""Runs and reports in the store, on both databases."""

from datetime import UTC, datetime, timedelta

import pytest

from curation.domain.verdict import Presence
from curation.evaluation.evaluate import build_report
from curation.evaluation.report import CaseScore, Pins, Report
from curation.metrics.metric import Metric
from curation.store import Store
from curation.store.runs import (
    KeptRun,
    get_report,
    get_run,
    list_runs,
    run_text_of,
    save_report,
    save_run,
    settle,
    settlements,
)

NOW = datetime(2026, 11, 3, 9, 0, tzinfo=UTC)
TEXT = '{"pipeline": "rag 1"}\n{"case_id": "q-1", "answer": "60 s \\u0000 \u2028 ü"}\r\n'


def run(sha256: str = "a" * 64, *, minute: int = 0, version: str = "golden/v2") -> KeptRun:
    return KeptRun(
        sha256=sha256,
        pipeline="rag 1",
        version=version,
        cases_tree="t",
        repeats=1,
        outputs=1,
        stored_at=NOW + timedelta(minutes=minute),
        stored_by="Mia Kim <mia@example.org>",
    )


def report(recall: float = 0.5) -> Report:
    values = {Metric.RECALL: recall, Metric.FAITHFULNESS: 1.0}
    score = CaseScore(
        id="q-1", slice="general", values=values, unscored={Metric.CITATION: "no text \ud83d"}
    )
    pins = Pins(version="golden/v2", cases_tree="t", pipeline="rag 1", run_sha256="a" * 64)
    return build_report([score], pins)


def test_the_raw_outputs_come_back_to_the_byte(store: Store) -> None:
    with store.writing() as session:
        save_run(session, run(), TEXT)
    with store.reading() as session:
        assert run_text_of(session, "a" * 64) == TEXT
        assert run_text_of(session, "b" * 64) is None
        assert get_run(session, "a" * 64) == run()


def test_a_run_that_is_kept_stays_as_it_is(store: Store) -> None:
    with store.writing() as session:
        save_run(session, run(), TEXT)
        save_run(session, run(minute=5), TEXT)
        assert list_runs(session, version="golden/v2") == (run(),)


@pytest.mark.parametrize(
    ("named", "found"),
    [("aaaaaaaa", True), ("aaaaaaa", False), ("bbbbbbbb", False), ("a%aaaaaaa", False)],
)
def test_a_run_can_be_named_by_the_beginning_of_its_hash(
    store: Store, named: str, found: bool
) -> None:
    with store.writing() as session:
        save_run(session, run(), TEXT)
        save_run(session, run("b" * 63 + "c"), TEXT)
        save_run(session, run("b" * 64), TEXT)
        assert (get_run(session, named) is not None) is found


def test_runs_are_listed_by_version_newest_first(store: Store) -> None:
    with store.writing() as session:
        save_run(session, run("1" * 64), TEXT)
        save_run(session, run("2" * 64, minute=2), TEXT)
        save_run(session, run("3" * 64, minute=1, version="golden/v3"), TEXT)
        assert [each.sha256[0] for each in list_runs(session, version="golden/v2")] == ["2", "1"]


def test_a_report_comes_back_whole(store: Store) -> None:
    made = report()
    with store.writing() as session:
        save_run(session, run(), TEXT)
        save_report(session, made, report_id="r-1", now=NOW)
    with store.reading() as session:
        assert get_report(session, "r-1") == made
        assert get_report(session, "r-2") is None


def test_the_last_word_on_a_fact_counts(store: Store) -> None:
    about = ("q-1", "f1", "s" * 64)
    with store.writing() as session:
        settle(session, about, Presence.ABSENT, why="not said", by="Mia", now=NOW)
        settle(session, about, Presence.PRESENT, why="said in other words", by="Ana", now=NOW)
        assert settlements(session) == {about: Presence.PRESENT}
        assert settlements(session, ["q-2"]) == {}
