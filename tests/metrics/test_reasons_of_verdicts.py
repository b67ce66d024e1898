"""What a reviewer reads beside each state of a verdict, and the numbers that go with it."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from curation.domain.answer import Citation, Outcome
from curation.domain.case import (
    Answerable,
    Case,
    Evidence,
    Fact,
    Facts,
    ForbiddenFact,
    Turn,
)
from curation.domain.review import FailureCategory
from curation.domain.verdict import CaseVerdict, Criterion, Red, RedCheck, State
from curation.metrics.hits import Hit, HitRule
from curation.metrics.output import Output
from curation.metrics.verdict import judge_output, red_check

RIGHT = "The timeout is 60 s. It retries 3 times."
NEW = Hit(rank=1, chunk_id="gw#t", doc_id="gw", doc_version="4.2", text=RIGHT)
BLANK = Hit(rank=2, chunk_id="c2")
GOLD = Evidence(
    id="e1", group="e1", chunk_id="gw#t", doc_id="gw", doc_version="4.2", quote="timeout is 60 s"
)
FACTS = Facts(
    required=(Fact(id="f1", text="timeout is 60 s"), Fact(id="f2", text="retries 3 times")),
    forbidden=(ForbiddenFact(id="f3", text="30 s"), ForbiddenFact(id="f4", text="20 s")),
)
Judge = Callable[[], CaseVerdict]
CASE = Case(
    id="q-0001", question="What is the timeout?", facts=FACTS, evidence=(GOLD,), doc_version="4.2"
)


def case(answerable: Answerable = Answerable.ANSWERABLE, **parts: Any) -> Case:
    return CASE.model_copy(update={"answerable": answerable, **parts})


def judged(of: Case = CASE, text: str = RIGHT, *hits: Hit, **parts: Any) -> CaseVerdict:
    rule = parts.pop("rule", HitRule.ID)
    output = Output(answer=text, hits=parts.pop("hits", hits or (NEW,)), **parts)
    return judge_output(of, output, rule=rule)


def given(*args: Any, **parts: Any) -> Judge:
    """The same, judged when the test runs."""
    return partial(judged, *args, **parts)


def told(verdict: CaseVerdict, criterion: Criterion) -> tuple[State, str]:
    found = verdict.on(criterion)
    return found.state, found.reason


UNANSWERABLE = case(Answerable.UNANSWERABLE, evidence=())
UNQUOTED = case(evidence=(GOLD.model_copy(update={"quote": ""}),))


@pytest.mark.parametrize(
    ("judge", "state", "reason"),
    [
        (given(), State.PASS, "all evidence is in the first 5 chunks"),
        (given(hits=()), State.FAIL, "1 of 1 evidence groups not in the first 5 chunks"),
        (given(UNANSWERABLE), State.NOT_APPLICABLE, "the case has no evidence to retrieve"),
        (given(case(evidence=())), State.NOT_APPLICABLE, "the case has no evidence to retrieve"),
        (given(hits=None), State.NOT_APPLICABLE, "the retrieved chunks were not logged"),
        (
            given(UNQUOTED, rule=HitRule.QUOTE),
            State.UNSURE,
            "the hits do not tell which evidence they hold",
        ),
    ],
)
def test_retrieval_says_how_much_is_where(judge: Judge, state: State, reason: str) -> None:
    assert told(judge(), Criterion.RETRIEVAL) == (state, reason)


BARE = case(facts=Facts(), evidence=())
ONLY_REQUIRED = case(Answerable.UNANSWERABLE, facts=Facts(required=FACTS.required), evidence=())
VAGUE = Facts(required=(Fact(id="f1", text="sessions live in volatile storage"),))


@pytest.mark.parametrize(
    ("judge", "state", "reason"),
    [
        (given(), State.PASS, "it has every required fact and no forbidden one"),
        (given(BARE), State.NOT_APPLICABLE, "the case has no facts to look for"),
        (given(ONLY_REQUIRED), State.NOT_APPLICABLE, "the case has no facts to look for"),
        (
            given(text="It is set by hand."),
            State.FAIL,
            "it lacks required fact 1, required fact 2",
        ),
        (
            given(text="It is 30 s. It retries 3 times. It was 20 s."),
            State.FAIL,
            "it lacks required fact 1 and it holds forbidden fact 1, forbidden fact 2",
        ),
        (
            given(text=f"{RIGHT} It is 30 s."),
            State.FAIL,
            "it holds forbidden fact 1",
        ),
        (
            given(text="I do not know."),
            State.FAIL,
            "it abstained, so it has no required fact",
        ),
        (
            given(case(facts=VAGUE), "Sessions are kept in memory, a volatile storage."),
            State.UNSURE,
            "it cannot be told for required fact 1",
        ),
    ],
)
def test_the_answer_says_which_facts_it_lacks_and_holds(
    judge: Judge, state: State, reason: str
) -> None:
    assert told(judge(), Criterion.ANSWER) == (state, reason)


CITED = (Citation(chunk_id="gw#t", doc_version="4.2"),)
TALK = Hit(rank=2, chunk_id="talk", text="It is about sessions.")


@pytest.mark.parametrize(
    ("judge", "state", "reason"),
    [
        (given(citations=CITED), State.PASS, "every citation supports its sentence"),
        (given(citations=()), State.FAIL, "it cites nothing"),
        (given(citations=None), State.NOT_APPLICABLE, "no citations were logged"),
        (given(UNANSWERABLE, citations=()), State.NOT_APPLICABLE, "there is nothing to cite"),
        (
            given(text="I do not know.", citations=()),
            State.NOT_APPLICABLE,
            "there is nothing to cite",
        ),
        (
            given(citations=(*CITED, Citation(chunk_id="made-up"))),
            State.FAIL,
            "it cites a chunk that was not retrieved",
        ),
        (
            given(CASE, "It is 30 s.", NEW, TALK, citations=(*CITED, Citation(chunk_id="talk"))),
            State.FAIL,
            "a cited chunk does not support its sentence",
        ),
        (
            given(CASE, "Sessions end.", NEW, TALK, citations=(*CITED, Citation(chunk_id="talk"))),
            State.UNSURE,
            "only a paraphrase could support a sentence",
        ),
    ],
)
def test_citation_says_the_worst_of_what_is_cited(judge: Judge, state: State, reason: str) -> None:
    assert told(judge(), Criterion.CITATION) == (state, reason)


def test_what_is_cited_is_recognised_by_the_rule_of_the_comparison() -> None:
    new = Hit(rank=1, chunk_id="n#1", doc_id="gw", doc_version="4.2", text=RIGHT)
    found = {rule: judged(CASE, "So it is [1].", new, rule=rule).citation for rule in HitRule}
    assert found[HitRule.QUOTE].state is State.PASS
    assert found[HitRule.ID].state is State.UNSURE


@pytest.mark.parametrize(
    ("judge", "state", "reason", "numbers"),
    [
        (given(text="It is 60 s."), State.PASS, "its only number stands in the prompt", (1.0, 1)),
        (given(), State.PASS, "all 2 numbers stand in the prompt", (1.0, 2)),
        (given(text="It is set."), State.PASS, "it holds no number to check", (1.0, 0)),
        (
            given(text="It is 45 s, 60 s, 45 s or 7 min."),
            State.FAIL,
            "in no retrieved chunk: 45 s, 7 min",
            (0.25, 4),
        ),
        (given(text="I do not know."), State.NOT_APPLICABLE, "it abstained", (None, 0)),
        (given(hits=None), State.NOT_APPLICABLE, "the retrieved chunks were not logged", (None, 0)),
        (
            given(CASE, "It is 45 s.", NEW, BLANK),
            State.NOT_APPLICABLE,
            "the texts of some retrieved chunks are not known",
            (None, 0),
        ),
    ],
)
def test_grounding_says_what_stands_nowhere(
    judge: Judge, state: State, reason: str, numbers: tuple[float | None, int]
) -> None:
    verdict = judge()
    assert told(verdict, Criterion.GROUNDING) == (state, reason)
    assert (verdict.faithfulness, verdict.n_checked) == numbers


def test_a_prompt_that_was_kept_stands_for_the_chunks() -> None:
    held = judged(CASE, "It is 45 s.", NEW, BLANK, prompt="Say 45 s.")
    assert held.grounding.state is State.PASS
    assert judged(CASE, "It is 60 s.", NEW, prompt="Say 45 s.").grounding.state is State.FAIL
    turn = case(conversation=(Turn(role="user", text="I set 45 s."),))
    assert judged(turn, "It is 45 s.").grounding.state is State.PASS


ASKED = case(
    Answerable.UNDERSPECIFIED, facts=Facts(required=(Fact(id="f1", text="60 s"),)), evidence=()
)
UNCLEAR = case(Answerable.UNDERSPECIFIED, facts=Facts(), evidence=())


@pytest.mark.parametrize(
    ("judge", "state", "reason"),
    [
        (given(), State.PASS, "it answered"),
        (given(outcome=Outcome.CLARIFIED), State.FAIL, "it clarified"),
        (given(case(Answerable.PARTIAL)), State.PASS, "it answered"),
        (given(case(Answerable.PARTIAL), outcome=Outcome.ABSTAINED), State.FAIL, "it abstained"),
        (given(UNANSWERABLE), State.FAIL, "it answered"),
        (given(UNANSWERABLE, outcome=Outcome.CLARIFIED), State.PASS, "it clarified"),
        (given(ASKED, outcome=Outcome.CLARIFIED), State.PASS, "it clarified"),
        (given(ASKED, outcome=Outcome.ABSTAINED), State.FAIL, "it abstained"),
        (
            given(ASKED),
            State.PASS,
            "it answered: it has every required fact and no forbidden one",
        ),
        (given(ASKED, "It depends."), State.FAIL, "it answered: it lacks required fact 1"),
        (given(UNCLEAR), State.FAIL, "it answered as if the question were clear"),
        (
            given(text="I do not have that information. However, the port is 8080."),
            State.UNSURE,
            "it cannot be told whether it answers or declines",
        ),
    ],
)
def test_abstention_says_what_it_did(judge: Judge, state: State, reason: str) -> None:
    assert told(judge(), Criterion.ABSTENTION) == (state, reason)


def test_red_names_the_criteria_that_decided_it() -> None:
    right = judged(citations=CITED)
    assert red_check(right, None) == RedCheck(result=Red.PASSES)
    wrong = judged(text="The timeout is 60 s.", citations=CITED)
    assert red_check(wrong, None) == RedCheck(result=Red.FAILS, criteria=(Criterion.ANSWER,))
    other = red_check(wrong, FailureCategory.CITATION)
    assert other == RedCheck(result=Red.OTHER, criteria=(Criterion.ANSWER,))
    vague = judged(case(facts=VAGUE), "Sessions are kept in memory, a volatile storage.")
    assert red_check(vague, None) == RedCheck(result=Red.UNSURE, criteria=(Criterion.ANSWER,))
