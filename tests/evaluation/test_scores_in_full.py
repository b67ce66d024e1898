"""The scores of single cases and the means over them, each whole: every field and sentence."""

from datetime import UTC, datetime
from hashlib import sha256

import numpy as np
import pytest

from curation.domain.answer import Outcome
from curation.domain.case import Answerable, Fact, Facts, ForbiddenFact
from curation.domain.gate import Profile
from curation.domain.policy import parse_policy
from curation.domain.verdict import Criterion, State
from curation.errors import PolicyError
from curation.evaluation import intervals
from curation.evaluation.compare import compare, pair_reports
from curation.evaluation.errors import OtherVersionError, RunFormError
from curation.evaluation.evaluate import evaluate_run, pins_of
from curation.evaluation.gate import gate
from curation.evaluation.intervals import MIN_CASES, Resampling, uncertainties
from curation.evaluation.noninferiority import gain_draws
from curation.evaluation.report import JudgePin, Pins
from curation.evaluation.rules import gate_settings, rules_of
from curation.evaluation.run import RunHeader, RunLine, parse_run, run_line, run_sha256, run_text
from curation.evaluation.scoring import Scoring, answer_sha256, output_of, score_case
from curation.evaluation.slices import group_by, run_means
from curation.evaluation.targets import TargetSettings, run_target
from curation.metrics.aggregate import Mean
from curation.metrics.hits import HitRule
from curation.metrics.metric import Metric
from tests.evaluation.builders import (
    QUOTE,
    a_case,
    a_policy,
    a_report,
    a_run,
    a_score,
    an_output,
    hit,
    scoring,
)

RECALL, REQUIRED = Metric.RECALL, Metric.REQUIRED_RECALL
POLICY = parse_policy('[[documents]]\npattern = "gw*"\ncategory = "gateway"\n')
VAGUE = "Sessions are kept in memory, a volatile storage [1]."
UNSURE = a_case(facts=Facts(required=(Fact(id="f1", text="sessions live in volatile storage"),)))


def test_a_score_carries_what_its_case_is_grouped_and_compared_by() -> None:
    case = a_case(
        "q-0012",
        weight=3,
        answerable=Answerable.UNDERSPECIFIED,
        question_type="how-to",
        readings=("gateway", "collector"),
    )
    own = scoring(case, POLICY)
    found = score_case(own, [an_output("q-0012", outcome="clarified")])
    assert (found.id, found.slice, found.weight) == ("q-0012", "billing", 3)
    assert (found.answerable, found.question_type) == (Answerable.UNDERSPECIFIED, "how-to")
    assert (found.categories, found.cluster, found.digest) == (
        ("gateway",),
        own.cluster,
        own.digest,
    )
    assert len(own.cluster) == 12
    assert own.digest


def test_repeats_that_did_different_things_have_no_one_outcome() -> None:
    answered, silent = an_output(), an_output(repeat=2, outcome="abstained", answer="No.")
    assert score_case(scoring(a_case()), [answered, silent]).outcome is None
    assert score_case(scoring(a_case()), [silent, answered]).outcome is None
    twice = [answered, an_output(repeat=2)]
    assert score_case(scoring(a_case()), twice).outcome is Outcome.ANSWERED


def test_an_answer_is_known_by_the_hash_of_its_text_whatever_is_in_it() -> None:
    assert answer_sha256(an_output(answer="60 s.")) == sha256(b"60 s.").hexdigest()
    lone = RunLine(case_id="q-0001", answer="half \ud800")
    assert answer_sha256(lone) == sha256(b"half \xed\xa0\x80").hexdigest()
    both = [an_output(answer="a"), an_output(repeat=2, answer="b")]
    assert score_case(scoring(a_case()), both).output_sha256 == sha256(b"a\0b").hexdigest()


def test_a_repeat_that_is_sure_counts_its_value_at_both_ends() -> None:
    vague, missing = an_output(answer=VAGUE), an_output(repeat=2, outcome="abstained", answer="No.")
    found = score_case(scoring(UNSURE), [vague, missing])
    assert found.bounds[REQUIRED] == (0.0, 0.5)
    assert found.ends(REQUIRED) == (0.0, 0.5)
    assert found.ends(RECALL) == (1.0, 1.0)
    assert found.ends(Metric.FALSE_ANSWER_RATE) is None


