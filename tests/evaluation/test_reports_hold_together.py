"""What ties the numbers of reports and comparisons together, whatever the cases are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.domain.case import Fact, Facts
from curation.domain.verdict import State
from curation.evaluation.compare import compare
from curation.evaluation.evaluate import build_report, evaluate_run
from curation.evaluation.report import CaseScore
from curation.evaluation.scoring import Scoring, score_case
from curation.metrics.hits import HitRule
from curation.metrics.metric import Metric
from tests.evaluation.builders import (
    PINS,
    a_case,
    a_report,
    a_run,
    a_score,
    an_output,
    gold,
    hit,
    partial,
    scoring,
    unanswerable,
)

SHARES = st.sampled_from([0.0, 1 / 3, 0.5, 1.0])
BOUNDED = (Metric.REQUIRED_RECALL, Metric.FORBIDDEN_RATE)


@st.composite
def scores(draw: st.DrawFn, least: int = 1) -> list[CaseScore]:
    """Return the numbers of some cases in three slices; not every metric is defined for each."""
    found = []
    for at in range(draw(st.integers(least, 8))):
        values = draw(st.dictionaries(st.sampled_from(list(Metric)[:9]), SHARES))
        bounds = {
            metric: (values[metric], 1.0)
            for metric in BOUNDED
            if metric in values and values[metric] < 1.0 and draw(st.booleans())
        }
        fields = {
            "weight": draw(st.sampled_from([1, 2, 10])),
            "latency_ms": draw(st.sampled_from([(), (80.0,), (120.0, 90.0)])),
            "cost_usd": draw(st.sampled_from([None, 0.01, 0.02])),
        }
        name = draw(st.sampled_from(["billing", "policy", "other"]))
        state = draw(st.sampled_from(State))
        found.append(
            a_score(f"q-{at}", values, slice_name=name, answer=state, bounds=bounds, **fields)
        )
    return found


@settings(max_examples=40)
@given(scores(), st.randoms(use_true_random=False))
def test_the_order_of_the_cases_changes_nothing(listed: list[CaseScore], chance) -> None:
    shuffled = list(listed)
    chance.shuffle(shuffled)
    assert build_report(shuffled, PINS) == build_report(listed, PINS)


@settings(max_examples=40)
@given(scores(), SHARES)
def test_a_case_of_another_slice_moves_no_number_of_a_slice(
    listed: list[CaseScore], value: float
) -> None:
    other = a_score("q-other", {Metric.RECALL: value}, slice_name="elsewhere")
    before, after = build_report(listed, PINS), build_report([*listed, other], PINS)
    assert {name: after.slices[name] for name in before.slices} == before.slices
    assert after.n == before.n + 1


@settings(max_examples=40)
@given(scores())
def test_the_mean_of_all_is_that_of_the_slices_by_their_number_of_cases(
    listed: list[CaseScore],
) -> None:
    report = build_report(listed, PINS)
    for metric in (metric for metric in Metric if not metric.pooled):
        means = [group.metrics[metric] for group in report.slices.values()]
        known = [(mean.value, mean.n) for mean in means if mean.value is not None]
        whole = report.metrics[metric]
        assert whole.n == sum(n for _, n in known)
        assert whole.n + whole.unscored == len(listed)
        if known:
            by_slice = sum(value * n for value, n in known) / whole.n
            assert whole.value == pytest.approx(by_slice)


@settings(max_examples=30)
@given(scores(), st.data())
def test_baseline_and_candidate_in_each_others_place_mirror_every_delta(
    listed: list[CaseScore], data: st.DataObject
) -> None:
    moved = [
        score.model_copy(
            update={
                "values": {metric: data.draw(SHARES) for metric in score.values},
                "bounds": {},
                "output_sha256": "other",
            }
        )
        for score in listed
    ]
    one, two = a_report(listed), a_report(moved)
    there, back = compare(one, two), compare(two, one)
    for mine, theirs in zip(there.deltas, back.deltas, strict=True):
        assert (mine.metric, mine.n) == (theirs.metric, theirs.n)
        assert (mine.lost, mine.gained) == (theirs.gained, theirs.lost)
        if mine.delta is None:
            assert theirs.delta is None
            continue
        assert mine.delta == pytest.approx(-(theirs.delta or 0.0))
        if not mine.metric.pooled:
            assert mine.gain_low == pytest.approx(-(theirs.gain_high or 0.0))
    assert there.flips.good_to_bad == back.flips.bad_to_good
    assert there.flips.still_bad == back.flips.still_bad


PASSAGES = {
    f"gw:{at}": f"The limit of pool number {at} is {at * 10} GB in v4.2." for at in (1, 2, 3)
}
CASE = a_case(
    facts=Facts(
        required=tuple(
            Fact(id=f"f{at}", text=f"The limit of pool number {at} is {at * 10} GB")
            for at in (1, 2, 3)
        )
    ),
    evidence=tuple(
        gold(chunk, number=at, quote=quote)
        for at, (chunk, quote) in enumerate(PASSAGES.items(), start=1)
    ),
)
CHUNKS = st.lists(st.sampled_from([*PASSAGES, "faq:1", "faq:2"]), max_size=5, unique=True)
RANKED = (Metric.HIT_RATE, Metric.RECALL, Metric.PRECISION, Metric.MRR)


def retrieved(chunks: list[str], rule: HitRule = HitRule.ID) -> CaseScore:
    hits = [
        hit(chunk, rank, text=PASSAGES.get(chunk, "Nodes may be restarted."))
        for rank, chunk in enumerate(chunks, start=1)
    ]
    return score_case(scoring(CASE), [an_output(hits=hits)], Scoring(k=5, rule=rule))


@settings(max_examples=40)
@given(CHUNKS, st.sampled_from(list(PASSAGES)), st.integers(0, 5), st.sampled_from(HitRule))
def test_a_gold_hit_more_lowers_no_number_of_retrieval_at_any_rank(
    chunks: list[str], added: str, at: int, rule: HitRule
) -> None:
    others = [chunk for chunk in chunks if chunk != added]
    before = retrieved(others, rule).values
    after = retrieved([*others[:at], added, *others[at:]], rule).values
    assert all(after[metric] >= before[metric] for metric in RANKED)
    assert after[Metric.RECALL] > before[Metric.RECALL] or at >= 4 or len(others) == 5


SAID = [f"The limit of pool number {at} is {at * 10} GB in v4.2." for at in (1, 2, 3)]
SENTENCES = st.lists(
    st.sampled_from([*SAID, "Ask an administrator.", "It holds for every node."]),
    max_size=4,
    unique=True,
)


@settings(max_examples=40)
@given(SENTENCES, st.sampled_from(SAID), st.integers(0, 4))
def test_stating_a_required_fact_never_lowers_required_recall(
    sentences: list[str], added: str, at: int
) -> None:
    more = [*sentences[:at], added, *sentences[at:]]
    before, after = (
        score_case(scoring(CASE), [an_output(answer=" ".join(said) or "-")])
        for said in (sentences, more)
    )
    metric = Metric.REQUIRED_RECALL
    assert after.values[metric] >= before.values[metric]
    if added not in sentences:
        assert after.values[metric] > before.values[metric]


@given(st.permutations(range(3)))
def test_the_order_of_cases_and_lines_changes_nothing_of_a_run(order: list[int]) -> None:
    cases = [scoring(a_case()), scoring(partial()), scoring(unanswerable())]
    lines = [an_output(case.id) for case in cases]
    turned = evaluate_run([cases[at] for at in order], a_run([lines[at] for at in reversed(order)]))
    plain = evaluate_run(cases, a_run(lines))
    assert turned.model_copy(update={"pins": plain.pins}) == plain
