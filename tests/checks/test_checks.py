"""Every check of a draft: its sentence, its level, its field and the key that repairs it."""

from functools import partial

import pytest

from curation.checks import SimilarAnswer
from curation.domain.answer import Answer, Citation, RetrievedChunk
from curation.domain.case import (
    Answerable,
    Case,
    CaseStatus,
    Decline,
    Evidence,
    EvidenceRole,
    Fact,
    FactRole,
    Facts,
    ForbiddenFact,
    Origin,
    Provenance,
    ReferenceSource,
    Retired,
    RetireReason,
    Turn,
)
from curation.domain.chunk import Chunk
from curation.domain.finding import Check, Finding, Level
from curation.domain.policy import DocumentRule, Policy, SlicePolicy
from curation.domain.review import FailureCategory
from curation.evaluation.drafting import Checked, CheckInputs, OtherCase, check_case

NEW = Chunk(
    chunk_id="gw#timeouts",
    doc_id="gateway",
    doc_version="4.2",
    text="Timeouts\r\nThe default idle timeout is 60 s. It is set with --idle-timeout.",
)
OLD = NEW.model_copy(
    update={
        "doc_version": "3.9",
        "text": "Timeouts\r\nThe default idle timeout is 30 s. It is set with --idle-timeout.",
    }
)
CHUNKS = {NEW.key: NEW, OLD.key: OLD}
REQUIRED = Fact(id="f1", text="default idle timeout is 60 s", evidence=("e1",))
FORBIDDEN = ForbiddenFact(id="f2", text="30 s", value_of="3.9")
GOLD = Evidence(
    id="e1",
    group="e1",
    chunk_id=NEW.chunk_id,
    doc_id=NEW.doc_id,
    doc_version="4.2",
    quote="The default idle timeout is 60 s.",
)
CASE = Case(
    id="q-0001",
    question="What is the default idle timeout in v4.2?",
    question_type="value",
    reference="In v4.2, sessions are closed after the default idle timeout, which is 60 s.",
    facts=Facts(required=(REQUIRED,), forbidden=(FORBIDDEN,)),
    evidence=(GOLD,),
    doc_version="4.2",
    provenance=Provenance(origin=Origin.PRODUCTION_FAILURE, answer_id="a1"),
)
ANSWER = Answer(
    id="a1",
    question=CASE.question,
    answer="The default idle timeout is 30 s.",
    retrieved=(
        RetrievedChunk(
            rank=1, chunk_id=OLD.chunk_id, doc_id="gateway", doc_version="3.9", text=OLD.text
        ),
    ),
)
FINE = {
    Check.RED: "Red: the logged answer fails this case.",
    Check.GREEN: "Green: the reference passes.",
    Check.QUOTES: "Every quote is in its chunk.",
}


def _case(**parts: object) -> Case:
    return CASE.model_copy(update=parts)


def _facts(*required: Fact, forbidden: tuple[ForbiddenFact, ...] = ()) -> Facts:
    return Facts(required=required, forbidden=forbidden)


def _check(case: Case = CASE, answer: Answer | None = ANSWER, **parts: object) -> Checked:
    inputs: dict[str, object] = {
        "case": case,
        "answer": answer,
        "policy": Policy(),
        "chunks": CHUNKS,
        "has_corpus": True,
        **parts,
    }
    return check_case(CheckInputs(**inputs))  # type: ignore[arg-type]


def _open(checked: Checked) -> dict[Check, Finding]:
    """The findings that are not fine, by check."""
    return {f.check: f for f in checked.findings if f.level is not Level.FINE}


def _only(checked: Checked, check: Check, level: Level) -> Finding:
    """The one finding that is not fine."""
    found = _open(checked)
    assert set(found) == {check}, found
    assert found[check].level is level
    return found[check]


def test_a_complete_draft_is_fine_and_says_so() -> None:
    checked = _check()
    assert {f.check: f.message for f in checked.findings} == FINE
    assert checked.failure.category is FailureCategory.CONTEXT_RECALL
    assert checked.logged is not None
    assert checked.reference is not None
    assert checked.reference_source is ReferenceSource.WRITTEN


