"""The passages that an answer was made from, and the same passages in other versions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from curation.domain.answer import Answer, RetrievedChunk
from curation.domain.chunk import Chunk
from curation.evaluation.succession import version_order
from curation.metrics import same_version
from curation.services.corpus import FoundChunk
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store import chunks as stored_chunks

_DOTTED = re.compile(r"(?<![\w.])[vV]?(\d+(?:\.\d+)+)(?![\w.]*\d)")
_NEARLY = 0.9  # of the best score: another version of the same passage is no worse a hit


@dataclass(frozen=True, kw_only=True)
class RetrievedPassage:
    """A retrieved chunk with its text, and the same passage in other versions.

    `chunk` is None where neither the corpus nor the log has the text. `others` begins with the
    version asked for.
    """

    hit: RetrievedChunk
    chunk: Chunk | None
    in_corpus: bool
    cited: bool
    others: tuple[Chunk, ...]


@dataclass(frozen=True, kw_only=True)
class Passages:
    """What was retrieved for an answer, in rank order; `has_corpus` says whether one is known.

    `asked_for` are the versions that the question names.
    """

    retrieved: tuple[RetrievedPassage, ...]
    has_corpus: bool
    asked_for: tuple[str, ...] = ()


def read_passages(
    workspace: Workspace, answer: Answer, *, asked_for: Sequence[str] = ()
) -> Passages:
    """Return what was retrieved for an answer, each with its other versions.

    Args:
        workspace: the store.
        answer: the answer.
        asked_for: the versions that its question names as such; without any, a plain number in
            it that is the version of a passage ("the 4.2 gateway").
    """
    cited = {(c.chunk_id, c.doc_version) for c in answer.citations}
    cited |= {(c.chunk_id, None) for c in answer.citations}
    with workspace.store.reading() as session:
        retrieved = tuple(
            _passage(session, answer, hit, cited)
            for hit in sorted(answer.retrieved, key=lambda hit: hit.rank)
        )
        has_corpus = stored_chunks.has_corpus(session)
    asked = tuple(asked_for) or named_versions(answer.question, retrieved)
    ordered = tuple(replace(one, others=asked_first(one.others, asked)) for one in retrieved)
    return Passages(retrieved=ordered, has_corpus=has_corpus, asked_for=asked)


def named_versions(question: str, retrieved: Sequence[RetrievedPassage]) -> tuple[str, ...]:
    """Return the numbers with a point in the question that are versions of these passages."""
    chunks = [one for item in retrieved for one in (item.chunk, *item.others) if one is not None]
    known = {one.doc_version for one in chunks if one.doc_version}
    numbers = dict.fromkeys(_DOTTED.findall(question))
    return tuple(number for number in numbers if any(same_version(number, one) for one in known))


def _passage(
    session: Session,
    answer: Answer,
    hit: RetrievedChunk,
    cited: set[tuple[str, str | None]],
) -> RetrievedPassage:
    """Return one retrieved passage with its other versions."""
    stored = stored_chunks.get_chunk(session, hit.chunk_id, hit.doc_version)
    chunk = stored or stored_chunks.find_chunk(
        session, hit.chunk_id, hit.doc_version, logged=answer
    )
    others = stored_chunks.same_passage(session, chunk) if chunk is not None else ()
    return RetrievedPassage(
        hit=hit,
        chunk=chunk,
        in_corpus=stored is not None,
        cited=(hit.chunk_id, hit.doc_version) in cited or (hit.chunk_id, None) in cited,
        others=tuple(others),
    )


def asked_first(chunks: Sequence[Chunk], asked_for: Sequence[str]) -> tuple[Chunk, ...]:
    """Return the chunks with those of a version asked for before the others."""
    return tuple(sorted(chunks, key=lambda chunk: not is_asked(chunk.doc_version, asked_for)))


def is_asked(version: str | None, asked_for: Sequence[str]) -> bool:
    """Return whether a version is one of those asked for."""
    return version is not None and any(same_version(version, asked) for asked in asked_for)


def newest_first(found: Sequence[FoundChunk], asked_for: Sequence[str]) -> tuple[FoundChunk, ...]:
    """Return the hits with the versions of one passage in order where they are as good as equal.

    First those asked for, then the newest: the words searched for stand in all of them, and of
    a value that changed the old one is rarely meant.
    """
    ordered = list(found)
    places: dict[str, list[int]] = {}
    for at, hit in enumerate(found):
        best = places.get(hit.chunk.chunk_id)
        if best is None or hit.score >= _NEARLY * found[best[0]].score:
            places.setdefault(hit.chunk.chunk_id, []).append(at)
    for spots in places.values():
        versions = sorted(
            (found[at] for at in spots), key=lambda hit: _age(hit.chunk), reverse=True
        )
        versions.sort(key=lambda hit: not is_asked(hit.chunk.doc_version, asked_for))
        for at, hit in zip(spots, versions, strict=True):
            ordered[at] = hit
    return tuple(ordered)


def _age(chunk: Chunk) -> tuple[int, ...]:
    return version_order(chunk.doc_version) or ()
