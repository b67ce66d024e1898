"""Words of a search that the index does not know, read as the known ones they are near."""

from collections.abc import Iterator, Sequence

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


def known_words(searcher: tantivy.Searcher, words: Sequence[str]) -> tuple[str, ...]:
    """Return the words, each that no text has replaced by the nearest that some have."""
    found: dict[str, None] = {}
    for at, word in enumerate(words):
        readings = _readings(searcher, word, last=at == len(words) - 1)
        found |= dict.fromkeys(readings)
    return tuple(found)


def _readings(searcher: tantivy.Searcher, word: str, *, last: bool) -> Sequence[str]:
    if not word.isalpha() or _is_known(searcher, word):
        return (word,)
    if last and len(word) >= _LEAST_TYPED:
        begun = searcher.terms_with_prefix("text", word, limit=_MOST_READINGS)
        if begun:
            return [term for term, _ in begun]
    return list(_near(searcher, word)) or (word,)


def _is_known(searcher: tantivy.Searcher, word: str) -> bool:
    return any(searcher.doc_freq(field, word) > 0 for field in ("text", "title"))


def _near(searcher: tantivy.Searcher, word: str) -> Iterator[str]:
    """Yield the known words with one or two slips and the same first letter, nearest first."""
    if len(word) < _SHORT:
        return
    slips = 2 if len(word) >= _LONG else 1
    terms = searcher.terms_with_prefix("text", word[0], limit=_MOST_TERMS)
    known = [term for term, _ in terms if term.isalpha()]
    near = extract(word, known, scorer=OSA.distance, score_cutoff=slips, limit=_MOST_READINGS)
    best = near[0][1] if near else 0
    yield from (term for term, distance, _ in near if distance == best)
