"""Faithfulness by quantities, and the versions that a question names."""

import pytest

from curation.metrics import faithfulness, same_version, unsupported_quantities, versions_in

SOURCES = [
    "The timeout is 60 s. It costs 4,000 USD since v4.2.",
    "Retries: 3. Released 2024-05-12.",
]


@pytest.mark.parametrize(
    "answer",
    [
        "The timeout is one minute.",
        "It costs $4000 [12].",
        "It costs 4.000 dollars [doc-7, doc-9] (guide, section 9.1).",
        "1. It retries 3 times.\n2. Since version 4.2.",
        "## 7 things to know\n\nThe timeout is 60 seconds.",
        "It was released on 12 May 2024.",
        "One of the two is enough.",
        "",
    ],
)
def test_a_quantity_in_another_form_is_supported(answer: str) -> None:
    assert unsupported_quantities(answer, SOURCES) == ()


@pytest.mark.parametrize(
    ("answer", "unsupported"),
    [
        ("The timeout is 60 minutes.", ["60 minutes"]),
        ("It costs 400 USD since v4.20.", ["400 USD", "v4.20"]),
        ("It was released on 13 May 2024 and retries 3 times.", ["13 May 2024"]),
        ("It takes thirty days.", ["thirty days"]),
    ],
)
def test_a_quantity_that_no_source_holds_is_named(answer: str, unsupported: list[str]) -> None:
    found = unsupported_quantities(answer, SOURCES)
    assert [quantity.text for quantity in found] == unsupported
    assert [answer[slice(*quantity.span)] for quantity in found] == unsupported


def test_faithfulness_is_the_supported_share() -> None:
    result = faithfulness("It waits 60 s, retries 3 times and costs 9 USD.", SOURCES)
    assert result.n_checked == 3
    assert result.value == pytest.approx(2 / 3)


def test_an_answer_without_quantities_is_faithful_and_checked_nothing() -> None:
    result = faithfulness("It depends.", SOURCES)
    assert (result.value, result.n_checked) == (1.0, 0)


@pytest.mark.parametrize(
    ("question", "versions"),
    [
        ("What is the default of --enable-v2 in etcd 3.3?", ["3.3"]),
        ("Is collector v4.2 compatible with gateway 3.9?", ["4.2", "3.9"]),
        ("Does release 4 support version 4.20?", ["4", "4.20"]),
        ("Is 4.2 supported?", ["4.2"]),
        ("What changed from 3.5 to 3.6.1?", ["3.5", "3.6.1"]),
        ("What changed in v3.5.x?", ["3.5"]),
        ("How long are 1.5 hours, and is $4.50 or 3.5 % much?", []),
    ],
)
def test_a_question_names_versions(question: str, versions: list[str]) -> None:
    found = versions_in(question)
    assert [mention.normalised for mention in found] == versions
    assert [question[slice(*mention.span)] for mention in found] == [m.token for m in found]


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("v4.2", "4.2", True),
        ("Version 4.2", "V4.2", True),
        ("release-3.5", "3.5", True),
        ("4.2", "4.20", False),
        ("4.2", "4.2.1", False),
        ("4.2", None, False),
        (None, None, True),
    ],
)
def test_versions_are_compared_by_name(one: str | None, two: str | None, same: bool) -> None:
    assert same_version(one, two) is same
