"""The hit rules: which retrieved chunks hold the evidence of a case (measures.md section 3)."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache

from curation.domain.case import Evidence
from curation.metrics import quantities
from curation.metrics.normalise import fold
from curation.metrics.retrieval import Relevance
from curation.metrics.versions import same_version

__all__ = [
    "GoldPassage",
    "Hit",
    "HitRule",
    "distinct",
    "gold_passages",
    "holds_words",
    "matches_id",
    "relevance",
    "words_held",
]

QUOTE_SHARE = 0.9  # of the quote's words, in order, in the first k together
_RUN = 3  # fewer words in a row than this are no trace of a quote


class HitRule(StrEnum):
    """By what a retrieved chunk is recognised; one rule for both sides of a comparison."""

    ID = "id"
    QUOTE = "quote"


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldPassage:
    """A passage that proves; those of one group are alternatives.

    `need` is the group before groups with the same chunks became one: by quote, all needs of a
    group must be found, because a re-chunked corpus may have torn them apart.
    """

    group: str
    need: str = ""
    chunk_id: str
    doc_id: str | None = None
    doc_version: str | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A retrieved chunk; `used` says whether it reached the prompt."""

    rank: int
    chunk_id: str
    doc_id: str | None = None
    doc_version: str | None = None
    text: str | None = None
    used: bool = True


def gold_passages(evidence: Iterable[Evidence]) -> tuple[GoldPassage, ...]:
    """Return gold evidence as passages; groups with the same set of chunks are one."""
    items = tuple(evidence)
    chunks: dict[str, set[tuple[str, str | None]]] = {}
    for item in items:
        chunks.setdefault(item.group, set()).add((item.chunk_id, item.doc_version))
    first: dict[frozenset[tuple[str, str | None]], str] = {}
    name = {group: first.setdefault(frozenset(keys), group) for group, keys in chunks.items()}
    return tuple(
        GoldPassage(
            group=name[item.group],
            need=item.group,
            chunk_id=item.chunk_id,
            doc_id=item.doc_id or None,
            doc_version=item.doc_version,
            quote=item.quote,
        )
        for item in items
    )


