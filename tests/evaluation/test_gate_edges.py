"""The gate at its edges: what mutants of it showed that no example held."""

import pytest

from curation.domain.gate import GateOutcome, GateResult, Profile
from curation.evaluation.aggregates import read_report
from curation.evaluation.gate import gate
from curation.evaluation.hit_rule import choose_hit_rule
from curation.evaluation.report import CaseScore, Report
from curation.evaluation.rules import IfMissing, rules_of
from curation.metrics.metric import Metric
from tests.evaluation.builders import a_case, a_policy, a_report, a_score, gold, report_of, scoring

NONINFERIOR = '[gate]\nmode = "noninferior"\nmargin = 0.5\n'
WITHIN = '[gate]\nmode = "noninferior"\nmargin = 0.02\n'


def names(result: GateResult) -> list[str]:
    return [reason.rule for reason in result.reasons]


def test_what_is_in_the_way_is_named_so_that_a_program_can_tell_it() -> None:
    one = a_report([a_score("q-1")])
    empty = gate(a_report([]), one, a_policy(), Profile.CI)
    assert names(empty) == ["no_cases"]
    assert empty.not_set == gate(one, one, a_policy(), Profile.CI).not_set != ()
    plain = a_report([a_score("q-1")], version="unpinned:abc", cases_tree=None)
    refused = gate(plain, one, a_policy())
    assert names(refused)[0] == "unpinned"
    assert "Promoting needs a version: run it on a golden/vN." in refused.reasons[0].message
    later = a_report([a_score("q-1")], version="golden/v4", cases_tree="t4")
    assert names(gate(later, one, a_policy())) == ["stale_baseline"]
    other = a_report([a_score("q-1")], k=3, scorer="other")
    differing = gate(other, one, a_policy(), Profile.CI)
    assert names(differing) == ["pins"]
    assert "k, scorer" in differing.text


def test_a_baseline_without_cases_is_told_beside_a_candidate_of_means_only() -> None:
    means = read_report({"recall": 0.8, "faithfulness": 0.9})
    result = gate(means, a_report([]), a_policy(), Profile.CI)
    assert "the baseline has no cases" in result.text


def unchecked(number: int) -> Report:
    scores = [a_score(f"q-{at:02d}", values={Metric.RECALL: 1.0}) for at in range(20)]
    quiet: list[CaseScore] = [s.model_copy(update={"nothing_to_check": True}) for s in scores]
    return a_report(quiet[:number] + scores[number:])


def test_only_a_rise_of_more_than_five_percent_with_nothing_to_check_is_a_warning() -> None:
    def warned(before: int, after: int) -> bool:
        result = gate(unchecked(after), unchecked(before), a_policy(), Profile.CI)
        return any("nothing to check" in warning for warning in result.warnings)

    assert warned(0, 2)
    assert warned(8, 10)
    assert not warned(0, 1)
    assert not warned(10, 10)
    assert not warned(10, 2)


def test_a_concurrency_that_is_the_same_or_not_known_is_no_warning() -> None:
    for before, after in ((4, 4), (None, 4), (4, None)):
        now, was = (a_report([a_score("q-1")], concurrency=n) for n in (after, before))
        warnings = gate(now, was, a_policy(), Profile.CI).warnings
        assert not any("concurrency" in warning for warning in warnings)


def test_a_rule_of_one_slice_leaves_the_rule_of_the_whole_set() -> None:
    text = '[[gate.ci.rules]]\nmetric = "recall"\nslice = "billing"\nmax_drop = 0.5\n'
    found, _ = rules_of(a_policy(extra=text), Profile.CI)
    drops = {rule.slice: rule.max_drop for rule in found if rule.metric is Metric.RECALL}
    assert drops == {None: 0.0, "billing": 0.5}


def test_the_tolerance_of_recall_is_that_of_every_rule_on_recall() -> None:
    policy = a_policy(extra="tolerance = { recall = 0.05 }\n")
    for profile, weighting in ((Profile.CI, "unweighted"), (Profile.PROMOTE, "weighted")):
        found, _ = rules_of(policy, profile)
        drops = [
            rule.max_drop
            for rule in found
            if rule.kind == "max_drop"
            and rule.metric is Metric.RECALL
            and rule.weighting.value == weighting
        ]
        assert drops == [0.05]


def test_a_protected_slice_that_cannot_be_seen_is_undecided_on_its_headline_numbers() -> None:
    guarded = [rule for rule in rules_of(a_policy("b"), Profile.PROMOTE)[0] if rule.protected]
    missing = {rule.metric: rule.if_missing for rule in guarded}
    assert missing[Metric.RECALL] is missing[Metric.FAITHFULNESS] is IfMissing.UNDECIDED


