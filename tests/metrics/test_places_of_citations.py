"""Where a citation stands and what it may mean: markers, offsets, names of documents, versions."""

from typing import Any

import pytest

from curation.domain.answer import Citation
from curation.domain.case import Case, Evidence, Fact, FactKind, Facts
from curation.domain.verdict import FactPresence, Presence, TextFacts
from curation.metrics.citations import (
    CheckedCitation,
    CitationCheck,
    citations_of,
    cited_hits,
)
from curation.metrics.hits import Hit, HitRule
from curation.metrics.output import Output

RIGHT, UNSURE, WRONG = CitationCheck.RIGHT, CitationCheck.UNSURE, CitationCheck.WRONG
FABRICATED = CitationCheck.FABRICATED
TIMEOUT = Hit(rank=1, chunk_id="gw:1", doc_id="gw", doc_version="4.2", text="It waits 60 s.")
RETRIES = Hit(rank=2, chunk_id="gw:7", doc_id="gw", doc_version="4.2", text="It retries 5 times.")
OLD = Hit(rank=3, chunk_id="faq:9", doc_id="FAQ", doc_version="3.9", text="It retries 5 times.")
MUTE = Hit(rank=12, chunk_id="log:1", doc_id="log")
HITS = (TIMEOUT, RETRIES, OLD, MUTE)
GOLD = Evidence(
    id="e1", group="e1", chunk_id="gw:1", doc_id="gw", doc_version="4.2", quote="It waits 60 s."
)
CASE = Case(id="q-0001", question="How long?", doc_version="4.2", evidence=(GOLD,))
TEXT = "It waits 60 s. It retries 5 times. So be it."


def checked(
    answer: str, *citations: Citation, of: Case = CASE, said: TextFacts | None = None, **parts: Any
) -> list[CheckedCitation]:
    rule = parts.pop("rule", HitRule.ID)
    output = Output(answer=answer, citations=citations, **{"hits": HITS, **parts})
    return list(citations_of(of, output, said or TextFacts(), rule).checked)


def places(found: list[CheckedCitation]) -> list[tuple[str, set[int] | None]]:
    return [(each.name, None if each.sentences is None else set(each.sentences)) for each in found]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 14, {0}),
        (14, 15, None),
        (0, 15, {0}),
        (0, 16, {0, 1}),
        (13, 16, {0, 1}),
        (15, 34, {1}),
        (3, 40, {0, 1, 2}),
        (15, None, {1}),
        (33, None, {1}),
        (34, None, None),
        (900, None, None),
    ],
)
def test_offsets_cite_every_sentence_that_they_touch(
    start: int, end: int | None, expected: set[int] | None
) -> None:
    found = checked(TEXT, Citation(chunk_id="gw:7", start=start, end=end))
    assert places(found) == [("gw:7", expected)]


def test_offsets_of_a_marker_that_opens_a_sentence_cite_the_one_before_it() -> None:
    text = "It waits 60 s. (A) It retries 5 times."
    for start, end, expected in ((15, 18, {0}), (15, None, {0}), (19, 21, {1}), (0, 2, {0})):
        cited = Citation(chunk_id="gw:1", start=start, end=end)
        assert places(checked(text, cited)) == [("gw:1", expected)], start
    plain = Citation(chunk_id="gw:1", start=15, end=16)
    assert places(checked("It waits 60 s. X it is.", plain)) == [("gw:1", {1})]
    both = Citation(chunk_id="gw:1", start=0, end=18)
    assert places(checked(text, both)) == [("gw:1", {0, 1})]
    first = Citation(chunk_id="gw:1", start=0, end=3)
    assert places(checked("(A) It waits.", first)) == [("gw:1", None)]


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("It waits 60 s [1].", [("1", {0})]),
        ("It waits 60 s. [1] It retries 5 times.", [("1", {0})]),
        ("It waits 60 s. [1][2] It retries.", [("1", {0}), ("2", {0})]),
        ("It waits 60 s [1, 2; gw:7].", [("1", {0}), ("2", {0}), ("gw:7", {0})]),
        ("It waits 60 s (gw, waits).", [("gw", {0})]),
        ("[1] It waits 60 s.", []),
        ("It waits.\n[1] Guide", []),
        ("So.\n\nIt waits 60 s [1].", [("1", {1})]),
    ],
)
def test_a_marker_stands_in_a_sentence_or_is_a_list_of_sources(
    answer: str, found: list[tuple[str, set[int]]]
) -> None:
    assert places(checked(answer)) == found


