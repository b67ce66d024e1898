"""The gate: points decide, intervals annotate, what cannot be judged is undecided."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.gate import GateOutcome, GateReason, GateResult, Profile
from curation.evaluation.aggregates import read_report
from curation.evaluation.errors import ReportError
from curation.evaluation.gate import gate
from curation.evaluation.pins import pin_differences, stale
from curation.evaluation.report import CaseScore, Pins, Report
from curation.metrics.hits import HitRule
from curation.metrics.metric import Metric
from tests.evaluation.builders import a_policy, a_report, a_score, report_of

BEFORE = {"recall": 0.780, "faithfulness": 0.910, "slices": {"billing": 0.72, "policy": 0.81}}
AFTER = {"recall": 0.794, "faithfulness": 0.911, "slices": {"billing": 0.65, "policy": 0.83}}
PROTECTED = a_policy("billing", "policy")
WHOLE = {Metric.RECALL: 1.0, Metric.FAITHFULNESS: 1.0}


def of_means(
    after: dict[str, Any], before: dict[str, Any] = BEFORE, profile: Profile = Profile.PROMOTE
) -> GateResult:
    return gate(read_report(after), read_report(before), PROTECTED, profile)


def reason(result: GateResult, metric: Metric, rule: str | None = None) -> GateReason:
    found = [
        r
        for r in (*result.reasons, *result.passed)
        if r.metric == metric.value and rule in {None, r.rule}
    ]
    assert found, result
    return found[0]


def test_the_example_of_the_method_is_rejected_for_billing() -> None:
    result = of_means(AFTER)
    assert result.text == "keep baseline \u2014 protected slice regressed: ['billing']"
    assert (result.result, result.exit_status) == (GateOutcome.FAIL, 1)
    only = result.reasons[0]
    assert (only.rule, only.slice, only.metric) == ("protected_slice", "billing", "recall@k")
    assert (only.baseline, only.candidate, only.interval) == (0.72, 0.65, None)
    assert only.delta == pytest.approx(-0.07)


def test_every_reason_is_told_in_its_order() -> None:
    after = AFTER | {"recall": 0.785, "faithfulness": 0.90}
    assert of_means(after).text == (
        "keep baseline \u2014 recall gain under 0.01; faithfulness dropped; "
        "protected slice regressed: ['billing']"
    )


def test_two_slices_that_regressed_are_one_phrase() -> None:
    after = AFTER | {"slices": {"billing": 0.65, "policy": 0.80}}
    assert of_means(after).text.endswith("protected slice regressed: ['billing', 'policy']")


def test_without_the_harm_it_is_promoted() -> None:
    after = AFTER | {"slices": {"billing": 0.72, "policy": 0.83}}
    assert (of_means(after).text, of_means(after).exit_status) == ("PROMOTE", 0)


def test_the_profiles_ask_different_questions() -> None:
    assert of_means(AFTER, profile=Profile.CI).text == "PASS"
    worse = AFTER | {"faithfulness": 0.90}
    assert of_means(worse, profile=Profile.CI).text == "FAIL \u2014 faithfulness dropped"
    lower = AFTER | {"recall": 0.77}
    assert of_means(lower, profile=Profile.DEPLOY).text == "FAIL \u2014 recall dropped"
    assert of_means(worse, profile=Profile.DEPLOY).text == "PASS"


def test_a_gain_is_compared_unrounded_with_a_little_slack() -> None:
    exact = {"recall": 0.79, "faithfulness": 0.91, "slices": BEFORE["slices"]}
    assert of_means(exact).text == "PROMOTE"
    assert of_means(exact | {"recall": 0.7899}).result is GateOutcome.FAIL


def test_a_tolerance_is_per_metric() -> None:
    policy = a_policy("billing", extra="tolerance = { recall = 0.1, faithfulness = 0.0 }\n")
    result = gate(read_report(AFTER), read_report(BEFORE), policy)
    assert result.text == "PROMOTE"


@pytest.mark.parametrize("missing", ["billing", "policy"])
def test_an_absent_protected_slice_is_undecided_never_pass(missing: str) -> None:
    slices = {name: 0.9 for name in ("billing", "policy") if name != missing}
    result = of_means(AFTER | {"slices": slices})
    assert (result.result, result.exit_status) == (GateOutcome.UNDECIDED, 2)
    assert missing in result.text
    assert of_means(AFTER, BEFORE | {"slices": slices}).result is not GateOutcome.PASS


def test_headline_numbers_that_are_missing_are_undecided() -> None:
    after = {"recall": 0.8, "slices": {"billing": 0.9, "policy": 0.9}}
    result = of_means(after)
    assert result.result is GateOutcome.UNDECIDED
    assert "faithfulness" in result.text


def test_other_missing_numbers_are_warnings() -> None:
    result = of_means(AFTER)
    assert any("false-answer rate" in warning.lower() for warning in result.warnings)


def test_a_sure_failure_is_told_even_where_another_rule_is_undecided() -> None:
    result = of_means({"recall": 0.7, "slices": AFTER["slices"]})
    assert result.result is GateOutcome.FAIL
    assert {r.outcome for r in result.reasons} == {GateOutcome.FAIL, GateOutcome.UNDECIDED}


@pytest.mark.parametrize(
    "document",
    [{}, {"recall": "high"}, {"accuracy": 0.5}, {"recall": 0.5, "slices": [1]}, {"n": "x"}],
)
def test_what_is_no_report_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises(ReportError):
        read_report(document)


def test_a_slice_may_have_several_metrics() -> None:
    report = read_report({"recall": 0.5, "slices": {"a": {"recall": 0.4, "faithfulness": 1}}})
    mean = report.mean(Metric.FAITHFULNESS, "a")
    assert mean is not None
    assert mean.value == 1.0


def many(recalls: Iterable[float], slice_name: str = "general", **fields: Any) -> list[CaseScore]:
    return [
        a_score(f"{slice_name}-{at:03d}", {Metric.RECALL: value}, slice_name=slice_name, **fields)
        for at, value in enumerate(recalls)
    ]


def test_a_drop_within_noise_is_still_a_drop_and_says_so() -> None:
    before = a_report(many([1.0] * 34, "billing") + many([0.0] * 34))
    after = a_report(many([0.0] * 3 + [1.0] * 31, "billing") + many([1.0] * 34))
    result = gate(after, before, a_policy("billing"))
    assert result.text == "keep baseline \u2014 protected slice regressed: ['billing']"
    found = reason(result, Metric.RECALL, "protected_slice")
    assert found.flipped == ("billing-000", "billing-001", "billing-002")
    assert found.n == 34
    assert "within noise (n = 34, 3 cases flipped: billing-000" in found.message
    assert "exact McNemar p = 0.250" in found.message


def test_a_drop_beyond_noise_carries_its_interval() -> None:
    before, after = a_report(many([1.0] * 40)), a_report(many([0.0] * 20 + [1.0] * 20))
    found = reason(gate(after, before, a_policy(), Profile.CI), Metric.RECALL)
    assert found.interval is not None
    assert found.interval[1] < 0
    assert "beyond noise" in found.message


def test_a_small_slice_says_how_many_of_its_cases() -> None:
    before = a_report(many([1.0] * 5, "billing") + many([0.0] * 20))
    after = a_report(many([0.0] + [1.0] * 4, "billing") + many([1.0] * 20))
    found = reason(gate(after, before, a_policy("billing")), Metric.RECALL, "protected_slice")
    assert "1 of 5 cases: billing-000" in found.message


def test_a_protected_slice_regresses_on_any_guarded_metric() -> None:
    before = a_report(many([0.0] * 5, "billing"))
    worse = a_score("billing-000", {Metric.FAITHFULNESS: 0.5}, slice_name="billing")
    after = a_report([worse, *many([1.0] * 5, "billing")[1:]])
    policy = a_policy("billing", extra="tolerance = { faithfulness = 0.0 }\n")
    result = gate(after, before, policy)
    assert "protected slice regressed: ['billing']" in result.text
    only_recall = a_policy("billing", extra='[gate]\nguarded = ["recall"]\n')
    assert "protected" not in gate(after, before, only_recall).text


def test_a_protected_slice_that_nothing_is_scored_in_is_undecided() -> None:
    empty = [score.model_copy(update={"values": {}}) for score in many([1.0], "billing")]
    before = a_report(empty + many([0.0] * 5))
    after = a_report(empty + many([1.0] * 5))
    result = gate(after, before, a_policy("billing"))
    assert result.result is GateOutcome.UNDECIDED
    assert "'billing'" in result.text


def test_what_a_protected_slice_cannot_score_is_told_as_not_guarded() -> None:
    before, after = a_report(many([0.0] * 5, "billing")), a_report(many([1.0] * 5, "billing"))
    result = gate(after, before, a_policy("billing"))
    assert result.text == "PROMOTE"
    assert any(
        "billing: nothing to score for required_recall" in warning for warning in result.warnings
    )


def test_weighted_recall_must_not_fall_for_a_promotion() -> None:
    before = a_report([a_score("q-1", weight=10), *many([0.0, 0.0])])
    after = a_report([a_score("q-1", {Metric.RECALL: 0.0}, weight=10), *many([1.0, 1.0])])
    assert gate(after, before, a_policy()).text == "keep baseline \u2014 weighted recall dropped"
    assert gate(after, before, a_policy(), Profile.CI).text == "PASS"


@pytest.mark.parametrize(
    ("metric", "phrase"),
    [
        (Metric.FALSE_ANSWER_RATE, "false-answer rate rose"),
        (Metric.OVER_ABSTENTION_RATE, "over-abstention rate rose"),
        (Metric.FORBIDDEN_RATE, "forbidden rate rose"),
    ],
)
def test_rates_of_what_is_wrong_may_not_rise(metric: Metric, phrase: str) -> None:
    result = gate(
        report_of(metric, [1.0, 0.0]), report_of(metric, [0.0, 0.0]), a_policy(), Profile.CI
    )
    assert result.text == f"FAIL \u2014 {phrase}"


@pytest.mark.parametrize("metric", [Metric.CITATION, Metric.REQUIRED_RECALL])
def test_citation_and_required_recall_may_not_drop(metric: Metric) -> None:
    result = gate(report_of(metric, [0.5]), report_of(metric, [1.0]), a_policy(), Profile.CI)
    assert result.text.endswith(f"{metric.value.replace('_', ' ')} dropped")


def test_more_than_two_percent_scored_on_one_side_only_is_undecided() -> None:
    before = report_of(Metric.FAITHFULNESS, [1.0] * 50)
    one = report_of(Metric.FAITHFULNESS, [1.0] * 49 + [None])
    two = report_of(Metric.FAITHFULNESS, [1.0] * 48 + [None, None])
    assert gate(one, before, a_policy(), Profile.CI).text == "PASS"
    result = gate(two, before, a_policy(), Profile.CI)
    assert result.result is GateOutcome.UNDECIDED
    assert "q-0048, q-0049" in reason(result, Metric.FAITHFULNESS).message


def test_unsure_facts_that_could_turn_a_rule_make_it_undecided_and_are_listed() -> None:
    before = report_of(Metric.REQUIRED_RECALL, [0.5, 1.0])
    open_case = (
        report_of(Metric.REQUIRED_RECALL, [0.0, 1.0])
        .cases[0]
        .model_copy(update={"bounds": {Metric.REQUIRED_RECALL: (0.0, 1.0)}, "unsure": ("f1", "f3")})
    )
    after = a_report([open_case, before.cases[1]])
    result = gate(after, before, a_policy(), Profile.CI)
    assert result.result is GateOutcome.UNDECIDED
    assert "settle q-0000 f1, f3" in reason(result, Metric.REQUIRED_RECALL).message


def test_unsure_facts_that_cannot_turn_a_rule_leave_it_decided() -> None:
    before = report_of(Metric.REQUIRED_RECALL, [1.0, 1.0])
    open_case = (
        report_of(Metric.REQUIRED_RECALL, [0.0, 1.0])
        .cases[0]
        .model_copy(update={"bounds": {Metric.REQUIRED_RECALL: (0.0, 0.5)}, "unsure": ("f1",)})
    )
    result = gate(a_report([open_case, before.cases[1]]), before, a_policy(), Profile.CI)
    assert result.text == "FAIL \u2014 required recall dropped"


def test_a_report_passes_ci_against_itself_whatever_is_unsure() -> None:
    scores = [
        a_score(
            "q-1",
            {Metric.REQUIRED_RECALL: 0.0},
            bounds={Metric.REQUIRED_RECALL: (0.0, 1.0)},
            unsure=("f1",),
        )
    ]
    assert gate(a_report(scores), a_report(scores), a_policy(), Profile.CI).text == "PASS"


FLOOR = "[gate.ci]\nrecall = { floor = 0.75 }\nrequired_recall = { floor = 0.5 }\n"


def test_a_floor_is_on_the_candidate_alone() -> None:
    policy = a_policy(extra=FLOOR)
    low = report_of(Metric.RECALL, [0.5, 0.5])
    low = low.model_copy(
        update={"metrics": low.metrics | {Metric.REQUIRED_RECALL: low.metrics[Metric.RECALL]}}
    )
    result = gate(low, low, policy, Profile.CI)
    assert result.text == "FAIL \u2014 recall under its floor 0.75"
    found = reason(result, Metric.RECALL, "floor")
    assert "recall@5 is 0.5, its floor 0.75" in found.message
    assert (found.baseline, found.candidate, found.delta, found.n) == (0.5, 0.5, 0.0, 2)


def test_a_floor_between_the_ends_of_unsure_facts_is_undecided() -> None:
    case = a_score(
        "q-1",
        {Metric.REQUIRED_RECALL: 0.25},
        bounds={Metric.REQUIRED_RECALL: (0.25, 1.0)},
        unsure=("f2",),
    )
    result = gate(a_report([case]), a_report([case]), a_policy(extra=FLOOR), Profile.CI)
    assert result.result is GateOutcome.UNDECIDED
    assert "settle q-1 f2" in reason(result, Metric.REQUIRED_RECALL, "floor").message


def test_what_is_not_set_is_no_rule_and_is_listed() -> None:
    result = gate(
        a_report([a_score("q-1")]), a_report([a_score("q-1")]), a_policy(), Profile.DEPLOY
    )
    assert result.result is GateOutcome.PASS
    assert result.not_set == (
        "floor of faithfulness",
        "ceiling of latency_p95_ms",
        "ceiling of cost_per_query_usd",
    )


DEPLOY = a_policy(extra="[gate.deploy]\np95_ms = { ceiling = 4000 }\ncost = { ceiling = 0.02 }\n")


def timed(latencies: Sequence[float | None], cost: float | None = 0.01) -> Report:
    return a_report(
        a_score(
            f"q-{at:03d}",
            latency_ms=() if latency is None else (latency,),
            cost_usd=cost,
        )
        for at, latency in enumerate(latencies)
    )


def deployed(report: Report) -> GateResult:
    return gate(report, report, DEPLOY, Profile.DEPLOY)


def test_deploy_asks_for_the_slo_and_the_budget() -> None:
    assert deployed(timed([4000.0] * 20)).text == "PASS"
    assert deployed(timed([100.0] * 18 + [4001.0] * 2)).text == "FAIL \u2014 p95 above the SLO"
    assert deployed(timed([1.0] * 20, cost=0.03)).text == "FAIL \u2014 cost above the budget"


def test_too_few_latencies_or_too_many_missing_are_undecided() -> None:
    few = deployed(timed([1.0] * 19))
    assert "only 19 latencies" in few.text
    assert few.exit_status == 2
    gaps = deployed(timed([1.0] * 30 + [None] * 2))
    assert "2 of 32 cases have no measured latency" in gaps.text
    assert deployed(timed([1.0] * 39 + [None] * 2)).text == "PASS"


def test_a_missing_cost_is_undecided_not_zero() -> None:
    report = timed([1.0] * 20, cost=None)
    assert "which is not 0" in deployed(report).text


def test_no_cases_cannot_be_judged() -> None:
    result = gate(a_report([]), a_report([a_score("q-1")]), a_policy(), Profile.CI)
    assert (result.text, result.exit_status) == ("undecided \u2014 the candidate has no cases", 2)


def test_a_stale_baseline_cannot_be_judged() -> None:
    before = a_report([a_score("q-1")])
    after = a_report([a_score("q-1")], version="golden/v4", cases_tree="t4")
    assert gate(after, before, a_policy()).text == (
        "undecided \u2014 baseline was measured on golden/v3, run it on golden/v4"
    )
    policy_only = a_report([a_score("q-1")], version="golden/v4", policy_blob=None)
    assert gate(policy_only, before, a_policy(), Profile.CI).text == "PASS"


def test_a_plain_file_is_refused_by_promote_only() -> None:
    plain = a_report([a_score("q-1")], version="unpinned:abc", cases_tree=None)
    assert gate(plain, plain, a_policy()).exit_status == 2
    assert gate(plain, plain, a_policy(), Profile.CI).text == "PASS"


def test_reports_made_in_different_ways_cannot_be_judged_unless_scored_again() -> None:
    before = a_report([a_score("q-1")], k=10, scorer="old")
    after = a_report([a_score("q-1")], k=10)
    assert "scorer differ" in gate(after, before, a_policy(), Profile.CI).text
    rescored = a_report([a_score("q-1")], k=10, repeats=3, corpus_snapshot="new")
    again = a_report([a_score("q-1")], k=10, corpus_snapshot="old")
    assert gate(again, rescored, a_policy(), Profile.CI).exit_status == 2
    result = gate(again, rescored, a_policy(), Profile.CI, rescored=True)
    assert result.text == "PASS"
    assert any("repeats differs" in warning for warning in result.warnings)


@pytest.mark.parametrize("change", [{"k": 3}, {"hit_rule": HitRule.QUOTE}])
def test_k_and_the_hit_rule_are_the_same_on_both_sides(change: dict[str, Any]) -> None:
    report, other = a_report([a_score("q-1")]), a_report([a_score("q-1")], **change)
    assert gate(other, report, a_policy(), Profile.CI, rescored=True).exit_status == 2


def test_pins_that_are_not_known_do_not_differ() -> None:
    assert pin_differences(Pins(k=5), Pins(k=5, version="golden/v1")) == ()
    assert pin_differences(Pins(pipeline="a"), Pins(pipeline="b")) == ()
    assert not stale(Pins(), Pins(version="golden/v2"))


def test_versions_with_other_cases_differ_and_those_with_the_same_do_not() -> None:
    first, second = Pins(version="golden/v1", cases_tree="a"), Pins(version="golden/v2")
    assert pin_differences(first, second) == ("version",)
    other = second.model_copy(update={"cases_tree": "b"})
    assert pin_differences(first, other) == ("version", "cases_tree")
    same = second.model_copy(update={"cases_tree": "a"})
    assert pin_differences(first, same) == ()


def test_without_a_baseline_what_compares_is_undecided_and_floors_still_fail() -> None:
    report = report_of(Metric.RECALL, [0.5])
    assert gate(report, None, a_policy(), Profile.CI).exit_status == 2
    floored = a_policy(extra="[gate.ci]\nrecall = { floor = 0.75 }\n")
    assert gate(report, None, floored, Profile.CI).exit_status == 1


def test_more_answers_with_nothing_to_check_are_a_warning() -> None:
    before = a_report(many([1.0] * 20))
    after = a_report(
        many([1.0] * 18)
        + [s.model_copy(update={"nothing_to_check": True}) for s in many([1.0] * 20)[18:]]
    )
    result = gate(after, before, a_policy(), Profile.CI)
    assert result.text == "PASS"
    assert any("2 more answers than before hold nothing to check" in w for w in result.warnings)


def test_another_concurrency_is_a_warning() -> None:
    before, after = a_report(many([1.0]), concurrency=1), a_report(many([1.0]), concurrency=8)
    warnings = gate(after, before, a_policy(), Profile.CI).warnings
    assert any("concurrency differs: 1 for the baseline, 8" in warning for warning in warnings)


NONINFERIOR = '[gate]\nmode = "noninferior"\nmargin = {margin}\n'


def test_noninferior_passes_where_the_lower_end_is_within_the_margin() -> None:
    before = a_report(many([1.0] * 200))
    after = a_report(many([0.0] * 6 + [1.0] * 194))
    wide = a_policy(extra=NONINFERIOR.format(margin=0.06))
    assert gate(after, before, wide, Profile.CI).text == "PASS"
    tight = a_policy(extra=NONINFERIOR.format(margin=0.01))
    assert gate(after, before, tight, Profile.CI).text == "FAIL \u2014 recall dropped"


def test_noninferior_is_undecided_where_the_interval_is_wider_both_ways() -> None:
    before = a_report(many([1.0, 0.0] * 20))
    after = a_report(many([0.0, 1.0] * 20))
    policy = a_policy(extra=NONINFERIOR.format(margin=0.02))
    assert gate(after, before, policy, Profile.CI).result is GateOutcome.UNDECIDED


def test_noninferior_is_undecided_where_n_is_too_small() -> None:
    before, after = a_report(many([1.0] * 10)), a_report(many([0.0] + [1.0] * 9))
    policy = a_policy(extra=NONINFERIOR.format(margin=0.5))
    assert gate(after, before, policy, Profile.CI).result is GateOutcome.UNDECIDED


def test_noninferior_holds_where_nothing_changed() -> None:
    report = a_report(many([1.0] * 5, "billing"))
    extra = NONINFERIOR.format(margin=0.02)
    policy = a_policy("billing", extra="min_gain = 0\n" + extra)
    assert gate(report, report, policy).text == "PROMOTE"


def test_a_number_on_one_side_only_says_which_side_has_none() -> None:
    some = report_of(Metric.RECALL, [1.0, 1.0])
    none = report_of(Metric.RECALL, [None, None])
    assert "the candidate has no number for it" in gate(none, some, a_policy(), Profile.CI).text
    assert "the baseline has no number for it" in gate(some, none, a_policy(), Profile.CI).text
    left, right = report_of(Metric.RECALL, [1.0, None]), report_of(Metric.RECALL, [None, 1.0])
    assert "no case is scored on both sides" in gate(left, right, a_policy(), Profile.CI).text


def test_a_delta_with_an_interval_around_zero_is_within_noise() -> None:
    before = a_report(many([1.0, 0.0] * 20))
    after = a_report(many([0.0, 0.0] * 3 + [0.0, 1.0] * 2 + [1.0, 0.0] * 15))
    message = reason(gate(after, before, a_policy(), Profile.CI), Metric.RECALL).message
    assert "within noise (n = 40, 7 cases flipped" in message
    assert "95 % interval [" in message


def test_the_values_that_a_rule_needs_stand_in_its_sentence() -> None:
    before, after = a_report(many([0.0, 1.0])), a_report(many([0.5, 1.0]))
    tolerant = a_policy(extra="tolerance = 0.1\nmin_gain = 0.5\n")
    found = gate(after, before, tolerant)
    gain = reason(found, Metric.RECALL, "min_gain")
    assert gain.message == (
        "recall@k went from 0.500 to 0.750 (+0.250, needs +0.500); 1 of 2 cases: general-000."
    )
    assert "tolerance 0.1" in reason(found, Metric.FAITHFULNESS).message


def test_holm_makes_several_protected_slices_harder_to_hold() -> None:
    def slices(values: list[float], names: str) -> list[CaseScore]:
        return [score for name in names for score in many(values, name)]

    worse, fine = [0.0] * 6 + [1.0] * 194, [1.0] * 200
    extra = NONINFERIOR.format(margin=0.055) + 'guarded = ["recall"]\n'
    names = "abcdefgh"
    one = gate(
        a_report(slices(worse, "a")),
        a_report(slices(fine, "a")),
        a_policy("a", extra="min_gain = -1\n" + extra),
    )
    eight = gate(
        a_report(slices(worse, names)),
        a_report(slices(fine, names)),
        a_policy(*names, extra="min_gain = -1\n" + extra),
    )
    assert one.text == "PROMOTE"
    assert eight.result is GateOutcome.UNDECIDED


NUMBERS = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=30)


@given(NUMBERS)
def test_nothing_promotes_over_itself_and_ci_always_passes(values: list[float]) -> None:
    report = a_report(many(values))
    assert gate(report, report, a_policy(), Profile.CI).result is GateOutcome.PASS
    assert gate(report, report, a_policy()).result is GateOutcome.FAIL


@given(NUMBERS, st.data())
def test_a_lower_recall_never_passes(values: list[float], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(values) - 1))
    lower = [value - 0.25 if place == at else value for place, value in enumerate(values)]
    before, after = a_report(many(values)), a_report(many(lower))
    for profile in Profile:
        assert gate(after, before, a_policy(), profile).result is GateOutcome.FAIL
