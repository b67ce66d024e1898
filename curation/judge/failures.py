"""What a provider's refusals and failures mean: their kind, whether to try again, and when."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from curation.domain.judging import FailureKind
from curation.judge.clients import Access
from curation.judge.protocol import CallError

_MOST_SAID = 300
_REFUSED = frozenset({401, 403, 404})
_PASSES = frozenset({408, 409, 425})
_HIDDEN = "[the key]"


@contextmanager
def told_as_calls(provider: Any, access: Access) -> Iterator[None]:  # noqa: ANN401 - a package
    """Turn what a provider's package raises into a `CallError`; both name it alike."""
    try:
        yield
    except provider.APITimeoutError as problem:
        said = f"no reply within {access.timeout_s:g} s"
        raise CallError(FailureKind.TIME_OUT, said, again=True) from problem
    except provider.APIStatusError as problem:
        said = without_key(problem.message, access.key.secret)
        headers = problem.response.headers
        raise of_status(problem.status_code, headers, said, now=datetime.now(UTC)) from problem
    except provider.APIError as problem:
        said = without_key(str(problem.__cause__ or problem), access.key.secret)
        raise CallError(FailureKind.API, said, again=True) from problem


def of_status(status: int, headers: Mapping[str, str], said: str, *, now: datetime) -> CallError:
    """Return what an HTTP status other than success means."""
    told = f"HTTP {status}: {said}"
    pause = retry_after(headers, now=now)
    if status == 429:
        return CallError(FailureKind.RATE_LIMIT, told, again=True, pause=pause)
    if status in {408, 504}:
        return CallError(FailureKind.TIME_OUT, told, again=True, pause=pause)
    again = status >= 500 or status in _PASSES
    refused = status in _REFUSED
    return CallError(FailureKind.API, told, again=again, refused=refused, pause=pause)


def retry_after(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Return the seconds that a server asks to wait, given as seconds or as a date."""
    given = headers.get("retry-after", "").strip()
    try:
        seconds = float(given)
    except ValueError:
        return _until(given, now)
    return seconds if 0 <= seconds < float("inf") else None


def _until(date: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def without_key(text: str, key: str) -> str:
    """Return a short text of a server in which the key does not stand."""
    flat = " ".join(text.split())
    return (flat.replace(key, _HIDDEN) if key else flat)[:_MOST_SAID]


def tokens(usage: object, name: str) -> int:
    """Return a count of tokens as a server reports it; 0 where it does not."""
    found = getattr(usage, name, 0)
    return found if isinstance(found, int) and found > 0 else 0
