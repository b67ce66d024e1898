"""The shipped scripts and styles: small, literal, complete; keys with one meaning each."""

import asyncio
import hashlib
import re
from typing import Any

import pytest

from curation.ui.review import reducer, served
from curation.ui.review.keymap import KEYS

ASSETS = served.ASSETS
FILES = sorted(ASSETS.iterdir())


def test_every_asset_is_part_of_the_component():
    assert {file.name for file in FILES} == set(served.SCRIPTS) | set(served.STYLES)


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
    presses = [key.press for key in KEYS]
    assert sorted(presses) == sorted(set(presses))


def test_every_key_does_something_in_every_state():
    script = (ASSETS / "screen.js").read_text(encoding="utf-8")
    local = set(re.findall(r"^  (\w+): \(ui\) =>", script, flags=re.MULTILINE))
    picks = set(re.findall(r'"(\w+)"', script.split("const PICKS = new Set([")[1].split("]")[0]))
    known = local | picks | set(reducer.EDITS) | set(reducer.ORDERS) | set(reducer.ANSWERABLE_ACTS)
    assert {key.act for key in KEYS} - known == {"undo"}


def test_verdicts_do_not_repeat_while_a_key_is_held():
    assert all(not key.repeats for key in KEYS if key.kind != "named")


async def _asked_for(path: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Ask the middleware for a path; return what it sent, and what it passed on."""
    sent: list[dict[str, Any]] = []
    passed: list[str] = []

    async def inner(scope, receive, send):
        passed.append(scope["path"])

    async def send(message):
        sent.append(dict(message))

    async def receive():
        return {}

    await served.ReviewScript(inner)({"type": "http", "path": path}, receive, send)
    return sent, passed


def test_the_script_is_served_whole_at_an_address_that_names_its_content():
    sent, passed = asyncio.run(_asked_for(served.ADDRESS))
    assert not passed
    body = sent[1]["body"].decode()
    assert hashlib.sha256(body.encode()).hexdigest()[:16] in served.ADDRESS
    for name in served.SCRIPTS:
        assert (ASSETS / name).read_text(encoding="utf-8") in body
    assert any(b"immutable" in value for _, value in sent[0]["headers"])


def test_what_a_message_carries_of_the_script_is_its_address_only():
    assert served.ADDRESS in served.LOADER
    assert len(served.LOADER) < 200


def test_every_other_address_is_passed_on():
    assert asyncio.run(_asked_for("/review")) == ([], ["/review"])