def distinct(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return the hits in rank order, each chunk and version once, at its first rank."""
    kept: dict[tuple[str, str | None], Hit] = {}
    for hit in sorted(hits, key=lambda hit: hit.rank):
        kept.setdefault((hit.chunk_id, hit.doc_version), hit)
    return tuple(kept.values())


def matches_id(passage: GoldPassage, hit: Hit) -> bool:
    """Return whether a hit is the chunk; a version that is known to differ is a miss."""
    return passage.chunk_id == hit.chunk_id and _may_be_same(passage.doc_version, hit.doc_version)


def _may_be_same(a: str | None, b: str | None) -> bool:
    return a is None or b is None or a == b or same_version(a, b)


def relevance(
    gold: Sequence[GoldPassage],
    hits: Sequence[Hit],
    rule: HitRule = HitRule.ID,
    *,
    ambiguous: Collection[str] = (),
) -> Relevance | None:
    """Return what the distinct hits hold, rank by rank; None where the rule cannot tell.

    Args:
        gold: the gold passages of the case.
        hits: distinct hits in rank order.
        rule: the rule of the comparison.
        ambiguous: chunk ids that the corpus has in more than one version.
    """
    if rule is HitRule.QUOTE:
        return _by_quote(gold, hits)
    return _by_id(gold, hits, ambiguous)


def _by_id(
    gold: Sequence[GoldPassage], hits: Sequence[Hit], ambiguous: Collection[str]
) -> Relevance | None:
    found: list[frozenset[str]] = []
    relevant: list[bool] = []
    so_far: frozenset[str] = frozenset()
    doubtful: set[str] = set()
    for hit in hits:
        # Most hits are no evidence at all, so that the ids are compared before anything else.
        groups = {p.group for p in gold if p.chunk_id == hit.chunk_id and matches_id(p, hit)}
        if groups and hit.doc_version is None and hit.chunk_id in ambiguous:
            doubtful |= groups
        so_far |= groups
        found.append(so_far)
        relevant.append(bool(groups))
    if doubtful:
        return None
    return Relevance(frozenset(p.group for p in gold), tuple(found), tuple(relevant))


def _by_quote(gold: Sequence[GoldPassage], hits: Sequence[Hit]) -> Relevance | None:
    if any(not passage.quote.strip() for passage in gold):
        return None
    if any(hit.text is None and _same_document(p, hit) for hit in hits for p in gold):
        return None
    found = [_groups_held(gold, hits[:rank]) for rank in range(1, len(hits) + 1)]
    relevant = tuple(any(_has_part(p, hit) for p in gold) for hit in hits)
    return Relevance(frozenset(p.group for p in gold), tuple(found), relevant)


def _groups_held(gold: Sequence[GoldPassage], hits: Sequence[Hit]) -> frozenset[str]:
    """Return the groups all of whose needs the first hits hold."""
    held = {(p.group, p.need) for p in gold if _holds_quote(p, hits)}
    open_groups = {p.group for p in gold if (p.group, p.need) not in held}
    return frozenset(p.group for p in gold) - open_groups


def holds_words(quote: str, text: str) -> bool:
    """Return whether a text holds the words of a quote in a row, whatever their spaces and case."""
    words = _plain(quote)
    return f" {words} " in f" {_plain(text)} " if words else quote in text


def words_held(quote: str, text: str) -> tuple[int, frozenset[int]]:
    """Return how many words a quote has, and which of them stand in the text in runs in order."""
    tokens = _plain(quote).split()
    return len(tokens), frozenset(_in_order(tokens, text))


def _same_document(passage: GoldPassage, hit: Hit) -> bool:
    same = passage.doc_id is None or hit.doc_id is None or passage.doc_id == hit.doc_id
    return same and _may_be_same(passage.doc_version, hit.doc_version)


def _holds_quote(passage: GoldPassage, hits: Sequence[Hit]) -> bool:
    """Return whether the first hits hold a quote, one alone or several together."""
    texts = [hit.text or "" for hit in hits if _same_document(passage, hit)]
    quote = _plain(passage.quote)
    if any(f" {quote} " in f" {_plain(text)} " for text in texts):
        return True
    tokens = quote.split()
    matched: set[int] = set()
    for text in texts:
        matched |= _in_order(tokens, text)
    if not tokens or len(matched) < QUOTE_SHARE * len(tokens):
        return False
    return any(_holds_quantities(passage.quote, text) for text in texts)


def _has_part(passage: GoldPassage, hit: Hit) -> bool:
    """Return whether a hit holds at least half of a quote's words in order."""
    if hit.text is None or not _same_document(passage, hit):
        return False
    tokens = _plain(passage.quote).split()
    return 2 * len(_in_order(tokens, hit.text)) >= len(tokens)


def _in_order(tokens: list[str], text: str) -> set[int]:
    """Return the places of the quote's tokens that stand in the text in runs of the same order.

    Single words do not count: in a long chunk on the same matter they all stand somewhere.
    """
    words = _plain(text).split()
    least = min(_RUN, len(tokens))
    blocks = SequenceMatcher(None, words, tokens, autojunk=False).get_matching_blocks()
    return {b.b + step for b in blocks if b.size >= least for step in range(b.size)}


def _holds_quantities(quote: str, text: str) -> bool:
    known = [q.readings for q in quantities(text)]
    return all(any(q.readings & readings for readings in known) for q in quantities(quote))


_NO_WORD = re.compile(r"[^\w.%$€£+-]+")


@lru_cache(maxsize=2048)
def _plain(text: str) -> str:
    """Return the words of a text in one form, single spaces between them."""
    words = (word.strip(".-") for word in _NO_WORD.split(fold(text).text))
    return " ".join(word for word in words if word)
