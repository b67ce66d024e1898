"""Two small reports side by side: every number, name and sentence of their comparison."""

from typing import Any

import pytest

from curation.domain.verdict import Criterion, State
from curation.evaluation.compare import (
    Comparison,
    Delta,
    Flips,
    WorstSlice,
    compare,
    flips,
    pair_reports,
    worst_slices,
)
from curation.evaluation.report import CaseScore, Report
from curation.metrics.aggregate import Mean
from curation.metrics.metric import Metric
from tests.evaluation.builders import a_report, a_score

RECALL, FAITH, FORBIDDEN = Metric.RECALL, Metric.FAITHFULNESS, Metric.FORBIDDEN_RATE


def scored(case_id: str, recall: float | None, *, of: str = "x", **fields: Any) -> CaseScore:
    made = a_score(case_id, {RECALL: recall or 0.0}, slice_name=of, **fields)
    if recall is not None:
        return made
    return made.model_copy(update={"values": {FAITH: 1.0}})


BEFORE = a_report(
    [
        scored("a", 0.5, weight=3),
        scored("b", 1.0),
        scored("c", 0.25, of="y", answer=State.FAIL),
        scored("d", 0.0),
        scored("e", 0.0, digest="old"),
        scored("g", None, of="y", answer=State.FAIL),
    ],
    pipeline="rag 1",
)
AFTER = a_report(
    [
        scored("a", 1.0, weight=3),
        scored("b", 0.5),
        scored("c", 0.25, of="y", output_sha256="other"),
        scored("e", 1.0, digest="new"),
        scored("f", 1.0),
        scored("g", 1.0, of="y", answer=State.FAIL),
    ],
    pipeline="rag 2",
    k=7,
)


def plain(delta: Delta) -> Delta:
    return delta.model_copy(update={"uncertainty": None})


def whole() -> Comparison:
    return compare(BEFORE, AFTER)


def test_what_can_be_compared_and_what_is_left_out() -> None:
    found = whole()
    assert (found.baseline, found.candidate) == (BEFORE.pins, AFTER.pins)
    assert found.n == 4
    assert (found.changed, found.only_baseline, found.only_candidate) == (("e",), ("d",), ("f",))
    assert [line.split(" ", 2)[2] for line in found.warnings[:3]] == [
        "differ between the versions and were left out: e.",
        "are only in the baseline and were left out: d.",
        "are only in the candidate and were left out: f.",
    ]
    assert found.warnings[3:] == ("The reports were not scored in the same way: k differ.",)
    assert compare(BEFORE, BEFORE).warnings == ()


def test_a_delta_is_over_the_cases_that_both_scored() -> None:
    found = {delta.metric: delta for delta in whole().deltas}
    assert plain(found[RECALL]) == Delta(
        metric=RECALL,
        baseline=1.75 / 3,
        candidate=1.75 / 3,
        delta=0.0,
        n=3,
        gain_low=0.0,
        gain_high=0.0,
        one_sided=("g",),
        lost=("b",),
        gained=("a",),
    )
    assert found[RECALL].uncertainty is not None
    assert plain(found[Metric.MRR]) == Delta(
        metric=Metric.MRR, baseline=None, candidate=None, delta=None, n=0
    )
    assert list(found) == list(Metric)


def test_the_delta_of_a_slice_is_of_its_cases() -> None:
    slices = whole().slices
    assert list(slices) == ["x", "y"]
    recall = {name: next(d for d in found if d.metric is RECALL) for name, found in slices.items()}
    assert (recall["x"].slice, recall["x"].n, recall["x"].lost) == ("x", 2, ("b",))
    assert (recall["y"].slice, recall["y"].n, recall["y"].one_sided) == ("y", 1, ("g",))
    pairing = pair_reports(BEFORE, AFTER)
    assert [pair.id for pair in pairing.of_slice("y")] == ["c", "g"]
    assert [pair.id for pair in pairing.of_slice(None)] == ["a", "b", "c", "g"]


def test_a_weighted_delta_counts_each_case_by_its_weight_and_has_no_interval() -> None:
    found = pair_reports(BEFORE, AFTER).delta(RECALL, "x", weighted=True)
    assert found == Delta(
        metric=RECALL,
        slice="x",
        weighted=True,
        baseline=0.625,
        candidate=0.875,
        delta=0.25,
        n=2,
        gain_low=0.25,
        gain_high=0.25,
        lost=("b",),
        gained=("a",),
    )
    nothing = pair_reports(BEFORE, AFTER).delta(Metric.MRR, "y", weighted=True)
    assert (nothing.slice, nothing.weighted, nothing.n) == ("y", True, 0)


