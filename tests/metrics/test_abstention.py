"""The phrase rule: answered, abstained, clarified, or it cannot be told."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.answer import Outcome
from curation.metrics.abstention import outcome_of

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "N/A",
        "null",
        "I don't know.",
        "I do not have that information.",
        "Sorry, but I do not have the answer to your question.",
        "I'm sorry for the confusion, but I don't have enough information on the price.",
        "Unfortunately, I could not find any information on this in the documents.",
        "The documents do not mention the price.",
        "There is no information about the price in the handbook.",
        "The price is not mentioned in the documentation.",
        "I cannot answer that. Please contact the support team.",
        "I\u2019m not able to find this. Is there anything else I can help you with?",
    ],
)
def test_declining_is_abstained(text: str) -> None:
    assert outcome_of(text) is Outcome.ABSTAINED


@pytest.mark.parametrize(
    "text",
    [
        "Which version do you use?",
        "Could you please tell me which product you mean?",
        "I need more information. Which country are you asking about?",
        "I'd be happy to help! Could you please share the error message?",
    ],
)
def test_asking_back_is_clarified(text: str) -> None:
    assert outcome_of(text) is Outcome.CLARIFIED


@pytest.mark.parametrize(
    "text",
    [
        "The default is 60 s.",
        "No. The 3.3 guide does not list --tls-min-version; it is there since 3.6.",
        "No, Venus does not have any moons.",
        "The timeout is 60 s. Its unit is not documented. Is there anything else?",
        "007",
        "Please contact the office at 8 a.m. The form is on page 3.",
    ],
)
def test_stating_something_is_answered(text: str) -> None:
    assert outcome_of(text) is Outcome.ANSWERED


@pytest.mark.parametrize(
    "text",
    [
        "I do not have that information. However, the limit was 30 in 3.9.",
        "The text does not say when. It opened with a fair.",
        "They are old, fast and green, but the document does not state the price.",
    ],
)
def test_both_at_once_cannot_be_told(text: str) -> None:
    assert outcome_of(text) is None


@given(st.text(max_size=200))
def test_any_text_has_an_outcome_or_none(text: str) -> None:
    assert outcome_of(text) in {*Outcome, None}


@pytest.mark.skipif(not DATA.exists(), reason="the shared data is not here")
def test_most_real_answers_are_told() -> None:
    with gzip.open(DATA / "answers.jsonl.gz", "rt", newline="\n", encoding="utf-8") as lines:
        found = [outcome_of(json.loads(line)["answer"]) for line in lines]
    assert found.count(None) < 0.03 * len(found)
    assert found.count(Outcome.ABSTAINED) > 100
