"""Where the pipeline failed: one constructed answer for every category, and the order of rules."""

import pytest

from curation.domain.answer import Answer, Citation, Outcome, RetrievedChunk
from curation.domain.case import (
    Answerable,
    Case,
    Decline,
    Evidence,
    Fact,
    FactRole,
    Facts,
    ForbiddenFact,
)
from curation.domain.review import FailureCategory, FailureProposal
from curation.metrics.failure import propose_failure
from curation.metrics.output import logged_output
from curation.metrics.verdict import judge_output

NEW = RetrievedChunk(
    rank=1,
    chunk_id="gw#timeouts",
    doc_id="gateway",
    doc_version="4.2",
    text="The default idle timeout is 60 s. It is set with --idle-timeout.",
)
OLD = NEW.model_copy(
    update={"doc_version": "3.9", "text": "The default idle timeout is 30 s. It is fixed."}
)
PORTS = RetrievedChunk(
    rank=1, chunk_id="gw#ports", doc_id="ports", doc_version="4.2", text="The port is 8080."
)
REQUIRED = Fact(id="f1", text="default idle timeout is 60 s", evidence=("e1",))
FORBIDDEN = ForbiddenFact(id="f2", text="30 s", value_of="3.9")
GOLD = Evidence(
    id="e1",
    group="e1",
    chunk_id="gw#timeouts",
    doc_id="gateway",
    doc_version="4.2",
    quote="The default idle timeout is 60 s.",
)


def _case(answerable: Answerable = Answerable.ANSWERABLE, **parts: object) -> Case:
    case = Case(
        id="q-0001",
        question="What is the default idle timeout in v4.2?",
        answerable=answerable,
        facts=Facts(required=(REQUIRED,), forbidden=(FORBIDDEN,)),
        evidence=(GOLD,),
        doc_version="4.2",
    )
    return case.model_copy(update=parts)


def _ranked(*chunks: RetrievedChunk) -> tuple[RetrievedChunk, ...]:
    return tuple(c.model_copy(update={"rank": n}) for n, c in enumerate(chunks, start=1))


def _propose(case: Case, text: str, *chunks: RetrievedChunk, **parts: object) -> FailureProposal:
    answer = Answer(id="a1", question=case.question, answer=text, retrieved=_ranked(*chunks))
    output = logged_output(answer.model_copy(update=parts))
    return propose_failure(case, output, judge_output(case, output))


UNANSWERABLE = {"facts": Facts(forbidden=(FORBIDDEN,)), "evidence": ()}
DECLINES = (Decline(id="d1", text="The price is not documented."),)


@pytest.mark.parametrize(
    ("case", "text", "chunks", "category", "because"),
    [
        (
            _case(),
            "The default idle timeout is 30 s.",
            (OLD, PORTS),
            FailureCategory.CONTEXT_RECALL,
            "because only version 3.9 of the document was retrieved",
        ),
        (
            _case(),
            "The port is 8080.",
            (PORTS,),
            FailureCategory.CONTEXT_RECALL,
            "because the evidence was not retrieved",
        ),
        (
            _case(),
            "I do not have that information.",
            (PORTS,),
            FailureCategory.CONTEXT_RECALL,
            "because the evidence was not retrieved",
        ),
        (
            _case(),
            "I do not have that information.",
            (NEW, PORTS),
            FailureCategory.OVER_ABSTENTION,
            "because it declined although the evidence was retrieved",
        ),
        (
            _case(),
            "The default idle timeout is 30 s.",
            (OLD, NEW),
            FailureCategory.CONTEXT_PRECISION,
            "because the wrong value stands in chunk #1, above the evidence",
        ),
        (
            _case(),
            "The default idle timeout is not known to me, but it may be set.",
            (PORTS, NEW.model_copy(update={"used": False})),
            FailureCategory.CONTEXT_PRECISION,
            "because the evidence was retrieved but did not reach the prompt",
        ),
        (
            _case(),
            "The default idle timeout is 45 s.",
            (NEW, PORTS),
            FailureCategory.FAITHFULNESS,
            "because 45 s is in no retrieved chunk",
        ),
        (
            _case(),
            "The default idle timeout is 30 s.",
            (NEW, PORTS),
            FailureCategory.FAITHFULNESS,
            "because no retrieved chunk holds forbidden fact 1",
        ),
        (
            _case(),
            "It is set with --idle-timeout.",
            (NEW, PORTS),
            FailureCategory.ANSWER_RELEVANCY,
            "because the answer lacks required fact 1, which was retrieved",
        ),
        (
            _case(Answerable.UNANSWERABLE, **UNANSWERABLE),
            "The default idle timeout is 30 s.",
            (OLD,),
            FailureCategory.FALSE_ANSWER,
            "because the corpus has no answer and one was given",
        ),
        (
            _case(Answerable.UNANSWERABLE, **UNANSWERABLE),
            "The documents do not say.",
            (OLD,),
            FailureCategory.NONE,
            "because the corpus has no answer and none was given",
        ),
        (
            _case(Answerable.PARTIAL, declines=DECLINES),
            "The default idle timeout is 60 s.",
            (NEW,),
            FailureCategory.FALSE_ANSWER,
            "because it does not say what the corpus does not know",
        ),
        (
            _case(
                Answerable.UNDERSPECIFIED,
                facts=Facts(required=(Fact(id="f1", text="which product"),)),
                evidence=(),
            ),
            "The default idle timeout is 30 s.",
            (OLD,),
            FailureCategory.FALSE_ANSWER,
            "because it answered as if the question were clear",
        ),
    ],
)
def test_each_category_is_proposed_with_its_reason(
    case: Case,
    text: str,
    chunks: tuple[RetrievedChunk, ...],
    category: FailureCategory,
    because: str,
) -> None:
    proposal = _propose(case, text, *chunks)
    assert (proposal.category, proposal.because) == (category, because)


