"""What golden.toml may set of the gate, and what it may not."""

import pytest

from curation.domain.gate import Profile
from curation.domain.policy import parse_policy
from curation.errors import PolicyError
from curation.evaluation.rules import IfMissing, Rule, rules_of, tolerance
from curation.metrics.metric import Metric
from tests.evaluation.builders import a_policy


def rules(text: str, profile: Profile = Profile.CI) -> dict[tuple[str, Metric], Rule]:
    found, _ = rules_of(parse_policy(text), profile)
    return {(rule.kind, rule.metric): rule for rule in found if not rule.protected}


def test_a_metric_may_have_several_bounds() -> None:
    found = rules("[gate.ci]\nrecall = { floor = 0.7, max_drop = 0.02 }\n")
    assert found["floor", Metric.RECALL].floor == 0.7
    assert found["max_drop", Metric.RECALL].max_drop == 0.02


def test_a_rule_that_is_set_replaces_the_profiles_own() -> None:
    found, _ = rules_of(parse_policy("[gate.ci]\nrecall = { max_drop = 0.5 }\n"), Profile.CI)
    drops = [rule for rule in found if rule.kind == "max_drop" and rule.metric is Metric.RECALL]
    assert [rule.max_drop for rule in drops] == [0.5]


def test_rules_for_every_profile_and_for_one() -> None:
    text = "[gate]\nrecall = { floor = 0.6 }\n[gate.deploy]\nrecall = { floor = 0.8 }\n"
    assert rules(text)["floor", Metric.RECALL].floor == 0.6
    assert rules(text, Profile.DEPLOY)["floor", Metric.RECALL].floor == 0.8


def test_a_rule_of_one_slice_is_written_out() -> None:
    text = '[[gate.ci.rules]]\nmetric = "required_recall"\nslice = "billing"\nmax_drop = 0.1\n'
    found, _ = rules_of(parse_policy(text), Profile.CI)
    assert [rule.max_drop for rule in found if rule.slice == "billing"] == [0.1]


def test_the_rules_of_the_profiles() -> None:
    ci, promote, deploy = (
        {(rule.kind, rule.metric.value, rule.weighting.value) for rule in rules_of(p, profile)[0]}
        for p, profile in ((a_policy(), profile) for profile in Profile)
    )
    assert ("max_drop", "recall@k", "unweighted") in ci
    assert ("min_gain", "recall@k", "unweighted") in promote
    assert ("max_drop", "recall@k", "weighted") in promote
    assert ci - promote == {("max_drop", "recall@k", "unweighted")}
    assert {name for _, name, _ in deploy} == {"recall@k", "citation", "false_answer_rate"}


def test_protected_slices_are_guarded_on_promote_only() -> None:
    guarded = [rule for rule in rules_of(a_policy("b"), Profile.PROMOTE)[0] if rule.protected]
    assert {rule.metric for rule in guarded} == {
        Metric.RECALL,
        Metric.REQUIRED_RECALL,
        Metric.FAITHFULNESS,
        Metric.FORBIDDEN_RATE,
        Metric.FALSE_ANSWER_RATE,
    }
    assert not any(rule.protected for rule in rules_of(a_policy("b"), Profile.CI)[0])


def test_headline_metrics_and_bounds_are_undecided_when_missing() -> None:
    assert Rule(metric=Metric.RECALL, max_drop=0).missing is IfMissing.UNDECIDED
    assert Rule(metric=Metric.COST, ceiling=1).missing is IfMissing.UNDECIDED
    assert Rule(metric=Metric.CITATION, max_drop=0).missing is IfMissing.WARN
    own = Rule(metric=Metric.RECALL, max_drop=0, if_missing=IfMissing.WARN)
    assert own.missing is IfMissing.WARN


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[gate.ci]\naccuracy = { floor = 1 }\n", "gate.ci.accuracy"),
        ("[gate.ci]\nrecall = { flor = 1 }\n", "flor"),
        ("[gate.ci]\nrecall = 0.7\n", "recall is not a table"),
        ("[gate.ci]\nrecall = { max_drop = -1 }\n", "max_drop"),
        ('[gate]\nmode = "noninferior"\n', "needs a margin"),
        ('[gate]\nmode = "guess"\n', "mode"),
        ('[gate]\nguarded = ["accuracy"]\n', "guarded"),
        ('[[gate.ci.rules]]\nmetric = "recall"\n', "exactly one"),
        ('[[gate.ci.rules]]\nmetric = "recall"\nfloor = 0\nmax_drop = 0\n', "exactly one"),
        ("[gate.nightly]\nrecall = { floor = 1 }\n", "nightly"),
    ],
)
def test_what_the_gate_does_not_know_is_an_error_of_the_policy(text: str, place: str) -> None:
    with pytest.raises(PolicyError, match=place):
        rules_of(parse_policy(text), Profile.CI)


def test_a_tolerance_is_one_number_or_one_a_metric() -> None:
    assert tolerance(parse_policy("tolerance = 0.02\n"), Metric.CITATION) == 0.02
    each = parse_policy('[tolerance]\n"recall@k" = 0.05\n')
    assert (tolerance(each, Metric.RECALL), tolerance(each, Metric.CITATION)) == (0.05, 0.0)
