"""Nasty text is shown literally in every pane; nothing leaves for another host; it stays quick."""

import os
import time
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from curation.domain.visible import shown
from curation.services import corpus
from tests.ui.review.conftest import ReviewDesk
from tests.ui.review.world import MIXUP, make_home, open_home, written

NASTY = (
    "$5 and $6 <img src=x onerror=alert(1)> <script>alert(2)</script> "
    "![beacon](http://198.51.100.7/x.png) [click](javascript:alert(3)) {{7*7}} $x^2$ "
    "evil\u202egnp.exe zero\u200bwidth \u2028 line # no heading **no bold** 👩‍👩‍👧 مرحبا नमस्ते"
)
LONG_WORD = "w" * 10_000
HUGE = "\n".join(f"- line {n} of a huge chunk with a value of {n * 3} ms." for n in range(5_000))


@pytest.fixture
def nasty(tmp_path, serve_home, tab):
    def hit(rank, text):
        return {
            "rank": rank,
            "chunk_id": f"n{rank}<b>",
            "doc_id": "d<i>",
            "doc_version": "4.2\u202e",
            "text": text,
        }

    answer = {
        **MIXUP,
        "id": "nasty",
        "question": f"- {NASTY}",
        "answer": f"- {NASTY}\n{LONG_WORD}",
        "conversation": [{"role": "user<b>", "text": NASTY}],
        "retrieved": [hit(1, NASTY), hit(2, HUGE), hit(3, LONG_WORD), hit(4, "a\r\nb\rc\x07d")],
        "citations": [],
        "signals": [{"kind": "correction", "comment": NASTY}],
        "scores": [{"metric": "m<b>", "value": 1, "scale": [0, 1], "reason": NASTY}],
    }
    home = make_home(tmp_path, answers=(answer,))
    workspace = open_home(home)
    rows = [{name: hit[name] for name in hit if name != "rank"} for hit in answer["retrieved"]]
    file = written(tmp_path / "nasty.jsonl", rows)
    corpus.add_chunks(workspace, [file], now=datetime.now(UTC))
    workspace.store.dispose()
    return ReviewDesk(page=tab, url=serve_home(home).url, home=home)


def test_nasty_text_is_literal_in_every_pane(nasty):
    assert len(HUGE) > 200_000
    nasty.look_at("nasty")
    page = nasty.page
    literal = shown(NASTY)
    assert "⟦U+202E⟧" in literal
    for place in (".cu-h1", ".cu-turn", ".cu-answer", ".cu-user", ".cu-chunks"):
        assert literal in page.locator(place).first.evaluate("(n) => n.textContent")
    nasty.press("j")
    expect(page.locator(".cu-scores")).to_contain_text("![beacon](http://198.51.100.7/x.png)")
    nasty.press("PageUp", "PageUp", "PageDown", "1", "e", "i", "3")
    nasty.idle()
    nasty.press("d", "Escape", "/")
    page.keyboard.type("<b>x</b>")
    nasty.press("Enter")
    nasty.idle()
    inside = page.evaluate(
        "() => document.querySelectorAll('.cu-review img, .cu-review script, .cu-review a, "
        ".cu-review b b, .cu-review iframe').length"
    )
    assert inside == 0
    wide = page.evaluate(
        "() => [...document.querySelectorAll('.cu-pane')]"
        ".filter((p) => p.scrollWidth > p.clientWidth + 1).length"
    )
    assert wide == 0


def test_a_quote_with_hidden_characters_is_exact(nasty):
    nasty.look_at("nasty")
    nasty.press(*["PageUp"] * 4, "PageDown", "PageDown", "e")  # the answer, the correction, a chunk
    nasty.idle()
    assert nasty.draft().evidence
    for item in nasty.draft().evidence:
        assert item.quote in NASTY


def test_the_pane_opens_in_time(nasty):
    nasty.look_at("nasty")
    times = []
    for _ in range(6):
        start = time.perf_counter()
        nasty.page.reload()
        expect(nasty.page.locator(".cu-bar")).to_be_visible(timeout=30_000)
        times.append(time.perf_counter() - start)
        if times[-1] < 2:
            break
    busy = os.getloadavg()[0] > (os.cpu_count() or 1)
    assert min(times) < (6 if busy else 2), times