def test_noninferiority_needs_both_cases_and_changes() -> None:
    policy = a_policy(extra=NONINFERIOR)

    def outcome(cases: int, lost: int) -> GateOutcome:
        before = report_of(Metric.RECALL, [1.0] * cases)
        after = report_of(Metric.RECALL, [0.0] * lost + [1.0] * (cases - lost))
        return gate(after, before, policy, Profile.CI).result

    assert outcome(19, 5) is GateOutcome.UNDECIDED
    assert outcome(20, 4) is GateOutcome.UNDECIDED
    assert outcome(20, 5) is GateOutcome.PASS


def test_a_hit_rule_says_why() -> None:
    cases = [scoring(a_case(f"q-{at}", evidence=(gold(f"gw:{at}"),))) for at in range(100)]
    by_id = choose_hit_rule(cases, is_known=lambda chunk_id, _: chunk_id != "gw:7")
    assert by_id.reason == "the chunk ids are known"
    quoted = choose_hit_rule(
        cases, component="chunker", is_known=lambda chunk_id, _: chunk_id != "gw:7"
    )
    assert quoted.reason == "the chunker changes, so that chunk ids cannot be compared"


def test_means_without_cases_are_never_noninferior() -> None:
    """There is nothing to draw from: a recall of 0.1 after 0.9 once passed."""
    before = read_report({"recall": 0.9, "faithfulness": 0.9})
    after = read_report({"recall": 0.1, "faithfulness": 0.9})
    assert gate(after, before, a_policy(extra=WITHIN), Profile.CI).exit_status == 2


@pytest.mark.parametrize(("latency", "status"), [(100.0, 0), (150.0, 1)])
def test_what_is_of_the_whole_run_is_compared_by_points_also_in_that_mode(
    latency: float, status: int
) -> None:
    def timed(ms: float) -> Report:
        return a_report([a_score(f"q-{at}", latency_ms=(ms,)) for at in range(30)])

    policy = a_policy(extra=WITHIN + "[gate.ci]\np95_ms = { max_drop = 20 }\n")
    assert gate(timed(latency), timed(100.0), policy, Profile.CI).exit_status == status


@pytest.mark.parametrize(("unsure", "status"), [(0, 0), (12, 2)])
def test_unsure_facts_are_counted_both_ways_against_a_margin_too(unsure: int, status: int) -> None:
    def facts(open_ones: int) -> Report:
        bounds = {Metric.REQUIRED_RECALL: (0.0, 1.0)}
        return a_report(
            a_score(
                f"q-{at:02d}",
                {Metric.REQUIRED_RECALL: 0.0 if at < 12 else 1.0},
                bounds=bounds if at < open_ones else {},
                output_sha256=f"{open_ones}-{at}",
                unsure=("f1",) if at < open_ones else (),
            )
            for at in range(40)
        )

    result = gate(facts(0), facts(unsure), a_policy(extra=WITHIN), Profile.CI)
    assert result.exit_status == status
    assert ("settle q-00 f1" in str(result.reasons)) is bool(unsure)


def test_the_weighted_recall_is_drawn_by_its_weights() -> None:
    def recalls(values: list[float]) -> Report:
        return a_report(
            a_score(f"q-{at:02d}", {Metric.RECALL: value}, weight=100 if at < 10 else 1)
            for at, value in enumerate(values)
        )

    before = recalls([1.0] * 10 + [0.0] * 190)
    after = recalls([0.0] * 10 + [1.0] * 190)
    extra = "min_gain = 0\n" + WITHIN
    found = gate(after, before, a_policy(extra=extra)).reasons
    assert [(r.metric, r.outcome.value) for r in found] == [("recall@k", "fail")]


@pytest.mark.parametrize(
    ("slow", "fast", "status"), [(20, 20, 0), (20, 19, 2), (19, 20, 2), (0, 20, 2)]
)
@pytest.mark.parametrize("rule", ["max_drop = 20", 'max_drop = 20, slice = "a"'])
def test_a_latency_is_compared_only_where_both_sides_measured_20(
    slow: int, fast: int, status: int, rule: str
) -> None:
    def timed(count: int) -> Report:
        others = [a_score(f"o-{at}", latency_ms=(9.0,), slice_name="b") for at in range(30)]
        own = [
            a_score(f"q-{at}", latency_ms=(9.0,) * (at < count), slice_name="a") for at in range(20)
        ]
        return a_report([*own, *others] if "slice" in rule else own)

    policy = a_policy(extra=f"[gate.ci]\np95_ms = {{ {rule} }}\n")
    assert gate(timed(fast), timed(slow), policy, Profile.CI).exit_status == status


def test_a_cost_that_is_not_known_is_undecided_also_where_it_is_compared() -> None:
    known, unknown = (a_report([a_score("q-1", cost_usd=cost)]) for cost in (0.01, None))
    policy = a_policy(extra="[gate.ci]\ncost = { max_drop = 0.001 }\n")
    assert gate(known, known, policy, Profile.CI).exit_status == 0
    assert gate(unknown, known, policy, Profile.CI).exit_status == 2
