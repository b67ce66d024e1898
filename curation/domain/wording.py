"""Words of a text compared with other texts: what is quoted, and how much a text was reworded."""

import re
from collections.abc import Sequence

from rapidfuzz.distance import Indel
from rapidfuzz.fuzz import ratio

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)*|[^\w\s]?\d+|_+")
_NUMBER = re.compile(r"\w*\d[\w.,:/-]*")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|without|cannot|neither|nor|except|unless)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\w+(?:[.'\u2019-]\w+)*")
_SAY_LITTLE = frozenset({
    "a", "an", "the", "and", "or", "but", "if", "in", "on", "at", "of", "to", "for", "from", "by",
    "with", "as", "is", "are", "was", "were", "be", "been", "am", "do", "does", "did", "has",
    "have", "had", "can", "could", "will", "would", "shall", "should", "may", "might", "must",
    "it", "its", "this", "that", "these", "those", "i", "you", "he", "she", "we", "they", "me",
    "my", "your", "our", "their", "what", "which", "who", "whom", "whose", "when", "where", "why",
    "how", "not", "no", "yes", "there", "here", "so", "than", "then", "too", "very", "just",
    "about", "into", "over", "under", "any", "some", "all", "each", "please", "tell",
})  # fmt: skip
_SPACES = re.compile(r"\s+")
SPELLING = 0.9  # at least as similar: the same question, spelled otherwise
_RUN = 3  # fewer words in a row are found anywhere


def word_list(text: str) -> list[str]:
    """Return the words and numbers of a text in lower case."""
    return _WORD.findall(text.casefold())


def telling_words(text: str) -> frozenset[str]:
    """Return the words of a text that say what it is about: not "the", "what", "does"."""
    return frozenset(_TOKEN.findall(text.casefold())) - _SAY_LITTLE


def quoted_words(text: str, sources: Sequence[str]) -> list[bool]:
    """Return for each word of a text whether it stands in a source in a run of three or more.

    A text or a source that is shorter than that counts as a run of its own.
    """
    words = word_list(text)
    found = [False] * len(words)
    for source in sources:
        others = word_list(source)
        least = min(_RUN, len(words), len(others))
        for start, end in _runs(words, others, least):
            found[start:end] = [True] * (end - start)
    return found


def _runs(words: list[str], others: list[str], least: int) -> list[tuple[int, int]]:
    """Return the runs of at least so many words that stand in the other list too."""
    if least == 0:
        return []
    known = {tuple(others[at : at + least]) for at in range(len(others) - least + 1)}
    return [
        (at, at + least)
        for at in range(len(words) - least + 1)
        if tuple(words[at : at + least]) in known
    ]


def is_quoted(text: str, sources: Sequence[str]) -> bool:
    """Return whether every word of a text stands inside the sources."""
    words = quoted_words(text, sources)
    return bool(words) and all(words)


def unquoted_share(text: str, sources: Sequence[str], other: str) -> tuple[int, float]:
    """Return how many words no source holds, and which share of them another text has in order."""
    words = word_list(text)
    free = [w for w, quoted in zip(words, quoted_words(text, sources), strict=True) if not quoted]
    if not free:
        return 0, 0.0
    others = word_list(other)
    common = (len(free) + len(others) - Indel.distance(free, others)) / 2
    return len(free), common / len(free)


def anchors(text: str) -> frozenset[str]:
    """Return the numbers, versions and flags of a text: what makes similar questions differ."""
    flat = text.casefold()
    flags = re.findall(r"(?<!\w)--?[a-z][\w-]+|\b\w+(?:_\w+)+\b", flat)
    return frozenset({mark.strip(".,:/-") for mark in _NUMBER.findall(flat)} | set(flags))


def negated(text: str) -> bool:
    """Return whether a text denies something: an odd number of negations."""
    return len(_NEGATION.findall(text)) % 2 == 1


def same_spelling(before: str, after: str) -> bool:
    """Return whether a text changed in its spelling at most (measures.md section 1).

    Similarity of 0.9 or more, and every number, version and negation the same.
    """
    if before == after:
        return True
    old, new = (_SPACES.sub(" ", text.casefold()).strip() for text in (before, after))
    if anchors(old) != anchors(new) or negated(old) != negated(new):
        return False
    return ratio(old, new) >= 100 * SPELLING
