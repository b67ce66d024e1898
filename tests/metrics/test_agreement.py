"""A judge against people: the same figures as scikit-learn, and undefined where nothing is said."""

import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    confusion_matrix,
    precision_score,
    recall_score,
)

from curation.metrics.agreement import (
    Pair,
    agreement,
    bootstrapped_kappa,
    confusion,
    corrected,
    detection,
    quadratic_kappa,
)
from curation.metrics.agreement_between_people import Measure, alpha
from curation.metrics.agreement_verdict import Belief, judge_verdict
from curation.metrics.wilson import half_width, needed, rate

LEVEL = st.integers(0, 2)
LABELS = st.lists(st.tuples(LEVEL, LEVEL), min_size=1, max_size=60)
DRAWN = st.lists(st.tuples(LEVEL, LEVEL, st.floats(0.05, 1)), min_size=2, max_size=60)


def pairs(labels: list[tuple[int, int]]) -> list[Pair]:
    return [Pair(cluster=f"a-{at}", human=h, judge=j) for at, (h, j) in enumerate(labels)]


@given(LABELS)
def test_the_figures_are_those_of_scikit_learn(labels: list[tuple[int, int]]) -> None:
    human, judge = zip(*labels, strict=True)
    found = agreement(pairs(labels), draws=10)
    assert np.array_equal(found.confusion, confusion_matrix(human, judge, labels=[0, 1, 2]))
    assert found.raw.value == pytest.approx(accuracy_score(human, judge))
    if len(set(human)) > 1:
        theirs = cohen_kappa_score(human, judge, labels=[0, 1, 2], weights="quadratic")
        assert found.kappa.value == pytest.approx(theirs, abs=1e-12)
    else:
        assert found.kappa.value is None
    for level, ours in ((0, found.bad), (1, found.not_good)):
        theirs_bad = [h <= level for h in human], [j <= level for j in judge]
        for rated, score in ((ours.precision, precision_score), (ours.recall, recall_score)):
            if rated.n:
                assert rated.value == pytest.approx(score(*theirs_bad, zero_division=0.0))
            else:
                assert rated.value is None


@given(DRAWN)
def test_drawn_items_weigh_one_over_their_probability(
    labels: list[tuple[int, int, float]],
) -> None:
    human, judge, drawn = (list(part) for part in zip(*labels, strict=True))
    weights = [1 / one for one in drawn]
    found = corrected(
        [
            Pair(cluster=str(at), human=h, judge=j, probability=p)
            for at, (h, j, p) in enumerate(labels)
        ]
    )
    assert found is not None
    assert found.raw == pytest.approx(accuracy_score(human, judge, sample_weight=weights))
    bad = [h == 0 for h in human], [j == 0 for j in judge]
    if any(bad[1]):
        theirs = precision_score(*bad, sample_weight=weights, zero_division=0.0)
        assert found.precision == pytest.approx(theirs)
    if any(bad[0]):
        theirs = recall_score(*bad, sample_weight=weights, zero_division=0.0)
        assert found.recall == pytest.approx(theirs)
    if len(set(human)) > 1:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = cohen_kappa_score(
                human, judge, labels=[0, 1, 2], weights="quadratic", sample_weight=weights
            )
        assert found.kappa == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("judge", [0, 2])
def test_labels_of_one_class_leave_kappa_undefined(judge: int) -> None:
    same = agreement(pairs([(2, judge)] * 40))
    assert (same.kappa.value, same.kappa.low, same.bad.recall.value) == (None, None, None)
    assert quadratic_kappa(confusion([])) is None


def test_nothing_compared_is_undefined_everywhere() -> None:
    nothing = agreement([])
    assert (nothing.n, nothing.raw.value, nothing.kappa.value) == (0, None, None)
    assert nothing.corrected is None


def test_what_was_not_drawn_does_not_count_as_certain() -> None:
    assert corrected([Pair(cluster="a", human=0, judge=0)]) is None


@given(LABELS)
def test_the_interval_holds_the_kappa_of_some_draws_and_no_number_is_not_a_number(
    labels: list[tuple[int, int]],
) -> None:
    found = bootstrapped_kappa(pairs(labels), draws=50, seed=1)
    for value in (found.value, found.low, found.high):
        assert value is None or -1 <= value <= 1
    if found.low is not None and found.high is not None:
        assert found.low <= found.high


