import pytest

from curation.domain.answer import Citation
from curation.domain.case import Case, Evidence, Fact, FactKind, FactRole, Facts
from curation.domain.verdict import FactPresence, Presence, TextFacts
from curation.metrics.citations import (
    CitationCheck,
    CitationScore,
    citations_of,
)
from curation.metrics.hits import Hit, HitRule
from curation.metrics.output import Output

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


def output_of(
    answer: str, citations: tuple[Citation, ...], hits: tuple[Hit, ...]
) -> tuple[Output, TextFacts]:
    at = answer.find("timeout is 60 s")
    fact = FactPresence(
        fact_id="f1",
        kind=FactKind.REQUIRED,
        number=1,
        presence=Presence.PRESENT if at >= 0 else Presence.ABSENT,
        span=(at, at + 15) if at >= 0 else None,
    )
    return Output(answer=answer, citations=citations, hits=hits), TextFacts(facts=(fact,))


def score(
    answer: str, citations: tuple[Citation, ...] = (), hits: tuple[Hit, ...] = HITS
) -> CitationScore:
    return citations_of(CASE, *output_of(answer, citations, hits)).score


def checks(
    answer: str, citations: tuple[Citation, ...] = (), hits: tuple[Hit, ...] = HITS
) -> list[CitationCheck]:
    found = citations_of(CASE, *output_of(answer, citations, hits)).checked
    return [citation.check for citation in found]


@pytest.mark.parametrize(
    ("marker", "state"),
    [
        ("[1]", CitationCheck.RIGHT),
        ("[gw:1]", CitationCheck.RIGHT),
        ("[2]", CitationCheck.RIGHT),
        ("[faq:9]", CitationCheck.RIGHT),
        ("(faq, Timeouts)", CitationCheck.RIGHT),
        ("[3]", CitationCheck.WRONG),
        ("[4]", CitationCheck.WRONG),
    ],
)
def test_a_marker_is_right_when_its_chunk_is_gold_or_holds_the_sentence(
    marker: str, state: CitationCheck
) -> None:
    assert checks(f"The timeout is 60 s {marker}.") == [state]


def test_right_over_right_and_wrong() -> None:
    found = score("The timeout is 60 s [1]. The timeout is 60 s [4].")
    assert found.value == 0.5
    assert found.coverage == 1.0


def test_an_answer_without_a_citation_is_zero() -> None:
    found = score("The timeout is 60 s.")
    assert (found.value, found.coverage) == (0.0, 0.0)


@pytest.mark.parametrize("marker", ["[9]", "[gw:44]"])
def test_a_cited_chunk_that_was_not_retrieved_is_wrong_and_fabricated(marker: str) -> None:
    found = score(f"The timeout is 60 s {marker}.")
    assert (found.value, found.fabricated) == (0.0, 1)


def test_a_logged_id_that_was_not_retrieved_is_fabricated() -> None:
    found = score("The timeout is 60 s.", (Citation(chunk_id="gw:1"),), (OTHER,))
    assert (found.value, found.fabricated) == (0.0, 1)


def test_a_logged_citation_of_another_version_is_not_the_retrieved_chunk() -> None:
    cited = (Citation(chunk_id="gw:1", doc_version="3.9"),)
    assert checks("The timeout is 60 s.", cited, (GOLD,)) == [CitationCheck.FABRICATED]
    assert checks("The timeout is 60 s.", cited, HITS) == [CitationCheck.WRONG]


def test_citations_without_places_cover_the_whole_answer() -> None:
    found = score("The timeout is 60 s. It was 30 s.", (Citation(chunk_id="gw:1"),))
    assert (found.coverage, found.value) == (1.0, 1.0)


def test_coverage_counts_the_sentences_with_a_claim() -> None:
    found = score("Good question. The timeout is 60 s [1]. Retries wait 5 s.")
    assert (found.claims, found.coverage) == (2, 0.5)


def test_a_marker_after_the_full_stop_belongs_to_the_sentence_before_it() -> None:
    found = score("The timeout is 60 s. [1] Nothing else matters here.")
    assert (found.claims, found.coverage, found.value) == (1, 1.0, 1.0)


def test_offsets_say_which_sentence_is_cited() -> None:
    answer = "The timeout is 60 s. Retries wait 5 s."
    cited = (Citation(chunk_id="gw:7", doc_version="4.2", start=21, end=38),)
    assert checks(answer, cited) == [CitationCheck.RIGHT]
    assert score(answer, cited).coverage == 0.5


