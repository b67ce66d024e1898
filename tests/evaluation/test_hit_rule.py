"""Re-chunking: both runs are scored with the hit rule that the comparison needs."""

import pytest

from curation.domain.gate import Profile
from curation.evaluation.evaluate import evaluate_run
from curation.evaluation.gate import gate
from curation.evaluation.hit_rule import choose_hit_rule, unknown_gold
from curation.evaluation.report import Report
from curation.evaluation.scoring import Scoring
from curation.metrics.hits import HitRule
from curation.metrics.metric import Metric
from tests.evaluation.builders import (
    PINS,
    a_case,
    a_policy,
    a_run,
    an_output,
    gold,
    hit,
    scoring,
)

CASES = [scoring(a_case(f"q-{at:03d}", evidence=(gold(f"gw:{at}"),))) for at in range(30)]
OLD = a_run([an_output(c.id, hits=[hit(c.case.gold[0].chunk_id)]) for c in CASES], pipeline="old")
NEW = a_run([an_output(c.id, hits=[hit(f"new-{c.id}")]) for c in CASES], pipeline="new")


@pytest.mark.parametrize("component", ["chunker", "corpus"])
def test_a_component_that_changes_chunks_needs_the_quote(component: str) -> None:
    assert choose_hit_rule(CASES, component=component).rule is HitRule.QUOTE


def test_other_components_are_compared_by_id() -> None:
    assert choose_hit_rule(CASES, component="retriever").rule is HitRule.ID
    assert choose_hit_rule(CASES, is_known=lambda *_: True).rule is HitRule.ID


def test_more_than_one_percent_of_unknown_gold_needs_the_quote_and_says_so() -> None:
    choice = choose_hit_rule(CASES, is_known=lambda chunk_id, _: chunk_id != "gw:7")
    assert choice.rule is HitRule.QUOTE
    assert choice.reason == "1 of 30 gold chunks are unknown to the candidate's corpus"
    hundred = [scoring(a_case(f"q-{at}", evidence=(gold(f"gw:{at}"),))) for at in range(100)]
    one = choose_hit_rule(hundred, is_known=lambda chunk_id, _: chunk_id != "gw:7")
    assert one.rule is HitRule.ID
    assert len(unknown_gold(hundred, lambda *_: False)) == 100
    assert unknown_gold(CASES, lambda chunk_id, _: chunk_id != "gw:7") == ("gw:7 (4.2)",)


def both(rule: HitRule) -> list[Report]:
    """The reports of the old run and the new one."""
    return [evaluate_run(CASES, run, pins=PINS, scoring=Scoring(rule=rule)) for run in (OLD, NEW)]


def test_a_rechunk_that_finds_the_same_passages_is_no_quality_drop() -> None:
    """By id every gold chunk is gone: recall 0 would be a broken yardstick, not a result."""
    assert [report.metrics[Metric.RECALL].value for report in both(HitRule.ID)] == [1.0, 0.0]
    before, after = both(choose_hit_rule(CASES, component="chunker").rule)
    assert [report.metrics[Metric.RECALL].value for report in (before, after)] == [1.0, 1.0]
    assert gate(after, before, a_policy(), Profile.CI, rescored=True).text == "PASS"
