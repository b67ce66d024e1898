"""The ids of the facts, the evidence and the declines of a case."""

from collections.abc import Iterable


def next_id(prefix: str, used: Iterable[str]) -> str:
    """Return the next id with this letter after the highest ever used: ids are never reused."""
    numbers = [int(name[1:]) for name in used if name[:1] == prefix and name[1:].isdecimal()]
    return f"{prefix}{max(numbers, default=0) + 1}"
