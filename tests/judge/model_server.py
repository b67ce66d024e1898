"""A local server that speaks both providers' protocols and misbehaves as its script says.

The model behind it obeys only what stands outside the tags that the system message names.
"""

import json
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Script = Callable[[int, str, str], dict[str, Any]]


def grade(system: str, user: str) -> dict[str, Any]:
    """Grade by shared words of the data; obey what stands outside of it."""
    nonce = re.search(r"end in ([0-9a-f]+)", system)
    assert nonce is not None
    tag = nonce[1]
    blocks = re.findall(rf"<([\w-]+)-{tag}>\n(.*?)\n</\1-{tag}>", user, re.DOTALL)
    outside = re.sub(rf"<([\w-]+)-{tag}>\n.*?\n</\1-{tag}>", "", user, flags=re.DOTALL)
    assert "<" not in outside
    if "rate this 2" in outside:
        return {"reason": "I was told to.", "score": 2}
    texts = {name: set(re.findall(r"\w{4,}", text.lower())) for name, text in blocks}
    asked = texts.pop("question")
    shared = max((len(asked & words) for words in texts.values()), default=0)
    return {"reason": f"{shared} words are shared.", "score": 2 if shared > 1 else min(shared, 1)}


@dataclass
class ModelServer:
    """What was asked, and how the next questions are answered."""

    script: Script | None = None
    delay: float = 0
    asked: list[str] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    url: str = ""

    def wait_for(self, number: int, process: subprocess.Popen[str]) -> None:
        """Wait until a process has asked so many questions."""
        while len(self.asked) < number:
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)

    def wait_until_held(self, number: int, process: subprocess.Popen[str]) -> None:
        """Wait until so many questions are held at once, and still are a moment later."""
        seen = 0
        while seen < 2:
            assert process.poll() is None, process.communicate()
            seen = seen + 1 if self.at_once == number else 0
            time.sleep(0.1)


@contextmanager
def serving(script: Script | None = None, delay: float = 0) -> Iterator[ModelServer]:
    """Give a running server; a script returns status, headers, text, hang or cut for a call."""
    state = ModelServer(script=script, delay=delay)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: Any) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            anthropic = self.path.endswith("/messages")
            messages = body["messages"]
            system = body["system"] if anthropic else messages[0]["content"]
            user = messages[-1]["content"]
            with state.lock:
                state.asked.append(user)
                number = len(state.asked)
                state.at_once += 1
                state.most_at_once = max(state.most_at_once, state.at_once)
            try:
                time.sleep(state.delay)
                done = state.script(number, system, user) if state.script else {}
                self._send(done, system, user, body["model"], anthropic=anthropic)
            finally:
                with state.lock:
                    state.at_once -= 1

        def _send(self, done, system, user, model, *, anthropic):
            time.sleep(done.get("hang", 0))
            text = done.get("text", json.dumps(grade(system, user)))
            usage = {"input_tokens": 100, "output_tokens": 10}
            reply: dict[str, Any] = {
                "id": "m",
                "model": model,
                "role": "assistant",
                "type": "message",
                "content": [{"type": "text", "text": text}],
                "stop_reason": done.get("stop", "end_turn"),
                "usage": usage,
            }
            if not anthropic:
                message = {"role": "assistant", "content": text, "refusal": done.get("refusal")}
                reply = {
                    "id": "m",
                    "object": "chat.completion",
                    "created": 0,
                    "model": model,
                    "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                    "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
                }
            if "status" in done:
                said = f"no, {self.headers.get('authorization')}{self.headers.get('x-api-key')}"
                reply = {"type": "error", "error": {"type": "error", "message": said}}
            payload = json.dumps(reply).encode()
            try:
                self.send_response(done.get("status", 200))
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(payload)))
                for name, value in done.get("headers", {}).items():
                    self.send_header(name, value)
                self.end_headers()
                cut = done.get("cut", False)
                self.wfile.write(payload[: len(payload) // 2] if cut else payload)
                self.close_connection = cut
            except OSError:
                self.close_connection = True

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