@pytest.mark.parametrize(
    ("marker", "cited"),
    [
        ("[1]", (TIMEOUT,)),
        ("[12]", (MUTE,)),
        ("[99]", ()),
        ("[gw:7]", (RETRIES,)),
        ("[gw:8]", ()),
        ("[xy:123]", ()),
        ("[gw]", (TIMEOUT, RETRIES)),
        ("[faq]", (OLD,)),
        ("(faq)", (OLD,)),
        ("(gw, waits)", (TIMEOUT,)),
        ("(gw, gw:7)", (RETRIES,)),
        ("(gw, nothing of it)", (TIMEOUT, RETRIES)),
        ("(log, None)", (MUTE,)),
        ("(log, XXXX)", (MUTE,)),
    ],
)
def test_a_name_means_a_rank_a_chunk_or_the_chunks_of_a_document(
    marker: str, cited: tuple[Hit, ...]
) -> None:
    output = Output(answer=f"It waits 60 s {marker}.", hits=HITS)
    assert cited_hits(output) == cited
    (found,) = checked(output.answer)
    assert (found.check is FABRICATED) is (cited == ())


@pytest.mark.parametrize("marker", ["[0]", "[100]", "[2024]", "[see above]", "(see above)", "[²]"])
def test_other_words_in_brackets_name_nothing(marker: str) -> None:
    assert checked(f"It waits 60 s {marker}.") == []
    assert cited_hits(Output(answer=f"It waits {marker}.", hits=HITS)) == ()


def test_what_is_cited_is_named_once_and_logged_citations_go_before_markers() -> None:
    twice = Output(answer="It waits 60 s [1]. So [gw:1].", hits=HITS)
    assert cited_hits(twice) == (TIMEOUT,)
    logged = Output(answer="It waits 60 s [1].", hits=HITS, citations=(Citation(chunk_id="gw:7"),))
    assert cited_hits(logged) == (RETRIES,)
    unknown = Output(answer="So.", citations=(Citation(chunk_id="a", doc_version="1"),))
    assert cited_hits(unknown) == (Hit(rank=1, chunk_id="a", doc_version="1"),)


def test_a_logged_citation_without_offsets_stands_where_the_text_names_it() -> None:
    text = "So be it [2]. It waits 60 s [gw:1]. It retries 5 times [1]. It ends [gw:9]."
    assert places(checked(text, Citation(chunk_id="gw:1"))) == [("gw:1", {1, 2})]
    assert places(checked(text, Citation(chunk_id="gw:9"))) == [("gw:9", {3})]
    assert places(checked(text, Citation(chunk_id="gw:5"))) == [("gw:5", None)]
    marked = Citation(chunk_id="gw:5", marker="[2]")
    assert places(checked(text, marked)) == [("gw:5", {0})]


def state(answer: str, **parts: Any) -> CitationCheck:
    (found,) = checked(answer, **parts)
    return found.check


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("It waits 60 s [1].", RIGHT),
        ("It retries 5 times [2].", RIGHT),
        ("It retries 6 times [2].", WRONG),
        ("It retries 5 times [3].", WRONG),
        ("It retries [2].", UNSURE),
        ("It retries 5 times [12].", UNSURE),
        ("It retries 5 times [gw].", RIGHT),
        ("5 times it retries [2].", RIGHT),
        ("It retries 5 times [2], not after 60 s.", WRONG),
        ("It retries [2] after 6", WRONG),
    ],
)
def test_a_chunk_is_compared_with_the_quantities_of_the_sentence(
    answer: str, expected: CitationCheck
) -> None:
    assert state(f"It takes 9 days. {answer}") is expected


