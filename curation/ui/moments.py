"""Dates and times as people read them, in the reader's own time zone."""

from datetime import UTC, datetime, timedelta, tzinfo

from curation.domain.plain_day import plain_day

NO_DATE = "no date"  # what a commit by hand may have


def clock(moment: datetime, zone: tzinfo) -> str:
    """Return the time of day: `10:42`."""
    return f"{moment.astimezone(zone):%H:%M}"


def day(moment: datetime, zone: tzinfo) -> str:
    """Return the date: `27 Nov 2026`."""
    return plain_day(moment.astimezone(zone))


def short_day(moment: datetime, zone: tzinfo) -> str:
    """Return the date without its year: `26 Nov`."""
    local = moment.astimezone(zone)
    return f"{local.day} {local:%b}"


def day_and_clock(moment: datetime, zone: tzinfo) -> str:
    """Return date and time: `26 Nov, 14:02`."""
    local = moment.astimezone(zone)
    return f"{local.day} {local:%b}, {local:%H:%M}"


def date_and_clock(moment: datetime, zone: tzinfo) -> str:
    """Return date with its year, and time: `26 Nov 2026, 14:02`."""
    return f"{day(moment, zone)}, {clock(moment, zone)}"


def ago(moment: datetime, now: datetime) -> str:
    """Return how long ago it was, roughly: `2 h ago`, `yesterday`, `3 days ago`."""
    gone = now.astimezone(UTC) - moment.astimezone(UTC)
    if gone < timedelta(minutes=1):
        return "just now"
    if gone < timedelta(hours=1):
        return f"{int(gone.total_seconds() // 60)} min ago"
    if gone < timedelta(hours=24):
        return f"{int(gone.total_seconds() // 3600)} h ago"
    return "yesterday" if gone.days == 1 else f"{gone.days} days ago"
