import pytest

from curation.domain.answer import Citation
from curation.domain.case import Case, Evidence, Fact, FactKind, Facts
from curation.domain.verdict import FactPresence, Presence
from curation.metrics.citations import CitationScore, CitationState, CitedOutput, score_citations
from curation.metrics.hits import Hit, HitRule

GOLD = Hit(
    rank=1, chunk_id="gw:1", doc_id="gw", doc_version="4.2", text="The timeout is 60 s in v4.2."
)
SAYS_TOO = Hit(
    rank=2, chunk_id="faq:9", doc_id="faq", doc_version="4.2", text="In v4.2 the timeout is 60 s."
)
OLD = Hit(
    rank=3, chunk_id="gw:1", doc_id="gw", doc_version="3.9", text="The timeout is 60 s in v4.2."
)
OTHER = Hit(rank=4, chunk_id="gw:7", doc_id="gw", doc_version="4.2", text="Retries wait 5 s.")
HITS = (GOLD, SAYS_TOO, OLD, OTHER)
CASE = Case(
    id="q-0001",
    question="What is the timeout in v4.2?",
    reference="60 s.",
    doc_version="4.2",
    facts=Facts(required=(Fact(id="f1", text="The timeout is 60 s"),)),
    evidence=(
        Evidence(
            id="e1",
            group="e1",
            chunk_id="gw:1",
            doc_id="gw",
            doc_version="4.2",
            quote="The timeout is 60 s in v4.2.",
        ),
    ),
)


def score(
    answer: str, citations: tuple[Citation, ...] = (), hits: tuple[Hit, ...] = HITS
) -> CitationScore:
    at = answer.find("timeout is 60 s")
    fact = FactPresence(
        fact_id="f1",
        kind=FactKind.REQUIRED,
        number=1,
        presence=Presence.PRESENT if at >= 0 else Presence.ABSENT,
        span=(at, at + 15) if at >= 0 else None,
    )
    return score_citations(
        CitedOutput(answer=answer, citations=citations, hits=hits, facts=(fact,)), CASE
    )


@pytest.mark.parametrize(
    ("marker", "state"),
    [
        ("[1]", CitationState.RIGHT),
        ("[gw:1]", CitationState.RIGHT),
        ("[2]", CitationState.RIGHT),
        ("[faq:9]", CitationState.RIGHT),
        ("(faq, Timeouts)", CitationState.RIGHT),
        ("[3]", CitationState.WRONG),
        ("[4]", CitationState.WRONG),
    ],
)
def test_a_marker_is_right_when_its_chunk_is_gold_or_holds_the_sentence(
    marker: str, state: CitationState
) -> None:
    assert score(f"The timeout is 60 s {marker}.").states == (state,)


def test_right_over_right_and_wrong() -> None:
    found = score("The timeout is 60 s [1]. The timeout is 60 s [4].")
    assert found.value == 0.5
    assert found.coverage == 1.0


def test_an_answer_without_a_citation_is_zero() -> None:
    found = score("The timeout is 60 s.")
    assert (found.value, found.coverage, found.by_sentence) == (0.0, 0.0, False)


@pytest.mark.parametrize("marker", ["[9]", "[gw:44]"])
def test_a_cited_chunk_that_was_not_retrieved_is_wrong_and_fabricated(marker: str) -> None:
    found = score(f"The timeout is 60 s {marker}.")
    assert found.value == 0.0
    assert found.fabricated == (marker.strip("[]"),)


def test_a_logged_id_that_was_not_retrieved_is_fabricated() -> None:
    found = score("The timeout is 60 s.", (Citation(chunk_id="gw:1"),), (OTHER,))
    assert (found.value, found.fabricated) == (0.0, ("gw:1",))


def test_a_logged_citation_of_another_version_is_not_the_retrieved_chunk() -> None:
    cited = (Citation(chunk_id="gw:1", doc_version="3.9"),)
    assert score("The timeout is 60 s.", cited, (GOLD,)).fabricated == ("gw:1",)
    assert score("The timeout is 60 s.", cited, HITS).states == (CitationState.WRONG,)


def test_citations_without_places_cover_the_whole_answer_and_say_so() -> None:
    found = score("The timeout is 60 s. It was 30 s.", (Citation(chunk_id="gw:1"),))
    assert (found.coverage, found.by_sentence, found.value) == (1.0, False, 1.0)


def test_coverage_counts_the_sentences_with_a_claim() -> None:
    found = score("Good question. The timeout is 60 s [1]. Retries wait 5 s.")
    assert (found.claims, found.coverage) == (2, 0.5)


def test_a_marker_after_the_full_stop_belongs_to_the_sentence_before_it() -> None:
    found = score("The timeout is 60 s. [1] Nothing else matters here.")
    assert (found.claims, found.coverage, found.value) == (1, 1.0, 1.0)


def test_offsets_say_which_sentence_is_cited() -> None:
    answer = "The timeout is 60 s. Retries wait 5 s."
    found = score(answer, (Citation(chunk_id="gw:7", doc_version="4.2", start=21, end=38),))
    assert (found.states, found.coverage) == ((CitationState.RIGHT,), 0.5)


def test_a_sentence_that_nothing_can_be_looked_up_in_is_unsure() -> None:
    found = score("It depends on the load [2].")
    assert found.states == (CitationState.UNSURE,)
    assert found.value is None


def test_a_list_of_sources_is_no_place_of_a_citation() -> None:
    found = score("The timeout is 60 s [1].\n\n[1] Gateway manual")
    assert found.states == (CitationState.RIGHT,)


def test_links_and_indices_are_no_citations() -> None:
    found = score("Set hosts[1] as in [the guide](https://example.org). The timeout is 60 s.")
    assert found.states == ()


def test_under_the_quote_rule_a_chunk_with_a_new_id_is_gold() -> None:
    new = Hit(rank=1, chunk_id="gw-b:3", doc_id="gw", doc_version="4.2", text=GOLD.text)
    output = CitedOutput(answer="It is a minute [1].", citations=(), hits=(new,))
    assert score_citations(output, CASE, HitRule.QUOTE).states == (CitationState.RIGHT,)
    assert score_citations(output, CASE, HitRule.ID).states != (CitationState.RIGHT,)
