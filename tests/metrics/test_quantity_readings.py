"""Quantities read from text: what they can mean and where they stand."""

import pytest

from curation.metrics import quantities
from curation.metrics.normalise import same_question_key


@pytest.mark.parametrize(
    ("text", "readings", "unit"),
    [
        ("4,000", {"4000", "4"}, None),
        ("4.000", {"4000", "4"}, None),
        ("4 000", {"4000"}, None),
        ("1.250,00", {"1250"}, None),
        ("1,234,567.89", {"1234567.89"}, None),
        ("1.5k", {"1500"}, None),
        ("2.5 million", {"2500000"}, None),
        ("twenty-five", {"25"}, None),
        ("one hundred and twenty", {"120"}, None),
        ("-0.02", {"-0.02"}, None),
        ("1\u00bd h", {"5400"}, "h"),
        ("1.5 min", {"90"}, "min"),
        ("24 months", {"24"}, "month"),
        ("2 years", {"24"}, "year"),
        ("$1.2M", {"1200000"}, "USD"),
        ("\u20ac 1.250", {"1250", "1.25"}, "EUR"),
        ("212 \u00b0F", {"100"}, "F"),
        ("v4.2", {"4.2"}, None),
        ("version 4.20", {"4.20"}, None),
        ("5.0.13", {"5.0.13"}, None),
        ("12 May 2024", {"2024-5-12"}, None),
        ("05/12/2024", {"2024-12-5", "2024-5-12"}, None),
        ("2:30 pm", {"14:30"}, None),
        ("0.5 %", {"0.005"}, "%"),
    ],
)
def test_a_numeral_keeps_all_its_readings(text: str, readings: set[str], unit: str | None) -> None:
    (quantity,) = quantities(text)
    assert quantity.readings == readings
    assert quantity.unit == unit
    assert text[slice(*quantity.span)] == quantity.text


@pytest.mark.parametrize("text", ["B-27", "config.yaml", "no one", "a house", "--enable-v2", ""])
def test_a_name_is_no_quantity(text: str) -> None:
    assert quantities(text) == ()


def test_a_very_long_run_of_digits_is_left_alone() -> None:
    assert quantities("9" * 100_000) == ()


def test_a_question_key_keeps_numbers_versions_and_denials() -> None:
    key = same_question_key("  What\u00a0IS the default in v3.3 ?")
    assert key == same_question_key("what is the default in v3.3")
    assert key != same_question_key("what is the default in v3.4")
    assert same_question_key("Is it safe?") != same_question_key("Is it not safe?")
    assert same_question_key("And then?", ["One."]) != same_question_key("And then?", ["Two."])
