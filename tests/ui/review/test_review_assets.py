"""The shipped scripts and styles: small, literal, complete; keys with one meaning each."""

import re
from pathlib import Path

import pytest

from curation.ui.review import component, reducer
from curation.ui.review.keymap import KEYS, shared_presses

ASSETS = Path(component.__file__).with_name("assets")
FILES = sorted(ASSETS.iterdir())


def test_every_asset_is_part_of_the_component():
    assert {file.name for file in FILES} == set(component.SCRIPTS) | set(component.STYLES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_an_asset_is_short_and_never_parses_text_as_markup(file):
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 500
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "http:",
    ):
        assert word not in text


def test_no_two_acts_share_a_key():
    assert shared_presses() == ()


def test_a_shared_key_is_found():
    assert shared_presses((*KEYS, KEYS[0])) == (KEYS[0].press,)


def test_every_key_does_something_in_every_state():
    script = (ASSETS / "screen.js").read_text(encoding="utf-8")
    local = set(re.findall(r"^  (\w+): \(ui\) =>", script, flags=re.MULTILINE))
    picks = set(re.findall(r'"(\w+)"', script.split("const PICKS = new Set([")[1].split("]")[0]))
    known = local | picks | set(reducer.EDITS) | set(reducer.ORDERS) | set(reducer.ANSWERABLE_ACTS)
    assert {key.act for key in KEYS} - known == {"undo"}


def test_verdicts_do_not_repeat_while_a_key_is_held():
    assert all(not key.repeats for key in KEYS if key.kind != "named")
