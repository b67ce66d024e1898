"""The headers that every response of the app carries."""

import base64
import hashlib
import re
from pathlib import Path

import streamlit
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_INLINE_SCRIPT = re.compile(r"<script>(?P<body>.*?)</script>", re.DOTALL)
_INDEX = Path(streamlit.__file__).parent / "static" / "index.html"


def inline_script_hashes(index_html: str) -> tuple[str, ...]:
    """Return the policy source of every inline script in the page that Streamlit serves."""
    return tuple(
        f"'sha256-{base64.b64encode(hashlib.sha256(found['body'].encode()).digest()).decode()}'"
        for found in _INLINE_SCRIPT.finditer(index_html)
    )


def content_security_policy(index_html: str) -> str:
    """Return the policy: our own files, and of scripts no inline one but those of the index.

    `blob:` carries the components' modules; nothing may come from or go to another host.
    """
    inline = " ".join(inline_script_hashes(index_html))
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' {inline} 'wasm-unsafe-eval' blob:",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
        )
    )


class SecurityHeaders:
    """ASGI middleware that adds the policy to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        policy = content_security_policy(_INDEX.read_text(encoding="utf-8"))
        self.headers = (
            (b"content-security-policy", policy.encode("ascii")),
            (b"x-content-type-options", b"nosniff"),
            (b"x-frame-options", b"DENY"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and add the headers to what comes back."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                ours = {name for name, _ in self.headers}
                kept = [h for h in message.get("headers", ()) if h[0].lower() not in ours]
                message["headers"] = [*kept, *self.headers]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


class QueueAddress:
    """ASGI middleware that leads `/queue` to `/`, where the default page is served."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer `/queue` with the way to `/`; pass everything else on."""
        if scope["type"] != "http" or scope["path"] not in {"/queue", "/queue/"}:
            await self.app(scope, receive, send)
            return
        query = scope.get("query_string", b"")
        target = b"/?" + query if query else b"/"
        await send(
            {"type": "http.response.start", "status": 307, "headers": [(b"location", target)]}
        )
        await send({"type": "http.response.body", "body": b""})
