"""Drawing: exact probabilities, the same for the same seed; and what a sample says of all."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.domain.review import Verdict
from curation.domain.sample import Arm, Outcome, Sighting, outcome
from curation.metrics.estimates import combined_share, control_share
from curation.metrics.sampling import draw, inclusion_probabilities, share_of, systematic
from curation.metrics.wilson import t_point

IMPACTS = st.lists(st.floats(0, 100), min_size=1, max_size=60)


@given(impacts=IMPACTS, data=st.data())
def test_probabilities_add_up_to_the_number_drawn_and_are_in_0_to_1(impacts, data):
    m = data.draw(st.integers(0, len(impacts)))
    pi = inclusion_probabilities(0.1 + np.array(impacts), m)
    assert pi.sum() == pytest.approx(m)
    assert (pi <= 1).all()
    assert (pi > 0).all() or m == 0
    order = np.argsort(impacts, kind="stable")
    assert (np.diff(pi[order]) >= -1e-9).all()


@given(impacts=IMPACTS, data=st.data(), seed=st.integers(0, 2**31))
def test_a_draw_takes_each_answer_once_and_is_the_same_for_the_same_seed(impacts, data, seed):
    n = data.draw(st.integers(1, 70))
    share = data.draw(st.floats(0, 1))
    first = draw(impacts, n=n, control=share, seed=seed)
    size = min(n, len(impacts))
    taken = [*first.control.tolist(), *first.targeted.tolist()]
    assert len(taken) == len(set(taken)) == size
    assert len(first.control) == share_of(share, size)
    again = draw(impacts, n=n, control=share, seed=seed)
    assert again.control.tolist() == first.control.tolist()
    assert again.targeted.tolist() == first.targeted.tolist()


def test_what_looks_worst_is_taken_for_sure_and_the_rest_shares_what_is_left():
    pi = inclusion_probabilities(np.array([100.0, 1, 1, 1, 1]), 3)
    assert pi.tolist() == [1, 0.5, 0.5, 0.5, 0.5]


def test_another_seed_draws_another_sample():
    assert (
        draw([1.0] * 1000, n=20, control=0.1, seed=1).targeted.tolist()
        != draw([1.0] * 1000, n=20, control=0.1, seed=2).targeted.tolist()
    )


def test_answers_are_drawn_as_often_as_their_probability_says():
    impacts = [0.0, 0.0, 0.5, 1, 2, 4, 8, 30]
    draws = 4000
    pi = inclusion_probabilities(0.1 + np.array(impacts), 3)
    random = np.random.default_rng(5)
    seen = np.zeros(len(impacts))
    for _ in range(draws):
        seen[systematic(pi, random)] += 1
    spread = np.sqrt(pi * (1 - pi) / draws)
    assert (np.abs(seen / draws - pi) <= 4.5 * spread + 1e-9).all()


def test_the_control_share_is_drawn_evenly_whatever_the_impact():
    impacts = [0.0] * 5 + [50.0] * 5
    seen = np.zeros(10)
    for seed in range(2000):
        seen[draw(impacts, n=4, control=0.5, seed=seed).control] += 1
    assert np.abs(seen / 2000 - 0.2).max() < 0.04


def test_half_a_control_item_is_one():
    assert [share_of(0.1, n) for n in (1, 4, 5, 14, 15, 50)] == [0, 0, 1, 1, 2, 5]


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        (Verdict.PROPOSED, Outcome.BAD),
        (Verdict.EDITED, Outcome.BAD),
        (Verdict.DUPLICATE, Outcome.BAD),
        (Verdict.RIGHT, Outcome.GOOD),
        (Verdict.NOT_ACTIONABLE, Outcome.NOT_ACTIONABLE),
        (None, Outcome.UNFINISHED),
    ],
)
def test_what_a_verdict_says(verdict, expected):
    assert outcome(verdict, skipped=False) is expected
    assert outcome(None, skipped=True) is Outcome.SKIPPED


def item(what, *, arm=Arm.TARGETED, pi=0.5, name="a"):
    return Sighting(answer_id=name, arm=arm, pi=1.0 if arm is Arm.CONTROL else pi, outcome=what)


def test_the_control_share_alone_with_what_said_nothing():
    said = [Outcome.BAD] * 2 + [Outcome.GOOD] * 6 + [Outcome.UNFINISHED, Outcome.NOT_ACTIONABLE]
    found = control_share([item(what, arm=Arm.CONTROL) for what in said] + [item(Outcome.BAD)])
    assert (found.n, found.bad, found.silent, found.value) == (8, 2, 2, 0.25)
    assert (found.low, found.high) == pytest.approx((0.0715, 0.5907), abs=1e-4)  # Wilson, 2 of 8
    assert (found.if_all_good, found.if_all_bad) == (0.2, 0.4)
    assert found.silent_share == 0.2
    nothing = control_share([item(Outcome.BAD)])
    assert (nothing.value, nothing.low, nothing.n) == (None, None, 0)


def test_both_arms_together_weigh_each_answer_by_what_it_stands_for():
    items = [
        item(Outcome.BAD, arm=Arm.CONTROL),
        item(Outcome.GOOD, arm=Arm.CONTROL),
        item(Outcome.BAD, pi=1.0),
        item(Outcome.BAD, pi=0.5),
        item(Outcome.GOOD, pi=0.1),
    ]
    found = combined_share(items, frame=15, seed=1)
    rest = (1 + 2) / (1 + 2 + 10)
    assert found.value == pytest.approx((2 * 0.5 + 13 * rest) / 15)
    low, high = found.low, found.high
    assert low is not None
    assert high is not None
    assert low <= (2 * 0.5 + 13 * rest) / 15 <= high


def test_no_interval_where_there_is_nothing_to_vary():
    items = [item(Outcome.GOOD, pi=p) for p in (0.2, 0.4, 0.9)]
    found = combined_share(items, frame=10, seed=1)
    assert (found.value, found.low, found.high) == (0, None, None)
    assert combined_share([], frame=10, seed=1).value is None
    silent = combined_share([item(Outcome.SKIPPED)], frame=10, seed=1)
    assert (silent.value, silent.if_all_good, silent.if_all_bad) == (None, 0, 1)


@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.sampled_from(Outcome), st.floats(0.01, 1), st.booleans()), max_size=30)
)
def test_an_estimate_is_within_what_silence_may_hide(drawn):
    items = [
        item(what, arm=Arm.CONTROL if control else Arm.TARGETED, pi=pi)
        for what, pi, control in drawn
    ]
    for found in (control_share(items), combined_share(items, frame=len(items) + 5, seed=3)):
        if found.value is None:
            continue
        assert 0 <= found.value <= 1
        if found.silent == 0:
            assert found.if_all_good == pytest.approx(found.value) == found.if_all_bad
        if found.if_all_good is not None:
            assert found.if_all_bad is not None
            assert found.if_all_good <= found.if_all_bad


@pytest.mark.parametrize(("n", "share"), [(50, 0.02), (20, 0.1)])
def test_the_combined_interval_holds_the_truth_of_small_samples_and_rare_faults(n, share):
    """Half of the good answers and a fifth of the bad ones have no impact: large weights."""
    random = np.random.default_rng(1)
    size = 2000
    bad = random.random(size) < share
    impacts = np.where(bad, random.exponential(4.0, size), random.exponential(1.0, size))
    impacts[random.random(size) < np.where(bad, 0.2, 0.5)] = 0.0
    held = told = 0
    for seed in range(120):
        taken = draw(impacts.tolist(), n=n, control=0.1, seed=seed)
        drawn = [(int(at), Arm.CONTROL, 1.0) for at in taken.control]
        drawn += [
            (int(at), Arm.TARGETED, float(pi))
            for at, pi in zip(taken.targeted, taken.pi, strict=True)
        ]
        found = combined_share(
            [
                item(Outcome.BAD if bad[at] else Outcome.GOOD, arm=arm, pi=pi)
                for at, arm, pi in drawn
            ],
            frame=size,
            seed=seed,
        )
        if found.low is not None and found.high is not None:
            told += 1
            held += bool(found.low <= bad.mean() <= found.high)
    assert told > 100
    assert held / told >= 0.9


@pytest.mark.parametrize(("freedom", "true"), [(2, 4.303), (5, 2.571), (10, 2.228), (100, 1.984)])
def test_the_point_of_students_t_is_near_the_true_one(freedom, true):
    assert t_point(freedom) == pytest.approx(true, rel=0.05)


def test_the_intervals_hold_the_truth_about_as_often_as_they_say():
    """A world in which bad answers look worse, drawn from and reviewed 200 times."""
    random = np.random.default_rng(11)
    impacts = random.exponential(1.0, 2000)
    bad = random.random(2000) < 0.1 + 0.5 * (1 - np.exp(-impacts))
    truth = bad.mean()
    inside = {"control": 0, "combined": 0}
    rounds = 200
    values = []
    for seed in range(rounds):
        taken = draw(impacts.tolist(), n=150, control=0.3, seed=seed)
        items = [
            item(Outcome.BAD if bad[at] else Outcome.GOOD, arm=Arm.CONTROL) for at in taken.control
        ]
        items += [
            item(Outcome.BAD if bad[at] else Outcome.GOOD, pi=pi)
            for at, pi in zip(taken.targeted, taken.pi, strict=True)
        ]
        alone, both = control_share(items), combined_share(items, frame=2000, seed=seed)
        for name, found in (("control", alone), ("combined", both)):
            assert found.low is not None
            assert found.high is not None
            inside[name] += bool(found.low <= truth <= found.high)
        assert both.value is not None
        values.append(both.value)
    assert 0.92 <= inside["control"] / rounds <= 0.99
    assert 0.93 <= inside["combined"] / rounds <= 0.99
    assert np.mean(values) == pytest.approx(truth, abs=0.01)
