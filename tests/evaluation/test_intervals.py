"""Intervals, counts and tests beside a delta."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from curation.evaluation.intervals import (
    DRAWS,
    SEED,
    Resampling,
    Uncertainty,
    exact_mcnemar,
    holm,
    uncertainties,
)


def noise(
    deltas: list[float], clusters: list[str] | None = None, *, draws: int = DRAWS, seed: int = SEED
) -> Uncertainty:
    names = clusters or [f"q{at}" for at in range(len(deltas))]
    strata = ["s"] * len(deltas)
    return uncertainties({"m": deltas}, names, strata, draws=draws, seed=seed)["m"]


def test_the_rejected_example_of_the_method_reaches_to_zero() -> None:
    """3 losses in 34: a significance rule would have let it pass."""
    means = Resampling([f"q{at}" for at in range(34)], ["s"] * 34).means(
        np.array([[-1.0]] * 3 + [[0.0]] * 31)
    )
    low, high = np.percentile(means[:, 0], [2.5, 97.5])
    assert round(float(low), 2) == -0.21
    assert float(high) == 0.0


def test_under_20_cases_there_is_no_interval() -> None:
    assert noise([1.0] * 19).interval is None
    assert noise([1.0] * 19).note == "n too small for an interval"
    assert noise([1.0] * 20).interval is not None


def test_under_5_changes_there_is_no_interval_but_the_counts() -> None:
    found = noise([1.0] * 3 + [-0.5] + [0.0] * 40)
    assert (found.interval, found.gained, found.lost, found.n) == (None, 3, 1, 44)
    assert noise([1.0] * 4 + [-0.5] + [0.0] * 40).interval is not None


def test_the_same_seed_gives_the_same_interval() -> None:
    deltas = [1.0, -1.0, 0.0, 0.5] * 10
    assert noise(deltas) == noise(deltas)
    assert noise(deltas, draws=50, seed=1) != noise(deltas, draws=50, seed=2)


def test_a_difference_in_every_case_is_beyond_noise() -> None:
    found = noise([0.5] * 30)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (0.5, 0.5)
    assert found.interval.beyond_noise
    mixed = noise([1.0, -1.0] * 15)
    assert mixed.interval is not None
    assert not mixed.interval.beyond_noise


def test_cases_of_one_cluster_are_drawn_together() -> None:
    deltas = [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0] * 5
    apart = noise(deltas).interval
    together = noise(deltas, [f"g{at // 4}" for at in range(40)]).interval
    assert apart is not None
    assert together is not None
    assert together.high - together.low > 1.5 * (apart.high - apart.low)


def test_a_stratum_keeps_its_number_of_cases() -> None:
    deltas = [[1.0]] * 20 + [[0.0]] * 20
    strata = ["a"] * 20 + ["b"] * 20
    means = Resampling([str(at) for at in range(40)], strata).means(np.array(deltas))
    assert np.all(means == 0.5)


@pytest.mark.parametrize("others", [0, 12])
def test_strata_of_one_case_are_drawn_together_and_not_taken_for_certain(others: int) -> None:
    """Each slice by itself would leave nothing to vary: an interval of no width."""
    deltas = [1.0] * 6 + [0.0] * 24
    strata = [f"s{at}" for at in range(30 - others)] + ["big"] * others
    found = uncertainties({"m": deltas}, [str(at) for at in range(30)], strata)["m"].interval
    assert found is not None
    assert found.low < 0.1
    assert found.high > 0.3
    plain = noise(deltas).interval
    assert plain is not None
    assert found.high - found.low <= plain.high - plain.low + 0.01


def test_a_stratum_of_one_case_is_drawn_with_the_smallest_other() -> None:
    deltas = np.array([[1.0]] + [[0.0]] * 4 + [[0.0]] * 20)
    names = [str(at) for at in range(25)]
    means = Resampling(names, ["lone"] + ["small"] * 4 + ["large"] * 20).means(deltas)
    assert {0, 1, 2, 3} <= set(np.round(means[:, 0] * 25)) <= {0, 1, 2, 3, 4, 5}


def test_one_cluster_alone_has_no_interval() -> None:
    found = noise([1.0, 0.0] * 20, ["conversation"] * 40)
    assert (found.interval, found.note) == (None, "n too small for an interval")
    assert noise([1.0, 0.0] * 20, ["one", "two"] * 20).interval is not None


def test_metrics_on_the_same_cases_share_their_draws() -> None:
    deltas = [1.0, -0.5, 0.0, 0.25] * 10
    both = uncertainties(
        {"a": deltas, "b": deltas}, [str(at) for at in range(40)], ["s"] * 40, binary=["b"]
    )
    assert both["a"].interval == both["b"].interval
    assert both["a"].mcnemar_p is None
    assert both["b"].mcnemar_p is not None


def test_the_percentile_interval_agrees_with_scipy() -> None:
    from scipy.stats import bootstrap

    rng = np.random.default_rng(3)
    deltas = rng.normal(0.1, 0.4, 60)
    ours = noise(deltas.tolist()).interval
    theirs = bootstrap(
        (deltas,), np.mean, method="percentile", n_resamples=9999, rng=np.random.default_rng(4)
    ).confidence_interval
    assert ours is not None
    assert ours.low == pytest.approx(float(theirs.low), abs=0.01)
    assert ours.high == pytest.approx(float(theirs.high), abs=0.01)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_exact_binomial_test(gained: int, lost: int) -> None:
    ours = exact_mcnemar(gained, lost)
    if gained + lost == 0:
        assert ours == 1.0
    else:
        assert ours == pytest.approx(binomtest(gained, gained + lost).pvalue)


@given(st.lists(st.floats(-1, 1), min_size=20, max_size=60))
def test_an_interval_is_ordered_and_within_the_differences(deltas: list[float]) -> None:
    found = noise(deltas, draws=200).interval
    if found is not None:
        assert min(deltas) - 1e-9 <= found.low <= found.high <= max(deltas) + 1e-9


def test_holm_rejects_stepwise() -> None:
    assert holm([0.01, 0.02, 0.03], 0.05) == (True, True, True)
    assert holm([0.04, 0.01, 0.03], 0.05) == (False, True, False)
    assert holm([0.06], 0.05) == (False,)
    assert holm([], 0.05) == ()
