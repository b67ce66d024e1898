"""What must not be shown is not sent either (review-experience 4.7; acceptance 10 and 11).

The messages that the browser gets are read as they come over its websocket, ids and times masked.
"""

import json
import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped]
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from playwright.sync_api import Page, WebSocket, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from curation.config import load_settings
from curation.domain.review import Verdict
from curation.domain.sample import Arm, SampleRequest
from curation.services import changes, corpus, intake, review, sampling
from curation.services.cases import CaseFile
from curation.services.home import create_home, set_me
from curation.services.verdicts import Dismissal, dismiss, give_back, renew
from curation.services.workspace import Workspace, open_workspace
from curation.store import sampling as stored_sampling
from tests.cli.world import CASE, CHUNKS, answer
from tests.services.review_world import ANA, MIA, ROB

Settle = Callable[[Page], None]
WORDS = ("falcon", "osprey", "condor", "jacana")
JUDGED = (0.1357, 0.9753, 0.1357, 0.9753)
JUDGE_SAYS = "judge-words-7351"
IDLE_REVIEW = "() => window.__curationReview && !window.__curationReview.busy()"
MASKS = (
    (re.compile("|".join(WORDS), re.IGNORECASE), "WORD"),
    (re.compile(r"\ba-\d\b"), "ID"),
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,27}\b|\b[0-9a-f]{16,64}\b"), "HEX"),
    (re.compile(r"\b\d\d:\d\d(:\d\d)?\b|\b1\d{12}\b"), "TIME"),
)


def now() -> datetime:
    return datetime.now(UTC)


def masked(text: str) -> str:
    """The text with ids, times and the words that tell the twins apart taken out."""
    for pattern, name in MASKS:
        text = pattern.sub(name, text)
    return text


def twin(number: int) -> dict[str, Any]:
    """An answer like the others but for one word of six letters and the judge's score."""
    word = WORDS[number - 1]
    score = {"metric": "faithfulness", "value": JUDGED[number - 1], "scale": [0, 1]}
    return answer(
        number,
        asked_at="2026-11-20T10:00:00Z",
        question=f"What is the idle timeout of the {word} relay in v4.2?",
        answer=f"The idle timeout of the {word} is 30 s [1].",
        scores=[{**score, "judge": "rules", "reason": JUDGE_SAYS}],
        signals=[],
    )


class Messages:
    """What a page got over its websocket."""

    def __init__(self, page: Page) -> None:
        self.payloads: list[bytes] = []
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._keep)

    def _keep(self, payload: str | bytes) -> None:
        self.payloads.append(payload if isinstance(payload, bytes) else payload.encode())

    @property
    def raw(self) -> str:
        """Everything as text, to search in."""
        return b"\n".join(self.payloads).decode("utf-8", "replace")

    @property
    def drawn(self) -> frozenset[str]:
        """What there is to draw, each once, with ids and times masked."""
        return frozenset(masked(json.dumps(one, sort_keys=True)) for one in self._deltas())

    def _deltas(self) -> Generator[dict[str, Any]]:
        for payload in self.payloads:
            message = ForwardMsg()
            try:
                message.ParseFromString(payload)
            except DecodeError:
                continue
            spinner = message.delta.HasField("new_transient")
            if message.WhichOneof("type") == "delta" and not spinner:
                yield MessageToDict(message.delta)


@pytest.fixture
def blind(
    tmp_path_factory: pytest.TempPathFactory, start: Callable[[Path], Any]
) -> Generator[tuple[str, Workspace]]:
    """A served home of each test in which Rob sits: four answers without a signal."""
    home = tmp_path_factory.mktemp("blind") / "home"
    home.mkdir()
    (home / "curation.toml").write_text("", encoding="utf-8")
    create_home(load_settings(home), person=ANA, now=now())
    set_me(home, ROB)
    world = open_workspace(load_settings(home))
    for name, rows, bring in (
        ("chunks.jsonl", CHUNKS, corpus.add_chunks),
        ("log.jsonl", [twin(number) for number in (1, 2, 3, 4)], intake.ingest),
    ):
        file = home / name
        file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        bring(world, [file], now=now())
    server = start(home)
    yield server.url, world
    server.stop()
    world.store.dispose()


@pytest.fixture
def arms(blind: tuple[str, Workspace]) -> dict[Arm, str]:
    """One answer of the control share and one that was drawn because it looks bad."""
    _, world = blind
    drawn = sampling.draw(world, ANA, SampleRequest(n=4, control=0.5, double=1.0), now=now())
    with world.store.reading() as session:
        return {one.arm: one.answer_id for one in stored_sampling.read_sightings(session, drawn)}


