"""The chunks of the corpus. Identity is id and version; a text is stored once."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from rapidfuzz import fuzz
from sqlalchemy import Select, delete, select, tuple_
from sqlmodel import Session

from curation.domain.answer import Answer
from curation.domain.chunk import (
    Chunk,
    ChunkKey,
    document_key,
    passage_key,
    text_sha256,
    unversioned,
)
from curation.store.schema import CHUNK, CHUNK_TEXT
from curation.store.sql import count_up, counter, insert_into, insert_missing, parts

NEAR_PASSAGE = 60.0
MOST_COMPARED = 400
_STEP = "corpus"


def get_chunk(session: Session, chunk_id: str, doc_version: str | None) -> Chunk | None:
    """Return the chunk of the corpus at that version."""
    key = ChunkKey(chunk_id, doc_version)
    return get_chunks(session, [key]).get(key)


def get_chunks(session: Session, keys: Sequence[ChunkKey]) -> dict[ChunkKey, Chunk]:
    """Return those of the chunks that the corpus has."""
    found: dict[ChunkKey, Chunk] = {}
    for some in parts(keys, 200):
        pairs = [(key.chunk_id, key.doc_version or "") for key in some]
        which = tuple_(CHUNK.c.chunk_id, CHUNK.c.doc_version).in_(pairs)
        found |= {chunk.key: chunk for chunk in _chunks(session, _select().where(which))}
    return found


def chunks_of_id(session: Session, chunk_id: str) -> tuple[Chunk, ...]:
    """Return the chunk in every version that the corpus has, oldest version first."""
    statement = _select().where(CHUNK.c.chunk_id == chunk_id).order_by(CHUNK.c.doc_version)
    return tuple(_chunks(session, statement))


def versions_of(session: Session, chunk_ids: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the versions of each chunk that the corpus has; no version is the empty one."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for some in parts(sorted(chunk_ids)):
        statement = select(CHUNK.c.chunk_id, CHUNK.c.doc_version).where(CHUNK.c.chunk_id.in_(some))
        for row in session.connection().execute(statement.order_by(CHUNK.c.doc_version)):
            found[row.chunk_id].append(row.doc_version)
    return {chunk_id: tuple(versions) for chunk_id, versions in found.items()}


def find_chunk(
    session: Session,
    chunk_id: str,
    doc_version: str | None,
    *,
    logged: Answer | None = None,
) -> Chunk | None:
    """Return the chunk of the corpus, else the one that the log brought; None for neither.

    Without a version, a chunk id that the corpus has in one version only means that one.
    """
    chunk = get_chunk(session, chunk_id, doc_version)
    if chunk is not None:
        return chunk
    if doc_version is None:
        versions = chunks_of_id(session, chunk_id)
        if len(versions) == 1:
            return versions[0]
    for hit in logged.retrieved if logged else ():
        if hit.chunk_id == chunk_id and hit.doc_version == doc_version and hit.text is not None:
            return Chunk(
                chunk_id=chunk_id,
                doc_id=hit.doc_id or chunk_id,
                doc_version=doc_version,
                text=hit.text,
            )
    return None


def same_passage(session: Session, chunk: Chunk) -> tuple[Chunk, ...]:
    """Return the passage in other versions, the nearest first.

    That is the same chunk id (or one that differs by the version in it); else, in each other
    version of the document, the chunk whose text is most alike, if it is alike at all.
    """
    exact = _others(session, chunk, CHUNK.c.passage_key == passage_key(chunk))
    known = {item.doc_version for item in exact}
    family = _others(session, chunk, _family(chunk))
    best: dict[str | None, tuple[float, Chunk]] = {}
    for item in family:
        likeness = fuzz.ratio(chunk.text, item.text)
        if item.doc_version in known or likeness < NEAR_PASSAGE:
            continue
        if item.doc_version not in best or likeness > best[item.doc_version][0]:
            best[item.doc_version] = (likeness, item)
    alike = sorted(best.values(), key=lambda pair: -pair[0])
    return (*exact, *(item for _, item in alike))


def _family(chunk: Chunk) -> Any:  # noqa: ANN401 - an SQL condition
    """Return the condition for chunks of the same document in whatever version."""
    same = CHUNK.c.document_key == document_key(chunk)
    if chunk.doc_family is None:
        return same
    return same | (CHUNK.c.doc_family == chunk.doc_family)


def _others(session: Session, chunk: Chunk, which: Any) -> tuple[Chunk, ...]:  # noqa: ANN401 - an SQL condition
    """Return the chunks of other versions that meet a condition."""
    statement = (
        _select()
        .where(which, CHUNK.c.doc_version != (chunk.doc_version or ""))
        .order_by(CHUNK.c.doc_version, CHUNK.c.chunk_id)
        .limit(MOST_COMPARED)
    )
    return tuple(_chunks(session, statement))


def document_chunks(session: Session, doc_id: str, doc_version: str | None) -> tuple[Chunk, ...]:
    """Return the chunks of a document in every version that the corpus has."""
    which = CHUNK.c.document_key == unversioned(doc_id, doc_version)
    statement = _select().where(which).order_by(CHUNK.c.doc_version, CHUNK.c.chunk_id)
    return tuple(_chunks(session, statement))


def texts_by_hash(session: Session, hashes: Collection[str]) -> dict[str, str]:
    """Return those of the texts that were ever stored, by their hash."""
    found: dict[str, str] = {}
    for some in parts(sorted(hashes)):
        statement = select(CHUNK_TEXT).where(CHUNK_TEXT.c.sha256.in_(some))
        found |= {row.sha256: row.text for row in session.connection().execute(statement)}
    return found


def remove_other_chunks(
    session: Session, doc_id: str, doc_version: str | None, keep: Collection[str]
) -> int:
    """Remove the chunks of one version of a document but those to keep; return how many.

    Their texts stay, so that evidence picked from them can still be found again.
    """
    here = (CHUNK.c.doc_id == doc_id) & (CHUNK.c.doc_version == (doc_version or ""))
    connection = session.connection()
    stored = set(connection.execute(select(CHUNK.c.chunk_id).where(here)).scalars())
    gone = sorted(stored - set(keep))
    for some in parts(gone):
        connection.execute(delete(CHUNK).where(here, CHUNK.c.chunk_id.in_(some)))
    if gone:
        count_up(session, _STEP)
    return len(gone)


def has_corpus(session: Session) -> bool:
    """Return whether any chunk was ever brought in."""
    return session.connection().execute(select(CHUNK.c.chunk_id).limit(1)).first() is not None


def put_chunks(session: Session, chunks: Sequence[Chunk]) -> None:
    """Write the chunks, each id and version once; a later text replaces the earlier one."""
    if not chunks:
        return
    step = count_up(session, _STEP)
    texts = {text_sha256(chunk.text): chunk.text for chunk in chunks}
    insert_missing(session, CHUNK_TEXT, [{"sha256": s, "text": t} for s, t in texts.items()])
    statement = insert_into(session, CHUNK)
    changing = ("doc_id", "title", "text_sha", "category", "doc_family", "document_key", "step")
    session.connection().execute(
        statement.on_conflict_do_update(
            index_elements=[CHUNK.c.chunk_id, CHUNK.c.doc_version],
            set_={name: statement.excluded[name] for name in changing},
        ),
        [_row(chunk, step) for chunk in chunks],
    )


def chunks_after(session: Session, step: int, *, size: int = 1000) -> Iterator[list[Chunk]]:
    """Return the chunks written after a step of the corpus, in parts."""
    last = ("", "")
    while True:
        place_of = (CHUNK.c.chunk_id, CHUNK.c.doc_version)
        statement = (
            _select()
            .where(CHUNK.c.step > step, tuple_(*place_of) > last)
            .order_by(*place_of)
            .limit(size)
        )
        chunks = list(_chunks(session, statement))
        if not chunks:
            return
        yield chunks
        last = (chunks[-1].chunk_id, chunks[-1].doc_version or "")


def corpus_step(session: Session) -> int:
    """Return how often the corpus was written, which the search index compares itself with."""
    return counter(session, _STEP)


def _row(chunk: Chunk, step: int) -> Mapping[str, Any]:
    return {
        "chunk_id": chunk.chunk_id,
        "doc_version": chunk.doc_version or "",
        "doc_id": chunk.doc_id,
        "title": chunk.title,
        "text_sha": text_sha256(chunk.text),
        "category": chunk.category,
        "doc_family": chunk.doc_family,
        "passage_key": passage_key(chunk),
        "document_key": document_key(chunk),
        "step": step,
    }


def _select() -> Select[Any]:
    return select(CHUNK, CHUNK_TEXT.c.text).join(
        CHUNK_TEXT, CHUNK_TEXT.c.sha256 == CHUNK.c.text_sha
    )


def _chunks(session: Session, statement: Select[Any]) -> Iterator[Chunk]:
    """Return the chunks that a statement finds."""
    for row in session.connection().execute(statement):
        yield Chunk(
            chunk_id=row.chunk_id,
            doc_id=row.doc_id,
            doc_version=row.doc_version or None,
            title=row.title,
            text=row.text,
            category=row.category,
            doc_family=row.doc_family,
        )
