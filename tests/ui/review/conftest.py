"""A desk: the small world in a home, a server on it, and a reviewer's browser."""

import json
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from curation.domain.change import Change
from curation.domain.review import Draft, Review
from curation.services import changes
from curation.services.review import load_work
from curation.store import reviews as stored_reviews
from tests.ui.conftest import start_server
from tests.ui.review.world import MIA, copies, make_home, open_home

COPIES = 16


@dataclass
class ReviewDesk:
    """The review page in a browser, with what the store says of it."""

    page: Page
    url: str
    home: Path
    taken: dict[str, int] = field(default_factory=dict)
    answer_id: str = ""

    def open(self, kind: str) -> None:
        """Open an answer of a kind that nobody touched before."""
        self.taken[kind] = self.taken.get(kind, -1) + 1
        self.look_at(f"{kind}-{self.taken[kind]}")

    def look_at(self, answer_id: str) -> None:
        """Open an answer by its address and wait until it is drawn."""
        self.answer_id = answer_id
        self.page.goto(f"{self.url}/review?answer={answer_id}")
        expect(self.page.locator(".cu-bar")).to_be_visible(timeout=30_000)
        self.idle()

    def press(self, *presses: str) -> None:
        """Press keys, one after the other without a gap."""
        for press in presses:
            self.page.keyboard.press(press)

    def idle(self) -> None:
        """Wait until Python has acknowledged everything and the page is drawn."""
        self.page.wait_for_function(
            "() => window.__curationReview && !window.__curationReview.busy()"
        )

    def draft(self) -> Draft:
        """Return the draft as the store has it."""
        workspace = open_home(self.home)
        try:
            return load_work(workspace, MIA, self.answer_id).draft
        finally:
            workspace.store.dispose()

    def saved(self, reference: str) -> bool:
        """Return whether the reference is saved, or soon is: the page is no longer there to ask."""
        for _ in range(40):
            if self.draft().reference == reference:
                return True
            self.page.wait_for_timeout(250)
        return False

    def changes(self) -> tuple[Change, ...]:
        """Return the proposed changes, newest first."""
        workspace = open_home(self.home)
        try:
            return changes.all_changes(workspace)
        finally:
            workspace.store.dispose()

    def case(self) -> dict[str, Any]:
        """Return the case of the newest change."""
        found: dict[str, Any] = json.loads(self.changes()[0].latest.files[0].text)
        return found

    def reviews(self) -> tuple[Review, ...]:
        """Return the finished reviews, newest first."""
        workspace = open_home(self.home)
        try:
            with workspace.store.reading() as session:
                return stored_reviews.last_reviews(session, MIA, 20)
        finally:
            workspace.store.dispose()

    def done_today(self) -> int:
        """Return what the header counts."""
        return int(self.page.locator(".cu-header strong").first.inner_text().split()[0])

    def cursor(self) -> str:
        return self.page.locator(".cu-cursor").inner_text()


@dataclass
class Served:
    """One server for the tests of a file, with many copies of each answer."""

    url: str
    home: Path
    taken: dict[str, int] = field(default_factory=dict)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """The small world, served for the tests of a file."""
    home = make_home(tmp_path_factory.mktemp("review"), answers=copies(COPIES))
    server = start_server(home)
    yield Served(url=server.url, home=home)
    server.stop()


@pytest.fixture
def desk(served: Served, tab: Page) -> ReviewDesk:
    """A reviewer at the small world."""
    return ReviewDesk(page=tab, url=served.url, home=served.home, taken=served.taken)
