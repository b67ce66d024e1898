"""Marks differ by shape and word before they differ by colour: all pairs, with no colour at all."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from curation.ui import theme
from curation.ui.review import served
from curation.ui.review.marks import LEGEND

COLOUR = re.compile(r"var\(--[\w-]+\)|#[0-9a-fA-F]{3,8}\b|light-dark\([^)]*\)")
MARKS = ("required", "optional", "forbidden", "unsure", "unsupported", "differs")


def shapes(css: str, selector: str) -> frozenset[tuple[str, str]]:
    """Return what a rule says besides colours; a background is nothing but colour."""
    rule = re.search(rf"(?:^|\s){re.escape(selector)} \{{([^}}]*)\}}", css, flags=re.MULTILINE)
    assert rule is not None, selector
    pairs = (line.split(":", 1) for line in rule[1].split(";") if ":" in line)
    said = {name.strip(): COLOUR.sub("", value).strip() for name, value in pairs}
    return frozenset(
        (name, value)
        for name, value in said.items()
        if value and name not in {"background", "background-color", "color"}
    )


STYLES = (served.ASSETS / "text.css").read_text(encoding="utf-8")
PAGES = theme.asset("curation.css")
SHAPES = {name: shapes(STYLES, f".cu-m-{name}") for name in MARKS} | {
    "was": shapes(PAGES, ".cur-view del"),
    "now": shapes(PAGES, ".cur-view ins"),
}


@pytest.mark.parametrize(("one", "other"), list(combinations(SHAPES, 2)))
def test_two_marks_have_two_shapes(one: str, other: str) -> None:
    assert SHAPES[one] != SHAPES[other]
    assert SHAPES[one]


def test_a_rule_of_colours_only_has_no_shape() -> None:
    assert shapes(".x { background: var(--a); color: #fff; border-color: #123456 }", ".x") == set()


def test_every_mark_has_a_glyph_and_a_word_of_its_own() -> None:
    glyphs, words = zip(*LEGEND.values(), strict=True)
    assert len(set(glyphs)) == len(set(words)) == len(LEGEND)
    assert all(glyphs)
    assert all(words)
    script = (Path(served.ASSETS) / "text.js").read_text(encoding="utf-8")
    drawn = dict(re.findall(r"(\w+): \"(.)\"", script.split("const MARK_GLYPHS = ")[1]))
    for name, glyph in drawn.items():
        assert LEGEND[name][0] == glyph
