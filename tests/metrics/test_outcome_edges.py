"""How much a declining answer may state, and what a closing question leaves open."""

import pytest

from curation.domain.answer import Outcome
from curation.metrics.abstention import outcome_of
from curation.metrics.content import has_only, near_stems, row_of
from curation.metrics.metric import Metric, display_name
from curation.metrics.question_type import propose_question_type
from curation.metrics.segments import read_text


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("They are old, but I do not know.", Outcome.ABSTAINED),
        ("One two three four, but I do not know.", Outcome.ABSTAINED),
        ("One two three four five, but I do not know.", None),
        ("One two, three four five, but I do not know.", None),
        ("One two three four five, I do not know.", None),
        ("Sorry for that to all of you, but I do not know.", Outcome.ABSTAINED),
        ("According to the whole of the guide, I do not know.", Outcome.ABSTAINED),
        ("I do not know, but could you clarify?", Outcome.CLARIFIED),
    ],
)
def test_five_words_before_a_clause_that_declines_state_something(
    text: str, outcome: Outcome | None
) -> None:
    assert outcome_of(text) is outcome


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("It is on. It is off. Could you clarify?", None),
        ("It is on. It is off. So be it. Could you clarify?", Outcome.ANSWERED),
        ("It is 60 s. Could you clarify?", Outcome.ANSWERED),
        ("It is on. Could you clarify? It is off.", Outcome.ANSWERED),
        ("Could you clarify? It is on. It is off. So. Could you specify?", None),
        ("It is on. I do not know.", Outcome.ANSWERED),
        ("I do not know. It is on.", None),
        ("Hello.", None),
    ],
)
def test_a_closing_question_leaves_open_what_was_hardly_answered(
    text: str, outcome: Outcome | None
) -> None:
    assert outcome_of(text) is outcome


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What\u2019s a lease?", "definition"),
        ("I\u2019m wondering what is a lease?", "definition"),
        ("It is off in 3.5. Is it on in 3.6?", "yes_no"),
        ("How many of version 3.5? Tell me.", "value"),
    ],
)
def test_the_form_of_a_question_is_that_of_the_part_that_asks(question: str, expected: str) -> None:
    assert propose_question_type(question) == expected


def test_a_metric_is_shown_with_its_depth_where_there_is_one() -> None:
    shown = [display_name(Metric.RECALL, k) for k in (None, 5)]
    assert shown == ["recall@k", "recall@5"]


def test_the_words_around_a_number_are_four_on_each_side() -> None:
    names = "alpha beta gamma omega zeta 60 rho theta iota kappa lambda"
    items = read_text(names).items
    assert near_stems(items, 5) == {"beta", "gamma", "omega", "zeta", "rho", "theta", "iota"} | {
        "kappa"
    }
    assert near_stems(items, 3) >= {"alpha", "beta", "gamma"}
    assert near_stems(items, 0) == {"beta", "gamma", "omega", "zeta"}
    assert near_stems(items, len(items) - 1) == {"rho", "theta", "iota", "kappa"}


def test_the_items_of_a_list_share_where_it_begins() -> None:
    items = read_text("use red, green, and blue or white but black / grey").items
    words = [item.text for item in items]
    rows = {word: words[row_of(items, words.index(word))] for word in words if word.isalpha()}
    assert {rows[name] for name in ("red", "green", "blue", "white")} == {"red"}
    pair = read_text("red, green").items
    assert [row_of(pair, at) for at in (0, 2)] == [0, 0]
    assert (rows["use"], rows["black"], rows["grey"]) == ("use", "black", "black")


@pytest.mark.parametrize(
    ("text", "first", "last", "only"),
    [
        ("it is only red", 0, 4, True),
        ("it is not only red", 0, 5, False),
        ("it is not only red", 3, 5, True),
        ("it is only red", 0, 2, False),
        ("it only is so", 2, 4, False),
        ("only red", 0, 2, True),
        ("it is red", 0, 3, False),
    ],
)
def test_a_stretch_says_only_where_it_does_not_say_not_only(
    text: str, first: int, last: int, only: bool
) -> None:
    assert has_only(read_text(text).items, first, last) is only
