"""Days, in the words of every layer."""

from datetime import date


def plain_day(found: date) -> str:
    """Return a date that has no time: `2 Nov 2026`."""
    return f"{found.day} {found:%b %Y}"