def opened(page: Page, url: str, answer_id: str) -> tuple[Messages, str]:
    """Open an answer; return what came over the wire and what stands on the screen."""
    heard = Messages(page)
    page.goto(f"{url}/review?answer={answer_id}")
    expect(page.locator(".cu-bar")).to_be_visible()
    page.wait_for_function(IDLE_REVIEW)
    page.wait_for_timeout(600)
    return heard, masked(page.locator(".stMain").inner_html())


@dataclass(frozen=True)
class Seen:
    """What a person sees of a page and what their browser gets, ids and times masked."""

    markup: str
    drawn: frozenset[str]
    url: str
    requests: tuple[str, ...] = ()

    def differs(self, other: "Seen") -> list[str]:
        """The pieces that only one of the two has; the first of them, cut short."""
        pieces = self._pieces ^ other._pieces
        return [piece[:300] for piece in sorted(pieces)[:20]]

    @property
    def _pieces(self) -> set[str]:
        messages = {piece for one in self.drawn for piece in one.split(", ")}
        return {*messages, *self.markup.split("><"), self.url, *self.requests}


def test_a_row_of_the_queue_tells_neither(
    blind: tuple[str, Workspace], arms: dict[Arm, str], tab: Page, settle: Settle
) -> None:
    heard = Messages(tab)
    tab.goto(f"{blind[0]}/")
    settle(tab)
    rows = [
        tab.locator(f"[data-row='{one}']").evaluate("row => row.outerHTML") for one in arms.values()
    ]
    plain = {re.sub(r"queue-row-\d|aria-selected=\"\w+\"", "", masked(row)) for row in rows}
    assert len(plain) == 1
    assert "score or sample" in plain.pop()
    assert JUDGE_SAYS not in heard.raw


def test_a_control_item_cannot_be_told_from_one_that_looks_bad(
    blind: tuple[str, Workspace], arms: dict[Arm, str], new_tab: Callable[..., Page]
) -> None:
    url, world = blind
    looks = {}
    for arm, answer_id in arms.items():
        page = new_tab()
        heard, markup = opened(page, url, answer_id)
        asked = {masked(one) for one in page.watch.requests}  # type: ignore[attr-defined]
        looks[arm] = Seen(markup, heard.drawn, masked(page.url), tuple(asked))
        assert not [score for score in JUDGED if str(score) in heard.raw]
        assert JUDGE_SAYS not in heard.raw
        give_back(world, ROB, answer_id)
    assert looks[Arm.CONTROL].differs(looks[Arm.TARGETED]) == []


def test_the_judge_is_sent_when_it_is_asked_for(
    blind: tuple[str, Workspace], arms: dict[Arm, str], tab: Page
) -> None:
    heard, _ = opened(tab, blind[0], arms[Arm.TARGETED])
    tab.keyboard.press("j")
    expect(tab.locator(".cu-review")).to_contain_text(JUDGE_SAYS)
    assert JUDGE_SAYS in heard.raw


PAGES = ("/", "/?show=sample", "/changes", "/settle", "/breaks")


def everything(page: Page, url: str, answer_id: str, settle: Settle) -> dict[str, Seen]:
    """What Rob sees and gets on every page, the answer itself first."""
    heard, markup = opened(page, url, answer_id)
    seen = {"/review": Seen(markup, heard.drawn, masked(page.url))}
    for path in PAGES:
        heard = Messages(page)
        page.goto(f"{url}{path}")
        settle(page)
        page.wait_for_timeout(300)
        text = masked(page.locator("body").inner_text())
        seen[path] = Seen(text, heard.drawn, masked(page.url))
    return seen


def test_the_second_person_sees_and_gets_the_same_whether_or_not_the_first_has_finished(
    blind: tuple[str, Workspace], arms: dict[Arm, str], new_tab: Callable[..., Page], settle: Settle
) -> None:
    url, world = blind
    answer_id = arms[Arm.CONTROL]
    renew(world, ROB, answer_id, now=now())  # or his own hold would make the difference
    before = everything(new_tab(), url, answer_id, settle)
    file = CaseFile(document=CASE, where="case.json", reason="The old value.")
    first = review.finish_with_file(world, MIA, answer_id, file, now=now())
    after = everything(new_tab(), url, answer_id, settle)
    assert {path: after[path].differs(seen) for path, seen in before.items()} == {
        path: [] for path in before
    }
    dismiss(world, ROB, answer_id, Dismissal(verdict=Verdict.RIGHT), now=now())
    page = new_tab()
    page.goto(f"{url}/settle")
    settle(page)
    expect(page.locator(".cur-sides")).to_contain_text(f"proposed as {first.change.shown_number}")
    assert changes.get(world, first.change.id, viewer=ROB) == first.change
