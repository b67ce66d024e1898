"""What signing in needs around Streamlit, by request: the way back, the cookies, the uploads."""

from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, quote, unquote

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

USER_COOKIE = "_streamlit_user"
WAY_COOKIE = "curation_way"
LOGIN, CALLBACK = "/auth/login", "/oauth2callback"
NOT_SIGNED_IN = "not_signed_in"  # among the parameters of `/`, after a sign-in that failed
UPLOADS = "/_stcore/upload_file"
_MINUTES = 10
_LONGEST = 1_000
_KEPT = f"Path=/; HttpOnly; SameSite=Lax; Max-Age={_MINUTES * 60}"
_GONE = "Path=/; HttpOnly; SameSite=Lax; Max-Age=0"
_FAILED = (
    b"You are not signed in: the sign-in provider could not be reached, or does not know this "
    b"server. Its log says why. Go back and try again."
)


class SignInRequests:
    """ASGI middleware for a server where people sign in.

    Streamlit always goes to `/` after a sign-in: the address that somebody came to is kept in a
    cookie and gone back to. Its cookies are not marked for https alone: here they are. It takes
    uploads from browsers in which nobody signed in: here it does not. When the provider does not
    answer it shows two words, and nothing when a sign-in fails: here both are said.

    Args:
        app: What is asked.
        pages: The addresses that may be gone back to.
        signed: Whether a cookie of Streamlit is one that this server has signed.
        https: Whether browsers reach the server by https.
    """

    def __init__(
        self, app: Asgi, *, pages: frozenset[str], signed: Callable[[str], bool], https: bool
    ) -> None:
        self.app = app
        self.pages = pages
        self.signed = signed
        self.https = https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and change what belongs to signing in."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        cookies = _cookies(scope)
        if scope["path"].startswith(UPLOADS) and not self.signed(cookies.get(USER_COOKIE, "")):
            await _answer(send, 401, b"Nothing was uploaded: you are not signed in.")
            return
        await self.app(scope, receive, self._changed(scope, cookies, send))

    def _changed(self, scope: Scope, cookies: dict[str, str], send: Send) -> Send:
        """Return what sends an answer with what belongs to signing in."""
        failed = False

        async def changed(message: Message) -> None:
            nonlocal failed
            if message["type"] == "http.response.start":
                failed = scope["path"] in {LOGIN, CALLBACK} and message["status"] >= 400
                message["headers"] = self._headers(scope, cookies, message, failed=failed)
                if failed:
                    message["status"] = 502
            elif failed:
                body = b"" if message.get("more_body") else _FAILED
                message = {**message, "body": body}
            await send(message)

        return changed

    def _headers(
        self, scope: Scope, cookies: dict[str, str], message: Message, *, failed: bool
    ) -> list[tuple[bytes, bytes]]:
        """Return the headers of an answer: where it leads, its cookies, what kind of text it is."""
        headers = list(message.get("headers", ()))
        way = cookies.get(WAY_COOKIE)
        if failed:
            headers = [one for one in headers if one[0].lower() not in _OF_THE_BODY]
            headers.append((b"content-type", b"text/plain; charset=utf-8"))
            headers.append((b"content-length", str(len(_FAILED)).encode()))
        elif scope["path"] == CALLBACK and _signs_in(headers):
            headers = [_led(one, self._way_back(unquote(way or "/"))) for one in headers]
            headers.append((b"set-cookie", f"{WAY_COOKIE}=; {_GONE}".encode()))
        elif scope["path"] == CALLBACK and _was_tried(scope):
            headers = [_led(one, f"/?{NOT_SIGNED_IN}=1") for one in headers]
        elif scope["path"] in self.pages and not self.signed(cookies.get(USER_COOKIE, "")):
            asked = _asked(scope)
            if asked != "/" and len(asked) <= _LONGEST:
                kept = f"{WAY_COOKIE}={quote(asked, safe='')}; {_KEPT}"
                headers.append((b"set-cookie", kept.encode()))
        return [self._secured(one) for one in headers]

    def _way_back(self, asked: str) -> str:
        """Return an address of this app; `/` for everything else that a cookie may say."""
        plain = asked.isascii() and asked.isprintable()
        return asked if plain and asked.partition("?")[0] in self.pages else "/"

    def _secured(self, header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
        """Return a header; a cookie goes by https alone where the server is reached by it."""
        name, value = header
        if name.lower() != b"set-cookie" or not self.https or b"; secure" in value.lower():
            return header
        return name, value + b"; Secure"


_OF_THE_BODY = {b"content-type", b"content-length", b"content-encoding"}


def _cookies(scope: Scope) -> dict[str, str]:
    """Return the cookies of a request; none where they cannot be read."""
    sent = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
    try:
        jar = SimpleCookie(sent.decode("latin-1"))
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in jar.items()}


def _asked(scope: Scope) -> str:
    """Return the address of a request as it is written behind the host."""
    query = _query(scope)
    path: str = scope["path"]
    return f"{path}?{query}" if query else path


def _query(scope: Scope) -> str:
    found: bytes = scope.get("query_string", b"")
    return found.decode("latin-1")


def _signs_in(headers: list[tuple[bytes, bytes]]) -> bool:
    """Return whether an answer gives the browser the cookie of somebody who signed in."""
    given = f"{USER_COOKIE}=".encode()
    return any(
        name.lower() == b"set-cookie"
        and value.startswith(given)
        and not value.startswith((given + b'""', given + b";"))
        for name, value in headers
    )


def _was_tried(scope: Scope) -> bool:
    """Return whether a provider sent somebody here to sign in, and not after signing out."""
    return bool({"code", "error"} & parse_qs(_query(scope)).keys())


def _led(header: tuple[bytes, bytes], target: str) -> tuple[bytes, bytes]:
    return (header[0], target.encode("latin-1")) if header[0].lower() == b"location" else header


async def _answer(send: Send, status: int, said: bytes) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": said})
