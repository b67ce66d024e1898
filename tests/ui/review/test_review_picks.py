"""Picks: the right words, quote and chunk for any text, and refusals that say why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.case import FactKind
from curation.domain.chunk import text_sha256
from curation.domain.item_id import next_id
from curation.domain.review import Draft
from curation.ui.review.counterparts import counterpart_of, sentence_spans, start_of
from curation.ui.review.picks import (
    EVIDENCE_IS_THERE,
    FACT_IS_THERE,
    NO_COUNTERPART,
    NO_FACT_TOUCHED,
    NOT_A_CHUNK,
    SAME_COUNTERPART,
    Context,
    Done,
    Passage,
    PickKind,
    Refused,
    Selection,
    apply_pick,
)

OLD = "## Timeout\n+ Closes idle sessions\n+ default: 30 s\n+ limit: 9"
NEW = "## Timeout\n+ Closes idle sessions\n+ default: 60 s\n+ limit: 9"
ASKED = Context(asked_for="4.2")


def chunk(text=NEW, version="4.2", key="c0"):
    return Passage(
        key=key, text=text, chunk_id="guide#timeout", doc_id="guide", doc_version=version
    )


def select(passage, words):
    at = passage.text.index(words)
    return Selection(passage=passage, start=at, end=at + len(words))


def done(outcome) -> Done:
    assert isinstance(outcome, Done), outcome
    return outcome


def test_required_words_become_a_fact_with_their_exact_quote():
    passage = chunk()
    after = done(apply_pick(Draft(), PickKind.REQUIRED, select(passage, "+ default: 60 s"), ASKED))
    (fact,) = after.draft.facts.required
    (evidence,) = after.draft.evidence
    assert fact.text == "default: 60 s"
    assert fact.evidence == (evidence.id,)
    assert evidence.quote == "+ default: 60 s"
    assert (evidence.chunk_id, evidence.doc_version) == ("guide#timeout", "4.2")
    assert evidence.chunk_sha256 == text_sha256(passage.text)
    assert after.touched == fact.id


def test_forbidden_words_name_the_version_whose_value_they_are_and_are_no_evidence():
    passage = chunk(OLD, "3.9")
    after = done(apply_pick(Draft(), PickKind.FORBIDDEN, select(passage, "30 s"), ASKED))
    (fact,) = after.draft.facts.forbidden
    assert (fact.text, fact.value_of) == ("30 s", "3.9")
    assert after.draft.evidence == ()


def test_forbidden_words_of_the_version_asked_for_are_nobody_elses_value():
    after = done(apply_pick(Draft(), PickKind.FORBIDDEN, select(chunk(), "60 s"), ASKED))
    assert after.draft.facts.forbidden[0].value_of is None


def test_one_key_requires_the_right_value_and_forbids_its_counterpart():
    picked = select(chunk(), "+ default: 60 s")
    other = counterpart_of(picked, chunk(OLD, "3.9", key="c1"))
    context = Context(asked_for="4.2", counterpart=other)
    after = done(apply_pick(Draft(), PickKind.REQUIRED_AND_FORBID, picked, context))
    assert [f.text for f in after.draft.facts.required] == ["default: 60 s"]
    assert [(f.text, f.value_of) for f in after.draft.facts.forbidden] == [("default: 30 s", "3.9")]
    assert [e.doc_version for e in after.draft.evidence] == ["4.2"]


def test_the_counterpart_of_a_word_is_the_word_in_its_place():
    other = counterpart_of(select(chunk(), "60 s"), chunk(OLD, "3.9"))
    assert other is not None
    assert other.words == "30 s"


@pytest.mark.parametrize(
    ("counterpart", "refusal"),
    [(None, NO_COUNTERPART), (select(chunk(OLD, "3.9"), "+ limit: 9"), SAME_COUNTERPART)],
)
def test_without_another_value_nothing_is_required_or_forbidden(counterpart, refusal):
    context = Context(asked_for="4.2", counterpart=counterpart)
    picked = select(chunk(), "+ limit: 9")
    assert apply_pick(Draft(), PickKind.REQUIRED_AND_FORBID, picked, context) == refusal


def test_the_same_fact_twice_is_refused_whatever_its_kind():
    picked = select(chunk(), "60 s")
    draft = done(apply_pick(Draft(), PickKind.REQUIRED, picked, ASKED)).draft
    for kind in (PickKind.REQUIRED, PickKind.OPTIONAL, PickKind.FORBIDDEN):
        assert apply_pick(draft, kind, picked, ASKED) == FACT_IS_THERE
    assert FACT_IS_THERE.why == "That fact is already there."


def test_a_fact_from_a_correction_has_no_evidence_until_a_chunk_is_picked():
    correction = Passage(key="user0", text="In 4.2 it is 60 s.")
    first = done(apply_pick(Draft(), PickKind.REQUIRED, select(correction, "60 s"), ASKED))
    assert first.draft.facts.required[0].evidence == ()
    assert first.draft.evidence == ()
    assert (
        apply_pick(first.draft, PickKind.EVIDENCE, select(correction, "60 s"), ASKED) == NOT_A_CHUNK
    )
    context = Context(asked_for="4.2", touched=first.touched)
    second = done(
        apply_pick(first.draft, PickKind.EVIDENCE, select(chunk(), "default: 60 s"), context)
    )
    assert second.draft.facts.required[0].evidence == (second.draft.evidence[0].id,)


def test_the_same_evidence_twice_is_refused():
    picked = select(chunk(), "60 s")
    draft = done(apply_pick(Draft(), PickKind.EVIDENCE, picked, ASKED)).draft
    assert apply_pick(draft, PickKind.EVIDENCE, picked, ASKED) == EVIDENCE_IS_THERE


def test_another_wording_goes_to_the_fact_last_touched():
    first = done(apply_pick(Draft(), PickKind.REQUIRED, select(chunk(), "60 s"), ASKED))
    picked = select(chunk(), "Closes idle sessions")
    context = Context(touched=first.touched)
    after = done(apply_pick(first.draft, PickKind.WORDING, picked, context))
    assert after.draft.facts.required[0].any_of == ("Closes idle sessions",)
    assert isinstance(apply_pick(after.draft, PickKind.WORDING, picked, context), Refused)
    assert apply_pick(Draft(), PickKind.WORDING, picked, Context()) == NO_FACT_TOUCHED


@pytest.mark.parametrize(
    ("before", "caret", "after"),
    [
        ("", None, "60 s"),
        ("It is", None, "It is 60 s"),
        ("It is .", 6, "It is 60 s."),
        ("It is now", 5, "It is 60 s now"),
        ("Wert: 👩‍👩‍👧 ", 99, "Wert: 👩‍👩‍👧 60 s"),
    ],
)
def test_words_go_into_the_reference_at_the_caret(before, caret, after):
    context = Context(caret=caret)
    draft = Draft(reference=before)
    outcome = done(apply_pick(draft, PickKind.REFERENCE, select(chunk(), "60 s"), context))
    assert outcome.draft.reference == after


def test_a_long_fact_is_taken_and_fewer_words_are_offered():
    passage = chunk("x" * 130 + " y")
    after = done(apply_pick(Draft(), PickKind.REQUIRED, select(passage, passage.text), ASKED))
    assert "132 characters rarely match twice" in after.said


def test_ids_are_never_given_twice():
    assert next_id("f", ["f1", "f9", "e12", "fx"]) == "f10"
    context = Context(used=frozenset({"f4", "e2"}))
    after = done(apply_pick(Draft(), PickKind.REQUIRED, select(chunk(), "60 s"), context))
    assert after.draft.facts.required[0].id == "f5"
    assert after.draft.evidence[0].id == "e3"


texts = st.text(
    alphabet=st.one_of(
        st.sampled_from("ab 12.\n\t-+|\u200b\u202e\u0301👩\u200d👧\u2028é漢字"), st.characters()
    ),
    max_size=60,
)


@given(
    text=texts,
    start=st.integers(-3, 70),
    end=st.integers(-3, 70),
    kind=st.sampled_from(list(PickKind)),
)
def test_every_quote_stands_in_its_chunk_for_any_text(text, start, end, kind):
    passage = chunk(text)
    outcome = apply_pick(Draft(), kind, Selection(passage=passage, start=start, end=end), ASKED)
    if isinstance(outcome, Refused):
        assert outcome.why.endswith(".")
        return
    for item in outcome.draft.evidence:
        assert item.quote == text[max(0, start) : end].strip()
        assert item.quote in text
    for _, fact in outcome.draft.facts.each:
        assert fact.text == " ".join(fact.text.split())


@given(text=texts, other=texts)
def test_a_counterpart_stands_in_its_own_text(text, other):
    for span in sentence_spans(text):
        found = counterpart_of(
            Selection(passage=chunk(text), start=span.start, end=span.end), chunk(other, "3.9")
        )
        if found is not None:
            assert 0 <= found.start < found.end <= len(other)


def test_reading_starts_on_the_line_that_differs_in_the_version_asked_for():
    shown = [chunk(OLD, "3.9", "c0"), chunk(NEW, "4.2", "c0v0")]
    found = start_of(
        "What is the default timeout in 4.2?", "", shown, asked_for="4.2", pairs={"c0v0": "c0"}
    )
    assert found is not None
    assert found.block == "c0v0"
    assert sentence_spans(NEW)[found.sentence].of(NEW) == "+ default: 60 s"


def test_reading_does_not_start_on_a_heading():
    text = "# Retention\nBackups are kept for 30 days."
    found = start_of("What about retention?", "", [chunk(text)], asked_for=None, pairs={})
    assert found is not None
    assert sentence_spans(text)[found.sentence].of(text) == "Backups are kept for 30 days."


def test_reading_does_not_start_on_a_question():
    text = "Guide to appeals\nWhat is an appeal?\nA higher court reviews the decision."
    place = start_of("What is an appeal?", "", [chunk(text)], asked_for=None, pairs={})
    assert place is not None
    span = sentence_spans(text)[place.sentence]
    assert span.of(text) == "A higher court reviews the decision."


def test_kinds_of_facts_have_a_key_each():
    assert {kind.value for kind in FactKind} <= {kind.value for kind in PickKind}


def test_the_counterpart_is_of_its_own_version_though_the_question_names_none():
    old, new = chunk(OLD, "2025", key="c0"), chunk(NEW, "2026", key="c1")
    picked = select(new, "+ default: 60 s")
    context = Context(counterpart=counterpart_of(picked, old))
    after = done(apply_pick(Draft(), PickKind.REQUIRED_AND_FORBID, picked, context))
    assert [fact.value_of for fact in after.draft.facts.forbidden] == ["2025"]


@pytest.mark.parametrize("kind", [PickKind.FORBIDDEN, PickKind.REFERENCE])
def test_words_of_the_logged_answer_come_without_its_citation_markers(kind):
    answer = Passage(key="answer", text="It is 30 s [1]. See [2, 3] there, `a[0]` too.")
    whole = Selection(passage=answer, start=0, end=len(answer.text))
    after = done(apply_pick(Draft(), kind, whole, Context()))
    said = [fact.text for fact in after.draft.facts.forbidden] or [after.draft.reference]
    assert said == ["It is 30 s. See there, `a[0]` too."]
