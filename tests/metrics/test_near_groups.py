"""Questions that ask nearly the same come together; those that only look alike do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.same_question import may_be_same
from curation.metrics.near_groups import near_groups
from curation.metrics.normalise import same_question_key


def together(*questions: str) -> bool:
    leaders = near_groups([same_question_key(question) for question in questions])
    return len(set(leaders)) == 1


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("How do I reset my password?", "how do i reset my passwords"),
        ("What is the default timeout of the relay?", "the default timeout of the relay is what"),
        ("How can I export the audit log?", "How do I export the audit logs?"),
        ("how do i configure the idle timeout", "how do i configure the idle time-out"),
    ],
)
def test_wordings_of_one_question_come_together(one, two):
    assert together(one, two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("What is the timeout in v4.2?", "What is the timeout in v4.1?"),
        ("What is the limit for 10 users?", "What is the limit for 100 users?"),
        ("Can I delete a closed account?", "Can I not delete a closed account?"),
        ("How do I enable the audit log?", "How do I disable the audit log?"),
        ("What does the monthly plan cost?", "What does the annual plan cost?"),
        ("How do I reset my password?", "How do I reset my passport?"),
        ("How do I reset my password?", "When do I reset my password?"),
        ("How long is the audit log kept?", "How much is the audit log kept?"),
        ("Whom to pay for issuing a writ?", "Why pay for issuing a writ?"),
    ],
)
def test_one_changed_word_of_weight_keeps_them_apart(one, two):
    assert not together(one, two)


def test_the_most_frequent_wording_stands_for_the_group():
    keys = ["how do i reset my password", "how do i reset my passwords", "what is a lease"]
    assert near_groups(keys, [1, 9, 1]) == [1, 1, 2]
    assert near_groups([]) == []


def test_odd_texts_are_groups_of_their_own():
    keys = ["", "a", "\U0001f600", "\ud800", "né", "東京 の 天気"]
    assert near_groups(keys) == list(range(len(keys)))


WORDS = ("how", "reset", "password", "token", "relay", "limit", "4", "5", "not", "the", "my")
SENTENCE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)
KEYS = st.lists(SENTENCE, unique=True, max_size=30)


@given(KEYS)
def test_every_question_may_be_the_same_as_the_one_that_stands_for_it(keys):
    leaders = near_groups(keys)
    assert len(leaders) == len(keys)
    for at, leader in enumerate(leaders):
        assert leaders[leader] == leader
        assert leader == at or may_be_same(keys[at], keys[leader])


@given(KEYS, st.randoms(use_true_random=False))
def test_the_order_of_the_questions_does_not_matter_to_who_leads_whom(keys, dice):
    mixed = list(keys)
    dice.shuffle(mixed)
    one = {keys[a]: keys[b] for a, b in enumerate(near_groups(keys))}
    two = {mixed[a]: mixed[b] for a, b in enumerate(near_groups(mixed))}
    assert one == two
