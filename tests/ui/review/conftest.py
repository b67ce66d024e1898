"""A desk: the small world in a home, a server on it, and a reviewer's browser."""

import json
from collections.abc import Callable
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
from tests.ui.review.world import MIA, make_home, open_home


@dataclass
class ReviewDesk:
    """The review page in a browser, with what the store says of it."""

    page: Page
    url: str
    home: Path
    frames: list[str] = field(default_factory=list)

    def open(self, answer_id: str) -> None:
        """Open an answer by its address and wait until it is drawn."""
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

    def draft(self, answer_id: str) -> Draft:
        """Return the draft as the store has it."""
        workspace = open_home(self.home)
        try:
            return load_work(workspace, MIA, answer_id).draft
        finally:
            workspace.store.dispose()

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

    def message(self) -> str:
        return self.page.locator(".cu-message").inner_text()

    def cursor(self) -> str:
        return self.page.locator(".cu-cursor").inner_text()


@pytest.fixture
def review_home(tmp_path: Path) -> Path:
    """A home with the small world."""
    return make_home(tmp_path)


@pytest.fixture
def desk(review_home: Path, serve_home: Callable[..., Any], tab: Page) -> ReviewDesk:
    """A reviewer at the small world."""
    return ReviewDesk(page=tab, url=serve_home(review_home).url, home=review_home)
