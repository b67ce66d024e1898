"""Whether two similar questions ask the same: similarity proposes, what they are about decides."""

import re
from functools import lru_cache

from rapidfuzz.fuzz import ratio

from curation.domain.wording import anchors, negated, telling_words

_ASKED = re.compile(r"\b(?:why|whom|whose|who|when|where|how (?:many|much|long|often|far|old))\b")
SAME_WORDS = 0.6  # of all words that say something stand in both
SAME_WORD = 80  # two spellings of one word: "timeout", "time-out"
_OPPOSITES = frozenset(
    frozenset(pair)
    for pair in (
        ("enable", "disable"), ("enabled", "disabled"), ("minimum", "maximum"), ("min", "max"),
        ("before", "after"), ("monthly", "annual"), ("monthly", "yearly"), ("daily", "weekly"),
        ("increase", "decrease"), ("add", "remove"), ("create", "delete"), ("install", "uninstall"),
        ("start", "stop"), ("open", "close"), ("upload", "download"), ("upgrade", "downgrade"),
        ("first", "last"), ("old", "new"), ("read", "write"), ("client", "server"),
        ("import", "export"), ("lower", "upper"), ("lowest", "highest"), ("send", "receive"),
        ("allow", "deny"), ("allow", "forbid"), ("on", "off"), ("true", "false"),
        ("internal", "external"), ("public", "private"), ("buy", "sell"), ("encrypt", "decrypt"),
        ("connect", "disconnect"), ("lock", "unlock"), ("include", "exclude"), ("with", "without"),
    )
)  # fmt: skip


def asked_about(text: str) -> frozenset[str]:
    """Return whether a question asks for a reason, a person, a time, a place or an amount."""
    found = [mark.split() for mark in _ASKED.findall(text.casefold())]
    return frozenset("who" if mark[0].startswith("who") else mark[-1] for mark in found)


@lru_cache(maxsize=65536)
def sorted_words(key: str) -> str:
    """Return the words of a key in alphabetical order, so that their order does not count."""
    return " ".join(sorted(key.split()))


def may_be_same(key: str, other: str) -> bool:
    """Return whether two similar questions agree in numbers, names, negation and subject."""
    if anchors(key) != anchors(other) or negated(key) != negated(other):
        return False
    if asked_about(key) != asked_about(other):
        return False
    own, others = telling_words(key), telling_words(other)
    apart, others_apart = _without_twins(own - others, others - own)
    if apart and others_apart:
        return False  # one subject was put in place of another
    return len(apart | others_apart) <= (1 - SAME_WORDS) * len(own | others)


def _without_twins(
    words: frozenset[str], others: frozenset[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of both sides that have no other spelling on the other side."""
    twins = {
        (a, b)
        for a in words
        for b in others
        if ratio(a, b) >= SAME_WORD and frozenset((a, b)) not in _OPPOSITES
    }
    return words - {a for a, _ in twins}, others - {b for _, b in twins}
