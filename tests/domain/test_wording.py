"""What is quoted, what is nearly another text, and what is only spelled otherwise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.case import Case, Turn
from curation.domain.rewording import Rewording, rewording
from curation.domain.wording import (
    anchors,
    is_quoted,
    negated,
    quoted_words,
    same_spelling,
    unquoted_share,
)


@pytest.mark.parametrize(
    ("text", "sources", "expected"),
    [
        ("The timeout is 60 s.", ["Note: the timeout is 60 s, always."], True),
        ("60 s", ["The timeout is 60 s."], True),
        ("The timeout is 30 s.", ["The timeout is 60 s."], False),
        ("s 60 is timeout the", ["The timeout is 60 s."], False),
        (
            "The timeout is 60 s. It is set in a file.",
            ["The timeout is 60 s.", "It is set in a file."],
            True,
        ),
        ("anything", [], False),
        ("", ["a"], False),
    ],
)
def test_every_word_stands_inside_the_sources(
    text: str, sources: list[str], expected: bool
) -> None:
    assert is_quoted(text, sources) is expected


@given(st.text(max_size=80))
def test_a_text_quotes_itself(text: str) -> None:
    assert all(quoted_words(text, [text]))


def test_the_free_words_are_compared_with_an_answer() -> None:
    reference = "The timeout is 60 s. Please restart the gateway after changing it today."
    answer = "You must change it. Please restart the gateway after changing it today."
    words, share = unquoted_share(reference, ["The timeout is 60 s."], answer)
    assert words == 8
    assert share == 1.0
    assert unquoted_share(reference, [reference], answer) == (0, 0.0)


def test_numbers_versions_and_flags_are_anchors() -> None:
    text = "Set --max-wals to 5 in etcd v3.5, not in 3.6."
    assert anchors(text) == {"--max-wals", "5", "v3.5", "3.6"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [("It does not work.", True), ("It works.", False), ("It isn't never so.", False)],
)
def test_an_odd_number_of_negations_denies(text: str, expected: bool) -> None:
    assert negated(text) is expected


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("What is the default timeout?", "What is the defalut timeout?", True),
        ("What is  the default?", "what is the default?", True),
        ("What is the default in 3.5?", "What is the default in 3.6?", False),
        ("Does it work?", "Does it not work?", False),
        ("What is the timeout?", "Which port is used by the gateway?", False),
        ("a", "a", True),
    ],
)
def test_only_the_spelling_may_change(before: str, after: str, same: bool) -> None:
    assert same_spelling(before, after) is same


def test_a_case_is_reworded_by_its_question_or_its_turns() -> None:
    case = Case(id="q-1", question="What is the default timeout?", conversation=())
    typo = case.model_copy(update={"question": "What is the defalut timeout?"})
    other = case.model_copy(update={"question": "What is the port?"})
    turned = case.model_copy(update={"conversation": (Turn(role="user", text="Hi"),)})
    noted = case.model_copy(update={"notes": "x"})
    found = [rewording(case, after) for after in (typo, other, turned, noted)]
    assert found == [Rewording.SPELLING, Rewording.OTHER, Rewording.OTHER, Rewording.NONE]


@given(st.text(max_size=60))
def test_no_change_is_no_rewording(question: str) -> None:
    case = Case(id="q-1", question=question)
    assert rewording(case, case) is Rewording.NONE