def test_the_wrong_versions_value_is_a_retrieval_failure_with_faithfulness_1() -> None:
    case = _case()
    answer = Answer(
        id="a1", question=case.question, answer="The default is 30 s.", retrieved=(OLD,)
    )
    output = logged_output(answer)
    verdict = judge_output(case, output)
    proposal = propose_failure(case, output, verdict)
    assert proposal.category is FailureCategory.CONTEXT_RECALL
    assert verdict.faithfulness == 1.0
    assert proposal.category.stage == "retrieval, chunking"


def test_right_facts_with_a_wrong_citation_are_a_citation_failure() -> None:
    wrong = Citation(chunk_id="gw#ports", doc_version="4.2", start=0, end=3)
    text = "The default idle timeout is 60 s."
    proposal = _propose(_case(), text, NEW, PORTS, citations=(wrong,))
    assert proposal.category is FailureCategory.CITATION
    assert proposal.because == "because a cited chunk does not support its sentence"


def test_all_other_matches_are_kept_as_secondary() -> None:
    proposal = _propose(_case(), "I do not have that information.", PORTS)
    assert proposal.category is FailureCategory.CONTEXT_RECALL
    assert proposal.secondary == (
        FailureCategory.OVER_ABSTENTION,
        FailureCategory.ANSWER_RELEVANCY,
    )


def test_the_wrong_value_is_known_from_the_required_fact_alone() -> None:
    case = _case(facts=Facts(required=(REQUIRED,)))
    proposal = _propose(case, "The default idle timeout is 30 s.", OLD, NEW)
    assert proposal.category is FailureCategory.CONTEXT_PRECISION


def test_a_forbidden_statement_is_found_in_a_chunk_by_its_numbers() -> None:
    table = PORTS.model_copy(update={"chunk_id": "t", "text": "| v3.9 | idle | 30 s |"})
    wordy = FORBIDDEN.model_copy(update={"text": "default idle timeout is 30 s"})
    case = _case(facts=Facts(required=(REQUIRED,), forbidden=(wordy,)))
    proposal = _propose(case, "The default idle timeout is 30 s.", table, NEW)
    assert proposal.category is FailureCategory.CONTEXT_PRECISION


def test_a_part_of_the_evidence_is_missing() -> None:
    other = GOLD.model_copy(update={"id": "e2", "group": "e2", "chunk_id": "faq", "doc_id": "faq"})
    proposal = _propose(_case(evidence=(GOLD, other)), "It is 60 s.", NEW)
    assert proposal.because == "because a part of the evidence was not retrieved"


def test_an_alternative_that_was_retrieved_is_enough() -> None:
    other = GOLD.model_copy(update={"id": "e2", "chunk_id": "faq", "doc_id": "faq"})
    proposal = _propose(_case(evidence=(GOLD, other)), "It is set with --idle-timeout.", NEW)
    assert proposal.category is FailureCategory.ANSWER_RELEVANCY


def test_a_conclusion_that_is_missing_is_not_unfaithful() -> None:
    conclusion = Fact(id="f3", text="not compatible", role=FactRole.CONCLUSION, from_=("f1",))
    case = _case(facts=Facts(required=(conclusion,)))
    proposal = _propose(case, "Yes, they are compatible.", NEW)
    assert proposal.category is FailureCategory.ANSWER_RELEVANCY


@pytest.mark.parametrize("text", ["The default idle timeout is 30 s.", "I do not know."])
def test_without_logged_chunks_there_is_no_proposal_and_it_says_so(text: str) -> None:
    proposal = _propose(_case(), text)
    assert proposal.category is None
    assert "chunks were not logged" in proposal.because


def test_without_logged_chunks_a_false_answer_is_still_one() -> None:
    case = _case(Answerable.UNANSWERABLE, **UNANSWERABLE)
    assert _propose(case, "It is 30 s.").category is FailureCategory.FALSE_ANSWER


def test_without_logged_chunks_an_undecided_refusal_is_told_as_that() -> None:
    case = _case(Answerable.UNANSWERABLE, **UNANSWERABLE)
    proposal = _propose(case, "I do not have that information. However, it may be 30 s.")
    assert proposal.category is None
    assert proposal.because == "because it cannot be told whether the answer declines"


def test_nothing_picked_gives_no_proposal() -> None:
    proposal = _propose(_case(facts=Facts(), evidence=()), "It is 30 s.", OLD)
    assert proposal.category is None
    assert proposal.because == "because nothing is picked yet"


def test_an_unanswerable_case_with_an_undecided_outcome_gives_none() -> None:
    case = _case(Answerable.UNANSWERABLE, **UNANSWERABLE)
    text = "I do not have that information. However, the port is 8080."
    proposal = _propose(case, text, PORTS)
    assert proposal.category is None
    assert "whether the answer declines" in proposal.because
    logged = _propose(case, text, PORTS, outcome=Outcome.ANSWERED)
    assert logged.category is FailureCategory.FALSE_ANSWER


def test_the_proposal_changes_with_the_picks() -> None:
    text, chunks = "The default idle timeout is 30 s.", (OLD, PORTS)
    empty = _case(facts=Facts(), evidence=())
    with_fact = _case(evidence=(), facts=Facts(required=(Fact(id="f1", text="60 s"),)))
    assert _propose(empty, text, *chunks).category is None
    assert _propose(with_fact, text, *chunks).category is FailureCategory.FAITHFULNESS
    assert _propose(_case(), text, *chunks).category is FailureCategory.CONTEXT_RECALL
