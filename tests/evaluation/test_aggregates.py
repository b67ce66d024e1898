"""Reports of nothing but means, and what is refused."""

from typing import Any

import pytest

from curation.domain.gate import Profile
from curation.evaluation.aggregates import read_report
from curation.evaluation.errors import ReportError
from curation.evaluation.gate import gate
from curation.evaluation.report import parse_report
from curation.metrics.metric import Metric
from tests.evaluation.builders import a_policy


def test_means_may_be_numbers_nothing_or_objects() -> None:
    report = read_report(
        {
            "recall@5": 0.5,
            "citation": None,
            "faithfulness": {"value": 0.9, "n": 40},
            "k": 5,
            "n": 40,
        }
    )
    assert report.metrics[Metric.RECALL].value == 0.5
    assert report.metrics[Metric.CITATION].value is None
    assert report.metrics[Metric.FAITHFULNESS].n == 40
    assert (report.n, report.pins.k, report.aggregates_only) == (40, 5, True)


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ({"recall": 0.5, "k": 0}, "k"),
        ({"recall": 0.5, "n": 1.5}, "n is 1.5"),
        ({"recall": 0.5, "n": True}, "n is True"),
        ({"recall": {"mean": 0.5}}, "recall"),
        ({"recall": "0.5"}, "recall is '0.5'"),
        ({"recall": True}, "recall is True"),
        ({"recall": 0.5, "slices": {"a": {"accuracy": 1}}}, "slices.a.accuracy is no metric"),
        ({"recall": 0.5, "slices": 3}, "slices"),
        ({"name": "baseline"}, "it has no metric"),
    ],
)
def test_what_is_no_report_says_where(document: dict[str, Any], problem: str) -> None:
    with pytest.raises(ReportError) as caught:
        read_report(document)
    assert problem in str(caught.value)
    assert caught.value.exit_status == 2


def test_a_broken_report_says_where() -> None:
    with pytest.raises(ReportError, match="pins"):
        parse_report({"cases": [], "n": 0, "metrics": {}})


def test_a_floor_works_on_means() -> None:
    policy = a_policy(
        extra="[gate.deploy]\nfaithfulness = { floor = 0.9 }\np95 = { ceiling = 1 }\n"
    )
    means = {"recall": 0.5, "faithfulness": 0.95, "latency_p95_ms": 0.5}
    before = read_report(means)
    assert gate(before, before, policy, Profile.DEPLOY).text == "PASS"
    lower = read_report(means | {"faithfulness": 0.8, "latency_p95_ms": 2})
    found = gate(lower, before, policy, Profile.DEPLOY)
    assert found.text == "FAIL \u2014 faithfulness under its floor 0.9; p95 above the SLO"
    assert found.reasons[0].baseline == 0.95
    nothing = gate(read_report({"recall": 0.5}), before, policy, Profile.DEPLOY)
    assert "faithfulness cannot be judged: the candidate has no number for it" in nothing.text


def test_numbers_that_other_metrics_have_not_are_one_kind_of_warning() -> None:
    means = {"recall": 0.5, "faithfulness": 0.9}
    warnings = gate(read_report(means), read_report(means), a_policy(), Profile.CI).warnings
    assert "Citation cannot be judged: it is not among the means of both sides." in warnings
