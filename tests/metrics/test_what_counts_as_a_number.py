"""Which numbers of an answer count, and in which forms a source holds them."""

import pytest

from curation.metrics import faithfulness, unsupported_quantities
from curation.metrics.answers import seed_faithfulness


def missing(answer: str, *sources: str) -> list[str]:
    return [quantity.text for quantity in unsupported_quantities(answer, sources or ("Notes.",))]


@pytest.mark.parametrize(
    ("source", "held"),
    [
        ("60", True),
        ("It is 60, or so", True),
        ("(60)", True),
        ("first 160, then 60.", True),
        ("a60 60", True),
        ("160", False),
        ("600", False),
        ("1.60", False),
        ("60 60s", True),
        (" 60b", False),
        (".60x", False),
        ("60,5", False),
        ("6 0", False),
    ],
)
def test_a_number_stands_in_a_source_as_a_whole(source: str, held: bool) -> None:
    assert (missing("It is 60.", source) == []) is held


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("It lasts 1 week.", "It lasts a week."),
        ("It lasts 1 hour.", "It lasts an hour."),
        ("It lasts 7 days.", "It lasts a week."),
        ("It lasts twenty weeks.", "It lasts TWENTY weeks."),
        ("It lasts 20 weeks.", "It lasts Twenty weeks."),
        ("It is the 3rd one.", "It is the third one."),
        ("It waits 1,000 ms.", "It waits one second."),
        ("It grew by fifty percent.", "It grew by 50 %."),
        ("It ended on 3 May 2024.", "It ended on the third of May 2024."),
    ],
)
def test_a_source_holds_a_number_in_words_and_other_units(answer: str, source: str) -> None:
    assert missing(answer) != []
    assert missing(answer, "Some days, a pear, an apple.", f"So it is. {source}") == []


@pytest.mark.parametrize(
    "answer",
    [
        "It is twice as fast.",
        "It is three times as fast.",
        "It takes half of it.",
        "A third of it is free.",
        "Two thirds of it are free.",
        "It is the third one.",
        "It takes a week.",
        "It takes one hour.",
        "Two of them are free.",
        "Twelve of them are free.",
    ],
)
def test_a_spelled_number_may_be_a_way_of_speaking(answer: str) -> None:
    assert faithfulness(answer, ["Notes."]).n_checked == 0


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("Thirteen of them are free.", "Thirteen"),
        ("It takes two days.", "two days"),
        ("It takes fifteen.", "fifteen"),
        ("It waits a hundred days.", "a hundred days"),
        ("It is the 3rd one.", "3rd"),
        ("It is 3 times as fast.", "3 times"),
        ("2 of them are free.", "2"),
        ("It grew by fifty percent.", "fifty percent"),
        ("It grew by one percent.", "one percent"),
        ("Two hundred per cent are free.", "Two hundred per cent"),
    ],
)
def test_a_number_that_says_something_is_checked(answer: str, text: str) -> None:
    assert missing(answer) == [text]


@pytest.mark.parametrize(
    "marker",
    [
        *("[7]", "[ 7 ]", "[^7]", "[7; 9]", "[7, 9]", "[source A]", "[doc 7]", "[ab7cd]"),
        *("[gw:7]", "(page 7)", "(guide, page 7)", "(guide, section 9.1)", "(\u00a7 7)"),
    ],
)
def test_a_citation_is_no_number(marker: str) -> None:
    assert faithfulness(f"It is so {marker}.", ["Notes."]).n_checked == 0


@pytest.mark.parametrize(
    ("words", "texts"),
    [
        ("[takes 7 days]", ["7 days"]),
        ("[7 days]", ["7 days"]),
        ("[doc 7, or 9 days]", ["7", "9 days"]),
        ("[7 a]", ["7"]),
        ("[a 7]", ["7"]),
        ("(7 days)", ["7 days"]),
    ],
)
def test_other_words_in_brackets_are_said(words: str, texts: list[str]) -> None:
    assert missing(f"It is so {words}.") == texts


@pytest.mark.parametrize(
    "answer",
    [
        "Step 3: do it.",
        "3. Do it.",
        "Then in step 3 do it.",
        "Now do step 4.",
        "Option 2 is free.",
        "Phase 2: do it.",
    ],
)
def test_the_number_of_a_step_at_its_begin_is_no_claim(answer: str) -> None:
    assert faithfulness(answer, ["Notes."]).n_checked == 0


@pytest.mark.parametrize("answer", ["Now you do step 4.", "Go on with it in step 4."])
def test_the_number_of_a_step_that_is_spoken_of_is_one(answer: str) -> None:
    assert missing(answer) == ["4"]


def test_headings_count_only_where_there_is_nothing_else() -> None:
    assert missing("## 7 days\n\nIt is so.") == []
    assert missing("## It takes 7 days") == ["7 days"]


def test_the_plain_share_takes_numbers_as_they_are_written() -> None:
    assert seed_faithfulness("It waits 60 s.", ["Notes.", "It is 60 s."]) == 1.0
    assert seed_faithfulness("It waits 60 s.", ["It is 160 s."]) == 0.0
    assert seed_faithfulness("1.5 or 2 of 1.5", ["1.5", "3"]) == pytest.approx(2 / 3)
    assert seed_faithfulness("It waits.", []) == 1.0


def test_the_share_is_of_the_numbers_that_count() -> None:
    found = faithfulness("It waits 60 s, then 70 s, then 80 s [9].", ["60 s", "It is 80 s."])
    assert (found.n_checked, [q.text for q in found.unsupported]) == (3, ["70 s"])
    assert found.value == pytest.approx(2 / 3)
    nothing = faithfulness("It waits 60 s.", [])
    assert (nothing.value, nothing.n_checked, len(nothing.unsupported)) == (0.0, 1, 1)
    assert faithfulness("It waits.", []).value == 1.0