def test_an_untouched_draft_lists_what_to_do_in_the_order_of_the_fields() -> None:
    checked = _check(_case(reference="", facts=Facts(), evidence=(), doc_version=None))
    assert [(f.check, f.key) for f in checked.findings] == [
        (Check.REFERENCE_MISSING, "W"),
        (Check.FACTS_MISSING, "1"),
        (Check.EVIDENCE_MISSING, "E"),
        (Check.RED_PASSES, "1"),
    ]
    assert [f.message for f in checked.findings] == [
        "Write a reference answer.",
        "Add what a right answer must hold (1) or what it must not hold (3).",
        "Pick at least one chunk as evidence.",
        "The logged answer would pass this case. Add what it misses (1) or what it gets wrong (3).",
    ]


def test_what_is_to_fix_comes_first_then_what_to_explain_then_what_is_fine() -> None:
    levels = [f.level for f in _check(_case(reference="", slice="nowhere")).findings]
    assert levels == sorted(levels, key=list(Level).index)
    assert {*levels} == {*Level}


def test_question_missing() -> None:
    found = _open(_check(_case(question=" ")))
    assert found[Check.QUESTION_MISSING].message == "Write the question."


class TestWhatACaseMustHave:
    """Reference, facts and evidence by answerability."""

    def test_a_case_of_a_distractor_only_has_no_evidence(self) -> None:
        near_miss = GOLD.model_copy(update={"role": EvidenceRole.DISTRACTOR})
        found = _open(_check(_case(evidence=(near_miss,))))
        assert Check.EVIDENCE_MISSING in found

    def test_forbidden_facts_alone_are_enough(self) -> None:
        checked = _check(_case(facts=_facts(forbidden=(FORBIDDEN,))))
        assert Check.FACTS_MISSING not in _open(checked)

    def test_an_imported_case_without_facts_is_a_warning(self) -> None:
        case = _case(facts=Facts(), provenance=Provenance(origin=Origin.IMPORTED))
        finding = _only(_check(case, None), Check.FACTS_MISSING, Level.WARNING)
        assert finding.field == "facts"

    def test_an_edit_that_takes_the_last_fact_is_an_error(self) -> None:
        case = _case(facts=Facts(), provenance=Provenance(origin=Origin.IMPORTED))
        _only(_check(case, None, base=CASE), Check.FACTS_MISSING, Level.ERROR)

    def test_in_part_needs_a_required_fact(self) -> None:
        case = _case(answerable=Answerable.PARTIAL, facts=_facts(forbidden=(FORBIDDEN,)))
        assert "can be answered" in _open(_check(case))[Check.FACTS_MISSING].message

    def test_unclear_needs_no_evidence(self) -> None:
        case = _case(
            answerable=Answerable.UNDERSPECIFIED,
            question="What is the timeout?",
            evidence=(),
            facts=_facts(Fact(id="f1", text="which version")),
            reference="Which version do you use, and which timeout do you mean?",
        )
        assert {f.check for f in _check(case).findings} == {Check.RED, Check.GREEN}


