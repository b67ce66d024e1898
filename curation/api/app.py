"""The routes below `/api`: today `POST /api/signals`.

Every answer is JSON, a refusal `{"error": sentence}` and where one field is to blame its name and
place. A caller shows the token of the environment; the cookie of the pages opens nothing here.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from hmac import compare_digest
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from curation.config import load_settings
from curation.errors import CurationError, first_problem
from curation.services.reported_signals import (
    ReportedSignal,
    UnknownAnswerError,
    report_signals,
)
from curation.services.workspace import Workspace, open_workspace

MOST_BYTES = 1_000_000
MOST_SIGNALS = 1_000
NOT_OPEN = "This server takes no signals, because CURATION_API_TOKEN is not set where it runs."
NOT_YOU = "Nothing was stored: the request shows no token, or another one than the server's."
TOO_BIG = f"Nothing was stored: the request holds more than {MOST_BYTES} bytes. Send it in parts."
TOO_MANY = f"Nothing was stored: a list holds at most {MOST_SIGNALS} signals. Send it in parts."
NOT_JSON = "Nothing was stored: the body is not JSON. Send one signal or a list of them."
NO_ROUTE = "There is nothing at this address. POST signals to /api/signals."
FAULT = "Nothing can be said of what was stored: the log of the server says why. Send it again."


class _RefusedError(Exception):
    """A request that is answered with a sentence."""

    def __init__(self, status: int, error: str, **where: object) -> None:
        self.status = status
        self.document = {"error": error, **where}
        super().__init__(error)


def api(home: Path, token: str | None) -> Starlette:
    """Return the application below `/api` for a home.

    Args:
        home: whose store; opened at the first request.
        token: what callers must show; None takes no signals at all.
    """

    @cache
    def workspace() -> Workspace:
        return open_workspace(load_settings(home))

    async def signals(request: Request) -> JSONResponse:
        try:
            _refuse_stranger(request, token)
            reported = _signals(_document(await _body(request)))
            received = await run_in_threadpool(_report, workspace, reported)
        except _RefusedError as problem:
            return JSONResponse(problem.document, status_code=problem.status)
        return JSONResponse(received)

    async def nothing(_request: Request, _problem: Exception) -> JSONResponse:
        return JSONResponse({"error": NO_ROUTE}, status_code=404)

    async def fault(_request: Request, _problem: Exception) -> JSONResponse:
        return JSONResponse({"error": FAULT}, status_code=500)

    return Starlette(
        routes=[Route("/signals", signals, methods=["POST"])],
        exception_handlers={404: nothing, 405: nothing, 500: fault},
    )


def _refuse_stranger(request: Request, token: str | None) -> None:
    """Refuse who does not show the token; the comparison takes as long for every wrong one."""
    if token is None:
        raise _RefusedError(404, NOT_OPEN)
    kind, _, shown = request.headers.get("authorization", "").partition(" ")
    right = compare_digest(shown.strip().encode(), token.encode())
    if kind.casefold() != "bearer" or not right:
        raise _RefusedError(401, NOT_YOU)


async def _body(request: Request) -> bytes:
    """Return the body, and stop reading at once where it is too big."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise _RefusedError(413, TOO_BIG)
    return bytes(body)


def _document(body: bytes) -> Any:  # noqa: ANN401 - any JSON value
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except (UnicodeDecodeError, ValueError, RecursionError) as problem:
        raise _RefusedError(400, NOT_JSON) from problem


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _signals(document: Any) -> list[ReportedSignal]:  # noqa: ANN401 - any JSON value
    """Return the signals of a document: one, or a list of them."""
    items = document if isinstance(document, list) else [document]
    if len(items) > MOST_SIGNALS:
        raise _RefusedError(413, TOO_MANY)
    return [_signal(index, item) for index, item in enumerate(items)]


def _signal(index: int, item: Any) -> ReportedSignal:  # noqa: ANN401 - any JSON value
    try:
        return ReportedSignal.model_validate_json(json.dumps(item))
    except ValidationError as problem:
        first = problem.errors()[0]
        field = str(first["loc"][0]) if first["loc"] else None
        said = f"Nothing was stored: signal {index + 1}: {first_problem(problem)}."
        raise _RefusedError(422, said, field=field, index=index) from problem


def _report(workspace: Callable[[], Workspace], signals: list[ReportedSignal]) -> dict[str, int]:
    """Store the signals; return how many were new."""
    try:
        received = report_signals(workspace(), signals, now=datetime.now(UTC))
    except UnknownAnswerError as problem:
        raise _RefusedError(422, str(problem), field="answer_id", index=problem.index) from problem
    except CurationError as problem:
        raise _RefusedError(503, str(problem)) from problem
    return received.model_dump()
