"""The review screen's scripts and styles as one file that the browser keeps.

Streamlit sends the text of a component with every message, at every key. So the component's own
script only fetches this file, once: its address names its content.
"""

import hashlib
import json
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

ASSETS = Path(__file__).with_name("assets")
SCRIPTS = (
    "dom.js",
    "text.js",
    "queue.js",
    "fields.js",
    "cursor.js",
    "keys.js",
    "panes.js",
    "case.js",
    "frame.js",
    "screen.js",
    "main.js",
)
STYLES = ("layout.css", "controls.css", "text.css")
_FOREVER = b"public, max-age=31536000, immutable"


def _joined(names: tuple[str, ...]) -> str:
    """Return the named assets as one text, in order."""
    return "\n".join((ASSETS / name).read_text(encoding="utf-8") for name in names)


SCRIPT = f"const STYLES = {json.dumps(_joined(STYLES))};\n{_joined(SCRIPTS)}"
ADDRESS = f"/curation/review-{hashlib.sha256(SCRIPT.encode()).hexdigest()[:16]}.js"
LOADER = (
    f'const {{ default: review }} = await import(new URL("{ADDRESS}", location.origin));\n'
    "export default review;\n"
)


class ReviewScript:
    """ASGI middleware that serves the file at its address."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the script at its own address; pass everything else on."""
        if scope["type"] != "http" or scope["path"] != ADDRESS:
            await self.app(scope, receive, send)
            return
        headers = [
            (b"content-type", b"text/javascript; charset=utf-8"),
            (b"cache-control", _FOREVER),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": SCRIPT.encode("utf-8")})
