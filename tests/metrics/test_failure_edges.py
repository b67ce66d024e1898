"""Where the pipeline failed: versions of a document, parts of the evidence, who holds a value."""

from typing import Any

import pytest

from curation.domain.answer import Citation
from curation.domain.case import Answerable, Case, Decline, Evidence, Fact, Facts, ForbiddenFact
from curation.domain.review import FailureCategory, FailureProposal
from curation.metrics.failure import propose_failure
from curation.metrics.hits import Hit
from curation.metrics.output import Output
from curation.metrics.verdict import judge_output

GOLD = Evidence(
    id="e1", group="e1", chunk_id="guide#t", doc_id="guide-4.2", doc_version="4.2", quote="60 s"
)
CASE = Case(
    id="q-0001",
    question="What is the default idle timeout?",
    facts=Facts(
        required=(Fact(id="f1", text="default idle timeout is 60 s", evidence=("e1",)),),
        forbidden=(ForbiddenFact(id="f2", text="30 s"),),
    ),
    evidence=(GOLD,),
)
NEW = Hit(
    rank=9,
    chunk_id="guide#t",
    doc_id="guide-4.2",
    doc_version="4.2",
    text="The default idle timeout is 60 s.",
)
WRONG, RIGHT = "The default idle timeout is 30 s.", "The default idle timeout is 60 s."


def hit(rank: int = 1, text: str | None = "Notes.", **parts: Any) -> Hit:
    return Hit(**{"chunk_id": f"c{rank}", **parts, "rank": rank, "text": text})


def proposed(text: str, *hits: Hit, of: Case = CASE, **parts: Any) -> FailureProposal:
    output = Output(answer=text, hits=parts.pop("hits", hits), **parts)
    return propose_failure(of, output, judge_output(of, output))


def case(answerable: Answerable = Answerable.ANSWERABLE, **parts: Any) -> Case:
    return CASE.model_copy(update={"answerable": answerable, **parts})


NOT_RETRIEVED = "because the evidence was not retrieved"


@pytest.mark.parametrize(
    ("found", "because"),
    [
        (
            hit(chunk_id="guide#t", doc_version="3.9"),
            "because only version 3.9 of the document was",
        ),
        (
            hit(doc_id="GUIDE-3.9", doc_version="3.9"),
            "because only version 3.9 of the document was",
        ),
        (hit(doc_id="guide-", doc_version="4.1"), "because only version 4.1 of the document was"),
        (hit(doc_id="guide-4.2", doc_version="4.2"), NOT_RETRIEVED),
        (hit(doc_id="guide-", doc_version=None), NOT_RETRIEVED),
        (hit(doc_id="ports-3.9", doc_version="3.9"), NOT_RETRIEVED),
        (hit(doc_version="3.9"), NOT_RETRIEVED),
        (hit(doc_id="guideXXXX", doc_version="3.9"), NOT_RETRIEVED),
    ],
)
def test_another_version_is_one_of_the_same_document_or_chunk(found: Hit, because: str) -> None:
    proposal = proposed(RIGHT, found)
    assert proposal.category is FailureCategory.CONTEXT_RECALL
    assert proposal.because.startswith(because)


def test_a_document_whose_version_is_not_known_is_told_by_its_id() -> None:
    plain = case(evidence=(GOLD.model_copy(update={"doc_id": "Guide", "doc_version": None}),))
    proposal = proposed(RIGHT, hit(doc_id="guide", doc_version="3.9"), of=plain)
    assert proposal.because == "because only version 3.9 of the document was retrieved"


def test_only_what_is_missing_is_looked_for_in_other_versions() -> None:
    other = GOLD.model_copy(update={"id": "e2", "group": "e2", "chunk_id": "faq", "doc_id": "faq"})
    both = case(evidence=(GOLD, other))
    old = hit(chunk_id="guide#t", doc_version="3.9")
    assert proposed(RIGHT, NEW, old, of=both).because == (
        "because a part of the evidence was not retrieved"
    )
    assert proposed(RIGHT, old, hit(2), of=both).because.startswith("because only version 3.9")


def test_groups_with_the_same_chunk_are_missing_together() -> None:
    twin = GOLD.model_copy(update={"id": "e2", "group": "e2"})
    assert proposed(RIGHT, hit(), of=case(evidence=(GOLD, twin))).because == NOT_RETRIEVED


DECLINED = "I do not have that information."


