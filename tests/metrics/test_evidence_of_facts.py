"""Whether the evidence of a fact says it, and what of a quote a text holds."""

import pytest

from curation.domain.case import Evidence, Fact
from curation.domain.chunk import ChunkKey
from curation.domain.verdict import Presence
from curation.metrics.evidence import said_by_evidence
from curation.metrics.hits import (
    GoldPassage,
    Hit,
    HitRule,
    gold_passages,
    holds_words,
    relevance,
    words_held,
)
from curation.metrics.retrieval import Relevance

PRESENT, UNSURE, ABSENT = Presence.PRESENT, Presence.UNSURE, Presence.ABSENT
ITEM = Evidence(id="e1", group="e1", chunk_id="c1", doc_id="gw", doc_version="4.2")
CHUNK = ChunkKey("c1", "4.2")


def found(fact: str, *texts: str, quotes: tuple[str, ...] = ("",)) -> Presence:
    """Whether a fact is said by evidence with those quotes, whose chunks have those texts."""
    items = [ITEM.model_copy(update={"quote": quote}) for quote in quotes]
    items += [ITEM.model_copy(update={"chunk_id": f"x{n}"}) for n in range(1, len(texts))]
    keys = [CHUNK, *(ChunkKey(f"x{n}", "4.2") for n in range(1, len(texts)))]
    return said_by_evidence(Fact(id="f1", text=fact), items, dict(zip(keys, texts, strict=False)))


@pytest.mark.parametrize(
    ("fact", "texts", "expected"),
    [
        ("the timeout is 60 s", ("By default the timeout is 60 s.",), PRESENT),
        ("the timeout is 60 s", ("The timeout is one minute.",), PRESENT),
        ("the timeout is 60 s", ("The timeout is 30 s.",), ABSENT),
        ("the timeout is 60 s", (), UNSURE),
        ("the scheduler sets the timeout to 60 s", ("The timeout: 60 s.",), UNSURE),
        ("in v4.2 the gateway waits 60 s", ("The gateway waits 60 s or longer.",), UNSURE),
        ("in v4.2 the gateway waits 60 s", ("In v4.2 the gateway waits 30 s.",), ABSENT),
        ("the gateway waits 60 s in v4.2", ("The gateway waits 30 s in v4.2.",), ABSENT),
        ("sessions are kept in memory", ("Ports are opened by hand.",), ABSENT),
        ("alpha beta gamma delta", ("alpha beta",), UNSURE),
        ("alpha beta gamma delta", ("alpha",), ABSENT),
        ("alpha beta gamma delta", ("alpha", "delta"), UNSURE),
        ("waits 60 s and retries 5 times", ("waits 60 s", "retries 5 times"), UNSURE),
        ("waits 60 s and retries 5 times", ("waits 60 s", "retries 6 times"), ABSENT),
    ],
)
def test_a_fact_is_absent_only_where_its_evidence_plainly_does_not_say_it(
    fact: str, texts: tuple[str, ...], expected: Presence
) -> None:
    assert found(fact, *texts) is expected


@pytest.mark.parametrize(
    ("quotes", "expected"),
    [
        (("So it is\nsaid  here.",), PRESENT),
        (("Another.", "Here: it is said here, twice."), PRESENT),
        (("It is said here.",), PRESENT),
        (("Nothing of the kind",), ABSENT),
    ],
)
def test_a_quote_says_a_fact_by_its_words_whatever_the_spaces(
    quotes: tuple[str, ...], expected: Presence
) -> None:
    assert found("it is  said here", quotes=quotes) is expected


def test_what_a_quote_says_word_for_word_is_said_whatever_stands_around_it() -> None:
    hedged = ("Perhaps  it is\n60 s.",)
    assert found("it  is 60 s", quotes=hedged) is PRESENT
    assert found("it is 61 s", quotes=hedged) is ABSENT
    assert found("it is 60 s", *hedged) is UNSURE


def test_the_quote_and_the_chunk_of_the_same_version_are_read_together() -> None:
    assert found("waits 60 s, retries 5 times", "It waits 60 s.", quotes=("retries 5 times",)) is (
        UNSURE
    )
    other = {ChunkKey("c1", "3.9"): "The timeout is 60 s."}
    fact = Fact(id="f1", text="the timeout is 60 s")
    assert said_by_evidence(fact, [ITEM], other) is UNSURE


