"""The server: what it answers, refuses and never shows."""

import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

RUN = "from curation.cli.main import main; main()"


def curation(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", RUN, *arguments], check=False, capture_output=True, text=True
    )


def test_a_taken_port_is_one_sentence_and_exit_2(tmp_path: Path) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = str(holder.getsockname()[1])
        done = curation("serve", "--home", str(tmp_path), "--port", port)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        f"Nothing was started: port {port} on 127.0.0.1 is taken. Choose another with --port.\n"
    )


def test_a_home_without_sign_in_is_not_served_to_other_machines(tmp_path: Path) -> None:
    done = curation("serve", "--home", str(tmp_path), "--host", "0.0.0.0")
    assert done.returncode == 2
    assert "0.0.0.0 can be reached from other machines" in done.stderr


def test_a_home_where_people_sign_in_is_not_served_without_its_secrets(tmp_path: Path) -> None:
    (tmp_path / "curation.toml").write_text(
        'auth = "oidc"\n[oidc]\nclient_id = "c"\npublic_url = "https://g.example"\n'
        'metadata_url = "https://l.example/.well-known/openid-configuration"\n'
    )
    done = curation("serve", "--home", str(tmp_path), "--host", "0.0.0.0", "--port", "18591")
    assert done.returncode == 2
    assert "the environment variable CURATION_OIDC_CLIENT_SECRET is not set" in done.stderr


def test_every_response_carries_the_policy(demo_home: Path, serve_home: Callable[..., Any]) -> None:
    server = serve_home(demo_home)
    for path in ("/", "/settings", "/_stcore/health", "/static/nothing.js"):
        try:
            answer = urllib.request.urlopen(server.url + path)
        except urllib.error.HTTPError as refused:
            answer = refused
        policy = answer.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
        assert "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"


def test_the_queue_has_an_address_too(demo_home: Path, serve_home: Callable[..., Any]) -> None:
    server = serve_home(demo_home)
    answer = urllib.request.urlopen(f"{server.url}/queue?show=done")
    assert answer.url == f"{server.url}/?show=done"


def test_a_stranger_host_gets_no_connection(
    demo_home: Path, serve_home: Callable[..., Any]
) -> None:
    server = serve_home(demo_home)
    port = int(server.url.rsplit(":", 1)[1])
    ask = (
        "GET /_stcore/stream HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Version: 13\r\nOrigin: http://{host}\r\n\r\n"
    )
    said = {}
    for host in (f"127.0.0.1:{port}", "evil.example"):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
            line.sendall(ask.format(host=host).encode())
            said[host] = line.recv(64).split(b" ")[1]
    assert said == {f"127.0.0.1:{port}": b"101", "evil.example": said["evil.example"]}
    assert said["evil.example"] in {b"400", b"403"}


def test_the_first_request_of_a_fresh_server_may_be_a_deep_link(
    demo_home: Path, serve_home: Callable[..., Any], tab: Page
) -> None:
    server = serve_home(demo_home)
    tab.goto(f"{server.url}/settings")
    expect(tab.get_by_role("heading", name="Settings", level=1)).to_be_visible()
    links = tab.get_by_test_id("stTopNavLink").all_inner_texts()
    assert links[:2] == ["Queue", "Review"]
    assert "settings.py" not in " ".join(links)
    expect(tab.get_by_text("Mia Kim, admin")).to_be_visible()
