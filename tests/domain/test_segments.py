"""Sentences, lines and words as they are picked: exact, in order, nothing lost."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.segments import Span, fact_text, sentences, snap, words

TEXTS = st.text(
    alphabet=st.one_of(
        st.sampled_from(list("abc XYZ 123 .!?,;:-()[]\"'|*+#\n\r\t")),
        st.characters(),
        st.sampled_from(["\u2028", "\u200b", "\u202e", "\ud800", "\x00", "\u00a0", "👍", "漢"]),
    ),
    max_size=120,
)


def _said(text: str) -> list[str]:
    return [span.of(text) for span in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is v4.2. It was v3.9.", ["It is v4.2.", "It was v3.9."]),
        ("Use a queue, e.g. a local one. Done.", ["Use a queue, e.g. a local one.", "Done."]),
        ("It waits 60 s. Then it stops.", ["It waits 60 s.", "Then it stops."]),
        ("Costs 1.250,00 EUR. Really?", ["Costs 1.250,00 EUR.", "Really?"]),
        ("See https://x.org/a.b?c=d. It is there.", ["See https://x.org/a.b?c=d.", "It is there."]),
        ("J. Smith wrote it. Dr. Who read it.", ["J. Smith wrote it.", "Dr. Who read it."]),
        ("No. The guide does not list it.", ["No.", "The guide does not list it."]),
        ("See No. 5 and Fig. 3 for it.", ["See No. 5 and Fig. 3 for it."]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("Wait ... what? Yes!", ["Wait ... what?", "Yes!"]),
        ("設定は60秒。既定値です。", ["設定は60秒。", "既定値です。"]),
        ("a . B . C", ["a .", "B .", "C"]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_sentences_end_at_stops_only(text: str, expected: list[str]) -> None:
    assert _said(text) == expected


def test_a_list_and_a_table_have_one_line_each() -> None:
    text = "Flags:\n- one. Two words.\n* three\n1. four. Five.\n| a | b |\n|---|---|\n| 1 | 2. X |"
    assert _said(text) == [
        "Flags:",
        "- one. Two words.",
        "* three",
        "1. four. Five.",
        "| a | b |",
        "|---|---|",
        "| 1 | 2. X |",
    ]


def test_a_wrapped_paragraph_is_read_over_its_lines() -> None:
    text = "The gateway closes a connection that was idle for longer than\nthe timeout. It logs it."
    assert _said(text) == [
        "The gateway closes a connection that was idle for longer than\nthe timeout.",
        "It logs it.",
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\u2029", "\x85", "\x0b"])
def test_every_line_end_ends_a_line(end: str) -> None:
    assert _said(f"First line{end}Second line") == ["First line", "Second line"]


@given(TEXTS)
def test_sentences_hold_all_that_is_not_blank_in_order(text: str) -> None:
    spans = sentences(text)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(span.start < span.end for span in spans)
    held = "".join(span.of(text) for span in spans)
    assert "".join(held.split()) == "".join(text.split())


@given(TEXTS)
def test_a_quote_is_exactly_what_stands_in_its_chunk(chunk: str) -> None:
    for span in sentences(chunk):
        quote = span.of(chunk)
        assert quote == chunk[span.start : span.end] == "".join(list(chunk)[span.start : span.end])
        assert quote in chunk
        assert quote == quote.strip()
        for word in words(chunk, span):
            assert span.start <= word.start < word.end <= span.end
            assert not any(char.isspace() for char in word.of(chunk))


@given(TEXTS, st.integers(-5, 130), st.integers(-5, 130))
def test_a_selection_snaps_outwards_and_stays_when_snapped_again(
    text: str, start: int, end: int
) -> None:
    span = snap(text, start, end)
    low, high = sorted((max(0, min(start, len(text))), max(0, min(end, len(text)))))
    picked = text[low:high].strip()
    if not picked:
        assert span.start == span.end
        return
    assert 0 <= span.start < span.end <= len(text)
    assert picked in span.of(text)
    assert snap(text, *span) == span


@pytest.mark.parametrize(
    ("text", "part", "expected"),
    [
        ("The --snapshot-count flag", "shot", "--snapshot-count"),
        ("It is (60 s), not 30.", "0 s", "60 s"),
        ("It is `true`.", "ru", "true"),
        ("costs $4,000 a year", "4,0", "$4,000"),
        ("see config.yaml.", "yam", "config.yaml"),
        ("v4.2, v3.9", ".2", "v4.2"),
        ("two words here", "o wor", "two words"),
    ],
)
def test_a_mouse_selection_in_mid_word_takes_the_words(text: str, part: str, expected: str) -> None:
    start = text.index(part)
    assert snap(text, start, start + len(part)).of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use `--max-wals`, please.", ["Use", "--max-wals", "please"]),
        ("50 % of f(x) | -5 °C", ["50", "of", "f(x)", "-5", "°C"]),
        ("既定60秒", ["既", "定", "60", "秒"]),
    ],
)
def test_words_are_without_the_marks_around_them(text: str, expected: list[str]) -> None:
    assert [w.of(text) for w in words(text, Span(0, len(text)))] == expected


@pytest.mark.parametrize(
    ("picked", "fact"),
    [
        ("  + default:\n   true ", "default: true"),
        ("- The gateway  waits\t60 s.", "The gateway waits 60 s."),
        ("1. Stop it.", "Stop it."),
        ("| timeout | 30 s |", "timeout | 30 s"),
        ("## Limits", "Limits"),
        ("-5 °C", "-5 °C"),
        ("--flag is on", "--flag is on"),
        ("3.5 is old", "3.5 is old"),
        ("a\u200bb\u202ec", "abc"),
        ("👩\u200d💻 works", "👩\u200d💻 works"),
        ("", ""),
    ],
)
def test_a_fact_is_the_picked_words_without_list_signs(picked: str, fact: str) -> None:
    assert fact_text(picked) == fact


@given(TEXTS)
def test_a_fact_of_a_fact_is_the_same(picked: str) -> None:
    fact = fact_text(picked)
    assert fact_text(fact) == fact
    assert fact == " ".join(fact.split())


@pytest.mark.parametrize(
    "text",
    [
        "x" * 200_000,
        "a. " * 60_000,
        "Word " * 40_000,
        "e.g. " * 40_000,
        "a\nb" * 50_000,
        "lowercase line that is rather long and goes on and on\n" * 4_000,
        "((((((" * 30_000,
        "....." * 40_000,
        ".\u200b" * 60_000,
    ],
    ids=["word", "stops", "words", "abbreviations", "lines", "wrapped", "marks", "dots", "hidden"],
)
def test_a_long_text_takes_linear_time(text: str) -> None:
    began = time.perf_counter()
    spans = sentences(text)
    for span in spans[:50]:
        words(text, span)
    snap(text, len(text) // 2, len(text) // 2 + 3)
    fact_text(text[:20_000])
    assert time.perf_counter() - began < 3.0