def test_a_text_holds_words_in_a_row_whatever_their_spaces_and_case() -> None:
    assert holds_words("The  TIMEOUT is", "So the timeout\nis 60 s.")
    assert holds_words("the timeout is 60 s.", "the timeout is 60 s")
    assert not holds_words("timeout is", "The timeouts is")
    assert not holds_words("the is", "The timeout is")
    assert holds_words("!!", "So it is !!") is True
    assert holds_words("!!", "So it is !") is False


def test_of_a_quote_runs_of_three_words_are_held_and_all_of_a_shorter_one() -> None:
    quote = "one two three four five"
    assert words_held(quote, "so one two three and five") == (5, frozenset({0, 1, 2}))
    assert words_held(quote, "four five, one two three") == (5, frozenset({0, 1, 2}))
    assert words_held(quote, "one two") == (5, frozenset())
    assert words_held("one two", "and one two") == (2, frozenset({0, 1}))
    assert words_held("one two", "one and two") == (2, frozenset())
    assert words_held("", "one") == (0, frozenset())
    many = " ".join(f"one of the w{number}" for number in range(100))
    assert words_held(many, "so one of the rest") == (400, frozenset({0, 1, 2}))
    long = "the a of " * 100
    assert words_held("of the a", long) == (3, frozenset({0, 1, 2}))


def by_quote(quote: str, *texts: str | None, doc_id: str | None = "gw") -> Relevance | None:
    gold = (GoldPassage(group="g", need="g", chunk_id="c", doc_id="gw", quote=quote),)
    hits = [
        Hit(rank=rank, chunk_id=f"n{rank}", doc_id=doc_id, text=text)
        for rank, text in enumerate(texts, start=1)
    ]
    return relevance(gold, hits, HitRule.QUOTE)


TEN = "alpha beta gamma delta epsilon zeta eta theta iota kappa"


def test_nine_of_ten_words_are_a_quote_and_a_half_is_a_part_of_one() -> None:
    words = TEN.split()
    for number, held, part in ((10, True, True), (9, True, True), (8, False, True)):
        judged = by_quote(TEN, " ".join(words[:number]))
        assert judged is not None
        assert (bool(judged.found[0]), judged.relevant) == (held, (part,)), number
    for number, part in ((5, True), (4, False)):
        judged = by_quote(TEN, " ".join(words[:number]), TEN)
        assert judged is not None
        assert (judged.found, judged.relevant) == (
            (frozenset(), frozenset({"g"})),
            (part, True),
        )


def test_a_text_is_asked_for_only_where_the_document_may_be_the_same() -> None:
    assert by_quote(TEN, None) is None
    assert by_quote(TEN, None, doc_id=None) is None
    judged = by_quote(TEN, None, TEN, doc_id="faq")
    assert judged is not None
    assert (judged.found, judged.relevant) == ((frozenset(), frozenset()), (False, False))
    anywhere = by_quote(TEN, TEN, doc_id=None)
    assert anywhere is not None
    assert anywhere.found == (frozenset({"g"}),)


def test_an_empty_text_holds_no_quote() -> None:
    judged = by_quote("XXXX", "")
    assert judged is not None
    assert judged.found == (frozenset(),)


def test_passages_keep_the_document_of_their_evidence() -> None:
    (passage,) = gold_passages([ITEM.model_copy(update={"quote": "q"})])
    assert passage == GoldPassage(
        group="e1", need="e1", chunk_id="c1", doc_id="gw", doc_version="4.2", quote="q"
    )
    (bare,) = gold_passages([ITEM.model_copy(update={"doc_id": ""})])
    assert bare.doc_id is None


def test_one_ambiguous_hit_leaves_the_case_unscored_whatever_comes_after_it() -> None:
    gold = [GoldPassage(group=name, chunk_id=name, doc_version="4.2") for name in ("a", "b")]
    hits = [Hit(rank=1, chunk_id="a"), Hit(rank=2, chunk_id="b", doc_version="4.2")]
    assert relevance(gold, hits, ambiguous={"a", "b"}) is None
    assert relevance(gold, hits[1:], ambiguous={"a", "b"}) is not None
    assert relevance(gold, hits, ambiguous={"x"}) is not None
