"""Words of a search that the index does not know, read as the known ones they are near."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import tantivy
from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

_SHORT, _LONG = (
    4,
    8,
)  # letters: shorter words are never read otherwise, longer ones may have two slips
_MOST_TERMS = 20_000  # the most frequent words with the same first letter are compared
_MOST_READINGS = 3
_LEAST_TYPED = 3


class Terms(Protocol):
    """The words that some text of the corpus has."""

    def known(self, word: str) -> bool:
        """Return whether some text has the word."""

    def beginning(self, start: str, most: int) -> Sequence[str]:
        """Return the most frequent words that begin so."""


class TantivyTerms:
    """The words of a tantivy index."""

    def __init__(self, searcher: tantivy.Searcher) -> None:
        self._searcher = searcher

    def known(self, word: str) -> bool:
        """Return whether some text or title has the word."""
        return any(self._searcher.doc_freq(field, word) > 0 for field in ("text", "title"))

    def beginning(self, start: str, most: int) -> Sequence[str]:
        """Return the most frequent words of texts that begin so."""
        found = self._searcher.terms_with_prefix("text", start, limit=most)
        return [term for term, _ in found]


def known_words(terms: Terms, words: Sequence[str]) -> tuple[str, ...]:
    """Return the words, each that no text has replaced by the nearest that some have."""
    found: dict[str, None] = {}
    for at, word in enumerate(words):
        readings = _readings(terms, word, last=at == len(words) - 1)
        found |= dict.fromkeys(readings)
    return tuple(found)


def _readings(terms: Terms, word: str, *, last: bool) -> Sequence[str]:
    if not word.isalpha() or terms.known(word):
        return (word,)
    if last and len(word) >= _LEAST_TYPED:
        begun = terms.beginning(word, _MOST_READINGS)
        if begun:
            return begun
    return list(_near(terms, word)) or (word,)


def _near(terms: Terms, word: str) -> Iterator[str]:
    """Yield the known words with one or two slips and the same first letter, nearest first."""
    if len(word) < _SHORT:
        return
    slips = 2 if len(word) >= _LONG else 1
    known = [term for term in terms.beginning(word[0], _MOST_TERMS) if term.isalpha()]
    near = extract(word, known, scorer=OSA.distance, score_cutoff=slips, limit=_MOST_READINGS)
    best = near[0][1] if near else 0
    yield from (term for term, distance, _ in near if distance == best)
