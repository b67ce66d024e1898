"""What the next question of a session says of the answer before it."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.answer import Outcome, SignalKind
from curation.metrics.session_signals import RULES, SessionTurn, derived_signals, is_derived

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
LATER = START + timedelta(days=3)


def turn(number, question, answer="It is 30 s.", **fields):
    at = START + timedelta(minutes=5 * number)
    given = {"answer_id": f"a{number}", "question": question, "answer": answer, "asked_at": at}
    return SessionTurn(**given | fields)


def first(*turns, newest=LATER):
    """The signal of the first answer: its kind and its rule."""
    found = derived_signals(turns, newest)["a0"]
    if not found:
        return None
    (signal,) = found
    assert is_derived(signal.rule)
    assert signal.rule is not None
    return signal.kind.value, signal.rule.removeprefix(f"session/{RULES}:")


@pytest.mark.parametrize(
    ("question", "then", "rule"),
    [
        ("What is the timeout?", "what is the  timeout", "same_question"),
        ("How do I reset my password?", "How do I reset a password", "near_question"),
        ("Where are the captures?", "I mean the captures of activity audits", "says_again"),
        ("How old must I be?", "Are you sure? I think it is 15", "says_again"),
        ("How long is the data retained?", "How long do you retain data?", "same_words"),
        ("What is the legal age for a job?", "I need the legal age for a job in Peru", "narrowed"),
    ],
)
def test_asking_again_is_a_reformulation_by_its_rule(question, then, rule):
    assert first(turn(0, question), turn(1, then)) == ("reformulation", rule)


@pytest.mark.parametrize(
    ("question", "then", "kind"),
    [
        ("What is the default of v4.2?", "What is the default of v4.1?", "follow_up"),
        ("What is OpenShift Virtualization?", "Who built OpenShift Virtualization?", "follow_up"),
        ("How do I enable retries?", "How do I disable retries?", "follow_up"),
        ("How do I enable retries?", "Is it expensive?", "follow_up"),
        ("How do I enable retries?", "Thank you so much, that helped!", None),
        ("How do I enable retries?", "That is fine. Thank you!", None),
        ("How do I enable retries?", "Which museums in Lima open late?", None),
    ],
)
def test_another_question_is_a_follow_up_or_nothing(question, then, kind):
    found = first(turn(0, question), turn(1, then))
    assert (found and found[0]) == kind


def test_the_matched_text_and_a_confidence_are_kept():
    (signal,) = derived_signals([turn(0, "What is X?"), turn(1, "what is x")], LATER)["a0"]
    assert signal.comment == "what is x"
    assert signal.at == START + timedelta(minutes=5)
    assert 0 < signal.confidence < 1


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"answer": " "}, "empty_answer"),
        ({"answer": "I do not have that information."}, "declined"),
        ({"outcome": Outcome.ABSTAINED}, "declined"),
        ({"logged": (SignalKind.THUMBS_DOWN,)}, "disliked_answer"),
    ],
)
def test_leaving_after_an_answer_that_did_not_help_is_abandoned(fields, rule):
    assert first(turn(0, "What is X?", **fields)) == ("abandoned", rule)


def test_leaving_after_a_good_answer_says_nothing():
    assert first(turn(0, "What is X?")) is None


def test_a_session_that_may_still_go_on_is_not_abandoned():
    asked = turn(0, "What is X?", answer="")
    assert first(asked, newest=START + timedelta(minutes=29)) is None
    assert first(asked, newest=START + timedelta(minutes=31)) is not None


def test_the_log_wins_where_it_says_the_same_kind_or_that_the_user_went_on():
    again = turn(1, "what is x")
    assert first(turn(0, "What is X?", logged=(SignalKind.REFORMULATION,)), again) is None
    assert first(turn(0, "What is X?", answer="", logged=(SignalKind.FOLLOW_UP,))) is None


def test_an_answer_that_asked_back_gets_a_reply_and_no_follow_up():
    asked_back = turn(0, "Which plan?", answer="Which plan do you mean?", outcome=Outcome.CLARIFIED)
    assert first(asked_back, turn(1, "It is the plan for teams")) is None


def test_a_turn_without_a_log_of_its_own_is_the_next_one():
    later = turn(2, "Is it free?", earlier=("What is X?", "what is x"))
    assert first(turn(0, "What is X?"), later) == ("reformulation", "same_question")


def test_two_conversations_of_one_session_do_not_answer_each_other():
    other = turn(1, "what is x", earlier=("Hello there",))
    assert first(turn(0, "What is X?"), other) is None


def test_what_comes_half_a_day_later_is_another_sitting():
    assert first(turn(0, "What is X?"), turn(150, "what is x")) is None


def test_without_dates_the_earlier_turns_give_the_order():
    undated = {"asked_at": None}
    asked = turn(0, "What is X?", **undated)
    assert first(asked, turn(1, "what is x", **undated)) is None
    assert first(asked, turn(1, "what is x", earlier=("What is X?",), **undated)) is not None


WORDS = st.lists(
    st.sampled_from(["what", "is", "it", "the", "timeout", "of", "v4", "v5", "not"]), max_size=6
)


@given(st.lists(WORDS.map(" ".join), min_size=1, max_size=6), st.randoms())
def test_the_order_of_the_log_does_not_matter_and_each_answer_has_at_most_one(questions, dice):
    turns = [turn(number, text) for number, text in enumerate(questions)]
    shuffled = list(turns)
    random.Random(dice.random()).shuffle(shuffled)
    found = derived_signals(turns, LATER)
    assert found == derived_signals(shuffled, LATER)
    assert set(found) == {t.answer_id for t in turns}
    assert all(len(signals) <= 1 for signals in found.values())


ABOUT = "What is the retry budget of the relay gateway?"  # four words about the subject
LONG = "When does the relay gateway of Berlin retry requests?"


@pytest.mark.parametrize(
    ("question", "then", "said"),
    [
        # all the words about the subject come again, with more of them
        ("the retry budget gateway", "I need the retry budget gateway for Berlin", "narrowed"),
        ("the retry gateway", "I need the retry gateway for Berlin today", "same_subject"),
        ("the retry budget gateway", "not the retry budget gateway for Berlin", "same_subject"),
        ("the retry budget gateway", "Berlin has one such retry gateway", "refers_back"),
        # a question about a thing names it, and is another question
        (ABOUT, "Who wrote the retry budget of the relay gateway in Berlin?", "same_subject"),
        # what is asked for may be left out once, and not put in place of another
        (LONG, "the relay gateway of Berlin, retry requests per minute", "narrowed"),
        (LONG, "Why does the relay gateway of Berlin retry requests daily?", "same_subject"),
        # one word more or less, and the same beginning
        ("How long is trace data retained?", "How long do you retain data?", "same_words"),
        ("How long is trace data retained here now?", "How long do you retain?", "same_subject"),
        ("How long is data retained?", "Why do you retain data?", "same_subject"),
        ("How is data retained in v4?", "How do you retain data in v5?", "same_subject"),
        ("How is data retained?", "How do you not retain data?", "same_subject"),
    ],
)
def test_what_is_said_again_is_told_from_what_goes_on(question, then, said):
    found = first(turn(0, question), turn(1, then))
    assert found is not None
    assert found[1] == said


@pytest.mark.parametrize("then", ["That\u2019s not what I asked", "That's wrong, try again"])
def test_it_may_say_itself_that_it_asks_again_with_either_apostrophe(then):
    found = first(turn(0, "Where are the captures kept?"), turn(1, then))
    assert found == ("reformulation", "says_again")


def test_a_follow_up_keeps_its_text_and_its_time_and_one_within_a_longer_log_has_no_time():
    asked = turn(0, "How do I enable retries?")
    (signal,) = derived_signals([asked, turn(1, " Is it expensive? ")], LATER)["a0"]
    assert (signal.comment, signal.at) == ("Is it expensive?", START + timedelta(minutes=5))
    longer = turn(2, "Thanks", earlier=("How do I enable retries?", "Is it expensive?"))
    (signal,) = derived_signals([asked, longer], LATER)["a0"]
    assert (signal.comment, signal.at) == ("Is it expensive?", None)


def test_what_was_asked_last_of_two_same_questions_is_what_came_before():
    log = ("What is X?", "Is it free?", "What is X?", "Who made it?")
    later = turn(2, "Thank you", earlier=log)
    (signal,) = derived_signals([turn(0, "What is X?"), later], LATER)["a0"]
    assert signal.comment == "Who made it?"


def test_a_sitting_is_twelve_hours_and_a_user_is_gone_after_half_an_hour():
    asked, again = "What is X?", "what is x"
    last = turn(1, again, asked_at=START + timedelta(hours=12))
    assert first(turn(0, asked), last) == ("reformulation", "same_question")
    late = turn(1, again, asked_at=START + timedelta(hours=12, seconds=1))
    assert first(turn(0, asked), late) is None
    silent = turn(0, asked, answer="")
    assert first(silent, newest=START + timedelta(minutes=30)) == ("abandoned", "empty_answer")


def test_the_next_question_is_looked_for_among_the_next_twenty_answers():
    asked = turn(0, "What is X?")
    others = [turn(n, "Elsewhere", earlier=("Hello",)) for n in range(1, 21)]
    again = turn(21, "what is x")
    assert first(asked, *others[:19], again) == ("reformulation", "same_question")
    assert first(asked, *others, again) is None


def test_conversations_that_share_a_turn_go_on_with_each_other():
    asked = turn(0, "What is X?", earlier=("Hello there", "Who made it?"))
    again = turn(1, "what is x", earlier=("Who made it?",))
    assert first(asked, again) == ("reformulation", "same_question")


def test_answers_without_a_date_come_last_and_those_of_one_moment_by_their_log():
    dated = turn(3, "What is X?", answer_id="a0")
    undated = turn(1, "what is x", earlier=("What is X?",), asked_at=None)
    assert first(undated, dated) == ("reformulation", "same_question")
    longer = turn(3, "what is x", answer_id="a00", earlier=("What is X?",))
    assert first(longer, dated) == ("reformulation", "same_question")


def test_what_was_derived_is_told_by_its_rule():
    assert is_derived("session/1:narrowed")
    assert not is_derived("phoenix")
    assert not is_derived(None)
