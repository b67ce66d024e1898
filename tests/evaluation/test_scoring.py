"""The table of measures.md section 2: which numbers a case has, by its state and the output."""

from typing import Any

import pytest

from curation.domain.answer import Outcome
from curation.domain.case import Case, Facts
from curation.domain.verdict import Criterion, Presence, State
from curation.evaluation.report import CaseScore
from curation.evaluation.run import RunLine
from curation.evaluation.scoring import Scoring, score_case, verdict_of
from curation.metrics.hits import HitRule
from curation.metrics.metric import Metric
from tests.evaluation.builders import (
    a_case,
    an_output,
    gold,
    hit,
    partial,
    scoring,
    unanswerable,
    underspecified,
)

RETRIEVAL = {
    Metric.HIT_RATE,
    Metric.RECALL,
    Metric.PRECISION,
    Metric.PRECISION_RETRIEVED,
    Metric.MRR,
}
FAITHFUL = {Metric.FAITHFULNESS, Metric.FAITHFULNESS_CHECKED, Metric.SEED_FAITHFULNESS}
CITED = {Metric.CITATION, Metric.CITATION_COVERAGE}


def score(case: Case, *outputs: RunLine, **how: Any) -> CaseScore:
    return score_case(scoring(case), outputs, Scoring(**how))


def values(case: Case, **fields: Any) -> dict[Metric, float]:
    return score(case, an_output(case.id, **fields)).values


ABSTAINED = {"outcome": "abstained", "answer": "I do not know.", "citations": []}


def test_answerable_and_answered_has_everything() -> None:
    found = values(a_case())
    own = {Metric.REQUIRED_RECALL, Metric.FORBIDDEN_RATE, Metric.OVER_ABSTENTION_RATE}
    assert set(found) == RETRIEVAL | FAITHFUL | CITED | own
    assert (found[Metric.RECALL], found[Metric.PRECISION]) == (1.0, 0.2)
    assert (found[Metric.REQUIRED_RECALL], found[Metric.FORBIDDEN_RATE]) == (1.0, 0.0)
    assert (found[Metric.CITATION], found[Metric.OVER_ABSTENTION_RATE]) == (1.0, 0.0)


@pytest.mark.parametrize("case", [a_case(), partial()])
@pytest.mark.parametrize("outcome", ["abstained", "clarified"])
def test_abstaining_on_what_can_be_answered_has_no_fact_and_counts(
    case: Case, outcome: str
) -> None:
    found = values(case, outcome=outcome, answer="The request timeout is 60 s [1].")
    own = {Metric.REQUIRED_RECALL, Metric.FORBIDDEN_RATE, Metric.OVER_ABSTENTION_RATE}
    assert set(found) == RETRIEVAL | own
    assert (found[Metric.REQUIRED_RECALL], found[Metric.OVER_ABSTENTION_RATE]) == (0.0, 1.0)
    assert found[Metric.FORBIDDEN_RATE] == 0.0


def test_answering_the_unanswerable_is_a_false_answer() -> None:
    found = values(unanswerable(), answer="The request timeout is 30 s.")
    assert set(found) == FAITHFUL | {Metric.FORBIDDEN_RATE, Metric.FALSE_ANSWER_RATE}
    assert (found[Metric.FORBIDDEN_RATE], found[Metric.FALSE_ANSWER_RATE]) == (1.0, 1.0)


@pytest.mark.parametrize("outcome", ["abstained", "clarified"])
def test_declining_the_unanswerable_is_right(outcome: str) -> None:
    found = values(unanswerable(), **{**ABSTAINED, "outcome": outcome})
    assert found == {Metric.FORBIDDEN_RATE: 0.0, Metric.FALSE_ANSWER_RATE: 0.0}


@pytest.mark.parametrize("case", [a_case(), partial(), unanswerable(), underspecified()])
@pytest.mark.parametrize("outcome", ["answered", "abstained", "clarified"])
@pytest.mark.parametrize(
    "answer", ["It is 60 s [1]. Which version do you use?", "The request timeout is 30 s."]
)
def test_the_report_and_the_verdict_on_an_output_say_the_same(
    case: Case, outcome: str, answer: str
) -> None:
    line = an_output(case.id, answer=answer, outcome=outcome)
    told = verdict_of(scoring(case), line, Scoring())
    scored = score_case(scoring(case), [line])
    assert scored.criteria == {criterion: told.on(criterion).state for criterion in Criterion}


