"""The type of a question, from its form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.policy import QUESTION_TYPES
from curation.metrics.question_type import propose_question_type


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the default value of --max-wals in etcd 3.3?", "value"),
        ("How many snapshots are kept?", "value"),
        ("When was it first released?", "value"),
        ("Who wrote it?", "value"),
        ("Which port does the gateway use?", "value"),
        ("How long does a session last?", "value"),
        ("Can I use the --tls-min-version flag with etcd 3.3?", "yes_no"),
        ("Is collector v4.2 compatible with gateway v3.9?", "yes_no"),
        ("Hi, does it support TLS?", "yes_no"),
        ("How do I rotate the key?", "how_to"),
        ("how to hire a lawyer", "how_to"),
        ("What are the steps to restore a backup?", "how_to"),
        ("Where can I change my address?", "how_to"),
        ("Why does the session end?", "why"),
        ("What is the reason for the limit?", "why"),
        ("What is the difference between 3.5 and 3.6?", "compare"),
        ("Compare the free and the paid plan.", "compare"),
        ("Which plans are available?", "list"),
        ("List all flags.", "list"),
        ("What types of tokens are there?", "list"),
        ("What is a lease?", "definition"),
        ("Can you tell me what a lease is?", "other"),
        ("Could you explain what is a lease?", "definition"),
        ("Spousal support", "other"),
        ("", "other"),
    ],
)
def test_the_form_suggests_the_type(question: str, expected: str) -> None:
    assert propose_question_type(question) == expected


def test_the_question_counts_and_not_what_is_said_before_it() -> None:
    assert propose_question_type("I run v4.2. It is slow. Why does it wait 60 s?") == "why"


@given(st.text(max_size=300))
def test_the_type_is_one_of_the_policys(question: str) -> None:
    assert propose_question_type(question) in QUESTION_TYPES