class TestUnanswerable:
    """No required facts, a search first, a reference or not."""

    CASE = _case(
        answerable=Answerable.UNANSWERABLE,
        facts=Facts(),
        evidence=(),
        reference="The guide does not say.",
        doc_version=None,
    )

    def test_look_before_you_say_no(self) -> None:
        finding = _only(_check(self.CASE), Check.NO_SEARCH, Level.ERROR)
        assert finding.message == (
            "Look before you say no: search the corpus once, or write what is missing."
        )
        assert finding.key == "/"

    @pytest.mark.parametrize(
        "looked", [{"searches": ("idle timeout",)}, {"missing": "no price list"}]
    )
    def test_a_search_or_a_word_is_enough(self, looked: dict[str, object]) -> None:
        assert _open(_check(self.CASE, ANSWER, **looked)) == {}

    def test_a_category_is_named_where_the_policy_knows_some(self) -> None:
        policy = Policy(documents=(DocumentRule(pattern="guide*", category="operations"),))
        searched = partial(_check, searches=("timeout",), policy=policy)
        finding = _only(searched(self.CASE), Check.CATEGORY_MISSING, Level.ERROR)
        assert (finding.field, finding.key) == ("category", "T")
        named = self.CASE.model_copy(update={"category": "operations"})
        imported = self.CASE.model_copy(update={"provenance": Provenance(origin=Origin.IMPORTED)})
        assert _open(searched(named)) == {}
        assert _open(searched(imported)) == {}
        assert _open(searched(self.CASE, base=self.CASE)) == {}

    def test_a_word_in_the_notes_is_enough(self) -> None:
        noted = self.CASE.model_copy(update={"notes": "No price list was brought in."})
        assert _open(_check(noted)) == {}

    def test_an_old_or_imported_case_is_not_searched_again(self) -> None:
        imported = self.CASE.model_copy(update={"provenance": Provenance(origin=Origin.IMPORTED)})
        assert _open(_check(self.CASE, base=self.CASE)) == {}
        assert _open(_check(imported, None)) == {}

    def test_required_facts_do_not_fit_and_move_to_may(self) -> None:
        case = self.CASE.model_copy(update={"facts": _facts(REQUIRED), "notes": "looked"})
        finding = _only(_check(case), Check.REQUIRED_ON_UNANSWERABLE, Level.ERROR)
        assert (finding.item, finding.key) == ("f1", "M")

    def test_a_blank_reference_needs_a_word_unless_a_search_was_made(self) -> None:
        blank = self.CASE.model_copy(update={"reference": "", "notes": "looked"})
        _only(_check(blank), Check.NO_REFERENCE, Level.WARNING)
        assert _open(_check(blank, searches=("idle timeout",))) == {}

    def test_an_answer_that_declined_is_no_failure(self) -> None:
        declined = ANSWER.model_copy(update={"answer": "I do not have that information."})
        checked = _check(self.CASE, declined, searches=("x",))
        assert checked.failure.category is FailureCategory.NONE
        assert checked.red is None

    def test_a_forbidden_fact_may_not_stand_in_the_reference(self) -> None:
        case = self.CASE.model_copy(
            update={"facts": _facts(forbidden=(FORBIDDEN,)), "reference": "It is 30 s."}
        )
        finding = _only(_check(case, searches=("x",)), Check.FORBIDDEN_IN_REFERENCE, Level.ERROR)
        assert finding.message == "The reference holds forbidden fact 1."


class TestGreen:
    """Each reference is judged on the answer criterion."""

    def test_a_fact_that_the_reference_lacks_is_named(self) -> None:
        second = Fact(id="f3", text="the port is 8080", evidence=("e1",))
        chunk = NEW.model_copy(update={"text": NEW.text + " The port is 8080."})
        checked = _check(_case(facts=_facts(REQUIRED, second)), chunks={NEW.key: chunk})
        finding = _only(checked, Check.GREEN_FAILS, Level.ERROR)
        assert finding.message == "The reference lacks required fact 2."
        assert (finding.field, finding.item, finding.key) == ("reference", "f3", "W")

    def test_other_references_are_judged_too(self) -> None:
        checked = _check(_case(other_references=("It is 60 s.", "It is 45 s.")))
        finding = _only(checked, Check.GREEN_FAILS, Level.ERROR)
        assert finding.message == "Other reference 2 lacks required fact 1."

    def test_a_forbidden_fact_in_the_reference(self) -> None:
        checked = _check(_case(reference="The default idle timeout is 60 s. Really, it is 30 s."))
        found = _open(checked)
        assert found[Check.FORBIDDEN_IN_REFERENCE].message == (
            "The reference holds forbidden fact 1."
        )

    def test_an_attributed_old_value_is_not_a_forbidden_one(self) -> None:
        reference = "In v4.2 the default idle timeout is 60 s; in v3.9 it was 30 s."
        assert _open(_check(_case(reference=reference))) == {}

    def test_what_cannot_be_told_offers_the_wording(self) -> None:
        fact = Fact(id="f1", text="sessions live in volatile storage", evidence=("e1",))
        reference = "Sessions are kept in memory, a volatile storage."
        chunk = NEW.model_copy(update={"text": "Sessions live in volatile storage."})
        case = _case(
            facts=_facts(fact),
            reference=reference,
            evidence=(GOLD.model_copy(update={"quote": "Sessions live in volatile storage."}),),
        )
        found = _open(_check(case, chunks={NEW.key: chunk}))
        assert found[Check.GREEN_UNSURE].level is Level.WARNING
        assert found[Check.GREEN_UNSURE].key == "O"

    def test_a_part_that_is_not_known_must_be_said(self) -> None:
        case = _case(
            answerable=Answerable.PARTIAL,
            declines=(Decline(id="d1", text="The price is not documented."),),
        )
        finding = _only(_check(case), Check.GREEN_FAILS, Level.ERROR)
        assert finding.message == "The reference lacks line 1 of what is not known."