def test_asking_back_is_right_when_the_question_is_not_clear() -> None:
    found = values(underspecified(), outcome="clarified", answer="Which version do you use?")
    assert found[Metric.CLARIFICATION_RATE] == 1.0
    assert found[Metric.REQUIRED_RECALL] == 1.0
    assert not found.keys() & {*CITED, Metric.OVER_ABSTENTION_RATE, Metric.FALSE_ANSWER_RATE}


def test_answering_an_unclear_question_counts_as_not_asking() -> None:
    found = values(underspecified())
    assert (found[Metric.CLARIFICATION_RATE], found[Metric.REQUIRED_RECALL]) == (0.0, 0.0)
    assert Metric.FAITHFULNESS in found


def test_a_partial_case_must_say_what_is_not_known() -> None:
    said = "The request timeout is 60 s [1]. The documents do not give the retry limit."
    assert values(partial(), answer=said)[Metric.REQUIRED_RECALL] == 1.0
    assert values(partial())[Metric.REQUIRED_RECALL] == 0.5


def test_no_hits_are_zero_and_faithfulness_is_against_the_question() -> None:
    found = values(a_case(), hits=[], citations=[], answer="The request timeout is 60 s.")
    assert (found[Metric.HIT_RATE], found[Metric.RECALL], found[Metric.MRR]) == (0.0, 0.0, 0.0)
    assert Metric.PRECISION_RETRIEVED not in found
    assert found[Metric.FAITHFULNESS] == 0.0
    assert found[Metric.CITATION] == 0.0


def test_the_question_and_the_prompt_support_a_quantity() -> None:
    asked = a_case(question="Is the request timeout 60 s in v4.2?")
    assert values(asked, hits=[], answer="It is 60 s.")[Metric.FAITHFULNESS] == 1.0
    given = values(a_case(), hits=[], prompt="Timeout: 60 s", answer="It is 60 s.")
    assert given[Metric.FAITHFULNESS] == 1.0


def test_nothing_to_check_counts_one_and_is_told() -> None:
    found = score(a_case(), an_output(answer="It depends on the gateway."))
    assert found.values[Metric.FAITHFULNESS] == 1.0
    assert Metric.FAITHFULNESS_CHECKED not in found.values
    assert found.nothing_to_check
    assert not score(a_case(), an_output()).nothing_to_check


def test_a_case_without_facts_or_evidence_has_no_such_numbers() -> None:
    found = values(a_case(facts=Facts(), evidence=()))
    assert not found.keys() & (RETRIEVAL | {Metric.REQUIRED_RECALL, Metric.FORBIDDEN_RATE})


def test_an_outcome_that_cannot_be_told_is_unscored_not_guessed() -> None:
    vague = "I do not have that information. The request timeout is 60 s [1]."
    found = score(a_case(), an_output(outcome=None, answer=vague))
    assert Metric.OVER_ABSTENTION_RATE in found.unscored
    assert found.outcome is None
    assert found.criteria[Criterion.ABSTENTION] is State.UNSURE


def test_the_phrase_rule_decides_where_no_outcome_was_logged() -> None:
    found = score(a_case(), an_output(outcome=None, answer="I don't know."))
    assert found.outcome is Outcome.ABSTAINED


def test_missing_texts_come_from_the_corpus_else_what_needs_them_is_unscored() -> None:
    bare = an_output(hits=[hit(text=None)])
    unknown = score(a_case(), bare)
    assert "text" in unknown.unscored[Metric.FAITHFULNESS]
    assert unknown.values[Metric.RECALL] == 1.0
    corpus = {("gw:1", "4.2"): "The request timeout is 60 s in v4.2."}
    known = score(a_case(), bare, text_of=lambda *key: corpus.get(key))
    assert known.values[Metric.FAITHFULNESS] == 1.0


def test_an_ambiguous_id_is_unscored() -> None:
    output = an_output(hits=[hit(version=None)])
    found = score(a_case(), output, ambiguous=frozenset({"gw:1"}))
    assert Metric.RECALL not in found.values
    assert "more than one version" in found.unscored[Metric.RECALL]


def test_k_cuts_after_repeated_hits_are_dropped() -> None:
    hits = [hit("x:1", 1), hit("x:1", 2), hit("gw:1", 3)]
    assert values(a_case(), hits=hits)[Metric.MRR] == 0.5
    assert score(a_case(), an_output(hits=hits), k=2).values[Metric.RECALL] == 1.0
    assert score(a_case(), an_output(hits=hits), k=1).values[Metric.RECALL] == 0.0


