"""Two reports compared: on cases that are the same on both sides, case by case."""

import pytest

from curation.domain.verdict import Criterion, State
from curation.evaluation.compare import compare, flips, pair_reports
from curation.metrics.metric import Metric
from tests.evaluation.builders import a_report, a_score, report_of


def test_cases_that_differ_or_stand_on_one_side_are_left_out_and_named() -> None:
    before = a_report([a_score("q-1"), a_score("q-2", digest="old"), a_score("q-3")])
    after = a_report([a_score("q-1"), a_score("q-2", digest="new"), a_score("q-4")])
    found = compare(before, after)
    assert (found.n, found.changed) == (1, ("q-2",))
    assert (found.only_baseline, found.only_candidate) == (("q-3",), ("q-4",))
    assert len(found.warnings) == 3
    assert "q-2" in found.warnings[0]


def test_a_delta_is_over_the_cases_that_both_sides_scored() -> None:
    before = report_of(Metric.RECALL, [1.0, 0.0, None, 1.0])
    after = report_of(Metric.RECALL, [1.0, 1.0, 1.0, None])
    delta = pair_reports(before, after).delta(Metric.RECALL)
    assert (delta.n, delta.baseline, delta.candidate, delta.delta) == (2, 0.5, 1.0, 0.5)
    assert delta.one_sided == ("q-0002", "q-0003")
    assert (delta.gained, delta.lost) == (("q-0001",), ())


def test_without_a_case_scored_on_both_sides_there_is_no_delta() -> None:
    delta = pair_reports(report_of(Metric.RECALL, [None]), report_of(Metric.RECALL, [1.0])).delta(
        Metric.RECALL
    )
    assert (delta.delta, delta.gain, delta.n) == (None, None, 0)


def test_less_is_better_for_rates_of_what_is_wrong() -> None:
    before = report_of(Metric.FORBIDDEN_RATE, [1.0, 1.0])
    after = report_of(Metric.FORBIDDEN_RATE, [0.0, 1.0])
    delta = pair_reports(before, after).delta(Metric.FORBIDDEN_RATE)
    assert (delta.delta, delta.gain, delta.gained) == (-0.5, 0.5, ("q-0000",))


def test_weighted_and_plain_deltas_stand_side_by_side() -> None:
    before = a_report([a_score("q-1", {Metric.RECALL: 0.0}, weight=3), a_score("q-2")])
    after = a_report([a_score("q-1", weight=3), a_score("q-2", {Metric.RECALL: 0.0})])
    pairing = pair_reports(before, after)
    assert pairing.delta(Metric.RECALL).delta == 0.0
    assert pairing.delta(Metric.RECALL, weighted=True).delta == 0.5


def test_the_worst_slice_is_that_of_the_most_negative_delta() -> None:
    before = a_report(
        [a_score(f"q-{at}", slice_name="billing" if at < 2 else "policy") for at in range(4)]
    )
    after = a_report(
        [
            a_score("q-0", {Metric.RECALL: 0.5}, slice_name="billing"),
            a_score("q-1", slice_name="billing"),
            a_score("q-2", {Metric.FAITHFULNESS: 0.0}, slice_name="policy"),
            a_score("q-3", slice_name="policy"),
        ]
    )
    worst = {found.metric: found for found in compare(before, after).worst}
    assert (worst[Metric.RECALL].slice, worst[Metric.RECALL].delta) == ("billing", -0.25)
    assert (worst[Metric.FAITHFULNESS].slice, worst[Metric.FAITHFULNESS].n) == ("policy", 2)


def test_unsure_facts_leave_a_gain_open_between_two_ends() -> None:
    bounds = {Metric.REQUIRED_RECALL: (0.0, 1.0)}
    before = a_report([a_score("q-1", {Metric.REQUIRED_RECALL: 0.5})])
    after = a_report([a_score("q-1", {Metric.REQUIRED_RECALL: 0.0}, bounds=bounds)])
    delta = pair_reports(before, after).delta(Metric.REQUIRED_RECALL)
    assert (delta.gain, delta.gain_low, delta.gain_high) == (-0.5, -0.5, 0.5)


def test_the_same_answer_on_both_sides_leaves_nothing_open() -> None:
    same = a_score(
        "q-1", {Metric.REQUIRED_RECALL: 0.0}, bounds={Metric.REQUIRED_RECALL: (0.0, 1.0)}
    )
    delta = pair_reports(a_report([same]), a_report([same])).delta(Metric.REQUIRED_RECALL)
    assert (delta.gain_low, delta.gain_high) == (0.0, 0.0)
    other = same.model_copy(update={"output_sha256": "other"})
    apart = pair_reports(a_report([same]), a_report([other])).delta(Metric.REQUIRED_RECALL)
    assert (apart.gain_low, apart.gain_high) == (-1.0, 1.0)


def test_less_is_better_also_at_the_ends() -> None:
    before = a_report([a_score("q-1", {Metric.FORBIDDEN_RATE: 1.0})])
    after = a_report(
        [a_score("q-1", {Metric.FORBIDDEN_RATE: 0.0}, bounds={Metric.FORBIDDEN_RATE: (0.0, 1.0)})]
    )
    delta = pair_reports(before, after).delta(Metric.FORBIDDEN_RATE)
    assert (delta.gain_low, delta.gain_high) == (0.0, 1.0)


def test_flips_are_by_the_criteria_that_fail_a_test() -> None:
    before = a_report(
        [a_score("q-1"), a_score("q-2", answer=State.FAIL), a_score("q-3", answer=State.FAIL)]
    )
    after = a_report(
        [a_score("q-1", answer=State.FAIL), a_score("q-2"), a_score("q-3", answer=State.FAIL)]
    )
    found = compare(before, after).flips
    assert (found.good_to_bad, found.bad_to_good) == (("q-1",), ("q-2",))
    assert found.still_bad == ("q-3",)
    pairs = pair_reports(before, after).pairs
    assert flips(pairs, (Criterion.ABSTENTION,)).good_to_bad == ()


def test_unsure_is_not_bad() -> None:
    before, after = a_report([a_score("q-1")]), a_report([a_score("q-1", answer=State.UNSURE)])
    assert compare(before, after).flips.good_to_bad == ()


def test_intervals_stand_beside_the_deltas_of_many_cases() -> None:
    before = report_of(Metric.RECALL, [0.0, 1.0] * 20)
    after = report_of(Metric.RECALL, [1.0, 1.0] * 20)
    delta = {d.metric: d for d in compare(before, after).deltas}[Metric.RECALL]
    assert delta.uncertainty is not None
    assert delta.uncertainty.interval is not None
    assert delta.uncertainty.interval.low > 0.2
    assert delta.uncertainty.mcnemar_p == pytest.approx(2 * 0.5**20)


def test_figures_of_the_whole_run_are_compared_as_they_are() -> None:
    before = a_report([a_score("q-1", latency_ms=(100.0,))])
    after = a_report([a_score("q-1", latency_ms=(300.0,))])
    delta = pair_reports(before, after).delta(Metric.LATENCY_P95)
    assert (delta.baseline, delta.candidate, delta.gain) == (100.0, 300.0, -200.0)


def test_another_way_of_scoring_is_told() -> None:
    before, after = a_report([a_score("q-1")], k=3), a_report([a_score("q-1")], k=5)
    assert compare(before, after).warnings == (
        "The reports were not scored in the same way: k differ.",
    )
