"""What a provider's refusals and failures mean: their kind, whether to try again, and when."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from curation.domain.judging import FailureKind
from curation.judge.protocol import CallError

_MOST_SAID = 300
_REFUSED = frozenset({401, 403, 404})
_PASSES = frozenset({408, 409, 425})
_HIDDEN = "[the key]"


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
