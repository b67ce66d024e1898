"""A spot check in the browser: by keyboard alone, the judge unheard of until the end."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from playwright.sync_api import Page, WebSocket, expect

from curation.domain.person import Person
from curation.services.agreement import judge_reports
from curation.services.spot_check import SpotRequest, begin, standing
from curation.services.workspace import Workspace
from curation.store.answers import load_answers

Settle = Callable[[Page], None]
MIA = Person(name="Mia Kim", email="mia@kestrel.example")
ROB = Person(name="Rob Oduya", email="rob@kestrel.example")
ACKNOWLEDGED = "() => window.curationBar.queue.length === 0"


def press(page: Page, settle: Settle, *names: str) -> None:
    """Press keys one after the other, each when the page has heard the last."""
    for name in names:
        page.keyboard.press(name)
        page.wait_for_function(ACKNOWLEDGED)
        settle(page)


def test_a_spot_check_by_keyboard_tells_the_judge_at_its_end_only(
    demo_server: Any, desk: Workspace, tab: Page, settle: Settle
) -> None:
    received: list[bytes] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: received.append(_bytes(data)))

    first = judge_reports(desk)[0]
    request = SpotRequest(n=5, judge=first.judge, metric=first.metric)
    begin(desk, request, person=ROB, now=datetime.now(UTC))
    tab.on("websocket", listen)
    tab.goto(f"{demo_server.url}/judge")
    settle(tab)
    expect(tab.locator("#judges-list")).to_be_focused()
    expect(tab.get_by_text("Needs about 93 more labels").first).to_be_visible()
    expect(tab.get_by_text("drawn by Rob Oduya) has 5 items")).to_be_visible()
    press(tab, settle, "n", "p", "s")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Spot check 1 · 1 of 5")

    press(tab, settle, "2", "1", "z")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Spot check 1 · 2 of 5")
    tab.reload()
    settle(tab)
    expect(tab.get_by_role("heading", level=1)).to_have_text("Spot check 1 · 2 of 5")
    press(tab, settle, "x")
    expect(tab.get_by_text("4 items that you have not labelled")).to_be_visible()
    press(tab, settle, "s")

    item = standing(desk, 1, MIA).items[1]
    for _ in range(3):  # pressed three times for one item, it is one label
        tab.keyboard.press("0")
    tab.wait_for_function(ACKNOWLEDGED)
    settle(tab)
    mine = standing(desk, 1, MIA).mine
    assert [label.position for label in mine if label.position == item.position] == [2]
    assert all(label.blind for label in mine)

    left = len(standing(desk, 1, MIA).items) - len(mine)
    press(tab, settle, *["1"] * (left - 1))
    _nothing_of_the_judge(desk, received)
    press(tab, settle, "1")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Spot check 1 is at its end")
    expect(tab.get_by_text("s an item")).to_be_visible()
    expect(tab.get_by_text("Where you differ")).to_be_visible()
    press(tab, settle, "x")
    expect(tab.get_by_text("5 from spot checks")).to_be_visible()


def _bytes(data: str | bytes) -> bytes:
    return data if isinstance(data, bytes) else data.encode()


def _nothing_of_the_judge(desk: Workspace, received: list[bytes]) -> None:
    """No reason of the judge was ever sent, and nothing that names a score or a stratum."""
    items = standing(desk, 1, MIA).items
    with desk.store.reading() as session:
        answers = load_answers(session, [item.answer_id for item in items])
    reasons = {s.reason for a in answers.values() for s in a.scores if s.reason}
    assert reasons
    sent = b"".join(received)
    assert b"Spot check 1" in sent
    assert [reason for reason in reasons if reason.encode() in sent] == []
    assert b"stratum" not in sent
