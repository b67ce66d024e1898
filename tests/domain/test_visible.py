"""Invisible and bidirectional characters are shown, and nothing else is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.visible import hidden_characters, shown, visible

ANY = st.text(st.one_of(st.characters(), st.sampled_from("\u202e\u200b\u200d\ufe0f\ud800\x00👩💻")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nimda\u202e", "nimda⟦U+202E⟧"),
        ("zero\u200bwidth", "zero⟦U+200B⟧width"),
        ("a\x00b\x1bc\x85d", "a⟦U+0000⟧b⟦U+001B⟧c⟦U+0085⟧d"),
        ("line\u2028two", "line⟦U+2028⟧two"),
        ("\ufeffstart", "⟦U+FEFF⟧start"),
        ("lone \ud800", "lone ⟦U+D800⟧"),
        ("tag\U000e0041", "tag⟦U+E0041⟧"),
        ("soft\xadhyphen", "soft⟦U+00AD⟧hyphen"),
        ("a\u200db", "a⟦U+200D⟧b"),
        ("a\rb", "a⟦U+000D⟧b"),
    ],
)
def test_what_is_hidden_is_shown_with_its_code_point(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    "text",
    ["plain", "tab\tand\nline\r\nend", "👩\u200d💻", "❤\ufe0f 1\ufe0f\u20e3", "naïve — «ok»", ""],
)
def test_what_can_be_seen_stays_as_it_is(text: str) -> None:
    assert shown(text) == text
    assert hidden_characters(text) == ()


@given(ANY)
def test_the_pieces_are_the_text(text: str) -> None:
    pieces = visible(text)
    assert "".join(piece.text for piece in pieces) == text
    assert all(piece.text == text[piece.start : piece.end] for piece in pieces)
    assert all(piece.hidden or piece.shown == piece.text for piece in pieces)


@given(ANY)
def test_bidirectional_and_zero_width_signs_never_come_through(text: str) -> None:
    assert not set(shown(text)) & set(
        "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b"
    )