class TestRed:
    """The logged answer must fail the case, where the failure category says."""

    def test_a_right_answer_would_pass(self) -> None:
        right = RetrievedChunk(rank=1, chunk_id=NEW.chunk_id, doc_version="4.2", text=NEW.text)
        answer = ANSWER.model_copy(
            update={"answer": "The default idle timeout is 60 s.", "retrieved": (right,)}
        )
        finding = _only(_check(CASE, answer), Check.RED_PASSES, Level.ERROR)
        assert finding.message.startswith("The logged answer would pass this case.")

    def test_another_criterion_than_the_category_says(self) -> None:
        checked = _check(failure=FailureCategory.OVER_ABSTENTION)
        finding = _only(checked, Check.RED_OTHER, Level.WARNING)
        assert finding.message == (
            "The logged answer fails on retrieval and answer, which does not show over_abstention."
        )
        assert finding.key == "F"

    def test_nothing_fails_but_something_is_unsure(self) -> None:
        right = RetrievedChunk(rank=1, chunk_id=NEW.chunk_id, doc_version="4.2", text=NEW.text)
        answer = ANSWER.model_copy(
            update={"answer": "Sessions are kept in memory, a volatile storage."}
        ).model_copy(update={"retrieved": (right,)})
        fact = Fact(id="f1", text="sessions live in volatile storage", evidence=("e1",))
        case = _case(facts=_facts(fact), reference="The sessions live in volatile storage.")
        found = _open(_check(case, answer))
        assert found[Check.RED_UNSURE].message == (
            "Red is unsure: no fact clearly fails the logged answer."
        )

    @pytest.mark.parametrize(
        "origin", [Origin.COVERAGE, Origin.IMPORTED, Origin.AUTHORED, Origin.KNOWN_GOOD]
    )
    def test_only_a_production_failure_has_a_red_check(self, origin: Origin) -> None:
        checked = _check(_case(provenance=Provenance(origin=origin)))
        assert checked.red is None
        assert Check.RED not in {f.check for f in checked.findings}

    def test_a_known_good_answer_has_none(self) -> None:
        assert _check(failure=FailureCategory.NONE).red is None

    def test_missing_citations_fail_where_the_person_says_that_citing_failed(self) -> None:
        right = RetrievedChunk(rank=1, chunk_id=NEW.chunk_id, doc_version="4.2", text=NEW.text)
        answer = ANSWER.model_copy(
            update={"answer": "The default idle timeout is 60 s.", "retrieved": (right,)}
        )
        assert _open(_check(CASE, answer, failure=FailureCategory.CITATION)) == {}
        cited = answer.model_copy(update={"citations": (Citation(chunk_id="made-up"),)})
        assert _open(_check(CASE, cited)) == {}


