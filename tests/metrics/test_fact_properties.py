"""What must hold of the fact matcher for any text."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from curation.metrics import Match, Presence, match_fact, match_forbidden, quantities

ODD_SIGNS = "\ud800\udfff\u0000\u200b\u2028\u0301\u00ad\ufe0f\U0010ffff.,:;-/()[]|#*$%'\"0159 vx\n"
ANY_TEXT = (
    st.text(max_size=200)
    | st.text(alphabet=ODD_SIGNS, max_size=60)
    | st.lists(
        st.sampled_from(
            [
                "not",
                "no",
                "5",
                "4.2",
                "v4.2",
                "%",
                "per",
                "day",
                "to",
                "from",
                "half",
                "a",
                "and",
                "one",
                "1/2",
                "(",
                ")",
                ".",
                "If",
                "is",
                "May",
                "12",
                "2024",
                "12:30",
                "pm",
                "--x",
                "$",
            ]
        ),
        max_size=25,
    ).map(" ".join)
)
SUBJECTS = ("session timeout", "idle timeout", "batch size", "log retention", "upload limit")
VALUES = ("60 s", "30 s", "5", "10", "1.5 GB", "2 years", "$40", "4.2", "true", "20 %")
SENTENCES = st.builds(
    "The {} is {}{}.".format,
    st.sampled_from(SUBJECTS),
    st.sampled_from(("", "not ", "at most ")).flatmap(
        lambda word: st.sampled_from(VALUES).map(lambda value: word + value)
    ),
    st.sampled_from(("", " in v4.2", " in v3.9", " per day")),
)
FILLERS = st.sampled_from(
    (
        "Bananas are rich in potassium.",
        "The museum has a garden.",
        "It was built by a merchant.",
        "Ask the desk for help.",
        "See the chapter on cooking.",
    )
)
FACTS = st.builds(
    "The {} is {}".format, st.sampled_from(SUBJECTS), st.sampled_from(VALUES)
) | st.sampled_from(VALUES)


def has_word(text: str) -> bool:
    return re.search(r"\w", text) is not None


def check_span(text: str, match: Match) -> None:
    if match.span is not None:
        start, end = match.span
        assert 0 <= start < end <= len(text)
    assert match.reason


@given(ANY_TEXT)
@settings(max_examples=200)
def test_a_text_says_itself(text: str) -> None:
    match = match_fact(text, text)
    if has_word(text):
        assert match.verdict in {Presence.PRESENT, Presence.UNSURE}
    check_span(text, match)


@given(ANY_TEXT, ANY_TEXT, st.booleans())
@settings(max_examples=200)
def test_any_two_texts_give_a_verdict_and_a_valid_span(
    text: str, fact: str, conclusion: bool
) -> None:
    check_span(text, match_fact(text, fact, conclusion=conclusion))
    check_span(text, match_forbidden(text, fact, value_of="v3.9", version="v4.2"))


@given(st.lists(SENTENCES | FILLERS, min_size=1, max_size=5), FACTS)
@settings(max_examples=200)
def test_spans_of_real_sentences_are_valid(sentences: list[str], fact: str) -> None:
    text = " ".join(sentences)
    check_span(text, match_fact(text, fact))
    check_span(text, match_forbidden(text, fact, value_of="v3.9", version="v4.2"))


@given(st.lists(SENTENCES, min_size=1, max_size=3), FACTS, st.lists(FILLERS, max_size=3), st.data())
@settings(max_examples=200)
def test_unrelated_text_does_not_turn_present_into_absent(
    sentences: list[str], fact: str, fillers: list[str], data: st.DataObject
) -> None:
    before = match_fact(" ".join(sentences), fact)
    mixed = data.draw(st.permutations([*sentences, *fillers]))
    ordered = sorted(mixed, key=lambda s: sentences.index(s) if s in sentences else -1)
    after = match_fact(" ".join(ordered), fact)
    if before.verdict is Presence.PRESENT:
        assert after.verdict is not Presence.ABSENT


@given(st.lists(SENTENCES | FILLERS, min_size=1, max_size=5), FACTS, st.data())
@settings(max_examples=300)
def test_removing_a_sentence_never_turns_absent_into_present(
    sentences: list[str], fact: str, data: st.DataObject
) -> None:
    whole = match_fact(" ".join(sentences), fact)
    gone = data.draw(st.integers(0, len(sentences) - 1))
    rest = [sentence for at, sentence in enumerate(sentences) if at != gone]
    if whole.verdict is Presence.ABSENT:
        assert match_fact(" ".join(rest), fact).verdict is not Presence.PRESENT


@given(ANY_TEXT)
@settings(max_examples=300)
def test_quantities_stand_where_they_say(text: str) -> None:
    found = quantities(text)
    ends = [quantity.span for quantity in found]
    assert ends == sorted(ends)
    for quantity in found:
        start, end = quantity.span
        assert 0 <= start < end <= len(text)
        assert quantity.text == text[start:end]
        assert quantity.readings