def test_the_worst_repeat_is_the_state_of_a_criterion() -> None:
    right, wrong = an_output(), an_output(repeat=2, hits=[hit("x:1")], answer="30 s.")
    for lines in ([right, wrong], [wrong, right]):
        found = score_case(scoring(a_case()), lines).criteria
        assert (found[Criterion.RETRIEVAL], found[Criterion.ANSWER]) == (State.FAIL, State.FAIL)
    vague = an_output(answer=VAGUE)
    stated = an_output(repeat=2, answer="Sessions live in volatile storage [1].")
    for lines in ([vague, stated], [stated, vague]):
        assert score_case(scoring(UNSURE), lines).criteria[Criterion.ANSWER] is State.UNSURE
    silent = an_output(repeat=2, outcome="abstained", answer="I do not know.")
    for lines in ([right, silent], [silent, right]):
        assert score_case(scoring(a_case()), lines).criteria[Criterion.CITATION] is State.PASS


def test_a_line_is_judged_with_all_that_it_says_of_its_hits() -> None:
    line = an_output(
        hits=[
            {**hit(), "used": False},
            {**hit("x:1", rank=2, version=None, text=None, doc_id="x"), "score": 0.5},
        ],
        citations=[{"chunk_id": "x:1"}],
        prompt="The prompt.",
    )
    found = output_of(line, lambda chunk, version: f"{chunk} of {version}")
    assert found.hits is not None
    first, second = found.hits
    assert (first.chunk_id, first.doc_id, first.doc_version) == ("gw:1", "gw", "4.2")
    assert (first.text, first.used) == (QUOTE, False)
    assert (second.doc_id, second.text, second.used) == ("x", "x:1 of None", True)
    assert found.citations == line.citations != ()
    assert (found.prompt, found.answer, found.outcome) == (
        "The prompt.",
        line.answer,
        Outcome.ANSWERED,
    )
    assert output_of(RunLine(case_id="q"), lambda *_: None).answer == ""


def test_the_prompt_of_an_output_supports_what_it_says() -> None:
    """The quantity stands in no chunk: only in what the pipeline put into the prompt."""
    line = an_output(answer="The request timeout is 75 s [1].", prompt="Mind: 75 s since May.")
    shown = score_case(scoring(a_case()), [line]).values
    hidden = score_case(scoring(a_case()), [line.model_copy(update={"prompt": None})]).values
    assert (shown[Metric.SEED_FAITHFULNESS], hidden[Metric.SEED_FAITHFULNESS]) == (0.5, 0.0)
    by_a_chunk = score_case(scoring(a_case()), [an_output()]).values
    assert by_a_chunk[Metric.SEED_FAITHFULNESS] == 0.5


def test_what_cannot_be_scored_says_why_in_one_clause() -> None:
    bare = score_case(scoring(a_case()), [an_output(hits=[hit(text=None)])])
    assert bare.unscored[Metric.FAITHFULNESS] == "the text of a retrieved chunk is not known"
    both = "I do not have that information. The request timeout is 60 s [1]."
    found = score_case(scoring(a_case()), [an_output(outcome=None, answer=both)]).unscored
    said = "it cannot be told whether it answers or declines"
    assert found[Metric.OVER_ABSTENTION_RATE] == said


def test_the_evidence_is_looked_for_among_the_first_k_hits_by_the_rule() -> None:
    line = an_output(hits=[hit("x:1", text="Notes."), hit("new:7", rank=2)])
    moved = score_case(scoring(a_case()), [line], Scoring(k=2, rule=HitRule.QUOTE))
    assert moved.criteria[Criterion.RETRIEVAL] is State.PASS
    by_id = score_case(scoring(a_case()), [line], Scoring(k=2))
    assert by_id.criteria[Criterion.RETRIEVAL] is State.FAIL
    shallow = score_case(scoring(a_case()), [line], Scoring(k=1, rule=HitRule.QUOTE))
    assert shallow.criteria[Criterion.RETRIEVAL] is State.FAIL


