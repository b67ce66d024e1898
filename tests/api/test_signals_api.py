"""Signals by HTTP, against a real server on a real port."""

import json
import socket
import threading
import time
import urllib.error
import urllib.request
from types import SimpleNamespace

import pytest
import uvicorn

from curation.api.app import MOST_BYTES, api
from curation.config import api_token
from curation.services.intake import ingest
from curation.services.triage import QueueFilter, list_queue
from curation.store.answers import load_answers
from tests.services.home import MIA, NOW, log, record, workspace

TOKEN = "a-token"
DOWN = {"answer_id": "a", "kind": "thumbs_down"}


def served(home, token):
    """Serve the routes of a home; return the address and how to stop."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(api(home, token), host="127.0.0.1", port=port, log_level="critical")
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)

    def stop():
        server.should_exit = True
        thread.join()

    return f"http://127.0.0.1:{port}/signals", stop


@pytest.fixture
def desk(tmp_path):
    opened = workspace(tmp_path)
    opened.settings.home.mkdir(exist_ok=True)
    ingest(opened, [log(opened.settings.home, record("a"), record("b", user_id="u"))], now=NOW)
    address, stop = served(opened.settings.home, TOKEN)
    yield SimpleNamespace(address=address, workspace=opened)
    stop()
    opened.store.dispose()


def send(address, body, token=TOKEN, method="POST"):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(address, data=data, method=method)
    if token is not None:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        return refused.code, json.loads(refused.read())


def stored(desk, name):
    with desk.workspace.store.reading() as session:
        return load_answers(session, [name])[name].signals


def test_a_signal_is_stored_once_and_moves_the_queue(desk):
    body = DOWN | {"comment": "wrong", "at": "2026-11-30T09:00:00Z", "user": "u1"}
    assert send(desk.address, body) == (200, {"stored": 1, "unchanged": 0})
    assert send(desk.address, body) == (200, {"stored": 0, "unchanged": 1})
    (signal,) = stored(desk, "a")
    assert (signal.kind.value, signal.comment, signal.confidence) == ("thumbs_down", "wrong", 1)
    row = list_queue(desk.workspace, MIA, QueueFilter(), now=NOW).rows[0]
    assert (row.answer_id, row.priority, row.reasons) == ("a", 3.0, ("thumbs down",))


def test_two_users_count_twice_and_a_list_is_stored_whole(desk):
    both = [DOWN | {"user": "u1"}, DOWN | {"user": "u2"}, DOWN | {"answer_id": "b"}]
    assert send(desk.address, both) == (200, {"stored": 3, "unchanged": 0})
    row = list_queue(desk.workspace, MIA, QueueFilter(), now=NOW).rows[0]
    assert (row.answer_id, row.priority) == ("a", 6.0)


def test_an_unknown_answer_refuses_the_whole_list_and_says_which(desk):
    status, said = send(desk.address, [DOWN, DOWN | {"answer_id": "zz"}])
    assert (status, said["field"], said["index"]) == (422, "answer_id", 1)
    assert "'zz'" in said["error"]
    assert stored(desk, "a") == ()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"answer_id": "a", "kind": "loved"}, "kind"),
        ({"kind": "thumbs_up"}, "answer_id"),
        (DOWN | {"at": "soon"}, "at"),
        (DOWN | {"more": 1}, "more"),
        (DOWN | {"comment": "x" * 20_001}, "comment"),
        ("text", None),
    ],
)
def test_a_wrong_field_is_named(desk, body, field):
    status, said = send(desk.address, body)
    assert (status, said["field"], said["index"]) == (422, field, 0)
    assert said["error"].startswith("Nothing was stored: signal 1")


@pytest.mark.parametrize("body", [b"{", b"\xff", b'{"answer_id": NaN}', b""])
def test_what_is_no_json_is_refused(desk, body):
    assert send(desk.address, body)[0] == 400


def test_too_much_is_refused(desk):
    assert send(desk.address, [DOWN] * 1001)[0] == 413
    assert send(desk.address, b"[" + b" " * MOST_BYTES + b"]")[0] == 413


@pytest.mark.parametrize("token", [None, "", "a-toke", "another", "a-token2"])
def test_only_the_token_opens(desk, token):
    assert send(desk.address, DOWN, token=token)[0] == 401
    assert stored(desk, "a") == ()


def test_other_addresses_and_methods_are_json_too(desk):
    assert send(desk.address + "x", DOWN)[0] == 404
    assert send(desk.address, DOWN, method="PUT")[0] == 404


def test_without_a_token_nothing_is_taken(tmp_path):
    address, stop = served(tmp_path, api_token({"CURATION_API_TOKEN": "  "}))
    try:
        status, said = send(address, DOWN, token="")
    finally:
        stop()
    assert status == 404
    assert "CURATION_API_TOKEN is not set" in said["error"]
