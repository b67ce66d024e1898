"""Where it breaks: counts, weights, weeks, and what a fix would buy."""

from types import SimpleNamespace
from typing import Any

import pytest

from curation.domain.breaks import BaselineLook, Purchase
from curation.domain.case import Case
from curation.domain.review import FailureCategory, Verdict
from curation.domain.verdict import Criterion, State
from curation.evaluation.report import CaseScore, Pins, Report
from curation.services.breaks import NO_BASELINE, _purchases, breaks
from curation.services.home import create_home
from curation.services.intake import ingest
from curation.services.trends import trends
from curation.ui.breaks_view import draw_baseline, draw_breaks, draw_trends, draw_weeks
from curation.ui.tree import node, words
from tests.services.home import MIA, NOW, log, record, workspace
from tests.store.logs import finish

RECALL, ABSTAINED = FailureCategory.CONTEXT_RECALL, FailureCategory.OVER_ABSTENTION


@pytest.fixture
def home(tmp_path):
    opened = workspace(tmp_path)
    create_home(opened.settings, person=MIA, now=NOW)
    yield opened
    opened.store.dispose()


def bring(home, *records):
    assert ingest(home, [log(home.settings.home, *records)], now=NOW).refused == 0


DOWN = [{"kind": "thumbs_down"}]


def test_failures_are_counted_by_category_slice_and_version(home):
    common = {"slice": "gov", "pipeline_version": "v1", "asked_at": "2026-11-25T10:00:00Z"}
    same = {"question": "Same?"}
    bring(
        home,
        record("a", **common, **same, signals=DOWN),
        record("b", **common, **same),
        record("c", **common, signals=DOWN),
        record("d", **common | {"pipeline_version": "v2"}),
        record("e", **common),
        record("f", **common),
    )
    for name in "abc":
        finish(home.store, name, failure=RECALL)
    finish(home.store, "d", failure=RECALL)
    finish(home.store, "e", failure=FailureCategory.NONE)
    finish(home.store, "f", Verdict.DUPLICATE)
    found = breaks(home)
    first, second = found.breaks
    # the group of a and b was asked twice and counts once: 2 x 3 + 1 x 3
    assert (first.category, first.slice, first.pipeline_version) == (RECALL, "gov", "v1")
    assert (first.confirmed, first.asked, first.weight) == (3, 3, 9.0)
    assert set(first.answers) == {"a", "b", "c"}
    assert first.stage == "retrieval, chunking"
    assert (second.pipeline_version, second.confirmed) == ("v2", 1)
    assert (found.confirmed, found.unconfirmed) == (4, 1)
    assert [w.counts for w in found.weeks] == [{RECALL: 3}, {RECALL: 1}]
    assert found.baseline.missing == NO_BASELINE


def test_a_verdict_that_was_taken_back_counts_for_nothing(home):
    bring(home, record("a"))
    finish(home.store, "a", failure=RECALL)
    with home.store.writing() as session:
        session.connection().exec_driver_sql("UPDATE review SET void = 1")
    assert breaks(home).confirmed == 0


def case(name, failure):
    return Case.model_validate(
        {"id": name, "question": "Q?", "reference": "R.", "provenance": {"failure": failure}}
    )


def test_a_fix_buys_what_fails_in_its_category_and_no_more():
    states = {"a": State.FAIL, "b": State.PASS, "c": State.FAIL, "d": State.UNSURE, "x": State.FAIL}
    scores = [
        CaseScore(id=name, slice="general", criteria={Criterion.ANSWER: state})
        for name, state in states.items()
    ]
    report = Report(pins=Pins(), n=5, metrics={}, cases=tuple(scores))
    kinds = {"a": "context_recall", "b": "context_recall", "c": "over_abstention", "d": None}
    golden: Any = SimpleNamespace(cases={name: case(name, kind) for name, kind in kinds.items()})
    found = _purchases(report, golden, [Criterion.ANSWER, Criterion.ABSTENTION])
    assert [(p.category, p.failing, p.cases) for p in found] == [(RECALL, 1, 2), (ABSTAINED, 1, 1)]
    assert [(p.pass_rate, p.pass_rate_after) for p in found] == [(0.4, 0.6), (0.4, 0.6)]


def said(children):
    return words(node("div", *children))


def test_the_page_says_what_there_is_and_what_is_missing(home):
    assert "No failure was confirmed yet" in said(draw_breaks(breaks(home)))
    assert "No answer has a score yet" in said(draw_trends(trends(home)))
    failed = {"metric": "m", "value": None, "status": "failed", "error_kind": "timeout"}
    good = {"metric": "m", "value": 0.5, "scale": [0, 1]}
    bring(home, record("a", scores=[good], signals=DOWN), record("b", scores=[failed]))
    finish(home.store, "a", failure=RECALL)
    found = breaks(home)
    assert "context recallfix: retrieval, chunking––11" in said(draw_breaks(found))
    assert "context recall█" in said(draw_weeks(found.weeks))
    drawn = said(draw_trends(trends(home)))
    assert "0.50 (1)" in drawn
    assert "timeout 1" in drawn
    assert "1 of 2" in drawn
    purchase = Purchase(category=RECALL, cases=3, failing=2, pass_rate=0.5, pass_rate_after=0.75)
    look = BaselineLook(version="golden/v2", n=8, purchases=(purchase,))
    assert "2 of 30.5000.750+0.250" in said(draw_baseline(look))
