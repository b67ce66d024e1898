"""The passages that an answer was made from, and the same passages in other versions."""

from collections.abc import Sequence
from dataclasses import dataclass

from curation.domain.answer import Answer, RetrievedChunk
from curation.domain.chunk import Chunk
from curation.metrics import same_version
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store import chunks as stored_chunks


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
    """What was retrieved for an answer, in rank order; `has_corpus` says whether one is known."""

    retrieved: tuple[RetrievedPassage, ...]
    has_corpus: bool


def read_passages(
    workspace: Workspace, answer: Answer, *, asked_for: Sequence[str] = ()
) -> Passages:
    """Return what was retrieved for an answer, each with its other versions."""
    cited = {(c.chunk_id, c.doc_version) for c in answer.citations}
    cited |= {(c.chunk_id, None) for c in answer.citations}
    with workspace.store.reading() as session:
        return Passages(
            retrieved=tuple(
                _passage(session, answer, hit, cited, asked_for)
                for hit in sorted(answer.retrieved, key=lambda hit: hit.rank)
            ),
            has_corpus=stored_chunks.has_corpus(session),
        )


def _passage(
    session: Session,
    answer: Answer,
    hit: RetrievedChunk,
    cited: set[tuple[str, str | None]],
    asked_for: Sequence[str],
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
        others=asked_first(others, asked_for),
    )


def asked_first(chunks: Sequence[Chunk], asked_for: Sequence[str]) -> tuple[Chunk, ...]:
    """Return the chunks with those of a version asked for before the others."""
    return tuple(sorted(chunks, key=lambda chunk: not is_asked(chunk.doc_version, asked_for)))


def is_asked(version: str | None, asked_for: Sequence[str]) -> bool:
    """Return whether a version is one of those asked for."""
    return version is not None and any(same_version(version, asked) for asked in asked_for)
