"""Who holds answers until when, in words."""

from collections.abc import Iterable, Sequence
from datetime import tzinfo

from curation.domain.queue import HeldAnswer
from curation.ui.moments import clock


def held_sentence(held: Sequence[HeldAnswer], zone: tzinfo) -> str:
    """Return who holds what until when: `2 held: Rob Oduya, until 10:42 and 10:47`."""
    if not held:
        return ""
    holders = (f"{name}, until {times}" for name, times in _people(held, zone).items())
    return f"{len(held)} held: {'; '.join(holders)}"


def holders_until(held: Sequence[HeldAnswer], zone: tzinfo) -> str:
    """Return `Rob Oduya until 10:42, Ana Ruiz until 10:47.`, empty where nothing is held."""
    parts = [f"{name} until {times}" for name, times in _people(held, zone).items()]
    return f"{', '.join(parts)}." if parts else ""


def _people(held: Iterable[HeldAnswer], zone: tzinfo) -> dict[str, str]:
    """Return each holder with the times, whoever's hold ends first at the front."""
    found: dict[str, list[str]] = {}
    for one in sorted(held, key=lambda item: item.lease.until):
        found.setdefault(one.lease.person.name, []).append(clock(one.lease.until, zone))
    return {name: _times(times) for name, times in found.items()}


def _times(times: Iterable[str]) -> str:
    """Return `10:42`, `10:42 and 10:47`, or of several the first and the last."""
    known = list(dict.fromkeys(times))
    return " to ".join((known[0], known[-1])) if len(known) > 2 else " and ".join(known)
