"""Terse answers read together with their question: "It is 60 s." says what was asked for.

Only a sentence that holds one value and no words of its own is read so. "The connect timeout is
60 s." is not: it has a subject, and what it says of another one must not be borrowed from the
question.
"""

import re
from functools import lru_cache

from curation.domain.segments import Span, sentences
from curation.metrics import quantities
from curation.metrics.normalise import fold
from curation.metrics.versions import versions_in

__all__ = ["bare_values", "statement_of"]

_MOST = 120  # code points of a sentence that has no words of its own
_WORD = re.compile(r"[^\W\d_]+")
_NO_WORDS_OF_ITS_OWN = frozenset({
    "it", "its", "is", "was", "are", "be", "the", "a", "an", "that", "this", "s", "answer", "value",
    "exactly", "about", "yes", "set", "to", "in", "for", "of", "at", "here", "version", "v", "you",
    "asked",
})  # fmt: skip


@lru_cache(maxsize=1024)
def bare_values(text: str, question: str) -> tuple[Span, ...]:
    """Return the sentences that hold one value and nothing else but what the question names."""
    asked = {mention.normalised for mention in versions_in(question)}
    short = (span for span in sentences(text) if span.end - span.start <= _MOST)
    return tuple(span for span in short if _is_bare(span.of(text), asked))


def _is_bare(sentence: str, asked: set[str]) -> bool:
    named = [m.span for m in versions_in(sentence) if m.normalised in asked]
    values = [q.span for q in quantities(sentence) if not _inside(q.span, named)]
    if len(values) != 1:
        return False
    rest = sentence
    for start, end in sorted((*values, *named), reverse=True):
        rest = f"{rest[:start]} {rest[end:]}"
    return set(_WORD.findall(fold(rest).text)) <= _NO_WORDS_OF_ITS_OWN


def _inside(span: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in others)


def statement_of(question: str, sentence: str) -> str:
    """Return a question and the sentence that answers it as one statement."""
    return f"{question.strip().rstrip('?').rstrip()}: {sentence}"