def test_a_sentence_that_nothing_can_be_looked_up_in_is_unsure() -> None:
    assert checks("It depends on the load [2].") == [CitationCheck.UNSURE]
    assert score("It depends on the load [2].").value is None


def test_a_list_of_sources_is_no_place_of_a_citation() -> None:
    found = checks("The timeout is 60 s [1].\n\n[1] Gateway manual")
    assert found == [CitationCheck.RIGHT]


def test_links_and_indices_are_no_citations() -> None:
    found = checks("Set hosts[1] as in [the guide](https://example.org). The timeout is 60 s.")
    assert found == []


def test_under_the_quote_rule_a_chunk_with_a_new_id_is_gold() -> None:
    new = Hit(rank=1, chunk_id="gw-b:3", doc_id="gw", doc_version="4.2", text=GOLD.text)
    output = Output(answer="It is a minute [1].", citations=(), hits=(new,))
    by_quote, by_id = (
        [c.check for c in citations_of(CASE, output, TextFacts(), rule).checked]
        for rule in (HitRule.QUOTE, HitRule.ID)
    )
    assert by_quote == [CitationCheck.RIGHT]
    assert by_id == [CitationCheck.UNSURE]


def test_a_logged_marker_says_where_it_stands() -> None:
    cited = (Citation(chunk_id="gw:1", doc_version="4.2", marker="(see gateway)"),)
    answer = "Good question. The timeout is 60 s (see gateway). Retries wait 5 s."
    found = score(answer, cited)
    assert (found.value, found.coverage) == (1.0, 0.5)


def test_a_marker_with_offsets_after_the_full_stop_belongs_to_the_sentence_before_it() -> None:
    answer = "The timeout is 60 s. [a] More follows here."
    cited = (Citation(chunk_id="gw:1", doc_version="4.2", start=21, end=24),)
    assert score(answer, cited).coverage == 1.0


def test_offsets_outside_the_answer_are_no_place() -> None:
    cited = (Citation(chunk_id="gw:1", doc_version="4.2", start=900, end=910),)
    found = score("The timeout is 60 s. It was 30 s.", cited)
    assert (found.coverage, found.value) == (1.0, 1.0)


def test_without_a_place_a_chunk_is_right_when_it_holds_one_sentence() -> None:
    answer = "The timeout is 60 s. Retries wait 5 s."
    assert checks(answer, (Citation(chunk_id="gw:7"),)) == [CitationCheck.RIGHT]
    assert checks(answer, (Citation(chunk_id="faq:9"),)) == [CitationCheck.RIGHT]


def conclusion_case(text: str) -> tuple[Case, TextFacts]:
    fact = Fact(id="f1", text=text, role=FactRole.CONCLUSION, from_=("f0",))
    said = FactPresence(
        fact_id="f1", kind=FactKind.REQUIRED, number=1, presence=Presence.PRESENT, span=(0, 3)
    )
    return CASE.model_copy(update={"facts": Facts(required=(fact,))}), TextFacts(facts=(said,))


def test_a_conclusion_stands_in_no_passage_so_that_only_a_paraphrase_could_tell() -> None:
    case, text = conclusion_case("Not compatible")
    output = Output(answer="Not compatible [2].", citations=(), hits=HITS)
    assert [c.check for c in citations_of(case, output, text).checked] == [CitationCheck.UNSURE]


def test_a_chunk_that_lacks_a_fact_of_the_sentence_is_wrong() -> None:
    fact = FactPresence(
        fact_id="f1", kind=FactKind.REQUIRED, number=1, presence=Presence.PRESENT, span=(0, 30)
    )
    case = CASE.model_copy(
        update={"facts": Facts(required=(Fact(id="f1", text="The session is encrypted"),))}
    )
    output = Output(answer="The session is encrypted [4].", citations=(), hits=HITS)
    found = citations_of(case, output, TextFacts(facts=(fact,))).checked
    assert [c.check for c in found] == [CitationCheck.WRONG]


def test_where_no_hits_were_logged_nothing_is_fabricated() -> None:
    output = Output(answer="The timeout is 60 s.", citations=(Citation(chunk_id="gw:1"),))
    assert [c.check for c in citations_of(CASE, output, TextFacts()).checked] == [
        CitationCheck.RIGHT
    ]