class TestEvidence:
    """Quotes are exact, chunks are in the corpus, versions are those asked for."""

    def test_a_quote_is_there_byte_for_byte(self) -> None:
        quote = "Timeouts\nThe default"  # the chunk has CR LF there
        item = GOLD.model_copy(update={"quote": quote})
        finding = _only(_check(_case(evidence=(item,))), Check.QUOTE_NOT_IN_CHUNK, Level.ERROR)
        assert finding.item == "e1"
        crlf = GOLD.model_copy(update={"quote": "Timeouts\r\nThe default idle timeout is 60 s."})
        assert _open(_check(_case(evidence=(crlf,)))) == {}

    def test_a_chunk_must_be_in_the_corpus_at_that_version(self) -> None:
        item = GOLD.model_copy(update={"doc_version": "4.3"})
        case = _case(evidence=(item,), question="What is the default idle timeout?")
        finding = _only(_check(case), Check.CHUNK_NOT_IN_CORPUS, Level.ERROR)
        assert finding.message == (
            "Chunk gw#timeouts is not in the corpus at 4.3, so it cannot be evidence."
        )
        assert _open(_check(case, has_corpus=False)) == {}

    def test_evidence_of_another_version_than_asked_for(self) -> None:
        item = GOLD.model_copy(
            update={"doc_version": "3.9", "quote": "The default idle timeout is 30 s."}
        )
        both = _case(evidence=(GOLD, item.model_copy(update={"id": "e2", "group": "e2"})))
        finding = _only(_check(both), Check.VERSION_MISMATCH, Level.WARNING)
        assert finding.message == "Evidence is version 3.9, the question asks about 4.2."
        assert (finding.item, finding.key) == ("e2", "V")

    def test_a_wrong_version_is_said_once(self) -> None:
        item = GOLD.model_copy(
            update={"doc_version": "3.9", "quote": "The default idle timeout is 30 s."}
        )
        two = tuple(item.model_copy(update={"id": f"e{n}", "group": f"e{n}"}) for n in (2, 3))
        findings = _check(_case(evidence=(GOLD, *two))).findings
        assert [f.item for f in findings if f.check is Check.VERSION_MISMATCH] == ["e2"]

    def test_evidence_without_a_quote_has_none_to_find(self) -> None:
        bare = GOLD.model_copy(update={"quote": ""})
        assert Check.QUOTES not in {f.check for f in _check(_case(evidence=(bare,))).findings}

    def test_a_required_fact_without_evidence(self) -> None:
        bare = REQUIRED.model_copy(update={"evidence": ()})
        finding = _only(_check(_case(facts=_facts(bare))), Check.FACT_UNSUPPORTED, Level.WARNING)
        assert finding.message == "Required fact 1 has no evidence."
        assert finding.item == "f1"

    def test_a_fact_that_its_evidence_does_not_say(self) -> None:
        other = REQUIRED.model_copy(update={"text": "default idle timeout is 90 s"})
        case = _case(facts=_facts(other), reference="The default idle timeout is 90 s.")
        finding = _open(_check(case))[Check.FACT_UNSUPPORTED]
        assert finding.message == "Required fact 1 is not in its evidence."

    def test_a_conclusion_needs_no_passage(self) -> None:
        conclusion = Fact(id="f3", text="No", role=FactRole.CONCLUSION, from_=("f1",))
        case = _case(
            facts=_facts(REQUIRED, conclusion), reference="No. The default idle timeout is 60 s."
        )
        assert Check.FACT_UNSUPPORTED not in _open(_check(case))


