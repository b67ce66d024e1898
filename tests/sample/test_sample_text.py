"""Values are found as whole tokens, and quantities are what they say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.sample.text import holds, quantities, sentences, versions_in, without_markers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The collector waits 10 s for a connection", "10 s"),
        ("up to 10\u00a0000 open connections", "10000"),
        ("up to 10,000 open connections", "10 000"),
        ("a window of 5 minutes [1].", "300 s"),
        ("A seat costs $29 by the month", "$29"),
        ("adds 6 % of your salary", "6 %"),
        ("on the 1st of each month", "1st"),
    ],
)
def test_a_value_is_found(text: str, value: str) -> None:
    assert holds(text, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("waits 110 s for a connection", "10 s"),
        ("the limit is 100,000 events", "10,000 events"),
        ("4.20 is not a release", "4.2"),
        ("costs $290 by the year", "$29"),
        ("costs $1,290 by the year", "$290"),
        ("after 90.5 s", "90 s"),
        ("carries 16 % over", "6 %"),
    ],
)
def test_a_part_of_a_value_is_not_the_value(text: str, value: str) -> None:
    assert not holds(text, value)


@given(st.integers(min_value=1, max_value=10**9))
def test_thousands_signs_change_nothing(number: int) -> None:
    assert quantities(f"about {number:,} events") == (str(number),)


@given(st.integers(min_value=1, max_value=500))
def test_minutes_are_sixty_seconds(minutes: int) -> None:
    assert holds(f"in {minutes} minutes", f"{minutes * 60} s")
    assert not holds(f"in {minutes} minutes", f"{minutes * 60 + 1} s")


def test_citation_markers_are_no_quantities() -> None:
    answer = "The gateway listens on port 7443 [1]. It has 3 nodes [12]."
    assert quantities(answer) == ("7443", "3")
    assert without_markers(answer) == "The gateway listens on port 7443. It has 3 nodes."


def test_a_table_row_reads_with_its_headers_and_code_is_left_out() -> None:
    text = "## Prices\n\n| Plan | Price |\n|---|---|\n| Team | $29 |\n\n```\n$ ls\n```\n\nOne. Two."
    assert list(sentences(text)) == ["Plan: Team; Price: $29.", "One.", "Two."]


def test_versions_are_named_with_and_without_a_sign() -> None:
    assert versions_in("from v4.0 to 4.2, in 2026 (not 14.2, 4.25 or $4.2)") == (
        "4.0",
        "4.2",
        "2026",
    )
