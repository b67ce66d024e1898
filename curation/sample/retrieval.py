"""What the sample pipelines look for, and three ways to look for it."""

from collections.abc import Callable, Mapping, Sequence

from curation.domain.base import Value
from curation.sample.documents import EDITIONS, NEWEST, RELEASES
from curation.sample.search import Found, Index
from curation.sample.text import versions_in

RETRIEVED = 8
_ENOUGH_WORDS = 4
_HANDBOOK_BOOST = 1.5


class Asked(Value):
    """A question as the pipelines understand it."""

    question: str
    terms: tuple[str, ...]
    versions: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The terms that are not versions."""
        return tuple(term for term in self.terms if term not in RELEASES + EDITIONS)


Retriever = Callable[[Index, Asked], list[Found]]


def understand(question: str, conversation: Sequence[Mapping[str, str]], index: Index) -> Asked:
    """Return the terms and versions asked for; a short question borrows those of the turn before.

    The question's own terms come first.
    """
    terms = index.terms(question)
    versions = versions_in(question)
    earlier = [turn["text"] for turn in conversation if turn["role"] == "user"][-1:]
    for text in earlier:
        if len(set(terms) - set(versions)) < _ENOUGH_WORDS:
            borrowed = index.terms(text)
            terms += [t for t in borrowed if not versions or t not in versions_in(text)]
        versions = versions or versions_in(text)
    return Asked(question=question, terms=tuple(dict.fromkeys(terms)), versions=versions)


def any_version(index: Index, asked: Asked) -> list[Found]:
    """Return the best chunks of all versions together, each chunk id once.

    This is the shipped flaw: a chunk id says nothing of the version, so of the passages that
    recur in every release only the best match is kept. New releases say more, and BM25 prefers
    the shorter passage, so the old value often wins.
    """
    best: dict[str, Found] = {}
    for found in index.search(asked.terms, limit=4 * RETRIEVED):
        best.setdefault(found.chunk.chunk_id, found)
    return list(best.values())[:RETRIEVED]


def asked_versions(index: Index, asked: Asked) -> list[Found]:
    """Return the best chunks of the versions asked for; the newest where none is named."""
    return index.search(asked.words, limit=RETRIEVED, versions=_versions(asked))


def handbook_first(index: Index, asked: Asked) -> list[Found]:
    """Return the best chunks of the versions asked for, those of the handbook lifted."""
    found = index.search(asked.words, limit=4 * RETRIEVED, versions=_versions(asked))
    lifted = [_lifted(one) for one in found]
    return sorted(lifted, key=lambda one: -one.score)[:RETRIEVED]


def _versions(asked: Asked) -> list[str]:
    """Return the versions to search: a release named leaves the handbook at its newest edition."""
    allowed = set(asked.versions)
    for family in (RELEASES, EDITIONS):
        if not allowed & set(family):
            allowed |= NEWEST & set(family)
    return sorted(allowed)


def _lifted(found: Found) -> Found:
    if found.chunk.doc_family != "handbook":
        return found
    return found.model_copy(update={"score": found.score * _HANDBOOK_BOOST})