def test_what_is_cited_for_several_sentences_supports_each_of_them() -> None:
    part = Citation(chunk_id="gw:7", start=0, end=34)
    anywhere = Citation(chunk_id="gw:7")
    assert [each.check for each in checked(TEXT, part)] == [WRONG]
    assert [each.check for each in checked(TEXT, anywhere)] == [RIGHT]


def test_the_version_of_the_document_goes_before_the_version_of_the_case() -> None:
    faq = GOLD.model_copy(update={"id": "e2", "group": "e2", "chunk_id": "faq:1", "doc_id": "FAQ"})
    old = faq.model_copy(update={"doc_version": "3.9"})
    answer = "It retries 5 times [3]."
    assert state(answer, of=CASE.model_copy(update={"evidence": (GOLD, old)})) is RIGHT
    assert state(answer, of=CASE.model_copy(update={"evidence": (GOLD, faq)})) is WRONG
    plain = CASE.model_copy(update={"doc_version": None})
    assert state(answer, of=plain) is RIGHT


def test_under_the_quote_rule_a_chunk_is_unsure_where_the_evidence_has_no_quote() -> None:
    bare = CASE.model_copy(update={"evidence": (GOLD.model_copy(update={"quote": ""}),)})
    assert state("It retries 5 times [2].", of=bare, rule=HitRule.QUOTE) is UNSURE
    assert state("It retries 5 times [2].", of=bare) is RIGHT
    new = Hit(rank=1, chunk_id="n:1", doc_id="gw", doc_version="4.2", text="It waits 60 s.")
    output = Output(answer="So it is [1].", hits=(new,))
    found = [citations_of(CASE, output, TextFacts(), rule).score.value for rule in HitRule]
    assert dict(zip(HitRule, found, strict=True)) == {HitRule.ID: None, HitRule.QUOTE: 1.0}


def said(*spans: tuple[int, int]) -> TextFacts:
    return TextFacts(
        facts=tuple(
            FactPresence(
                fact_id="f1", kind=FactKind.REQUIRED, number=1, presence=Presence.PRESENT, span=span
            )
            for span in spans
        )
    )


def test_a_fact_is_claimed_by_the_sentences_that_say_it_and_no_others() -> None:
    text = "It is on. It is off. It is so."
    for span, claims in (((0, 9), 1), ((10, 20), 1), ((3, 15), 2), ((9, 21), 1), ((10, 21), 1)):
        output = Output(answer=text, hits=HITS, citations=())
        assert citations_of(CASE, output, said(span)).score.claims == claims, span


def test_a_fact_that_the_chunk_says_in_other_words_is_right() -> None:
    fact = Fact(id="f1", text="sessions are encrypted", any_of=("it retries",))
    of = CASE.model_copy(update={"facts": Facts(required=(fact,))})
    assert state("All encrypted [2].", of=of, said=said((0, 13))) is RIGHT
    plain = CASE.model_copy(
        update={"facts": Facts(required=(fact.model_copy(update={"any_of": ()}),))}
    )
    assert state("All encrypted [2].", of=plain, said=said((0, 13))) is WRONG


def test_fabricated_citations_count_as_wrong_ones() -> None:
    answer = "It waits 60 s [1]. It waits 60 s [gw:5]. It waits 60 s [2]."
    found = citations_of(CASE, Output(answer=answer, hits=HITS), TextFacts()).score
    assert (found.value, found.fabricated, found.coverage, found.claims) == (1 / 3, 1, 1.0, 3)


def test_a_number_in_a_marker_is_no_claim() -> None:
    answer = "So it is [gw:7]. It is (gw, 60 s). It waits 60 s."
    found = citations_of(CASE, Output(answer=answer, hits=HITS), TextFacts()).score
    assert (found.claims, found.coverage) == (1, 0.0)
