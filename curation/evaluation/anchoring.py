"""Where the evidence of a case stands in the corpus as it is now, decided without looking it up."""

import re
from collections.abc import Sequence
from enum import StrEnum

from rapidfuzz import fuzz

from curation.domain.base import Value
from curation.domain.case import Evidence
from curation.domain.chunk import Chunk, text_sha256
from curation.domain.segments import snap
from curation.domain.word_diff import Segment, word_diff
from curation.domain.wording import word_list
from curation.evaluation.succession import NewerValue, newer_value
from curation.metrics.hits import QUOTE_SHARE, holds_words, words_held
from curation.metrics.versions import same_version

__all__ = ["Anchor", "EvidenceState", "Nearest", "NewerValue", "anchor"]

LIKE = 60.0  # a passage that is less like the quote is another passage
_MOST_COMPARED = 400  # chunks of one document that are read for the nearest passage


class EvidenceState(StrEnum):
    """What became of the evidence of a case."""

    INTACT = "intact"
    MOVED = "moved"
    CHANGED = "changed"
    GONE = "gone"
    SUPERSEDED = "superseded"


class Nearest(Value):
    """The passage that is most like a quote that stands nowhere any more, and what differs."""

    chunk_id: str
    text: str
    likeness: float
    diff: tuple[Segment, ...]


class Anchor(Value):
    """Where one piece of evidence stands.

    Attributes:
        state: what became of it.
        proposed_chunk_id: the chunk of the same document and version that holds the quote now.
        proposed_quote: the quote as that chunk writes it.
        also_in: other chunks that hold it too: overlapping ones, or the same words elsewhere.
        split_over: two chunks that hold the words only together.
        nearest: what is most like the quote, where no chunk holds it.
        newer: the value that a newer version of the document gives.
    """

    state: EvidenceState
    proposed_chunk_id: str | None = None
    proposed_quote: str | None = None
    also_in: tuple[str, ...] = ()
    split_over: tuple[str, ...] = ()
    nearest: Nearest | None = None
    newer: NewerValue | None = None


def anchor(item: Evidence, document: Sequence[Chunk], picked_from: str | None = None) -> Anchor:
    """Return where a piece of evidence stands in its document.

    Args:
        item: the evidence.
        document: the chunks of its document in every version.
        picked_from: the text that the quote was picked from, where it is still known.
    """
    own = [chunk for chunk in document if _is_own(item, chunk)]
    here = next((chunk for chunk in own if chunk.chunk_id == item.chunk_id), None)
    quote = item.quote.strip() or (picked_from or "").strip()
    if here is not None and _holds(item, here):
        newer = newer_value(item.quote, here, document)
        state = EvidenceState.INTACT if newer is None else EvidenceState.SUPERSEDED
        return Anchor(state=state, newer=newer)
    holding = _holding(quote, own)
    if holding:
        return _moved(item, holding, document, picked_from)
    return _lost(quote, own)


def _is_own(item: Evidence, chunk: Chunk) -> bool:
    """Return whether a chunk is of the evidence's document and version."""
    return chunk.doc_id == item.doc_id and (
        chunk.doc_version == item.doc_version or same_version(chunk.doc_version, item.doc_version)
    )


def _holds(item: Evidence, chunk: Chunk) -> bool:
    """Return whether the chunk still proves what it did; without a quote its text must be equal."""
    if item.quote.strip():
        return item.quote in chunk.text
    return item.chunk_sha256 in (None, text_sha256(chunk.text))


def _holding(quote: str, own: Sequence[Chunk]) -> list[tuple[Chunk, str]]:
    """Return the chunks that hold a quote, and the quote as each writes it.

    The very words are looked for first; then words that differ in case, spaces and marks.
    """
    exact = [(chunk, quote) for chunk in own if quote and quote in chunk.text]
    if exact:
        return exact
    words = frozenset(word_list(quote))
    likely = [c for c in own if words and words <= frozenset(word_list(c.text))]
    found = [(c, _as_written(quote, c.text)) for c in likely if holds_words(quote, c.text)]
    return [(chunk, written) for chunk, written in found if written is not None]


def _moved(
    item: Evidence,
    holding: Sequence[tuple[Chunk, str]],
    document: Sequence[Chunk],
    picked_from: str | None,
) -> Anchor:
    """Return the chunk to re-anchor to: the one most like the text the quote was picked from."""
    around = picked_from if len(holding) > 1 else None
    best, written = max(holding, key=lambda pair: _fitness(pair[1], pair[0], around))
    quote = written if item.quote.strip() else ""
    return Anchor(
        state=EvidenceState.MOVED,
        proposed_chunk_id=best.chunk_id,
        proposed_quote=quote,
        also_in=tuple(chunk.chunk_id for chunk, _ in holding if chunk is not best),
        newer=newer_value(quote, best, document),
    )


def _fitness(quote: str, chunk: Chunk, picked_from: str | None) -> tuple[float, float]:
    """Return how well a chunk fits: by the text around the quote, then by how central it is."""
    around = fuzz.partial_ratio(picked_from, chunk.text) if picked_from else 0.0
    at = chunk.text.find(quote)
    if at < 0:
        return around, -1.0
    return around, float(min(at, len(chunk.text) - at - len(quote)))


def _as_written(quote: str, text: str) -> str | None:
    """Return the quote as a text writes it, whatever its spaces, case and marks; None if not."""
    spaced = r"\s+".join(map(re.escape, quote.split()))
    marked = r"[\W_]+".join(map(re.escape, word_list(quote)))
    for pattern in (spaced, marked):
        found = re.search(pattern, text, re.IGNORECASE) if pattern else None
        if found:
            return found.group()
    return None


def _lost(quote: str, own: Sequence[Chunk]) -> Anchor:
    """Return what is left of a quote that no chunk of its document and version holds."""
    if not own or not quote:
        return Anchor(state=EvidenceState.GONE)
    compared = own[:_MOST_COMPARED]
    split = _split_over(quote, compared)
    best = max(compared, key=lambda chunk: fuzz.partial_ratio(quote, chunk.text))
    nearest = _nearest(quote, best)
    if nearest.likeness < LIKE and not split:
        return Anchor(state=EvidenceState.GONE)
    return Anchor(state=EvidenceState.CHANGED, split_over=split, nearest=nearest)


def _nearest(quote: str, chunk: Chunk) -> Nearest:
    """Return the stretch of a chunk that is most like the quote."""
    found = fuzz.partial_ratio_alignment(quote, chunk.text)
    if found is None or len(quote) > len(chunk.text):
        passage, likeness = chunk.text, fuzz.ratio(quote, chunk.text)
    else:
        passage = snap(chunk.text, found.dest_start, found.dest_end).of(chunk.text)
        likeness = found.score
    return Nearest(
        chunk_id=chunk.chunk_id,
        text=passage,
        likeness=round(likeness, 1),
        diff=word_diff(quote, passage),
    )


def _split_over(quote: str, own: Sequence[Chunk]) -> tuple[str, ...]:
    """Return the two chunks that hold the words of a quote only together, if two do."""
    held = [(chunk.chunk_id, words_held(quote, chunk.text)) for chunk in own]
    count = held[0][1][0]
    first, (_, words) = max(held, key=lambda pair: len(pair[1][1]))
    second, (_, rest) = max(held, key=lambda pair: len(pair[1][1] | words))
    if first == second or not count or len(words | rest) < QUOTE_SHARE * count:
        return ()
    return (first, second)