def test_the_hit_rule_is_that_of_the_comparison() -> None:
    output = an_output(hits=[hit("new:7")])
    assert score(a_case(), output).values[Metric.RECALL] == 0.0
    assert score(a_case(), output, rule=HitRule.QUOTE).values[Metric.RECALL] == 1.0
    without = score(a_case(evidence=(gold(quote=""),)), output, rule=HitRule.QUOTE)
    assert "no quote" in without.unscored[Metric.RECALL]


def test_a_verdict_of_a_person_settles_an_unsure_fact() -> None:
    answer = "The request timeout is 60 s [1]."
    unsure = _unsure_case()
    open_score = score(unsure, an_output(answer=answer))
    if not open_score.unsure:
        pytest.skip("the matcher is sure of this wording")
    key = (unsure.id, open_score.unsure[0], open_score.output_sha256)
    settled = score(unsure, an_output(answer=answer), settled={key: Presence.PRESENT})
    assert open_score.bounds[Metric.REQUIRED_RECALL] == (0.0, 1.0)
    assert settled.values[Metric.REQUIRED_RECALL] == 1.0
    assert not settled.bounds
    assert not settled.unsure
    assert settled.criteria[Criterion.ANSWER] is State.PASS


def _unsure_case() -> Case:
    from curation.domain.case import Fact

    fact = Fact(id="f1", text="A call is aborted once 60 s have passed")
    return a_case(facts=Facts(required=(fact,)))


@pytest.mark.parametrize(
    ("case", "worst"),
    [
        (a_case(), {Metric.RECALL: 0, Metric.REQUIRED_RECALL: 0, Metric.FORBIDDEN_RATE: 1}),
        (a_case(), {Metric.FAITHFULNESS: 0, Metric.CITATION: 0, Metric.OVER_ABSTENTION_RATE: 1}),
        (unanswerable(), {Metric.FALSE_ANSWER_RATE: 1, Metric.FORBIDDEN_RATE: 1}),
        (underspecified(), {Metric.CLARIFICATION_RATE: 0, Metric.RECALL: 0}),
    ],
)
def test_a_failure_that_counts_as_wrong_is_the_worst_there_is(
    case: Case, worst: dict[Metric, float]
) -> None:
    failed = score(case, an_output(case.id, error="boom", answer=None))
    assert {metric: failed.values[metric] for metric in worst} == worst
    assert failed.failed == 1
    assert State.PASS not in failed.criteria.values()


def test_the_failure_has_a_number_wherever_an_answer_would() -> None:
    for case in (a_case(), partial(), unanswerable(), underspecified()):
        answered = set(score(case, an_output(case.id)).values)
        failed = set(score(case, an_output(case.id, error="boom", answer=None)).values)
        assert answered - {Metric.PRECISION_RETRIEVED} == failed


def test_the_mean_over_repeats_is_the_unit() -> None:
    good, bad = an_output(), an_output(repeat=2, hits=[hit("x:1")], latency_ms=300)
    found = score(a_case(), good, bad)
    assert found.values[Metric.RECALL] == 0.5
    assert list(found.latency_ms) == [100, 300]
    assert found.criteria[Criterion.RETRIEVAL] is State.FAIL


def test_resumed_and_cached_calls_have_no_latency() -> None:
    assert score(a_case(), an_output(resumed=True)).latency_ms == ()
    assert score(a_case(), an_output(cached=True)).latency_ms == ()
    timed_out = an_output(error="timed out", answer=None, timed_out=True, latency_ms=60_000)
    assert score(a_case(), timed_out).latency_ms == (60_000,)


def test_a_missing_cost_stays_missing() -> None:
    assert score(a_case(), an_output(cost_usd=None)).cost_usd is None
    assert score(a_case(), an_output(), an_output(repeat=2, cost_usd=0.03)).cost_usd == 0.02


def test_the_example_of_the_version_mix_up_is_a_retrieval_failure_with_faithfulness_one() -> None:
    old = hit("gw:1", version="3.9", text="The request timeout is 30 s in v3.9.")
    found = score(a_case(), an_output(hits=[old], answer="The request timeout is 30 s [1]."))
    assert found.values[Metric.RECALL] == 0.0
    assert found.values[Metric.FAITHFULNESS] == 1.0
    assert found.values[Metric.REQUIRED_RECALL] == 0.0
    assert found.values[Metric.FORBIDDEN_RATE] == 1.0