def test_a_forbidden_fact_that_may_be_there_leaves_the_answer_unsure() -> None:
    facts = Facts(
        required=(Fact(id="f1", text="The request timeout is 60 s"),),
        forbidden=(ForbiddenFact(id="f2", text="sessions live in volatile storage"),),
    )
    line = an_output(answer=f"The request timeout is 60 s [1]. {VAGUE}")
    found = score_case(scoring(a_case(facts=facts)), [line])
    assert (found.criteria[Criterion.ANSWER], found.unsure) == (State.UNSURE, ("f2",))


def test_an_abstention_has_no_number_of_facts_that_the_case_lacks() -> None:
    case = a_case(facts=Facts(required=(Fact(id="f1", text="The request timeout is 60 s"),)))
    found = score_case(scoring(case), [an_output(outcome="abstained", answer="No.")]).values
    assert found[REQUIRED] == 0.0
    assert Metric.FORBIDDEN_RATE not in found


def test_a_mean_has_its_weights_and_the_ends_of_what_is_unsure() -> None:
    scores = [
        a_score("a", {REQUIRED: 0.5}, weight=3, bounds={REQUIRED: (0.0, 1.0)}, unsure=("f1",)),
        a_score("b", {REQUIRED: 1.0, RECALL: 0.0}),
    ]
    means = run_means(scores)
    assert means[REQUIRED] == Mean(value=0.75, n=2, weighted=0.625, low=0.5, high=1.0)
    assert means[RECALL] == Mean(value=0.5, n=2, weighted=0.75)
    odd = [a_score("a", {RECALL: 0.5}, bounds={RECALL: (0.0, 1.0)})]
    assert run_means(odd)[RECALL] == Mean(value=0.5, n=1, weighted=0.5)


def test_a_group_counts_its_cases_and_those_with_an_unsure_fact() -> None:
    scores = [a_score("a", unsure=("f1", "f2")), a_score("b"), a_score("c", slice_name="y")]
    groups = group_by(scores, lambda score: (score.slice, "all"))
    counted = {name: (group.n, group.unsure) for name, group in groups.items()}
    assert counted == {"all": (3, 1), "general": (2, 1), "y": (1, 0)}


def test_latency_is_the_95th_of_100_and_cost_says_how_many_have_none() -> None:
    timed = [a_score(f"q-{at}", latency_ms=(float(at),), cost_usd=0.5) for at in range(1, 101)]
    means = run_means(timed)
    assert means[Metric.LATENCY_P95] == Mean(value=95.0, n=100)
    assert means[Metric.COST] == Mean(value=0.5, n=100)
    some = run_means([*timed[:3], a_score("x"), a_score("y")])
    assert some[Metric.LATENCY_P95] == Mean(value=3.0, n=3, unscored=2)
    assert some[Metric.COST] == Mean(value=None, n=3, unscored=2)


@pytest.mark.parametrize(("unsure", "warned"), [(1, False), (2, True)])
def test_a_slice_where_more_than_a_tenth_is_unsure_is_named(unsure: int, warned: bool) -> None:
    scores = [a_score(f"q-{at:02d}", unsure=("f1",) if at < unsure else ()) for at in range(10)]
    said = (f"general: in {unsure} of 10 cases a fact is unsure.",) if warned else ()
    assert a_report(scores).warnings == said


def judged(*pins: JudgePin, answer: str = VAGUE) -> JudgePin | None:
    """Return the judge that a report pins when these settled facts of an answer."""
    key = sha256(answer.encode()).hexdigest()
    settled = {("q-0001", f"f{at}", key): pin for at, pin in enumerate(pins)}
    own = Pins(judge=JudgePin(model="logged"))
    return pins_of(a_run([an_output(answer=VAGUE)]), own, Scoring(judges=settled)).judge


def test_the_judge_whose_word_settled_facts_of_these_answers_is_pinned() -> None:
    one, two = JudgePin(model="m1", prompt_version="p1"), JudgePin(model="m2", prompt_version="p2")
    assert judged(one) == one
    assert judged(two, one, one) == JudgePin(model="m1, m2", prompt_version="p1, p2")
    assert judged(JudgePin(model="m1")) == JudgePin(model="m1")
    assert judged(one, answer="Another answer.") == JudgePin(model="logged")
    assert judged() == JudgePin(model="logged")


def test_a_run_of_another_version_names_both() -> None:
    with pytest.raises(OtherVersionError) as refused:
        evaluate_run(
            [scoring(a_case())],
            a_run([an_output()], version="golden/v2"),
            pins=Pins(version="golden/v3"),
        )
    assert "golden/v2" in str(refused.value)
    assert "golden/v3" in str(refused.value)


