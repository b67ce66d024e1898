"""Words of a text as the index knows them; whatever a person types is only ever words."""

import re
from functools import lru_cache

import tantivy

MOST_WORDS = 64
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile(
    "([\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff])"
)


@lru_cache(maxsize=1)
def analyzer() -> tantivy.TextAnalyzer:
    """Return how texts are cut: words without case, accents and English endings."""
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(200))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )


def indexed(text: str) -> str:
    """Return the text as it is indexed: scripts without spaces are cut into characters."""
    return text if text.isascii() else _UNSPACED.sub(r" \1 ", text)


def words_of(text: str) -> tuple[str, ...]:
    """Return the distinct words of a search, in order, at most 64."""
    found = dict.fromkeys(analyzer().analyze(_clean(indexed(text))))
    return tuple(found)[:MOST_WORDS]


def spans_of(text: str, words: frozenset[str]) -> tuple[tuple[int, int], ...]:
    """Return where the words stand in a text, as code points."""
    return tuple(
        span for match in _WORD.finditer(text) for span in _spans_in(match[0], match.start(), words)
    )


def _spans_in(run: str, start: int, words: frozenset[str]) -> list[tuple[int, int]]:
    """Return the spans in one run of letters and digits."""
    if not _UNSPACED.search(run):
        return [(start, start + len(run))] if _stem(run) in words else []
    return [
        (start + place, start + place + 1) for place, char in enumerate(run) if _stem(char) in words
    ]


@lru_cache(maxsize=65536)
def _stem(run: str) -> str:
    """Return a word as the index knows it."""
    found = analyzer().analyze(_clean(run))
    return str(found[0]) if found else ""


def _clean(text: str) -> str:
    """Return the text without what cannot be UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")
