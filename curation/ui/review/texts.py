"""Texts as the browser gets them: once each, with sentences, words and hidden characters."""

import hashlib
from collections.abc import Collection, Iterable
from functools import lru_cache

from curation.domain.visible import visible
from curation.ui.review.counterparts import sentence_spans, word_spans

CHUNK_FOLD = 700
ANSWER_FOLD = 4000
_LEAST_FOLDED = 80  # fewer characters are not worth a button

TextDocument = dict[str, object]
Mark = tuple[int, int, str, str]


@lru_cache(maxsize=1024)
def text_id(text: str) -> str:
    """Return the name of a text: equal texts have one name."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@lru_cache(maxsize=1024)
def _document(text: str) -> TextDocument:
    """Return a text with the bounds of its sentences and words, and its hidden signs."""
    return {
        "t": text,
        "n": len(text),
        "s": [bound for span in sentence_spans(text) for bound in span],
        "w": [bound for span in word_spans(text) for bound in span],
        "x": [*_hidden(text)],
    }


def _hidden(text: str) -> Iterable[list[object]]:
    """Yield the hidden characters and what is shown for them; a CR before LF shows nothing."""
    signs = {piece.start: piece.shown for piece in visible(text) if piece.hidden}
    at = text.find("\r\n")
    while at >= 0:
        signs[at] = ""
        at = text.find("\r\n", at + 2)
    for start in sorted(signs):
        yield [start, signs[start]]


class Texts:
    """Collects the texts of one drawing; those that the browser has are named only."""

    def __init__(self, have: Collection[str] = ()) -> None:
        self._have = frozenset(have)
        self._used: dict[str, str] = {}

    def add(self, text: str) -> str:
        """Return the name of a text that the drawing uses."""
        name = text_id(text)
        self._used[name] = text
        return name

    def missing(self) -> dict[str, TextDocument]:
        """Return the texts that the browser does not have yet."""
        return {name: _document(t) for name, t in self._used.items() if name not in self._have}


def fold(text: str, *, limit: int, keep: Collection[int] = ()) -> dict[str, object] | None:
    """Return which sentences of a long text are shown and how many characters are not.

    The first ones up to the limit are, and those to keep; None where nothing is worth folding.
    """
    spans = sentence_spans(text)
    if len(text) <= limit:
        return None
    shown = {i for i, span in enumerate(spans) if span.end <= limit} | set(keep)
    shown |= {0} if spans else set()
    hidden = sum(span.end - span.start for i, span in enumerate(spans) if i not in shown)
    if hidden < _LEAST_FOLDED:
        return None
    return {"sentences": sorted(i for i in shown if i < len(spans)), "hidden": hidden}


def sentences_of(text: str, spans: Iterable[tuple[int, int]]) -> set[int]:
    """Return the sentences that the spans touch."""
    wanted = list(spans)
    return {
        index
        for index, sentence in enumerate(sentence_spans(text))
        if any(start < sentence.end and end > sentence.start for start, end in wanted)
    }
