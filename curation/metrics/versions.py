"""Versions named in a text, and whether two names mean the same one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from curation.metrics.normalise import fold

__all__ = ["VersionMention", "normal_version", "same_version", "versions_in"]


@dataclass(frozen=True, kw_only=True)
class VersionMention:
    """A version as written, where it stands, and its plain form: `v4.2` is `4.2`."""

    token: str
    span: tuple[int, int]
    normalised: str


_BODY = r"\d{1,6}(?:\.\d{1,6}){0,5}(?:\.x)?(?:-(?:rc|alpha|beta|dev)[.-]?\d{0,4})?"
_MENTION = re.compile(
    rf"(?<![\w-])(?:version|versions|release|releases|ver\.?|v)\s?({_BODY})(?![\w])"
    rf"|(?<![\w.,$-])(\d{{1,4}}(?:\.(?:\d{{1,4}}|x)){{1,5}})(?![\w]|[.,]\d|\s?%)"
)
_PREFIX = re.compile(r"^(?:version|release|ver\.?|v)?\s*")


def normal_version(name: str) -> str:
    """Return the plain form of a version name: case, a leading v and spaces do not count."""
    flat = fold(name).text.strip()
    return _PREFIX.sub("", flat).removesuffix(".x")


def same_version(a: str | None, b: str | None) -> bool:
    """Return whether two names mean the same version; 4.2 is v4.2 and is not 4.20."""
    if a is None or b is None:
        return a is b
    return normal_version(a) == normal_version(b)


def versions_in(text: str) -> tuple[VersionMention, ...]:
    """Return the versions that a question names, in order."""
    folded = fold(text)
    found: list[VersionMention] = []
    for match in _MENTION.finditer(folded.text):
        start, end = folded.span(*match.span())
        body = match[1] or match[2]
        found.append(
            VersionMention(
                token=text[start:end], span=(start, end), normalised=body.removesuffix(".x")
            )
        )
    return tuple(found)
