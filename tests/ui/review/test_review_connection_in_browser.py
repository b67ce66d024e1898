"""A lost connection, a hold that ends, a server that starts again: the draft is kept."""

import contextlib
import re
import socket
import threading
from collections.abc import Generator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.ui.conftest import free_port
from tests.ui.review.conftest import ReviewDesk
from tests.ui.review.reviewer import Reviewer
from tests.ui.review.world import ROB, make_home


class Cable:
    """A TCP proxy that can be cut and mended."""

    def __init__(self, target: int) -> None:
        self.target, self.cut = target, False
        self.pairs: list[socket.socket] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            if self.cut:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                near.close()
                continue
            self.pairs += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(one, other), daemon=True).start()

    def _pump(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        self._close(one, other)

    def _close(self, *sockets: socket.socket) -> None:
        for one in sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def pull(self) -> None:
        self.cut = True
        self._close(*self.pairs)
        self.pairs.clear()

    def mend(self) -> None:
        self.cut = False

    def stop(self) -> None:
        self.pull()
        self.listener.close()


@pytest.fixture
def cable(served) -> Generator[Cable]:
    line = Cable(int(served.url.rsplit(":", 1)[1]))
    yield line
    line.stop()


def test_a_lost_connection_says_so_and_keeps_what_was_typed(served, tab, cable):
    desk = ReviewDesk(
        page=tab, url=f"http://127.0.0.1:{cable.port}", home=served.home, taken=served.taken
    )
    desk.open("turns")
    desk.press("w")
    tab.keyboard.type("saved")
    desk.press("Escape")
    desk.idle()
    desk.press("w")
    tab.keyboard.type(", typed")
    cable.pull()
    notice = tab.locator(".cu-notice")
    expect(notice).to_contain_text("Not connected. Your last saved change is from ", timeout=20_000)
    expect(tab.locator("[data-field=reference]")).to_have_attribute("readonly", "")
    expect(tab.locator("[data-field=reference]")).to_have_value("saved, typed")
    cable.mend()
    expect(notice).to_have_count(0, timeout=60_000)
    desk.press("Escape")
    desk.idle()
    assert desk.draft().reference == "saved, typed"
    tab.watch.problems.clear()


def test_a_restarted_server_has_the_draft(tmp_path, serve_home, tab):
    home, port = make_home(tmp_path), free_port()
    server = serve_home(home, port)
    desk = ReviewDesk(page=tab, url=server.url, home=home)
    desk.look_at("turns")
    desk.press("1", "w")
    tab.keyboard.type("before the restart")
    desk.press("Escape")
    desk.idle()
    server.stop()
    serve_home(home, port)
    desk.look_at("turns")
    expect(tab.locator("[data-field=reference]")).to_have_value("before the restart")
    tab.watch.problems.clear()


def test_a_hold_that_is_about_to_end_is_kept_by_any_key(tmp_path, serve_home, tab):
    home = make_home(tmp_path, more="[review]\nlease_minutes = 1.9\n")
    desk = ReviewDesk(page=tab, url=serve_home(home).url, home=home)
    desk.look_at("turns")
    notice = tab.locator(".cu-notice")
    expect(notice).to_have_text("Your hold ends in 2 minutes. Any key keeps it.", timeout=25_000)
    before = tab.evaluate("() => window.__curationReview.hold()")
    desk.press("ArrowDown")
    expect(notice).to_have_count(0)
    desk.idle()
    assert tab.evaluate("() => window.__curationReview.hold()") > before


def test_a_draft_goes_as_a_comment_to_the_change_that_finished_its_answer(served, tab):
    desk = ReviewDesk(page=tab, url=served.url, home=served.home, taken=served.taken)
    desk.open("turns")
    desk.press("w")
    tab.keyboard.type("Mine: 30 days, $5 <b>")
    desk.press("Escape")
    desk.idle()
    rob = Reviewer(served.home, ROB, now=datetime.now(UTC) + timedelta(hours=1))
    rob.open(desk.answer_id)
    rob.pick("required", "A backup is kept for 30 days.")
    rob.type("reference", "Thirty days: a backup is kept for 30 days.")
    rob.act("propose")
    rob.workspace.store.dispose()
    number = desk.changes()[0].shown_number
    desk.press("w")
    tab.keyboard.type("!")
    desk.press("Escape")
    tab.get_by_role("button", name=f"Open {number} with my draft as comment").click()
    tab.wait_for_url(f"**/changes?change={number}")
    comment = tab.get_by_label("Comment", exact=True)
    expect(comment).to_have_value(re.compile(r"Mine: 30 days, \$5 <b>"))
    expect(tab.locator(".cur-message")).to_have_text(
        "Your draft stands in the comment field. M sends it."
    )