def test_chunks_of_one_answer_are_drawn_together() -> None:
    """Ten answers whose five chunks say the same know less than fifty answers."""
    labels = [(0, 0), (2, 2), (0, 2), (2, 0), (1, 1)] * 2
    fifty = [(h, j) for h, j in labels for _ in range(5)]
    alone = [Pair(cluster=str(at), human=h, judge=j) for at, (h, j) in enumerate(fifty)]
    together = [Pair(cluster=str(at // 5), human=h, judge=j) for at, (h, j) in enumerate(fifty)]
    narrow = bootstrapped_kappa(alone, draws=500, seed=1)
    wide = bootstrapped_kappa(together, draws=500, seed=1)
    assert narrow.value == wide.value
    assert narrow.low is not None
    assert narrow.high is not None
    assert wide.low is not None
    assert wide.high is not None
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)


def test_a_threshold_can_say_what_the_judge_calls_bad() -> None:
    given_ = [
        Pair(cluster="1", human=0, judge=1, flagged=True),
        Pair(cluster="2", human=1, judge=1, flagged=True),
        Pair(cluster="3", human=0, judge=2, flagged=False),
    ]
    found = detection(given_, worst_up_to=0)
    assert (found.precision.hits, found.precision.n) == (1, 2)
    assert (found.recall.hits, found.recall.n) == (1, 2)


def test_the_interval_of_measures_section_10() -> None:
    found = rate(27, 30)
    assert (round(found.low or 0, 2), round(found.high or 0, 2)) == (0.74, 0.97)
    assert needed(None, 0.1) == 93
    assert half_width(0.5, 92) > 0.1 >= half_width(0.5, 93)
    assert rate(0, 0).value is None


@given(st.integers(1, 500), st.data())
def test_an_interval_holds_its_share(n: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, n))
    found = rate(hits, n)
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.value <= found.high <= 1


def verdict(*counts: tuple[int, int, int]) -> Belief:
    """The verdict on `(human, judge, times)`."""
    labels = [(h, j) for h, j, times in counts for _ in range(times)]
    return judge_verdict(agreement(pairs(labels), draws=10).clear).belief


@pytest.mark.parametrize(
    ("counts", "belief"),
    [
        (((0, 0, 10), (2, 2, 10)), Belief.BELIEVABLE),
        (((0, 0, 9), (2, 2, 11)), Belief.NEEDS_LABELS),  # nine of 0
        (((0, 0, 19), (0, 2, 1), (2, 2, 10)), Belief.BELIEVABLE),  # 5 % good for bad
        (((0, 0, 18), (0, 2, 1), (2, 2, 30)), Belief.NOT_BELIEVABLE),  # 5.3 %, and 49 are enough
        (((0, 0, 9), (0, 2, 1), (2, 2, 10)), Belief.NEEDS_LABELS),  # one is no pattern
        (((0, 0, 18), (0, 2, 2), (2, 2, 80)), Belief.GENEROUS),  # 10 %, two items
        (((0, 2, 2),), Belief.GENEROUS),
        (((0, 0, 19), (0, 1, 1), (2, 2, 8), (2, 1, 2)), Belief.BELIEVABLE),  # 27 of 30
        (((0, 0, 18), (0, 1, 2), (2, 2, 8), (2, 1, 2)), Belief.NEEDS_LABELS),  # 26 of 30
        (((0, 0, 70), (0, 1, 30), (2, 2, 70), (2, 1, 30)), Belief.NOT_BELIEVABLE),
        (((1, 0, 200),), Belief.NEEDS_LABELS),  # nothing is clear
    ],
)
def test_the_verdict_on_a_judge(counts: tuple[tuple[int, int, int], ...], belief: Belief) -> None:
    assert verdict(*counts) is belief


def test_a_judge_that_nobody_checked_needs_ninety_three_labels() -> None:
    found = judge_verdict(agreement([]).clear)
    assert (found.belief, found.more) == (Belief.NEEDS_LABELS, 93)
    assert "nobody has labelled a clear case" in found.words


@pytest.mark.parametrize(
    ("counts", "more", "words"),
    [
        (
            ((0, 0, 19), (0, 1, 1), (2, 2, 8), (2, 1, 2)),
            0,
            (
                "Believable on clear cases: it agrees with people on 27 of 30 (0.74 to 0.97) of "
                "them, and gives 2 to 0 of the 20 that people give 0."
            ),
        ),
        (
            ((0, 0, 18), (0, 2, 2), (2, 2, 80)),
            0,
            (
                "Hands out good marks to bad answers: it gives 2 to 2 of 20 (0.03 to 0.30) of "
                "those that people give 0. A high score of it says little."
            ),
        ),
        (
            ((0, 0, 70), (0, 1, 30), (2, 2, 70), (2, 1, 30)),
            0,
            (
                "Not believable on clear cases: it agrees with people on 140 of 200 (0.63 to 0.76) "
                "of them, and 60 are too many. More labels would not change that."
            ),
        ),
        (
            ((0, 0, 4), (0, 1, 1), (2, 2, 8)),
            19,
            (
                "Needs about 19 more labels: so far it agrees with people on 12 of 13 (0.67 to "
                "0.99) clear cases. It takes at least 5 more that people give 0 and 2 more that "
                "people give 2."
            ),
        ),
        (
            ((0, 0, 10), (2, 2, 9)),
            1,
            (
                "Needs about 1 more label: so far it agrees with people on 19 of 19 (0.83 to 1.00) "
                "clear cases. It takes at least 1 more that people give 2."
            ),
        ),
        (
            ((0, 0, 18), (0, 1, 2), (2, 2, 8), (2, 1, 2)),
            15,
            (
                "Needs about 15 more labels: so far it agrees with people on 26 of 30 (0.70 to "
                "0.95) clear cases."
            ),
        ),
        (
            (),
            93,
            (
                "Needs about 93 more labels: nobody has labelled a clear case of it yet. It takes "
                "at least 10 more that people give 0 and 10 more that people give 2."
            ),
        ),
    ],
)
def test_the_verdict_says_what_was_counted_and_what_is_missing(
    counts: tuple[tuple[int, int, int], ...], more: int, words: str
) -> None:
    labels = [(h, j) for h, j, times in counts for _ in range(times)]
    found = judge_verdict(agreement(pairs(labels), draws=10).clear)
    assert (found.more, found.words) == (more, words)


@given(st.floats(0, 1), st.sampled_from([0.05, 0.1, 0.3]))
def test_no_fewer_than_what_is_needed_are_enough(share: float, half: float) -> None:
    n = needed(share, half)
    assert half_width(share, n) <= half
    assert n == 1 or half_width(share, n - 1) > half


def test_the_figures_hold_those_corrected_for_the_draw() -> None:
    drawn = [
        Pair(cluster="a", human=0, judge=0, probability=0.25),
        Pair(cluster="b", human=0, judge=2, probability=1.0),
        Pair(cluster="c", human=2, judge=2),
    ]
    found = agreement(drawn, draws=10)
    assert found.corrected == corrected(drawn)
    assert found.corrected is not None
    assert found.corrected.raw == pytest.approx(4 / 5)
    again = agreement(drawn * 9, draws=50, seed=7)
    assert again.kappa == bootstrapped_kappa(drawn * 9, draws=50, seed=7)


# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C: 12 units, four
# observers, missing values; nominal 0.743, ordinal 0.815, interval 0.849.
_: int | None = None
KRIPPENDORFF_2011: list[list[int | None]] = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]


