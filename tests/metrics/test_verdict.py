"""One output on one case: the table of states, the hit rule, red, and what saying less may do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.answer import Citation, Outcome
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
from curation.domain.review import FailureCategory
from curation.domain.verdict import CaseVerdict, Criterion, Presence, Red, State
from curation.metrics.hits import Hit, HitRule
from curation.metrics.lookup import look_up_reference
from curation.metrics.output import Output
from curation.metrics.verdict import judge_answer, judge_output, red_check

NEW = Hit(
    rank=1,
    chunk_id="gw#timeouts",
    doc_id="gateway",
    doc_version="4.2",
    text="The default idle timeout is 60 s. Sessions are kept in memory.",
)
OLD = Hit(
    rank=1,
    chunk_id="gw#timeouts",
    doc_id="gateway",
    doc_version="3.9",
    text="The default idle timeout is 30 s. Sessions are kept on disk.",
)
RIGHT = "The default idle timeout is 60 s."
WRONG = "The default idle timeout is 30 s."


def _case(answerable: Answerable = Answerable.ANSWERABLE, **parts: object) -> Case:
    """Return a case about a timeout; parts replace its own."""
    case = Case(
        id="q-0001",
        question="What is the default idle timeout in v4.2?",
        answerable=answerable,
        reference="In v4.2 the default idle timeout is 60 s.",
        facts=Facts(
            required=(Fact(id="f1", text="default idle timeout is 60 s", evidence=("e1",)),),
            forbidden=(ForbiddenFact(id="f2", text="30 s", value_of="3.9"),),
        ),
        evidence=(
            Evidence(
                id="e1",
                group="e1",
                chunk_id="gw#timeouts",
                doc_id="gateway",
                doc_version="4.2",
                quote="The default idle timeout is 60 s.",
            ),
        ),
        doc_version="4.2",
    )
    return case.model_copy(update=parts)


def _states(verdict: CaseVerdict) -> dict[str, str]:
    return {criterion.value: verdict.on(criterion).state.value for criterion in Criterion}


def _judge(case: Case, text: str, *hits: Hit, **parts: object) -> CaseVerdict:
    return judge_output(case, Output(answer=text, hits=hits, **parts))  # type: ignore[arg-type]


NO_FACTS = {"facts": Facts(), "evidence": ()}
ASKED = Facts(required=(Fact(id="f1", text="which product"),))
ONLY_FORBIDDEN = Facts(forbidden=(ForbiddenFact(id="f2", text="30 s", value_of="3.9"),))


@pytest.mark.parametrize(
    ("case", "text", "hits", "expected"),
    [
        (_case(), RIGHT, (NEW,), ("pass", "pass", "fail", "pass", "pass")),
        (_case(), WRONG, (OLD,), ("fail", "fail", "fail", "pass", "pass")),
        (_case(), "It is 45 s.", (NEW,), ("pass", "fail", "fail", "fail", "pass")),
        (_case(), "I do not know.", (NEW,), ("pass", "fail", "n/a", "n/a", "fail")),
        (_case(), "Which product do you mean?", (NEW,), ("pass", "fail", "n/a", "n/a", "fail")),
        (_case(), RIGHT, (), ("fail", "pass", "fail", "fail", "pass")),
        (
            _case(Answerable.UNANSWERABLE, facts=ONLY_FORBIDDEN, evidence=()),
            WRONG,
            (OLD,),
            ("n/a", "fail", "n/a", "pass", "fail"),
        ),
        (
            _case(Answerable.UNANSWERABLE, facts=ONLY_FORBIDDEN, evidence=()),
            "The documents do not say.",
            (OLD,),
            ("n/a", "pass", "n/a", "n/a", "pass"),
        ),
        (
            _case(Answerable.UNDERSPECIFIED, facts=ASKED, evidence=()),
            "Which product do you mean?",
            (OLD,),
            ("n/a", "pass", "n/a", "n/a", "pass"),
        ),
        (
            _case(Answerable.UNDERSPECIFIED, facts=ASKED, evidence=()),
            WRONG,
            (OLD,),
            ("n/a", "fail", "n/a", "pass", "fail"),
        ),
        (
            _case(Answerable.UNDERSPECIFIED, facts=ASKED, evidence=()),
            "I do not know.",
            (OLD,),
            ("n/a", "fail", "n/a", "n/a", "fail"),
        ),
    ],
)
def test_the_table_of_states(
    case: Case, text: str, hits: tuple[Hit, ...], expected: tuple[str, ...]
) -> None:
    verdict = judge_output(case, Output(answer=text, hits=hits, citations=()))
    assert tuple(_states(verdict).values()) == expected


def test_what_was_not_logged_is_not_held_against_the_output() -> None:
    verdict = judge_output(_case(), Output(answer=WRONG))
    assert _states(verdict) == {
        "retrieval": "n/a",
        "answer": "fail",
        "citation": "n/a",
        "grounding": "n/a",
        "abstention": "pass",
    }
    assert verdict.faithfulness is None


def test_the_logged_outcome_goes_before_the_phrases() -> None:
    verdict = _judge(_case(), RIGHT, NEW, outcome=Outcome.ABSTAINED)
    assert verdict.outcome is Outcome.ABSTAINED
    assert verdict.abstention.state is State.FAIL
    assert verdict.answer.state is State.FAIL


def test_an_outcome_that_cannot_be_told_is_unsure() -> None:
    text = "I do not have that information. However, the port is 8080."
    verdict = _judge(_case(), text, NEW)
    assert verdict.outcome is None
    assert verdict.abstention.state is State.UNSURE


def test_an_attributed_old_value_is_not_counted() -> None:
    verdict = _judge(
        _case(), "The default idle timeout is 60 s in v4.2 (it was 30 s in v3.9).", NEW
    )
    assert verdict.text.presence("f2") is Presence.ATTRIBUTED
    assert verdict.answer.state is State.PASS


def test_a_partial_answer_must_say_what_is_not_known() -> None:
    declines = (Decline(id="d1", text="The price is not documented."),)
    case = _case(Answerable.PARTIAL, declines=declines)
    assert _judge(case, RIGHT, NEW).answer.state is State.FAIL
    assert _judge(case, RIGHT + " The price is not documented.", NEW).answer.state is State.PASS


def test_lines_of_what_is_not_known_count_for_a_part_only() -> None:
    case = _case(declines=(Decline(id="d1", text="The price is not documented."),))
    assert _judge(case, RIGHT, NEW).answer.state is State.PASS


def test_a_conclusion_is_judged_by_its_polarity() -> None:
    facts = Facts(
        required=(Fact(id="f3", text="not compatible", role=FactRole.CONCLUSION, from_=("f1",)),)
    )
    case = _case(question="Is collector v4.2 compatible with gateway v3.9?", facts=facts)
    assert _judge(case, "Yes, they are compatible.", NEW).answer.state is State.FAIL
    assert _judge(case, "No, they are not compatible.", NEW).answer.state is State.PASS


def test_every_group_needs_a_hit_and_alternatives_need_one_of_them() -> None:
    other = Evidence(id="e2", group="e2", chunk_id="faq#1", doc_id="faq", doc_version="4.2")
    both = _case(evidence=(*_case().evidence, other))
    either = _case(evidence=(*_case().evidence, other.model_copy(update={"group": "e1"})))
    assert _judge(both, RIGHT, NEW).retrieval.state is State.FAIL
    assert _judge(either, RIGHT, NEW).retrieval.state is State.PASS


def test_evidence_below_the_first_k_is_a_miss() -> None:
    others = [Hit(rank=n, chunk_id=f"c{n}", text="x") for n in range(1, 6)]
    late = Hit(rank=6, chunk_id=NEW.chunk_id, doc_version="4.2", text=NEW.text)
    output = Output(answer=RIGHT, hits=(*others, late))
    assert judge_output(_case(), output, k=5).retrieval.state is State.FAIL
    assert judge_output(_case(), output, k=6).retrieval.state is State.PASS


def test_a_hit_without_a_version_may_be_the_evidence() -> None:
    bare = Hit(rank=1, chunk_id=NEW.chunk_id, text=NEW.text)
    assert _judge(_case(), RIGHT, bare).retrieval.state is State.PASS


def test_by_quote_another_chunking_still_holds_the_evidence() -> None:
    pieces = (
        Hit(rank=1, chunk_id="p1", doc_id="gateway", doc_version="4.2", text="Notes. The default"),
        Hit(rank=2, chunk_id="p2", doc_id="gateway", doc_version="4.2", text=NEW.text),
    )
    output = Output(answer=RIGHT, hits=pieces)
    assert judge_output(_case(), output).retrieval.state is State.FAIL
    assert judge_output(_case(), output, rule=HitRule.QUOTE).retrieval.state is State.PASS


def test_evidence_without_a_quote_cannot_be_judged_by_quote() -> None:
    bare = tuple(item.model_copy(update={"quote": ""}) for item in _case().evidence)
    output = Output(answer=RIGHT, hits=(NEW,))
    verdict = judge_output(_case(evidence=bare), output, rule=HitRule.QUOTE)
    assert verdict.retrieval.state is State.UNSURE


def test_a_citation_that_only_a_paraphrase_could_support_is_unsure() -> None:
    talk = Hit(rank=2, chunk_id="talk", doc_id="talk", text="It is about sessions.")
    cited = Citation(chunk_id="talk", start=0, end=4)
    verdict = _judge(_case(), "Sessions end by themselves.", NEW, talk, citations=(cited,))
    assert verdict.citation.state is State.UNSURE


def test_an_answer_to_an_unclear_question_without_facts_took_it_for_clear() -> None:
    case = _case(Answerable.UNDERSPECIFIED, facts=Facts(), evidence=())
    assert _judge(case, WRONG, OLD).abstention.state is State.FAIL


def test_the_verdict_gives_what_the_text_says_of_each_fact() -> None:
    verdict = _judge(_case(), WRONG, OLD)
    assert [fact.fact_id for fact in verdict.facts] == ["f1", "f2"]
    assert verdict.text.presence("f9") is None


def test_unused_chunks_do_not_ground_an_answer() -> None:
    unused = Hit(rank=2, chunk_id="c2", text="The limit is 45 s.", used=False)
    assert _judge(_case(), "It is 45 s.", NEW, unused).grounding.state is State.FAIL


def test_unknown_texts_leave_grounding_open_only_where_they_could_matter() -> None:
    blank = Hit(rank=2, chunk_id="c2")
    assert _judge(_case(), "It is 45 s.", NEW, blank).grounding.state is State.NOT_APPLICABLE
    assert _judge(_case(), RIGHT, NEW, blank).grounding.state is State.PASS


@pytest.mark.parametrize(
    ("citation", "state"),
    [
        (Citation(chunk_id="gw#timeouts", doc_version="4.2"), State.PASS),
        (Citation(chunk_id="made-up"), State.FAIL),
    ],
)
def test_citations_are_judged(citation: Citation, state: State) -> None:
    assert _judge(_case(), RIGHT, NEW, citations=(citation,)).citation.state is state


def test_citations_without_logged_hits_are_compared_with_the_evidence() -> None:
    wrong = Citation(chunk_id="gw#timeouts", doc_version="3.9")
    right = Citation(chunk_id="gw#timeouts", doc_version="4.2")
    judged = [
        judge_output(_case(), Output(answer=RIGHT, citations=(c,))).citation.state
        for c in (right, wrong)
    ]
    assert judged == [State.PASS, State.FAIL]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is 60 s.", Presence.PRESENT),
        ("60 seconds", Presence.PRESENT),
        ("60 s in v4.2.", Presence.PRESENT),
        ("It is 30 s.", Presence.ABSENT),
        ("Not 60 s.", None),
        ("The connect timeout is 60 s.", None),
        ("It is 60 s or 90 s.", None),
    ],
)
def test_a_terse_answer_is_read_with_its_question(text: str, expected: Presence | None) -> None:
    found = _judge(_case(), text, NEW).text.presence("f1")
    assert found is expected if expected else found is not Presence.PRESENT


def test_what_the_question_says_itself_is_not_said_by_a_terse_answer() -> None:
    case = _case(question="Is the default idle timeout 60 s or 90 s?")
    assert _judge(case, "It is 90 s.", NEW).text.presence("f1") is not Presence.PRESENT


RED = [
    (FailureCategory.CONTEXT_RECALL, WRONG, OLD, Red.FAILS),
    (FailureCategory.CONTEXT_PRECISION, WRONG, OLD, Red.FAILS),
    (FailureCategory.ANSWER_RELEVANCY, WRONG, OLD, Red.FAILS),
    (FailureCategory.FAITHFULNESS, "It is 45 s.", NEW, Red.FAILS),
    (FailureCategory.CITATION, WRONG, OLD, Red.OTHER),
    (FailureCategory.OVER_ABSTENTION, "I do not know.", NEW, Red.FAILS),
    (FailureCategory.FALSE_ANSWER, WRONG, OLD, Red.OTHER),
    (None, WRONG, OLD, Red.FAILS),
    (None, RIGHT, NEW, Red.PASSES),
    (FailureCategory.CONTEXT_RECALL, RIGHT, NEW, Red.PASSES),
]


@pytest.mark.parametrize(("category", "text", "hit", "expected"), RED)
def test_red_shows_what_the_category_says(
    category: FailureCategory | None, text: str, hit: Hit, expected: Red
) -> None:
    assert red_check(_judge(_case(), text, hit), category).result is expected


def test_red_is_unsure_where_nothing_fails_and_something_cannot_be_told() -> None:
    facts = Facts(required=(Fact(id="f1", text="sessions live in volatile storage"),))
    verdict = _judge(_case(facts=facts), "Sessions are kept in memory, a volatile storage.", NEW)
    assert verdict.answer.state is State.UNSURE
    assert red_check(verdict, FailureCategory.ANSWER_RELEVANCY).result is Red.UNSURE


def test_a_false_answer_is_shown_by_a_line_that_is_not_said() -> None:
    case = _case(Answerable.PARTIAL, declines=(Decline(id="d1", text="The price is not known."),))
    check = red_check(_judge(case, RIGHT, NEW), FailureCategory.FALSE_ANSWER)
    assert check.result is Red.FAILS
    assert check.criteria == (Criterion.ANSWER,)


@pytest.mark.parametrize(
    ("answerable", "reference", "expected"),
    [
        (Answerable.ANSWERABLE, "In v4.2 the default idle timeout is 60 s.", State.PASS),
        (
            Answerable.ANSWERABLE,
            "The default idle timeout is 60 s (in v3.9 it was 30 s).",
            State.PASS,
        ),
        (Answerable.ANSWERABLE, "The default idle timeout is 30 s.", State.FAIL),
        (Answerable.UNANSWERABLE, "The guide does not say.", State.PASS),
        (Answerable.UNANSWERABLE, "The default idle timeout is 30 s.", State.FAIL),
    ],
)
def test_green_is_the_answer_criterion_of_a_reference(
    answerable: Answerable, reference: str, expected: State
) -> None:
    case = _case(answerable)
    assert judge_answer(case, look_up_reference(case, reference)).state is expected


SENTENCES = [
    RIGHT,
    WRONG,
    "In v4.2 the default idle timeout is 60 s.",
    "Sessions are kept in memory.",
    "The timeout was 30 s in v3.9.",
    "It can be set with --idle-timeout.",
    "The price is 40 EUR a month.",
    "It is 60 s.",
    "60 s in v4.2.",
]
LEVEL = {Presence.ABSENT: 0, Presence.UNSURE: 1, Presence.PRESENT: 2}
ANSWERS = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5)


@given(ANSWERS, st.data())
def test_saying_less_never_helps_but_for_a_forbidden_value(
    said: list[str], data: st.DataObject
) -> None:
    left_out = data.draw(st.integers(0, len(said) - 1))
    full = _judge(_case(), " ".join(said), NEW)
    less = _judge(_case(), " ".join(said[:left_out] + said[left_out + 1 :]), NEW)
    before, after = (v.text.presence("f1") or Presence.ABSENT for v in (full, less))
    if full.text.presence("f2") is not Presence.PRESENT:
        assert LEVEL[after] <= LEVEL[before]
        assert less.answer.state is not State.PASS or full.answer.state is State.PASS
    assert less.retrieval == full.retrieval


@given(ANSWERS, st.sampled_from([Outcome.ABSTAINED, Outcome.CLARIFIED]))
def test_abstaining_never_makes_an_answerable_case_pass(said: list[str], outcome: Outcome) -> None:
    verdict = _judge(_case(), " ".join(said), NEW, outcome=Outcome.ABSTAINED)
    assert verdict.answer.state is State.FAIL
    assert verdict.abstention.state is State.FAIL
    assert verdict.citation.state is State.NOT_APPLICABLE
    declined = _judge(_case(), "I do not have that information.", NEW, outcome=outcome)
    assert declined.answer.state is State.FAIL
    assert declined.retrieval == verdict.retrieval


@given(st.lists(st.sampled_from([NEW, OLD, Hit(rank=3, chunk_id="x", text="y")]), max_size=3))
def test_fewer_hits_never_raise_retrieval(hits: list[Hit]) -> None:
    full = _judge(_case(), RIGHT, *hits).retrieval.state
    fewer = _judge(_case(), RIGHT, *hits[:-1]).retrieval.state
    assert fewer is not State.PASS or full is State.PASS