def bounded(low: float, high: float, output: str = "same") -> Report:
    made = a_score("a", {FORBIDDEN: low}, bounds={FORBIDDEN: (low, high)}, output_sha256=output)
    return a_report([made])


@pytest.mark.parametrize(
    ("before", "after", "ends"),
    [
        (bounded(0.0, 1.0), bounded(0.0, 1.0), (0.0, 0.0)),
        (bounded(0.0, 1.0), bounded(0.0, 1.0, "other"), (-1.0, 1.0)),
        (bounded(0.0, 1.0, ""), bounded(0.0, 1.0, ""), (-1.0, 1.0)),
        (bounded(0.0, 0.5), bounded(0.25, 0.25), (-0.25, 0.25)),
        (bounded(0.5, 1.0), bounded(0.0, 0.25), (0.25, 1.0)),
    ],
)
def test_unsure_facts_leave_a_gain_open_unless_the_answer_is_the_same(
    before: Report, after: Report, ends: tuple[float, float]
) -> None:
    found = pair_reports(before, after).delta(FORBIDDEN)
    assert (found.gain_low, found.gain_high) == ends


def test_figures_of_a_whole_run_are_compared_as_they_are() -> None:
    def timed(ms: float, number: int) -> Report:
        return a_report([a_score(f"q{at}", latency_ms=(ms,)) for at in range(number)])

    found = pair_reports(timed(100, 3), timed(80, 4)).delta(Metric.LATENCY_P95)
    assert (found.baseline, found.candidate, found.delta, found.n) == (100, 80, -20, 4)
    assert (found.gain, found.uncertainty) == (20, None)
    one = pair_reports(a_report([a_score("q1")]), timed(80, 1)).delta(Metric.LATENCY_P95, "general")
    assert (one.baseline, one.candidate, one.delta, one.gain) == (None, 80, None, None)
    assert (one.slice, one.n) == ("general", 1)
    none = pair_reports(timed(80, 1), a_report([a_score("q1")])).delta(Metric.LATENCY_P95)
    assert (none.candidate, none.delta, none.n) == (None, None, 0)
    nowhere = pair_reports(timed(80, 1), timed(80, 1)).delta(Metric.LATENCY_P95, "other")
    assert (nowhere.candidate, nowhere.n) == (None, None)


def test_reports_of_means_are_compared_by_their_means() -> None:
    def means(value: float) -> Report:
        mean = Mean(value=value, n=10, weighted=value / 2)
        return Report(
            pins=BEFORE.pins, n=10, metrics={RECALL: mean}, slices={}, aggregates_only=True
        )

    pairing = pair_reports(means(0.4), means(0.6))
    found = pairing.delta(RECALL)
    assert (found.baseline, found.candidate, found.n) == (0.4, 0.6, None)
    assert found.delta == pytest.approx(0.2)
    heavy = pairing.delta(RECALL, weighted=True)
    assert (heavy.baseline, heavy.candidate, heavy.weighted) == (0.2, 0.3, True)
    mixed = pair_reports(BEFORE, means(0.6)).delta(RECALL)
    assert (mixed.candidate, mixed.n) == (0.6, None)


def test_the_worst_slice_is_the_one_with_the_lowest_delta() -> None:
    assert whole().worst == (
        WorstSlice(metric=RECALL, slice="x", delta=0.0, n=2),
        WorstSlice(metric=FAITH, slice="x", delta=0.0, n=2),
    )
    deltas = [
        Delta(metric=metric, slice=name, baseline=1.0, candidate=1.0, delta=delta, n=n)
        for metric, name, delta, n in (
            (RECALL, "b", -0.2, 4),
            (RECALL, "a", -0.2, 3),
            (RECALL, None, -0.9, 9),
            (RECALL, "c", -0.9, 0),
            (RECALL, "d", None, 5),
            (FORBIDDEN, "e", -0.9, 5),
        )
    ]
    assert worst_slices(deltas) == (WorstSlice(metric=RECALL, slice="a", delta=-0.2, n=3),)


def test_a_case_flips_by_what_failed_on_each_side() -> None:
    pairs = pair_reports(BEFORE, AFTER).pairs
    assert flips(pairs) == Flips(bad_to_good=("c",), still_bad=("g",))
    back = pair_reports(AFTER, BEFORE).pairs
    assert flips(back) == Flips(good_to_bad=("c",), still_bad=("g",))
    assert flips(pairs, (Criterion.ABSTENTION,)) == Flips()
    assert compare(BEFORE, AFTER, (Criterion.CITATION,)).flips == Flips()
