"""Trees of literal text."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.ui import tree
from curation.ui.theme import asset
from curation.ui.tree import node, words


@given(st.text(alphabet=st.characters(exclude_categories=("Cc", "Cf", "Cs", "Co", "Cn"))))
def test_plain_text_is_drawn_as_it_is(text: str) -> None:
    drawn = words(node("p", text))
    assert drawn == text or "⟦U+" in drawn


@given(st.text())
def test_no_text_keeps_a_character_that_cannot_be_sent(text: str) -> None:
    words(node("p", text)).encode("utf-8")


def test_a_character_that_nobody_sees_is_shown_as_its_number() -> None:
    assert words(node("p", "exe\u202egnp.exe")) == "exe⟦U+202E⟧gnp.exe"
    assert node("p", "x", title="a\u200bb")["a"] == {"title": "a⟦U+200B⟧b"}


def test_an_unknown_tag_is_refused() -> None:
    with pytest.raises(ValueError, match="script"):
        node("script", "x")


def test_the_browser_knows_the_same_tags_and_no_attribute_that_runs_anything() -> None:
    script = asset("view.js")
    sets = re.findall(r"new Set\(\s*\((.*?)\)\.split", script, re.DOTALL)
    tags, attributes = ({*" ".join(re.findall(r'"([^"]*)"', part)).split()} for part in sets)
    assert tags >= tree.TAGS
    assert not tags & {"script", "iframe", "img", "object", "embed", "style", "svg", "link", "form"}
    assert not {name for name in attributes if name.startswith("on")}
    assert not attributes & {"style", "src", "srcdoc", "action", "formaction"}


def test_no_script_of_ours_makes_markup_from_text() -> None:
    folder = Path(tree.__file__).parent
    for file in folder.rglob("*.js"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text)
