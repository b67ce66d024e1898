"""A team's own search engine, asked over HTTP: words out as JSON, chunks back as JSON.

Request: `POST {"query", "doc_version", "doc_id", "limit"}`. Response: `{"hits": [{"chunk_id",
"doc_version", "doc_id", "title", "score"}]}`, best first; all but `chunk_id` may be left out.
"""

import json
import threading
from collections.abc import Mapping
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, Request

from pydantic import BaseModel, ConfigDict, ValidationError

from curation.corpus.engine import Hit
from curation.corpus.errors import SearchEngineError
from curation.corpus.words import words_of

MOST_BYTES = 4 * 1024 * 1024


class _HitLine(BaseModel):
    """One hit as the engine writes it; what it says beyond these is left alone."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    chunk_id: str
    doc_version: str | None = None
    doc_id: str | None = None
    title: str | None = None
    score: float = 0.0


class HttpEngine:
    """A search engine behind an address. Safe to share between threads."""

    def __init__(
        self, url: str, *, timeout_s: float = 5.0, headers: Mapping[str, str] | None = None
    ) -> None:
        try:
            address = urlsplit(url)
            self._shown = f"{address.scheme}://{address.hostname}" + (
                f":{address.port}" if address.port else ""
            )
        except ValueError as problem:
            raise SearchEngineError(url, "it is no address") from problem
        if address.scheme not in {"http", "https"} or not address.hostname:
            raise SearchEngineError(url, "its address begins neither with http:// nor https://")
        self._url = url
        self._timeout_s = timeout_s
        self._headers = {"Content-Type": "application/json", **(headers or {})}
        self._opener = OpenerDirector()  # follows no redirect, reads no file, uses no proxy
        self._opener.add_handler(HTTPHandler())
        self._opener.add_handler(HTTPSHandler())

    def search(
        self,
        text: str,
        *,
        doc_version: str | None = None,
        doc_id: str | None = None,
        limit: int = 20,
    ) -> tuple[Hit, ...]:
        """Return the chunks that the engine finds, in its order.

        Raises:
            SearchEngineError: it could not be reached in time, or said something else.
        """
        if not words_of(text):
            return ()
        asked = {"query": text, "doc_version": doc_version, "doc_id": doc_id, "limit": limit}
        body = json.dumps(asked).encode("utf-8")
        request = Request(self._url, data=body, headers=self._headers, method="POST")  # noqa: S310 - the scheme was checked
        return self._hits(self._in_time(request))[:limit]

    def read_as(self, text: str) -> tuple[str, ...]:
        """Return the words of the search as they were typed."""
        return words_of(text)

    def _in_time(self, request: Request) -> bytes:
        """Return the engine's answer; one that drips, or never ends, is left after the time."""
        found: list[bytes | SearchEngineError] = []

        def ask() -> None:
            try:
                found.append(self._sent(request))
            except SearchEngineError as problem:
                found.append(problem)

        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        asking.join(self._timeout_s)
        if not found:
            raise SearchEngineError(self._shown, self._late)
        if isinstance(found[0], SearchEngineError):
            raise found[0]
        return found[0]

    @property
    def _late(self) -> str:
        """What is said of an engine that takes too long, wherever it was noticed."""
        return f"no answer came within {self._timeout_s:g} s"

    def _sent(self, request: Request) -> bytes:
        try:
            with self._opener.open(request, timeout=self._timeout_s) as response:
                status, data = response.status, bytes(response.read(MOST_BYTES + 1))
        except (HTTPError, URLError, OSError, ValueError) as problem:
            reason = getattr(problem, "reason", None) or problem
            if isinstance(reason, TimeoutError):
                raise SearchEngineError(self._shown, self._late) from problem
            raise SearchEngineError(self._shown, f"it could not be reached ({reason})") from problem
        except Exception as problem:
            said = f"it broke off ({type(problem).__name__})"
            raise SearchEngineError(self._shown, said) from problem
        if not 200 <= status < 300:
            raise SearchEngineError(self._shown, f"it answered with status {status}")
        if len(data) > MOST_BYTES:
            raise SearchEngineError(self._shown, f"its answer is longer than {MOST_BYTES} bytes")
        return data

    def _hits(self, data: bytes) -> tuple[Hit, ...]:
        """Return the hits of an answer."""
        try:
            answer = json.loads(data)
        except (ValueError, RecursionError) as problem:
            raise SearchEngineError(self._shown, "its answer is no JSON") from problem
        lines = answer.get("hits") if isinstance(answer, dict) else None
        if not isinstance(lines, list):
            raise SearchEngineError(self._shown, "its answer has no list of hits")
        return tuple(self._hit(line, at) for at, line in enumerate(lines, start=1))

    def _hit(self, line: Any, at: int) -> Hit:  # noqa: ANN401 - any JSON value
        try:
            read = _HitLine.model_validate(line)
        except ValidationError as problem:
            place = ".".join(str(part) for part in problem.errors()[0]["loc"]) or "the hit"
            said = f"hit {at} of its answer cannot be read: {place}"
            raise SearchEngineError(self._shown, said) from problem
        return Hit(
            chunk_id=read.chunk_id,
            doc_version=read.doc_version or None,
            doc_id=read.doc_id or "",
            title=read.title,
            score=read.score,
        )