class TestFacts:
    """Contradictions and facts that say too little."""

    def test_a_forbidden_fact_in_a_required_one(self) -> None:
        clash = ForbiddenFact(id="f2", text="60 s")
        found = _open(_check(_case(facts=_facts(REQUIRED, forbidden=(clash,)))))
        assert found[Check.FORBIDDEN_EQUALS_REQUIRED].message == (
            "Forbidden fact 1 stands in required fact 1."
        )

    def test_a_longer_number_is_not_the_shorter_one(self) -> None:
        facts = _facts(
            Fact(id="f1", text="default is 10000", evidence=("e1",)),
            forbidden=(ForbiddenFact(id="f2", text="100000"),),
        )
        chunk = NEW.model_copy(update={"text": "The default is 10000."})
        case = _case(
            facts=facts,
            evidence=(GOLD.model_copy(update={"quote": "The default is 10000."}),),
            reference="By default 10000 entries are kept: the default is 10000.",
        )
        assert _open(_check(case, chunks={NEW.key: chunk})) == {}

    def test_a_forbidden_fact_of_one_letter(self) -> None:
        short = ForbiddenFact(id="f2", text="5")
        found = _open(_check(_case(facts=_facts(REQUIRED, forbidden=(short,)))))
        assert found[Check.SHORT_FORBIDDEN].item == "f2"

    def test_a_fact_that_many_answers_hold(self) -> None:
        finding = _only(_check(common={"f1": 212, "f2": 3}), Check.COMMON_FACT, Level.WARNING)
        assert finding.message == (
            "Fact 1 is also found in 212 other logged answers: name what it is about."
        )

    def test_a_question_that_gives_the_answer_away(self) -> None:
        case = _case(standalone_question="The default idle timeout is 60 s in v4.2, but why?")
        assert _only(_check(case), Check.LEAKS_REFERENCE, Level.WARNING).item == "f1"

    def test_the_logged_question_leaks_nothing_whatever_it_says(self) -> None:
        question = "The default idle timeout is 60 s, what is it in v4.2?"
        answer = ANSWER.model_copy(update={"question": question})
        assert Check.LEAKS_REFERENCE not in _open(_check(_case(question=question), answer))

    def test_unknown_names_block_only_when_published(self) -> None:
        case = _case(slice="nowhere", question_type="riddle")
        found = [f for f in _check(case).findings if f.check is Check.UNKNOWN_SLICE]
        assert [f.level for f in found] == [Level.WARNING, Level.WARNING]
        assert found[0].message == 'The slice "nowhere" is not in golden.toml.'
        published = _check(case, publishing=True).findings
        assert {f.level for f in published if f.check is Check.UNKNOWN_SLICE} == {Level.ERROR}


class TestReferences:
    """References are written by people."""

    def test_the_logged_answer_is_no_reference(self) -> None:
        answer = ANSWER.model_copy(update={"answer": CASE.reference.upper()})
        found = _open(_check(CASE, answer))
        assert found[Check.COPIED_ANSWER].level is Level.ERROR

    def test_a_quoted_answer_may_be_one(self) -> None:
        text = "The default idle timeout is 60 s."
        answer = ANSWER.model_copy(update={"answer": text})
        checked = _check(_case(reference=text), answer)
        assert not {Check.COPIED_ANSWER, Check.MODEL_LIKE, Check.ONLY_QUOTE} & set(_open(checked))
        assert checked.reference_source is ReferenceSource.QUOTED

    def test_almost_the_logged_answer(self) -> None:
        answer = ANSWER.model_copy(update={"answer": CASE.reference.replace("60", "30")})
        finding = _only(_check(CASE, answer), Check.MODEL_LIKE, Level.WARNING)
        assert finding.message == (
            "The reference is almost the logged answer. References are written by people."
        )

    def test_almost_another_logged_answer(self) -> None:
        other = SimilarAnswer(text=CASE.reference.replace("60", "30"), answer_id="a7")
        finding = _only(_check(similar_answers=(other,)), Check.MODEL_LIKE, Level.WARNING)
        assert "the logged answer a7" in finding.message

    def test_the_users_own_correction_is_not_model_like(self) -> None:
        answer = ANSWER.model_copy(update={"answer": CASE.reference.replace("60", "30")})
        checked = _check(CASE, answer, corrections=(CASE.reference,))
        assert _open(checked) == {}
        assert checked.reference_source is ReferenceSource.USER_CORRECTION

    def test_a_bare_piece_of_the_quote(self) -> None:
        finding = _only(_check(_case(reference="60 s")), Check.ONLY_QUOTE, Level.WARNING)
        assert finding.message == "The reference is only the quote."

    def test_an_unchanged_reference_of_an_edit_is_left_alone(self) -> None:
        answer = ANSWER.model_copy(update={"answer": CASE.reference})
        quoted = _case(reference_source=ReferenceSource.QUOTED)
        checked = _check(CASE, answer, base=quoted, failure=FailureCategory.CONTEXT_RECALL)
        assert _open(checked) == {}
        assert checked.reference_source is ReferenceSource.QUOTED

    def test_an_imported_reference_says_so(self) -> None:
        case = _case(provenance=Provenance(origin=Origin.IMPORTED))
        assert _check(case, None).reference_source is ReferenceSource.IMPORTED


