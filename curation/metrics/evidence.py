"""Whether the evidence of a fact says it, as far as that can be told without reading it."""

from collections.abc import Mapping, Sequence

from curation.domain.case import Evidence, Fact
from curation.domain.chunk import ChunkKey
from curation.domain.verdict import Presence
from curation.domain.wording import word_list
from curation.metrics import quantities, versions_in
from curation.metrics.lookup import holds

__all__ = ["said_by_evidence"]

_MOST_WORDS_MISSING = 0.5  # a fact that shares fewer words with its chunk is about something else


def said_by_evidence(
    fact: Fact, items: Sequence[Evidence], texts: Mapping[ChunkKey, str]
) -> Presence:
    """Return whether a fact's evidence says it; absent only where it plainly does not.

    A chunk of a page on one flag need not name the flag or its own version, so that a fact is
    absent only if a value of it stands in no chunk, or most of its words do not.

    Args:
        fact: the fact.
        items: its evidence.
        texts: the texts of the evidence's chunks.
    """
    plain = " ".join(fact.text.split())
    quotes = [item.quote for item in items if item.quote]
    if any(plain in " ".join(quote.split()) for quote in quotes):
        return Presence.PRESENT
    chunks = [texts.get(ChunkKey(item.chunk_id, item.doc_version)) for item in items]
    known = [text for text in (*quotes, *chunks) if text is not None]
    if not known:
        return Presence.UNSURE
    if any(holds(text, fact) is Presence.PRESENT for text in known):
        return Presence.PRESENT
    plainly_not = _lacks_value(fact, known) or _lacks_words(fact, known)
    return Presence.ABSENT if plainly_not else Presence.UNSURE


def _lacks_value(fact: Fact, texts: Sequence[str]) -> bool:
    """Return whether a number of a fact, versions aside, stands nowhere in its evidence.

    The version of the evidence has a check of its own.
    """
    versions = {mention.span for mention in versions_in(fact.text)}
    wanted = [q for q in quantities(fact.text) if not _in_one_of(q.span, versions)]
    readings = [quantity.readings for text in texts for quantity in quantities(text)]
    return any(not any(q.readings & known for known in readings) for q in wanted)


def _in_one_of(span: tuple[int, int], others: set[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in others)


def _lacks_words(fact: Fact, texts: Sequence[str]) -> bool:
    words = set(word_list(fact.text))
    held = {word for text in texts for word in word_list(text)}
    return len(words & held) < _MOST_WORDS_MISSING * len(words)