def test_a_run_is_written_as_lines_without_what_is_left_out() -> None:
    header = RunHeader(pipeline="Prüfung", started_at=datetime(2026, 11, 30, 12, tzinfo=UTC))
    line = RunLine(case_id="q-1", answer="60 s – „ja“", hits=[{"chunk_id": "c", "rank": 1}])
    text = run_text(header, [line])
    assert text == (
        '{"pipeline": "Prüfung", "started_at": "2026-11-30T12:00:00Z"}\n'
        '{"case_id": "q-1", "hits": [{"chunk_id": "c", "rank": 1}], "answer": "60 s – „ja“"}\n'
    )
    again = parse_run(text)
    assert (again.header, again.lines) == (header, (line,))
    assert again.sha256 == sha256(text.encode()).hexdigest()
    assert run_sha256("\ud800") == sha256(b"\xed\xa0\x80").hexdigest()


def test_a_line_that_is_none_is_named_by_its_number() -> None:
    with pytest.raises(RunFormError, match=r"\b7\b"):
        run_line({"case_id": "q-1", "repeat": 0}, number=7)


def test_a_latency_is_the_time_between_call_and_answer() -> None:
    ticks = iter([1_000.0, 1_000.25])
    how = TargetSettings(concurrency=1, retries=0)
    (line,) = run_target([a_case()], lambda *_: "60 s.", how, clock=lambda: next(ticks))
    assert line.latency_ms == 250


def test_draws_are_the_same_however_many_are_held_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clusters = [f"c{at // 2}" for at in range(14)]
    strata = ["a"] * 6 + ["b"] * 8
    deltas = np.array([[float(at % 3), at / 7] for at in range(14)])
    whole = Resampling(clusters, strata, draws=101).means(deltas)
    assert whole.shape == (101, 2)
    for block in (1, 12, 100):
        monkeypatch.setattr(intervals, "_BLOCK", block)
        drawn = Resampling(clusters, strata, draws=101).means(deltas)
        assert drawn.mean(axis=0) == pytest.approx(whole.mean(axis=0), abs=0.2)
        assert drawn.min() >= 0
        assert drawn.std() > 0


def test_the_ends_leave_out_a_fortieth_of_the_draws_on_each_side() -> None:
    deltas = [1.0, -0.5, 0.0, 0.25, 1] * 8
    names = [str(at) for at in range(40)]
    found = uncertainties({"m": deltas}, names, ["s"] * 40, draws=4_000, seed=3)["m"].interval
    means = Resampling(names, ["s"] * 40, 4_000, 3).means(np.array([deltas]).T)[:, 0]
    assert found is not None
    assert np.mean(means < found.low) == pytest.approx(0.025, abs=0.004)
    assert np.mean(means > found.high) == pytest.approx(0.025, abs=0.004)


def test_what_barely_moved_counts_neither_as_gained_nor_as_lost() -> None:
    slack = intervals.SLACK
    for delta in (slack, -slack, slack / 2, 0.0):
        found = uncertainties({"m": [delta]}, ["a"], ["s"])["m"]
        assert (found.gained, found.lost) == (0, 0)
    found = uncertainties({"m": [2 * slack, -2 * slack, 1]}, ["a", "b", "c"], ["s"] * 3)["m"]
    assert (found.gained, found.lost) == (2, 1)


def test_each_metric_has_the_interval_of_the_cases_that_scored_it() -> None:
    before = [a_score(f"q-{at:02d}", {RECALL: 0.0}) for at in range(2 * MIN_CASES)]
    after = [
        a_score(score.id, {RECALL: 1.0, REQUIRED: 1.0} if at % 2 else {RECALL: 1.0})
        for at, score in enumerate(before)
    ]
    before = [
        score.model_copy(update={"values": {**score.values, REQUIRED: 0.0}}) for score in before
    ]
    found = pair_reports(a_report(before), a_report(after)).deltas((RECALL, REQUIRED))
    recall, required = found[RECALL].uncertainty, found[REQUIRED].uncertainty
    assert recall is not None
    assert required is not None
    assert (recall.n, recall.gained) == (40, 40)
    assert (required.n, required.gained) == (20, 20)


