"""Means that count what they leave out, the nearest-rank percentile, cost per query."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.verdict import Presence
from curation.metrics.aggregate import Mean, macro_mean
from curation.metrics.answers import forbidden_rate, required_recall, seed_faithfulness
from curation.metrics.latency import cost_per_query, nearest_rank
from curation.metrics.metric import Metric, display_name, parse_metric


def test_undefined_values_are_left_out_and_counted() -> None:
    mean = macro_mean([1.0, None, 0.0, 0.5])
    assert (mean.value, mean.n, mean.unscored) == (0.5, 3, 1)


def test_a_mean_of_nothing_is_none() -> None:
    mean = macro_mean([None, None])
    assert (mean.value, mean.weighted, mean.n, mean.unscored) == (None, None, 0, 2)
    assert Mean(value=1.0, n=1).unscored == 0


def test_the_weighted_mean_stands_beside_the_plain_one() -> None:
    mean = macro_mean([1.0, 0.0, None], weights=[3, 1, 50])
    assert (mean.value, mean.weighted) == (0.5, 0.75)


def test_unsure_facts_give_a_low_and_a_high_end() -> None:
    mean = macro_mean([0.5, 1.0], bounds=[(0.5, 1.0), None])
    assert (mean.value, mean.low, mean.high) == (0.75, 0.75, 1.0)
    closed = macro_mean([0.5], bounds=[(0.5, 0.5)])
    assert (closed.low, closed.high) == (None, None)


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=40))
def test_a_mean_is_within_its_values_and_counts_add_up(values: list[float | None]) -> None:
    mean = macro_mean(values)
    assert mean.n + mean.unscored == len(values)
    known = [value for value in values if value is not None]
    if known:
        assert mean.value is not None
        assert min(known) - 1e-12 <= mean.value <= max(known) + 1e-12


@pytest.mark.parametrize(
    ("count", "expected"), [(1, 1), (19, 19), (20, 19), (21, 20), (40, 38), (100, 95)]
)
def test_the_95th_percentile_is_the_value_at_its_rank(count: int, expected: int) -> None:
    assert nearest_rank(list(range(count, 0, -1)), 95) == expected


def test_no_latency_has_no_percentile() -> None:
    assert nearest_rank([], 95) is None


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0.1, 100))
def test_a_percentile_is_a_measured_value_with_enough_below(
    values: list[float], percent: float
) -> None:
    found = nearest_rank(values, percent)
    assert found in values
    below = sum(value <= found for value in values)
    assert below >= percent * len(values) / 100 - 1e-9


def test_a_missing_cost_is_not_zero() -> None:
    assert cost_per_query([0.01, 0.03]) == 0.02
    assert cost_per_query([0.01, None]) is None
    assert cost_per_query([]) is None
    assert cost_per_query([0.0, 0.0]) == 0.0


P, A, U, T = Presence.PRESENT, Presence.ABSENT, Presence.UNSURE, Presence.ATTRIBUTED


@pytest.mark.parametrize(
    ("presences", "expected"),
    [
        ([P, A], (0.5, 0.5, 0.5)),
        ([P, U, A, U], (0.25, 0.25, 0.75)),
        ([P, P], (1, 1, 1)),
        ([], None),
    ],
)
def test_required_recall_and_its_ends(presences: list[Presence], expected: object) -> None:
    assert required_recall(presences) == expected


@pytest.mark.parametrize(
    ("presences", "expected"),
    [
        ([A, P], (1, 1, 1)),
        ([A, U], (0, 0, 1)),
        ([T, A], (0, 0, 0)),
        ([U, P], (1, 1, 1)),
        ([], None),
    ],
)
def test_the_forbidden_rate_counts_what_is_asserted(
    presences: list[Presence], expected: object
) -> None:
    assert forbidden_rate(presences) == expected


def test_the_plain_faithfulness_compares_numbers_as_written() -> None:
    assert seed_faithfulness("60 s, then 300 s", ["It is 60 s."]) == 0.5
    assert seed_faithfulness("No number here.", []) == 1.0
    assert seed_faithfulness("4,000", ["4000"]) == 0.0


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("recall", Metric.RECALL),
        ("Recall@5", Metric.RECALL),
        ("recall_at_k", Metric.RECALL),
        ("recall@k", Metric.RECALL),
        ("p95_ms", Metric.LATENCY_P95),
        ("cost", Metric.COST),
        ("faithfulness", Metric.FAITHFULNESS),
        ("hit_rate", Metric.HIT_RATE),
        ("recall@many", None),
        ("accuracy", None),
    ],
)
def test_metrics_are_known_by_their_usual_names(name: str, metric: Metric | None) -> None:
    assert parse_metric(name) is metric


def test_a_name_shows_its_depth() -> None:
    assert display_name(Metric.RECALL, 5) == "recall@5"
    assert display_name(Metric.FAITHFULNESS, 5) == "faithfulness"


def test_a_gain_is_in_the_direction_of_the_metric() -> None:
    assert Metric.RECALL.gain(0.5, 0.75) == 0.25
    assert Metric.FORBIDDEN_RATE.gain(0.5, 0.75) == -0.25