def test_it_declined_although_only_a_part_of_the_evidence_was_there() -> None:
    proposal = proposed(DECLINED, hit())
    assert proposal.secondary[0] is FailureCategory.OVER_ABSTENTION
    unclear = proposed(DECLINED, NEW, of=case(Answerable.UNDERSPECIFIED))
    assert FailureCategory.OVER_ABSTENTION not in (unclear.category, *unclear.secondary)
    bare = proposed(DECLINED, NEW, of=case(evidence=()))
    assert FailureCategory.OVER_ABSTENTION not in (bare.category, *bare.secondary)


def test_evidence_that_was_cut_from_the_prompt_is_not_also_below_a_wrong_value() -> None:
    wrong = hit(text=WRONG)
    proposal = proposed(WRONG, wrong, Hit(rank=2, chunk_id="guide#t", text=RIGHT, used=False))
    assert proposal.because == "because the evidence was retrieved but did not reach the prompt"
    assert proposal.secondary == (FailureCategory.ANSWER_RELEVANCY,)


@pytest.mark.parametrize(
    ("hits", "rank"),
    [
        ((hit(1), hit(2, WRONG), hit(3, WRONG)), 2),
        ((hit(1, "| idle | 30 s |"),), 1),
        ((hit(1, None), hit(2, WRONG)), 2),
        ((hit(1), hit(10, WRONG)), None),
        ((hit(1, "The port is 8080."),), None),
    ],
)
def test_the_first_chunk_above_the_evidence_that_holds_the_wrong_value_is_named(
    hits: tuple[Hit, ...], rank: int | None
) -> None:
    found = proposed(WRONG, *sorted((*hits, NEW), key=lambda each: each.rank))
    said = f"because the wrong value stands in chunk #{rank}, above the evidence"
    if rank is None:
        assert found.category is not FailureCategory.CONTEXT_PRECISION
    else:
        assert (found.category, found.because) == (FailureCategory.CONTEXT_PRECISION, said)


def test_a_value_that_the_evidence_holds_too_is_not_the_chunks_above_it() -> None:
    plain = case(facts=Facts(required=CASE.facts.required))
    both = Hit(rank=2, chunk_id="guide#t", text="The default idle timeout is 60 s, once 30 s.")
    found = proposed(WRONG, hit(1, "Once it was 30 s."), both, of=plain)
    assert found.category is not FailureCategory.CONTEXT_PRECISION


def test_a_number_that_no_chunk_holds_is_shown() -> None:
    plain = case(facts=Facts(required=CASE.facts.required))
    found = proposed("The default idle timeout is 45 s or 50 s.", NEW, of=plain)
    assert (found.category, found.because) == (
        FailureCategory.FAITHFULNESS,
        "because 45 s is in no retrieved chunk",
    )


UNPROVEN = case(facts=Facts(required=(Fact(id="f1", text="The port is 8080"),)), evidence=())


@pytest.mark.parametrize(
    ("of", "hits", "category", "because"),
    [
        (
            UNPROVEN,
            (hit(),),
            FailureCategory.FAITHFULNESS,
            "because the answer lacks required fact 1 and no retrieved chunk holds it",
        ),
        (
            UNPROVEN,
            (hit(), hit(2, None)),
            FailureCategory.ANSWER_RELEVANCY,
            "because the answer lacks required fact 1",
        ),
        (
            UNPROVEN,
            (hit(), hit(2, "The port is 8080.")),
            FailureCategory.ANSWER_RELEVANCY,
            "because the answer lacks required fact 1",
        ),
        (
            case(),
            (NEW,),
            FailureCategory.ANSWER_RELEVANCY,
            "because the answer lacks required fact 1, which was retrieved",
        ),
    ],
)
def test_a_fact_that_the_answer_lacks_is_retrieved_or_held_by_no_chunk(
    of: Case, hits: tuple[Hit, ...], category: FailureCategory, because: str
) -> None:
    found = proposed("It is set by hand.", *hits, of=of)
    assert (found.category, found.because) == (category, because)


def test_a_fact_that_nothing_proves_is_not_proven_by_the_evidence_of_another() -> None:
    port = Fact(id="f3", text="The port is 8080")
    both = case(facts=Facts(required=(*CASE.facts.required, port)))
    found = proposed(RIGHT, NEW, of=both)
    assert found.because == (
        "because the answer lacks required fact 2 and no retrieved chunk holds it"
    )
    proven = port.model_copy(update={"evidence": ("e1",)})
    found = proposed(RIGHT, NEW, of=case(facts=Facts(required=(*CASE.facts.required, proven))))
    assert found.category is FailureCategory.ANSWER_RELEVANCY