class TestDuplicates:
    """Cases that ask the same, and edits that ask something else."""

    @pytest.mark.parametrize(
        ("question", "version", "check"),
        [
            ("what is the DEFAULT idle timeout in v4.2", "4.2", Check.EXACT_DUPLICATE),
            (CASE.question, "3.9", Check.NEAR_DUPLICATE),
            ("In v4.2 what is the default idle timeout?", "4.2", Check.NEAR_DUPLICATE),
            ("What is the default idle timeout in v4.1?", "4.2", None),
            ("What is not the default idle timeout in v4.2?", "4.2", None),
            ("What is the maximum size of a message?", "4.2", None),
        ],
    )
    def test_another_case(self, question: str, version: str, check: Check | None) -> None:
        other = OtherCase.of(_case(id="q-0093", question=question, doc_version=version))
        found = _open(_check(others=(other,)))
        assert set(found) == ({check} if check else set())
        if check:
            way = "D: count this answer to it, or edit that one instead."
            assert found[check].message == f"q-0093 asks the same. {way}"
            assert found[check].key == "D"

    def test_opposites_are_no_duplicates(self) -> None:
        case = _case(question="How is the audit log of the gateway enabled in v4.2?")
        other = OtherCase.of(
            _case(id="q-2", question="How is the audit log of the gateway disabled in v4.2?")
        )
        assert not {Check.NEAR_DUPLICATE, Check.EXACT_DUPLICATE} & set(
            _open(_check(case, others=(other,)))
        )

    def test_the_earlier_turns_are_a_part_of_the_question(self) -> None:
        turns = (Turn(role="user", text="I mean the collector."),)
        other = OtherCase.of(_case(id="q-0093", conversation=turns))
        assert Check.EXACT_DUPLICATE not in _open(_check(others=(other,)))

    def test_retired_cases_and_the_case_itself_do_not_count(self) -> None:
        retired = OtherCase.of(_case(id="q-0093", status=CaseStatus.RETIRED))
        assert _open(_check(others=(retired, OtherCase.of(CASE)))) == {}

    def test_an_edit_that_asks_as_before_is_no_new_duplicate(self) -> None:
        other = OtherCase.of(_case(id="q-0093"))
        assert _open(_check(base=CASE, others=(other,))) == {}

    @pytest.mark.parametrize(
        ("question", "changed"),
        [
            ("What is the default idle time-out in v4.2?", False),
            ("What is the default idle timeout in v4.3?", True),
            ("What is not the default idle timeout in v4.2?", True),
            ("Which port is used in v4.2?", True),
        ],
    )
    def test_a_released_question_changes_in_its_spelling_only(
        self, question: str, changed: bool
    ) -> None:
        checked = _check(_case(question=question), base=CASE)
        assert (Check.QUESTION_CHANGED in _open(checked)) is changed
        fresh = _check(_case(question=question), base=CASE, ever_released=False)
        assert Check.QUESTION_CHANGED not in _open(fresh)

    def test_a_changed_conversation_is_a_changed_question(self) -> None:
        before = _case(conversation=(Turn(role="user", text="I run v4.2."),))
        after = _case(conversation=(Turn(role="user", text="I run v3.9."),))
        assert Check.QUESTION_CHANGED in _open(_check(after, base=before))


