"""The value that a newer version of a document gives where an older one gave another."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from curation.domain.base import Value
from curation.domain.chunk import Chunk, passage_key
from curation.domain.passages import counterpart, counterpart_words
from curation.domain.segments import Span, sentences
from curation.domain.wording import word_list
from curation.metrics import quantities
from curation.metrics.anchors import Quantity, QuantityKind
from curation.metrics.hits import holds_words
from curation.metrics.versions import normal_version

__all__ = ["NewerValue", "ValueChange", "newer_value", "version_order"]

NEAR_PASSAGE = 60.0  # two chunks less alike are no versions of one passage
_SAME_PLACE = 0.5  # of the words around a line stand around its counterpart too
_CONTEXT = 200  # code points around a line that tell two equal lines apart
_MOST_READ = 5  # chunks of a version that are read for a counterpart
_FEW_WORDS = 4  # a line of fewer words stands in many passages
_LEADING_NUMBERS = re.compile(r"\d+(?:[.\-_]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")
_STATES = (
    frozenset({"true", "false"}),
    frozenset({"on", "off"}),
    frozenset({"yes", "no"}),
    frozenset({"enabled", "disabled"}),
    frozenset({"enable", "disable"}),
    frozenset({"supported", "unsupported", "deprecated", "removed"}),
    frozenset({"required", "optional"}),
    frozenset({"allowed", "forbidden"}),
)


class ValueChange(Value):
    """One value as the older version writes it, and as the newer one does."""

    old: str
    new: str


class NewerValue(Value):
    """What a newer version of a document says in place of a quote.

    Attributes:
        chunk_id: the chunk of the newer version.
        doc_id: its document.
        doc_version: the newer version.
        quote: the words that stand in place of the quoted ones.
        changes: the values that differ, as written.
    """

    chunk_id: str
    doc_id: str
    doc_version: str
    quote: str
    changes: tuple[ValueChange, ...]


@lru_cache(maxsize=1024)
def version_order(version: str | None) -> tuple[int, ...] | None:
    """Return the numbers that a version is ordered by; None where it has none."""
    found = _LEADING_NUMBERS.match(normal_version(version)) if version else None
    return tuple(int(part) for part in re.split(r"[.\-_]", found.group())) if found else None


def newer_value(quote: str, chunk: Chunk, document: Sequence[Chunk]) -> NewerValue | None:
    """Return what the newest version that has the passage says instead; None for nothing else.

    Args:
        quote: the quoted words.
        chunk: the chunk that holds them.
        document: the chunks of the document in every version.
    """
    own = version_order(chunk.doc_version)
    at = chunk.text.find(quote)
    if own is None or at < 0 or not quote.strip():
        return None
    picked = Span(at, at + len(quote))
    line = _line_of(picked, chunk.text)
    for version in _newer_versions(own, document):
        of_version = [other for other in document if other.doc_version == version]
        if _says_the_same(quote, line, chunk, of_version):
            return None
        for other in _nearest_first(line, chunk, of_version):
            words = _words_instead(picked, line, chunk, other)
            if words is not None:
                return _compared(quote, chunk, other, words)
    return None


def _newer_versions(own: tuple[int, ...], document: Sequence[Chunk]) -> list[str]:
    """Return the versions after one, newest first."""
    orders = {c.doc_version: version_order(c.doc_version) for c in document if c.doc_version}
    newer = [(order, version) for version, order in orders.items() if order and order > own]
    return [version for _, version in sorted(newer, reverse=True)]


def _says_the_same(quote: str, line: Span, chunk: Chunk, others: Sequence[Chunk]) -> bool:
    """Return whether a version holds the quote in the same passage, or its whole line anywhere."""
    whole = line.of(chunk.text)
    same = _same_passage(chunk, others)
    if any(quote in other.text or holds_words(quote, other.text) for other in same):
        return True
    if same or len(whole.split()) < _FEW_WORDS:
        return False
    words = _words(whole)
    return any(
        whole in other.text or (words <= _words(other.text) and holds_words(whole, other.text))
        for other in others
    )


def _same_passage(chunk: Chunk, others: Sequence[Chunk]) -> list[Chunk]:
    """Return the chunks with the same id but for the version, if they read alike.

    Ids that are places in a list stay when the text moves on.
    """
    key = passage_key(chunk)
    return [
        other
        for other in others
        if passage_key(other) == key and fuzz.ratio(chunk.text, other.text) >= NEAR_PASSAGE
    ]


def _nearest_first(line: Span, chunk: Chunk, others: Sequence[Chunk]) -> Iterator[Chunk]:
    """Yield the same passage, else the chunks with most of the words around the line."""
    same = _same_passage(chunk, others)
    if same:
        yield from same
        return
    words = _words(_around(line, chunk.text))
    shares = [len(words & _words(o.text)) / max(len(words), 1) for o in others]
    ranked = sorted(range(len(others)), key=lambda at: (-shares[at], at))
    yield from (others[at] for at in ranked[:_MOST_READ] if shares[at] >= _SAME_PLACE)


def _around(line: Span, text: str) -> str:
    """Return a line with what stands before and after it."""
    return text[max(0, line.start - _CONTEXT) : line.end + _CONTEXT]


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(word_list(text))


def _line_of(picked: Span, text: str) -> Span:
    """Return the lines that a picked stretch touches."""
    touched = [s for s in sentences(text) if s.start < picked.end and s.end > picked.start]
    if not touched:
        return picked
    return Span(min(touched[0].start, picked.start), max(touched[-1].end, picked.end))


def _words_instead(picked: Span, line: Span, chunk: Chunk, other: Chunk) -> Span | None:
    """Return the words of another version's chunk that stand in place of the picked ones."""
    found = counterpart(
        line.of(chunk.text),
        other.text,
        before=chunk.text[: line.start],
        after=chunk.text[line.end :],
    )
    if found is None:
        return None
    inside = Span(picked.start - line.start, picked.end - line.start)
    words = counterpart_words(inside, line.of(chunk.text), found.of(other.text))
    return None if words is None else Span(found.start + words.start, found.start + words.end)


