"""A target that is asked over HTTP: the question goes out as JSON, the output comes back as JSON.

Request: `POST {"question", "conversation": [{"role", "text"}]}`. Response: an object with the
fields of a run line (`answer`, `hits`, `outcome`, `citations`, `cost_usd`, ...), or a text.
"""

import json
from collections.abc import Mapping, Sequence
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, Request

from curation.domain.case import Turn
from curation.evaluation.errors import EvaluationError

__all__ = ["AddressError", "HttpTarget", "TargetCallError"]

_MOST_BYTES = 16 * 1024 * 1024


class AddressError(EvaluationError):
    """An address cannot be asked."""

    def __init__(self, url: str) -> None:
        super().__init__(
            f"{url!r} was not asked: it is no address of a pipeline. Name one that begins with "
            "http:// or https://."
        )


class TargetCallError(EvaluationError):
    """A call of a pipeline over HTTP failed."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)


class HttpTarget:
    """Asks a pipeline behind an address. Safe to share between threads."""

    def __init__(
        self, url: str, *, timeout_s: float = 60.0, headers: Mapping[str, str] | None = None
    ) -> None:
        try:
            parts = urlsplit(url)
        except ValueError as problem:
            raise AddressError(url) from problem
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise AddressError(url)
        self._url = url
        self._timeout_s = timeout_s
        self._headers = {"Content-Type": "application/json", **(headers or {})}
        self._opener = OpenerDirector()
        # Only these two: an answer that redirects, or points to a file, is not followed.
        self._opener.add_handler(HTTPHandler())
        self._opener.add_handler(HTTPSHandler())

    def __call__(self, question: str, conversation: Sequence[Turn]) -> object:
        """Return what the pipeline answered.

        Raises:
            TargetCallError: it could not be reached, or answered something else than JSON.
        """
        turns = [{"role": turn.role, "text": turn.text} for turn in conversation]
        body = json.dumps({"question": question, "conversation": turns}).encode()
        request = Request(self._url, data=body, headers=self._headers, method="POST")  # noqa: S310 - the scheme was checked
        return self._answer(self._sent(request))

    def _sent(self, request: Request) -> bytes:
        try:
            with self._opener.open(request, timeout=self._timeout_s) as response:
                status, data = response.status, response.read(_MOST_BYTES + 1)
        except (HTTPError, URLError, OSError, ValueError) as problem:
            raise TargetCallError(str(problem)) from problem
        if not 200 <= status < 300:
            said = data[:200].decode("utf-8", "replace").strip()
            raise TargetCallError(f"status {status}: {said}")
        if len(data) > _MOST_BYTES:
            raise TargetCallError(f"the answer is longer than {_MOST_BYTES} bytes")
        return bytes(data)

    def _answer(self, data: bytes) -> object:
        try:
            answer = json.loads(data)
        except ValueError as problem:
            raise TargetCallError(f"the answer is no JSON ({problem})") from problem
        if not isinstance(answer, dict | str):
            raise TargetCallError(f"the answer is {type(answer).__name__}, not an object")
        return answer