@pytest.mark.parametrize(
    ("measure", "published"),
    [(Measure.NOMINAL, 0.743), (Measure.ORDINAL, 0.815), (Measure.INTERVAL, 0.849)],
)
def test_alpha_of_the_published_example(measure: Measure, published: float) -> None:
    units = [list(column) for column in zip(*KRIPPENDORFF_2011, strict=True)]
    assert alpha(units, measure) == pytest.approx(published, abs=5e-4)


RATINGS = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.one_of(st.none(), LEVEL), min_size=raters, max_size=raters),
        min_size=1,
        max_size=20,
    )
)


@given(RATINGS, st.sampled_from(Measure))
def test_alpha_is_that_of_the_krippendorff_package(
    ratings: list[list[int | None]], measure: Measure
) -> None:
    package = pytest.importorskip("krippendorff")  # GPL: for this comparison only
    ours = alpha(ratings, measure)
    paired = [row for row in ratings if sum(v is not None for v in row) > 1]
    if ours is None:
        assert len({v for row in paired for v in row if v is not None}) < 2
        return
    data = np.array(paired, dtype=float).T
    theirs = package.alpha(reliability_data=data, level_of_measurement=measure.value)
    assert ours == pytest.approx(theirs, abs=1e-9)


@given(RATINGS)
def test_a_rater_more_who_rates_nothing_changes_nothing(ratings: list[list[int | None]]) -> None:
    assert alpha([[*row, None] for row in ratings], Measure.ORDINAL) == alpha(
        ratings, Measure.ORDINAL
    )


@given(RATINGS)
def test_people_who_agree_about_two_classes_agree_fully(ratings: list[list[int | None]]) -> None:
    agreed = [[row[0], row[0]] for row in ratings if row[0] is not None]
    assume(len({row[0] for row in agreed}) > 1)
    assert alpha(agreed, Measure.INTERVAL) == pytest.approx(1)
    assert alpha([[2, 2], [2, 2]], Measure.NOMINAL) is None
