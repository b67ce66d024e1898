"""Scores by week, on both databases."""

from datetime import UTC, date, datetime

import pytest

from curation.services.trends import _failure_weeks, _metric_weeks
from curation.store.trends import failure_days, score_days
from tests.store.logs import answer, put, score

MONDAY, SUNDAY = datetime(2026, 11, 2, tzinfo=UTC), datetime(2026, 11, 8, 23, 59, tzinfo=UTC)
NEXT = datetime(2026, 11, 9, tzinfo=UTC)
FAILED = {"status": "failed", "error_kind": "timeout"}


@pytest.fixture
def scored(store):
    put(
        store,
        answer("a", asked_at=MONDAY, scores=[score("m", 1.0), score("n", 3.0, scale=(1, 5))]),
        answer("b", asked_at=SUNDAY, scores=[score("m", 0.5), score("n", None, **FAILED)]),
        answer("c", asked_at=NEXT, scores=[score("m", None, **FAILED)]),
        answer("d", asked_at=NEXT, scores=[score("m", 0.0, at=MONDAY, chunk_id="k")]),
    )
    return store


def test_metrics_are_by_the_week_of_the_answer_and_failures_are_no_numbers(scored):
    with scored.reading() as session:
        weeks = _metric_weeks(score_days(session))
    seen = [(w.week, w.metric, w.scored, w.failed, w.mean, w.mean_shortfall) for w in weeks]
    assert seen == [
        (date(2026, 11, 2), "m", 2, 0, 0.75, 0.25),
        (date(2026, 11, 2), "n", 1, 1, 3.0, 0.5),
        (date(2026, 11, 9), "m", 0, 1, None, None),
    ]


def test_failures_are_by_kind_and_by_the_week_of_the_judge(scored):
    with scored.reading() as session:
        weeks = _failure_weeks(failure_days(session))
        later = failure_days(session, since=NEXT)
    assert [(w.week, w.kinds, w.failed, w.scores) for w in weeks] == [
        (date(2026, 11, 2), {"timeout": 1}, 1, 5),
        (date(2026, 11, 9), {"timeout": 1}, 1, 1),
    ]
    assert sum(day.number for day in later) == 1