def test_a_forbidden_statement_without_numbers_is_held_by_the_chunk_that_says_it() -> None:
    stated = ForbiddenFact(id="f2", text="sessions are kept on disk")
    of = case(facts=Facts(required=CASE.facts.required, forbidden=(stated,)))
    answer = f"{RIGHT} Sessions are kept on disk."
    said = proposed(answer, hit(1, "Sessions are kept on disk."), NEW, of=of)
    assert said.because == "because the wrong value stands in chunk #1, above the evidence"
    unsaid = proposed(answer, hit(1, "Sessions are kept."), NEW, of=of)
    assert unsaid.because == "because no retrieved chunk holds forbidden fact 1"


def test_a_table_holds_a_forbidden_statement_by_its_numbers() -> None:
    wordy = ForbiddenFact(id="f2", text="default idle timeout is 30 s")
    of = case(facts=Facts(forbidden=(wordy,)))
    found = proposed(WRONG, hit(1, "| v3.9 | idle | 30 s |"), NEW, of=of)
    assert found.because == "because the wrong value stands in chunk #1, above the evidence"
    other = proposed(WRONG, hit(1, "| v3.9 | idle | 31 s |"), NEW, of=of)
    assert other.because == "because no retrieved chunk holds forbidden fact 1"


def test_the_first_of_a_forbidden_and_a_wrong_value_is_named() -> None:
    port = ForbiddenFact(id="f2", text="the port is 8080")
    of = case(facts=Facts(required=CASE.facts.required, forbidden=(port,)))
    chunks = (hit(1, "The port is 8080."), hit(2, "The default idle timeout is 45 s."), NEW)
    found = proposed("The default idle timeout is 45 s. The port is 8080.", *chunks, of=of)
    assert found.because == "because the wrong value stands in chunk #1, above the evidence"


def test_what_says_what_is_not_known_or_asks_is_no_false_answer() -> None:
    lines = (Decline(id="d1", text="The price is not documented."),)
    said = proposed(
        f"{RIGHT} The price is not documented.", NEW, of=case(Answerable.PARTIAL, declines=lines)
    )
    assert said.because == "because the picks do not show what failed"
    known = case(Answerable.UNDERSPECIFIED, facts=Facts(required=CASE.facts.required))
    assert proposed(RIGHT, NEW, of=known).because == "because the picks do not show what failed"


def test_what_declines_is_not_unfaithful() -> None:
    found = proposed(DECLINED, hit(), of=UNPROVEN)
    assert FailureCategory.FAITHFULNESS not in (found.category, *found.secondary)


NOT_LOGGED = "because the retrieved chunks were not logged, so the stage cannot be told"


def test_without_logged_chunks_only_what_needs_none_is_proposed() -> None:
    lacks = proposed("It is set by hand.", hits=None)
    assert (lacks.category, lacks.because) == (None, NOT_LOGGED)
    assert lacks.secondary == (FailureCategory.ANSWER_RELEVANCY,)
    right = proposed(RIGHT, hits=None)
    assert (right.category, right.because, right.secondary) == (None, NOT_LOGGED, ())
    other = Citation(chunk_id="guide#t", doc_version="3.9")
    miscited = proposed(RIGHT, of=case(doc_version="4.2"), hits=None, citations=(other,))
    assert miscited.category is FailureCategory.CITATION


@pytest.mark.parametrize(
    ("of", "because"),
    [
        (case(), "because the picks do not show what failed"),
        (case(facts=Facts()), "because the picks do not show what failed"),
        (case(evidence=()), "because the picks do not show what failed"),
        (case(facts=Facts(), evidence=()), "because nothing is picked yet"),
    ],
)
def test_why_nothing_is_proposed(of: Case, because: str) -> None:
    found = proposed(RIGHT, NEW, of=of)
    assert (found.category, found.because, found.secondary) == (None, because, ())


def test_that_it_cannot_be_told_whether_it_declines_matters_only_where_it_must() -> None:
    both = "I do not have that information. However, the default idle timeout is 60 s."
    told = proposed(both, NEW)
    assert told.because == "because the picks do not show what failed"
