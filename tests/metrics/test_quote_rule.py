"""The quote hit rule: evidence is found again after a corpus was re-chunked."""

import pytest

from curation.domain.case import Evidence
from curation.metrics.hits import GoldPassage, Hit, HitRule, distinct, gold_passages, relevance
from curation.metrics.retrieval import recall_at_k, reciprocal_rank

QUOTE = "The request timeout is 60 s by default, and it can be raised to 300 s per route."
GOLD = (
    GoldPassage(group="g", need="g", chunk_id="gw:1", doc_id="gw", doc_version="4.2", quote=QUOTE),
)


def new_chunk(
    text: str | None, rank: int = 1, *, doc_id: str = "gw", doc_version: str = "4.2"
) -> Hit:
    return Hit(rank=rank, chunk_id=f"new:{rank}", doc_id=doc_id, doc_version=doc_version, text=text)


def recall(*hits: Hit, k: int = 5) -> float | None:
    held = relevance(GOLD, hits, HitRule.QUOTE)
    return None if held is None else recall_at_k(held, k)


def test_a_chunk_with_another_id_that_holds_the_quote_is_a_hit() -> None:
    assert recall(new_chunk(f"Intro. {QUOTE.upper()} More.")) == 1.0


@pytest.mark.parametrize("other", [("faq", "4.2"), ("gw", "3.9")])
def test_another_document_or_version_is_a_miss(other: tuple[str, str]) -> None:
    assert recall(new_chunk(QUOTE, doc_id=other[0], doc_version=other[1])) == 0.0


def test_chunks_that_tear_the_quote_hold_it_together_when_one_has_every_quantity() -> None:
    first = new_chunk("The request timeout is", rank=1)
    second = new_chunk("60 s by default, and it can be raised to 300 s per route.", rank=2)
    held = relevance(GOLD, (first, second), HitRule.QUOTE)
    assert held is not None
    assert recall_at_k(held, 5) == 1.0
    assert recall_at_k(held, 1) == 0.0
    assert reciprocal_rank(held) == 0.5


def test_quantities_torn_apart_are_a_miss() -> None:
    first = new_chunk("The request timeout is 60 s by default,", rank=1)
    second = new_chunk("and it can be raised to 300 s per route.", rank=2)
    assert recall(first, second) == 0.0


def test_less_than_nine_tenths_of_the_words_is_a_miss() -> None:
    assert recall(new_chunk("The request timeout is 60 s, at most 300 s per route.")) == 0.0


def test_the_words_scattered_over_a_long_chunk_are_a_miss() -> None:
    scattered = " and then ".join(QUOTE.split())
    assert recall(new_chunk(scattered)) == 0.0


def test_evidence_without_a_quote_is_unscored() -> None:
    bare = (GoldPassage(group="g", chunk_id="gw:1", doc_id="gw"),)
    assert relevance(bare, (new_chunk(QUOTE),), HitRule.QUOTE) is None


def test_a_chunk_without_text_is_unscored_only_where_it_could_hold_the_quote() -> None:
    assert recall(new_chunk(None)) is None
    assert recall(new_chunk(None, doc_id="faq")) == 0.0


def items(*quotes: str) -> tuple[GoldPassage, ...]:
    return gold_passages(
        Evidence(id=f"e{n}", group=f"e{n}", chunk_id="gw:1", doc_id="gw", quote=quote)
        for n, quote in enumerate(quotes, start=1)
    )


def test_three_quotes_of_one_chunk_are_one_group_and_each_is_needed_after_a_rechunk() -> None:
    gold = items("The timeout is 60 s.", "The limit is 5 GB.", "The port is 4317.")
    assert {passage.group for passage in gold} == {"e1"}
    part = Hit(rank=1, chunk_id="n", doc_id="gw", text="The timeout is 60 s. The limit is 5 GB.")
    rest = Hit(rank=2, chunk_id="m", doc_id="gw", text="The port is 4317.")
    held = relevance(gold, (part, rest), HitRule.QUOTE)
    assert held is not None
    assert (recall_at_k(held, 1), recall_at_k(held, 2)) == (0.0, 1.0)
    by_id = relevance(gold, (Hit(rank=1, chunk_id="gw:1"),))
    assert by_id is not None
    assert recall_at_k(by_id, 1) == 1.0


def test_by_id_a_version_that_is_known_to_differ_is_a_miss() -> None:
    def found(version: str | None) -> float | None:
        held = relevance(GOLD, (Hit(rank=1, chunk_id="gw:1", doc_version=version),))
        return None if held is None else recall_at_k(held, 5)

    assert (found("4.2"), found("v4.2"), found(None), found("3.9")) == (1.0, 1.0, 1.0, 0.0)


def test_by_id_an_ambiguous_id_without_a_version_is_unscored() -> None:
    hits = (Hit(rank=1, chunk_id="gw:1"),)
    assert relevance(GOLD, hits, ambiguous={"gw:1"}) is None
    assert relevance(GOLD, hits, ambiguous={"gw:2"}) is not None


def test_hits_count_once_at_their_first_rank() -> None:
    hits = distinct(
        [Hit(rank=3, chunk_id="b"), Hit(rank=1, chunk_id="a"), Hit(rank=2, chunk_id="a")]
    )
    assert [hit.chunk_id for hit in hits] == ["a", "b"]