@pytest.mark.parametrize(("cluster", "drawn_together"), [("one", True), ("", False)])
def test_cases_of_a_cluster_are_drawn_together_and_without_one_alone(
    cluster: str, drawn_together: bool
) -> None:
    names = [(f"q-{at:02d}", cluster and f"{cluster} {at // 10}") for at in range(MIN_CASES)]
    before = [a_score(name, {RECALL: 0.5}, cluster=own) for name, own in names]
    after = [
        a_score(name, {RECALL: float(at % 2)}, cluster=own) for at, (name, own) in enumerate(names)
    ]
    noise = pair_reports(a_report(before), a_report(after)).delta(RECALL).uncertainty
    assert noise is not None
    assert noise.interval is not None
    assert (noise.interval.high == noise.interval.low) is drawn_together


def test_a_drawn_gain_counts_each_case_once_or_by_its_weight() -> None:
    names = [f"q-{at:02d}" for at in range(2 * MIN_CASES)]
    before = [
        a_score(name, {RECALL: 0.0}, weight=1 + 2 * (at % 2)) for at, name in enumerate(names)
    ]
    after = [
        score.model_copy(update={"values": {**score.values, RECALL: float(score.weight > 1)}})
        for score in before
    ]
    pairing = pair_reports(a_report(before), a_report(after))
    plain, weighted = (
        gain_draws(pairing, RECALL, None),
        gain_draws(pairing, RECALL, None, weighted=True),
    )
    assert plain is not None
    assert weighted is not None
    assert plain.mean() == pytest.approx(0.5, abs=0.01)
    assert weighted.mean() == pytest.approx(0.75, abs=0.01)


def test_what_was_left_out_is_listed_and_other_versions_are_no_other_way_of_scoring() -> None:
    before = a_report([a_score("a"), a_score("b"), a_score("c")], version="golden/v2", repeats=2)
    after = a_report([a_score("c")], k=7, scorer="other", version="golden/v3", repeats=1)
    assert compare(before, after).warnings == (
        "2 cases are only in the baseline and were left out: a, b.",
        "The reports were not scored in the same way: k, scorer differ.",
    )


def test_a_case_that_only_one_side_scored_is_named_beside_the_delta() -> None:
    before = a_report([a_score("a", {REQUIRED: 1.0}), a_score("b"), a_score("c", {REQUIRED: 0.5})])
    after = a_report([a_score("a", {REQUIRED: 1.0}), a_score("b", {REQUIRED: 1.0}), a_score("c")])
    delta = pair_reports(before, after).delta(REQUIRED)
    assert (delta.n, delta.one_sided) == (1, ("b", "c"))
    nothing = pair_reports(a_report([a_score("b")]), after).delta(REQUIRED)
    assert (nothing.n, nothing.one_sided) == (0, ("b",))


def test_a_policy_that_names_no_metric_is_refused_with_its_file() -> None:
    for name in ('"recal"', "5"):
        with pytest.raises(PolicyError) as refused:
            gate_settings(a_policy(extra=f"[gate]\nguarded = [{name}]\n"))
        assert str(refused.value).startswith("golden.toml")
        assert f"{name.replace(chr(34), chr(39))} is no metric" in str(refused.value)


def test_a_rule_of_one_slice_is_no_rule_for_all() -> None:
    own = '[[gate.rules]]\nmetric = "recall"\nslice = "billing"\nfloor = 0.7\n'
    _, missing = rules_of(a_policy(extra=own), Profile.CI)
    _, given = rules_of(a_policy(extra="[gate]\nrecall = { floor = 0.7 }\n"), Profile.CI)
    assert any("recall" in name for name in missing)
    assert not any("recall" in name for name in given)


def test_promoting_on_a_plain_file_says_where_to_run_it() -> None:
    side = a_report([a_score("a")], version="unpinned:golden.jsonl")
    found = gate(side, side, a_policy(), Profile.PROMOTE).reasons
    said = (
        "The {} was scored on a plain file (unpinned:golden.jsonl). "
        "Promoting needs a version: run it on a golden/vN."
    )
    assert [(reason.rule, reason.phrase, reason.message) for reason in found] == [
        ("unpinned", f"the {name} is of no version", said.format(name))
        for name in ("candidate", "baseline")
    ]
