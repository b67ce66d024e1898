"""A pipeline behind a real HTTP server on this machine."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from curation.domain.case import Case, Turn
from curation.evaluation.http_target import AddressError, HttpTarget, TargetCallError
from curation.evaluation.targets import TargetSettings, run_target


class Pipeline(BaseHTTPRequestHandler):
    """Answers with what the path asks for."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)  # type: ignore[attr-defined]
        status, body = self._reply(asked)
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "file:///etc/passwd")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _reply(self, asked: dict[str, Any]) -> tuple[int, bytes]:
        replies: dict[str, tuple[int, Any]] = {
            "/answer": (200, {"answer": f"You asked {asked['question']}", "hits": ["c-1"]}),
            "/text": (200, "60 s"),
            "/list": (200, [1]),
            "/broken": (503, {"detail": "busy"}),
            "/redirect": (302, {}),
            "/token": (200, self.headers["Authorization"] or "none"),
        }
        status, document = replies.get(self.path, (200, None))
        return status, b"<html>" if document is None else json.dumps(document).encode()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Pipeline) as running:
        running.asked = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def address(server: ThreadingHTTPServer, path: str) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}{path}"


def test_question_and_conversation_go_out_and_the_output_comes_back(
    server: ThreadingHTTPServer,
) -> None:
    target = HttpTarget(address(server, "/answer"))
    case = Case(id="q-1", question="And in v4.2?", conversation=(Turn(role="user", text="ü?"),))
    (line,) = run_target([case], target)
    assert (line.answer, line.hits[0].chunk_id) == ("You asked And in v4.2?", "c-1")
    assert server.asked == [  # type: ignore[attr-defined]
        {"question": "And in v4.2?", "conversation": [{"role": "user", "text": "ü?"}]}
    ]


def test_an_answer_may_be_a_text(server: ThreadingHTTPServer) -> None:
    assert HttpTarget(address(server, "/text"))("q", ()) == "60 s"


def test_headers_are_sent(server: ThreadingHTTPServer) -> None:
    target = HttpTarget(address(server, "/token"), headers={"Authorization": "Bearer x"})
    assert target("q", ()) == "Bearer x"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/broken", "503"),
        ("/html", "no JSON"),
        ("/list", "not an object"),
        ("/redirect", "302"),
    ],
)
def test_what_is_no_output_is_a_failure(server: ThreadingHTTPServer, path: str, said: str) -> None:
    with pytest.raises(TargetCallError, match=said):
        HttpTarget(address(server, path))("q", ())


def test_a_failed_call_is_a_failed_case_with_its_reason(server: ThreadingHTTPServer) -> None:
    settings = TargetSettings(retries=0)
    (line,) = run_target(
        [Case(id="q-1", question="q")], HttpTarget(address(server, "/broken")), settings
    )
    assert line.failed
    assert "503" in (line.error or "")


def test_nobody_listening_is_a_failure() -> None:
    with pytest.raises(TargetCallError, match="refused"):
        HttpTarget("http://127.0.0.1:9/")("q", ())


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://host/x", "rag:answer", "", "http://"])
def test_only_http_is_asked(url: str) -> None:
    with pytest.raises(AddressError):
        HttpTarget(url)
