"""Versions named in a text, and whether two names mean the same one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from curation.metrics.anchors import Quantity, QuantityKind
from curation.metrics.items import Item, read_items
from curation.metrics.lexicon import word_set
from curation.metrics.normalise import fold

__all__ = ["VersionMention", "normal_version", "same_version", "versions_in"]


@dataclass(frozen=True, kw_only=True)
class VersionMention:
    """A version as written, where it stands, and its plain form: `v4.2` is `4.2`."""

    token: str
    span: tuple[int, int]
    normalised: str


_PREFIX = re.compile(r"^(?:versions?|releases?|ver\.?|v\.?)[\s_-]*(?=\d)")


@lru_cache(maxsize=4096)
def normal_version(name: str) -> str:
    """Return the plain form of a version name: case, a leading v and spaces do not count."""
    flat = fold(name).text.strip()
    return _PREFIX.sub("", flat).removesuffix(".x")


def same_version(a: str | None, b: str | None) -> bool:
    """Return whether two names mean the same version; 4.2 is v4.2 and is not 4.20."""
    if a is None or b is None:
        return a is b
    return normal_version(a) == normal_version(b)


_ASKED = word_set("is does do can are will was did has have between why")
_PRODUCTS = frozenset({"python", "java", "windows", "android", "ios"})


def versions_in(text: str) -> tuple[VersionMention, ...]:
    """Return the versions that a question names, in order."""
    items = read_items(text)[1]
    found: list[VersionMention] = []
    for at, item in enumerate(items):
        quantity = item.quantity
        if quantity is not None and _is_version(items, at, quantity):
            name = next(iter(quantity.keys), quantity.version_key)
            found.append(VersionMention(token=quantity.text, span=quantity.span, normalised=name))
    return tuple(found)


def _is_version(items: tuple[Item, ...], at: int, quantity: Quantity) -> bool:
    if quantity.kind is QuantityKind.VERSION:
        return len(next(iter(quantity.keys), "").split(".")) != 4
    if quantity.kind is not QuantityKind.NUMBER or quantity.unit or not quantity.version_key:
        return False
    before = items[at - 1] if at else None
    if "." not in quantity.version_key:
        return before is not None and before.text in _PRODUCTS and not quantity.nouns
    asked = at <= 1 and (before is None or before.text in _ASKED)
    return quantity.named or asked