def _compared(quote: str, chunk: Chunk, other: Chunk, words: Span) -> NewerValue | None:
    """Return the values that differ between a quote and the words in its place."""
    instead = words.of(other.text)
    changes = _value_changes(
        quote, instead, (chunk.doc_version or "", other.doc_version or "")
    ) or _state_changes(quote, instead)
    if not changes:
        return None
    return NewerValue(
        chunk_id=other.chunk_id,
        doc_id=other.doc_id,
        doc_version=other.doc_version or "",
        quote=instead,
        changes=changes,
    )


def _value_changes(quote: str, instead: str, versions: tuple[str, str]) -> tuple[ValueChange, ...]:
    """Return the quantities that one text has and the other has not, put together in order."""
    own, others = _values(quote, versions), _values(instead, versions)
    went = [q for q in own if not any(q.readings & o.readings for o in others)]
    came = [q for q in others if not any(q.readings & o.readings for o in own)]
    if len(went) != len(came):
        return ()
    return tuple(ValueChange(old=a.text, new=b.text) for a, b in zip(went, came, strict=True))


def _values(text: str, versions: tuple[str, str]) -> list[Quantity]:
    """Return the quantities of a text but the versions of the documents themselves."""
    plain = {normal_version(version) for version in versions}
    return [
        q
        for q in quantities(text)
        if not (q.kind is QuantityKind.VERSION and normal_version(q.text) in plain)
    ]


def _state_changes(quote: str, instead: str) -> tuple[ValueChange, ...]:
    """Return the one word of state that was put in place of another: true, false."""
    own, others = _WORD.findall(quote), _WORD.findall(instead)
    lower, lower_others = [w.casefold() for w in own], [w.casefold() for w in others]
    steps = [s for s in Indel.opcodes(lower, lower_others) if s.tag != "equal"]
    went = [own[at] for s in steps if s.tag == "delete" for at in range(s.src_start, s.src_end)]
    came = [
        others[at] for s in steps if s.tag == "insert" for at in range(s.dest_start, s.dest_end)
    ]
    if len(went) != 1 or len(came) != 1:
        return ()
    pair = {went[0].casefold(), came[0].casefold()}
    return (ValueChange(old=went[0], new=came[0]),) if any(pair <= s for s in _STATES) else ()
