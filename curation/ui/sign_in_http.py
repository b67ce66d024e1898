"""What signing in needs around Streamlit, by request: the way back, the cookies, the uploads."""

from collections.abc import Callable
from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
        self, app: ASGIApp, *, pages: frozenset[str], signed: Callable[[str], bool], https: bool
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
        request = Request(scope)
        if scope["path"].startswith(UPLOADS) and not self._signed_in(request):
            refusal = PlainTextResponse("Nothing was uploaded: you are not signed in.", 401)
            await refusal(scope, receive, send)
            return
        await self.app(scope, receive, self._changed(request, send))

    def _signed_in(self, request: Request) -> bool:
        """Return whether somebody signed in, in the browser that asks."""
        return self.signed(request.cookies.get(USER_COOKIE, ""))

    def _changed(self, request: Request, send: Send) -> Send:
        """Return what sends an answer with what belongs to signing in."""
        failed = False

        async def changed(message: Message) -> None:
            nonlocal failed
            if message["type"] == "http.response.start":
                asked = request.scope["path"]
                failed = asked in {LOGIN, CALLBACK} and message["status"] >= 400
                message["headers"] = self._headers(request, message, failed=failed)
                if failed:
                    message["status"] = 502
            elif failed:
                body = b"" if message.get("more_body") else _FAILED
                message = {**message, "body": body}
            await send(message)

        return changed

    def _headers(
        self, request: Request, message: Message, *, failed: bool
    ) -> list[tuple[bytes, bytes]]:
        """Return the headers of an answer: where it leads, its cookies, what kind of text it is."""
        headers = list(message.get("headers", ()))
        path: str = request.scope["path"]
        if failed:
            headers = [one for one in headers if one[0].lower() not in _OF_THE_BODY]
            headers.append((b"content-type", b"text/plain; charset=utf-8"))
            headers.append((b"content-length", str(len(_FAILED)).encode()))
        elif path == CALLBACK and _signs_in(headers):
            way = unquote(request.cookies.get(WAY_COOKIE, "/"))
            headers = [_led(one, self._way_back(way)) for one in headers]
            headers.append((b"set-cookie", f"{WAY_COOKIE}=; {_GONE}".encode()))
        elif path == CALLBACK and _was_tried(request):
            headers = [_led(one, f"/?{NOT_SIGNED_IN}=1") for one in headers]
        elif path in self.pages and not self._signed_in(request):
            query: bytes = request.scope.get("query_string", b"")
            asked = f"{path}?{query.decode('latin-1')}" if query else path
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


def _signs_in(headers: list[tuple[bytes, bytes]]) -> bool:
    """Return whether an answer gives the browser the cookie of somebody who signed in."""
    given = f"{USER_COOKIE}=".encode()
    return any(
        name.lower() == b"set-cookie"
        and value.startswith(given)
        and not value.startswith((given + b'""', given + b";"))
        for name, value in headers
    )


def _was_tried(request: Request) -> bool:
    """Return whether a provider sent somebody here to sign in, and not after signing out."""
    return bool({"code", "error"} & request.query_params.keys())


def _led(header: tuple[bytes, bytes], target: str) -> tuple[bytes, bytes]:
    return (header[0], target.encode("latin-1")) if header[0].lower() == b"location" else header
