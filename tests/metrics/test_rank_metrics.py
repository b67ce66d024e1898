"""Rank metrics, the examples of measures.md section 3 and the agreement with trec_eval."""

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from curation.metrics.hits import GoldPassage, Hit, distinct, relevance
from curation.metrics.retrieval import (
    Relevance,
    average_relevance,
    hit_rate_at_k,
    judged_precision_at_k,
    precision_at_k,
    precision_retrieved_at_k,
    recall_at_k,
    reciprocal_rank,
)


def ranked(*found: str, groups: str = "ab") -> Relevance:
    """Return hits that hold these groups, one string a hit."""
    return Relevance(
        frozenset(groups), tuple(frozenset(f) for f in found), tuple(bool(f) for f in found)
    )


def test_recall_is_groups_found_over_groups() -> None:
    assert recall_at_k(ranked("", "a", "a", "", "b"), 4) == 0.5
    assert recall_at_k(ranked("", "a", "a", "", "b"), 5) == 1.0


def test_hit_rate_is_any_group() -> None:
    assert hit_rate_at_k(ranked("", "", "b"), 2) == 0.0
    assert hit_rate_at_k(ranked("", "", "b"), 3) == 1.0


def test_precision_divides_by_k_and_the_other_by_what_came_back() -> None:
    two_hits = ranked("a", "")
    assert precision_at_k(two_hits, 5) == 0.2
    assert precision_retrieved_at_k(two_hits, 5) == 0.5
    assert precision_retrieved_at_k(two_hits, 1) == 1.0


def test_no_hits_are_zero_but_precision_of_what_was_retrieved_is_undefined() -> None:
    nothing = ranked()
    assert (hit_rate_at_k(nothing, 5), recall_at_k(nothing, 5)) == (0.0, 0.0)
    assert (precision_at_k(nothing, 5), reciprocal_rank(nothing)) == (0.0, 0.0)
    assert precision_retrieved_at_k(nothing, 5) is None


def test_without_evidence_nothing_is_defined() -> None:
    none = ranked("", groups="")
    assert {
        hit_rate_at_k(none, 5),
        recall_at_k(none, 5),
        precision_at_k(none, 5),
        precision_retrieved_at_k(none, 5),
        reciprocal_rank(none),
    } == {None}


def test_the_reciprocal_rank_is_not_cut() -> None:
    assert reciprocal_rank(ranked("", "", "", "", "", "", "a")) == pytest.approx(1 / 7)


def test_judged_precision_is_unscored_where_a_judge_failed_among_the_first_k() -> None:
    assert judged_precision_at_k([2, 1, 0, 2], 4) == 0.5
    assert judged_precision_at_k([2, 1, 0, 2], 4, lenient=True) == 0.75
    assert judged_precision_at_k([2, None, 0], 3) is None
    assert judged_precision_at_k([2, 0, None], 2) == 0.5
    assert judged_precision_at_k([], 3) is None


def test_average_relevance_says_how_many_failed() -> None:
    assert average_relevance([2, 1, None, None, 1, None]) == "Average relevance: 1.33 (3 failures)"
    assert average_relevance([2, None]) == "Average relevance: 2.00 (1 failure)"
    assert average_relevance([None]) == "Average relevance: \u2013 (1 failure)"


CHUNKS = st.integers(0, 12)


@given(
    queries=st.lists(
        st.tuples(st.sets(CHUNKS, min_size=1), st.lists(CHUNKS, max_size=12)), min_size=1
    ),
    k=st.sampled_from([1, 3, 5, 10]),
)
def test_trec_eval_gives_the_same_where_every_group_has_one_chunk(
    queries: list[tuple[set[int], list[int]]], k: int
) -> None:
    """trec_eval knows no groups, breaks ties by id, and counts a repeated document once.

    It drops queries without relevant documents, as ours leaves unanswerable cases undefined.
    """
    qrel, run, ours = {}, {}, {}
    for at, (relevant, found) in enumerate(queries):
        name = f"q{at}"
        qrel[name] = {f"c{chunk}": 1 for chunk in relevant}
        gold = [GoldPassage(group=f"g{chunk}", chunk_id=f"c{chunk}") for chunk in relevant]
        hits = distinct(Hit(rank=r, chunk_id=f"c{c}") for r, c in enumerate(found, start=1))
        run[name] = {hit.chunk_id: 1000.0 - hit.rank for hit in hits} or {"none": 1.0}
        held = relevance(gold, hits)
        assert held is not None
        ours[name] = {
            f"success_{k}": hit_rate_at_k(held, k),
            f"recall_{k}": recall_at_k(held, k),
            f"P_{k}": precision_at_k(held, k),
            "recip_rank": reciprocal_rank(held),
        }
    measures = {f"success.{k}", f"recall.{k}", f"P.{k}", "recip_rank"}
    theirs = pytrec_eval.RelevanceEvaluator(qrel, measures).evaluate(run)
    for name, values in theirs.items():
        assert ours[name] == pytest.approx(values)


def test_trec_eval_drops_what_has_no_relevant_document_and_we_leave_it_undefined() -> None:
    evaluator = pytrec_eval.RelevanceEvaluator({"q1": {"a": 1}, "q2": {}}, {"recall.5"})
    assert evaluator.evaluate({"q1": {"a": 1.0}, "q2": {"a": 1.0}}) == {"q1": {"recall_5": 1.0}}
    assert recall_at_k(ranked("", groups=""), 5) is None


def test_groups_are_where_we_differ_from_trec_eval() -> None:
    alternatives = [GoldPassage(group="g1", chunk_id=chunk) for chunk in ("a", "b")]
    held = relevance(alternatives, (Hit(rank=1, chunk_id="b"),))
    assert held is not None
    assert recall_at_k(held, 5) == 1.0
    theirs = pytrec_eval.RelevanceEvaluator({"q": {"a": 1, "b": 1}}, {"recall.5"}).evaluate(
        {"q": {"b": 1.0}}
    )
    assert theirs["q"]["recall_5"] == 0.5


@given(
    found=st.lists(st.sets(st.sampled_from("ab")), max_size=8),
    k=st.integers(1, 10),
)
def test_rank_metrics_are_between_0_and_1_and_removing_the_last_hit_never_raises_them(
    found: list[set[str]], k: int
) -> None:
    whole = ranked(*("".join(sorted(groups)) for groups in found))
    less = ranked(*("".join(sorted(groups)) for groups in found[:-1]))
    for measure in (hit_rate_at_k, recall_at_k, precision_at_k):
        value, lower = measure(whole, k), measure(less, k)
        assert value is not None
        assert lower is not None
        assert 0 <= lower <= value <= 1
    assert (reciprocal_rank(less) or 0) <= (reciprocal_rank(whole) or 0)
