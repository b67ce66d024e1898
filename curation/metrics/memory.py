"""Results kept for texts that come again, few of them for long texts."""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["remembered"]

T = TypeVar("T")

_LONG = 20_000
_LONG_TEXTS = 2


def remembered(size: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Return a decorator that keeps the results for `size` short texts and two long ones.

    The index of a text takes some hundred times its length; a page asks for the same one at
    every key.
    """

    def decorate(read: Callable[[str], T]) -> Callable[[str], T]:
        short, long = lru_cache(size)(read), lru_cache(_LONG_TEXTS)(read)

        @wraps(read)
        def recalled(text: str) -> T:
            return short(text) if len(text) <= _LONG else long(text)

        return recalled

    return decorate