class TestRetiring:
    """A retirement is checked for what it does to the set."""

    POLICY = Policy(slices={"general": SlicePolicy(), "billing": SlicePolicy(protected=True)})

    def _retire(self, base: Case, *others: Case) -> dict[Check, Finding]:
        retired = base.model_copy(
            update={
                "status": CaseStatus.RETIRED,
                "retired": Retired(reason=RetireReason.OUTDATED),
                "reference": "",
            }
        )
        known = tuple(OtherCase.of(case) for case in others)
        return _open(_check(retired, None, base=base, others=known, policy=self.POLICY))

    def test_the_last_case_of_a_protected_slice_stays(self) -> None:
        billing = _case(slice="billing")
        found = self._retire(billing, _case(id="q-2"))
        assert found[Check.LAST_GUARD].message == (
            "q-0001 is the last case of the protected slice billing. Add another one first."
        )
        assert self._retire(billing, _case(id="q-2", slice="billing")) == {}

    def test_the_last_unanswerable_case_stays(self) -> None:
        base = _case(answerable=Answerable.UNANSWERABLE)
        found = self._retire(base, _case(id="q-2"))
        assert "the last unanswerable case" in found[Check.LAST_GUARD].message

    def test_any_other_case_may_go_whatever_it_lacks(self) -> None:
        assert self._retire(CASE, _case(id="q-2")) == {}

    def test_a_case_that_fails_on_the_baseline_needs_a_word(self) -> None:
        assert Check.BASELINE_FAILS in _open(_check(base=CASE, baseline_fails=True))


class TestTexts:
    """Secrets, personal data and characters that nobody sees, in every field."""

    MAIL = "Asked by jane.roe@example.org"

    @pytest.mark.parametrize(
        ("parts", "field", "name"),
        [
            ({"notes": MAIL}, "notes", "the notes"),
            ({"reference": CASE.reference + " " + MAIL}, "reference", "the reference"),
            ({"conversation": (Turn(role="user", text=MAIL),)}, "conversation", "an earlier turn"),
            ({"readings": (MAIL,)}, "readings", "a reading"),
            (
                {"provenance": Provenance(external_id=MAIL)},
                "provenance",
                "the provenance",
            ),
        ],
    )
    def test_personal_data_is_a_warning(
        self, parts: dict[str, object], field: str, name: str
    ) -> None:
        finding = _only(_check(_case(**parts)), Check.PERSONAL_DATA, Level.WARNING)
        assert finding.message == f"An e-mail address is in {name}. Redact it?"
        assert (finding.field, finding.item) == (field, field)

    def test_the_reason_is_read_too(self) -> None:
        found = _open(_check(reason=self.MAIL))
        assert found[Check.PERSONAL_DATA].field == "reason"

    def test_each_place_and_kind_has_a_finding_of_its_own(self) -> None:
        case = _case(notes=f"{self.MAIL} {self.MAIL} +49 30 1234567")
        findings = _check(case, reason=self.MAIL).findings
        found = [(f.field, f.message) for f in findings if f.check is Check.PERSONAL_DATA]
        assert found == [
            ("notes", "An e-mail address is in the notes. Redact it?"),
            ("notes", "A telephone number is in the notes. Redact it?"),
            ("reason", "An e-mail address is in the reason. Redact it?"),
        ]

    def test_a_secret_blocks_and_is_not_repeated(self) -> None:
        key = "AKIA" + "ABCDEFGHIJKLMNOP"
        finding = _only(_check(_case(notes=f"use {key}")), Check.SECRET, Level.ERROR)
        assert finding.message == "An access key is in the notes. Remove it."

    @pytest.mark.parametrize("sign", ["\ud800", "\x00"])
    def test_what_cannot_be_stored_blocks(self, sign: str) -> None:
        case = _case(notes=f"a{sign}b")
        finding = _only(_check(case), Check.BAD_TEXT, Level.ERROR)
        assert f"U+{ord(sign):04X}" in finding.message

    def test_invisible_characters_are_named(self) -> None:
        fact = REQUIRED.model_copy(update={"text": "default idle\u202e timeout is 60 s"})
        finding = _open(_check(_case(facts=_facts(fact))))[Check.INVISIBLE_TEXT]
        assert finding.message == "Invisible characters are in required fact 1: U+202E."
        assert finding.item == "f1"

    def test_a_quote_is_as_its_chunk_is(self) -> None:
        chunk = NEW.model_copy(update={"text": "The default idle timeout is 60\u200b s."})
        item = GOLD.model_copy(update={"quote": chunk.text})
        assert _open(_check(_case(evidence=(item,)), chunks={NEW.key: chunk})) == {}
