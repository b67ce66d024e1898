"""Passages compared: where to start reading, the same line in another version, what differs."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log
from typing import NamedTuple

from rapidfuzz.distance import Indel, Opcode

from curation.domain.segments import Span, sentences
from curation.domain.wording import telling_words

_COMPARED = re.compile(r"\d[\d.,]*\d|\w+|[^\w\s]")
SAME_LINE = 0.6  # two lines share at least so much of their words
_AS_GOOD = 0.5  # a sentence of the version asked for needs half of the best score
_NEAR_BEST = 0.05
_CONTEXT = 400  # code points around a line that tell two equal lines apart


class Passage(NamedTuple):
    """A chunk's text and version."""

    text: str
    doc_version: str | None = None


class Place(NamedTuple):
    """A sentence of one of several chunks."""

    chunk: int
    sentence: int


def start_sentence(
    question: str,
    correction: str,
    chunks: Sequence[Passage],
    asked_version: str | None = None,
) -> Place | None:
    """Return the sentence that shares the rarest words with the question and the correction.

    A word weighs the more the fewer sentences hold it. A sentence of the version asked for is
    preferred to a better one of another version unless that is twice as good. None without text.
    """
    wanted = _telling(question) | _telling(correction)
    spans = [sentences(chunk.text) for chunk in chunks]
    tokens = {
        Place(at, number): _telling(span.of(chunk.text))
        for at, chunk in enumerate(chunks)
        for number, span in enumerate(spans[at])
    }
    if not tokens:
        return None
    shared = {place: _whole(words & wanted) for place, words in tokens.items()}
    held = Counter(word for words in shared.values() for word in words)
    weight = {word: log(1 + len(tokens) / count) for word, count in held.items()}
    scores = {place: sum(map(weight.__getitem__, sorted(shared[place]))) for place in tokens}
    return _best(scores, chunks, asked_version)


def _whole(words: frozenset[str]) -> frozenset[str]:
    """Return the words without the parts of those that are put together."""
    parts = {part for word in words for part in _parts(word) if part != word}
    return words - parts


def _parts(word: str) -> list[str]:
    return [part for part in re.split(r"[-_]", word) if len(part) > 1]


def _best(
    scores: dict[Place, float], chunks: Sequence[Passage], asked_version: str | None
) -> Place:
    """Return the first place with the best score, of the version asked for if that does."""
    best = max(scores, key=lambda place: (scores[place], -place.chunk, -place.sentence))
    if asked_version is None:
        return best
    wanted = _plain_version(asked_version)
    asked = [p for p in scores if _plain_version(chunks[p.chunk].doc_version or "") == wanted]
    if not asked:
        return best
    own = max(asked, key=lambda place: (scores[place], -place.chunk, -place.sentence))
    return own if scores[own] >= _AS_GOOD * scores[best] else best


def _plain_version(name: str) -> str:
    return name.casefold().strip().removeprefix("version").strip().removeprefix("v").strip()


def _telling(text: str) -> frozenset[str]:
    """Return the words of a text that say something, with the parts of those put together."""
    words = telling_words(text)
    return words | {part for word in words for part in _parts(word)}


def counterpart(sentence: str, other: str, *, before: str = "", after: str = "") -> Span | None:
    """Return the line of another version's passage that says the same thing, perhaps differently.

    Args:
        sentence: the line, or some words of it.
        other: the passage of the other version.
        before: what stands before the line in its own passage; tells equal lines apart.
        after: what stands after it.
    """
    spans = sentences(other)
    wanted = _tokens(sentence)
    if not spans or not wanted:
        return None
    likeness = [Indel.normalized_similarity(wanted, _tokens(span.of(other))) for span in spans]
    best = max(likeness)
    if best < SAME_LINE:
        return None
    near = [at for at, value in enumerate(likeness) if value >= best - _NEAR_BEST]
    if len(near) == 1:
        return spans[near[0]]
    around = _tokens(before[-_CONTEXT:]), _tokens(after[:_CONTEXT])
    return spans[max(near, key=lambda at: (_context(around, spans[at], other), likeness[at], -at))]


def _context(around: tuple[list[str], list[str]], span: Span, other: str) -> float:
    """Return how much what stands around a line is like what stands around the wanted one."""
    own = _tokens(other[max(0, span.start - _CONTEXT) : span.start])
    following = _tokens(other[span.end : span.end + _CONTEXT])
    return Indel.normalized_similarity(around[0], own) + Indel.normalized_similarity(
        around[1], following
    )


def counterpart_words(picked: Span, sentence: str, other: str) -> Span | None:
    """Return the words of another line that stand where the picked words stand in this one.

    Args:
        picked: the picked part of `sentence`.
        sentence: the line that words were picked from.
        other: the line that says the same in another version.
    """
    own, others = _spans(sentence), _spans(other)
    inside = [at for at, s in enumerate(own) if s.start < picked.end and s.end > picked.start]
    if not inside:
        return None
    steps = Indel.opcodes(
        [s.of(sentence).casefold() for s in own], [s.of(other).casefold() for s in others]
    )
    found = [at for step in steps for at in _standing_for(step, inside[0], inside[-1] + 1)]
    return Span(others[min(found)].start, others[max(found)].end) if found else None


def _standing_for(step: Opcode, first: int, last: int) -> range:
    """Return the tokens of the other line that one step has for the tokens first to last."""
    if step.tag == "insert" and first <= step.src_start <= last:
        return range(step.dest_start, step.dest_end)
    if step.tag == "equal":
        shift = step.dest_start - step.src_start
        return range(max(step.src_start, first) + shift, min(step.src_end, last) + shift)
    return range(0)


def differing_words(text: str, other: str) -> tuple[Span, ...]:
    """Return the words of a text that do not stand in the same place of the other one."""
    own = _spans(text)
    steps = Indel.opcodes([s.of(text).casefold() for s in own], _tokens(other))
    differing = [
        own[at]
        for step in steps
        if step.tag == "delete"
        for at in range(step.src_start, step.src_end)
    ]
    return tuple(_joined(text, differing))


def _joined(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return the spans, with neighbours put together."""
    joined: list[Span] = []
    for span in spans:
        if joined and not text[joined[-1].end : span.start].strip():
            joined[-1] = Span(joined[-1].start, span.end)
        else:
            joined.append(span)
    return joined


def _spans(text: str) -> list[Span]:
    return [Span(match.start(), match.end()) for match in _COMPARED.finditer(text)]


def _tokens(text: str) -> list[str]:
    return _COMPARED.findall(text.casefold())
