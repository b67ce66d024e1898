"""The corpus: bringing chunks in and searching them."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from curation.corpus import CorpusIndexError, Hit, spans_of
from curation.domain.base import Value
from curation.domain.chunk import Chunk, ChunkKey
from curation.importers.files import CHUNK_COLUMNS, Format, check_files, read_records
from curation.importers.native import chunk_of
from curation.importers.reading import Raw, Refused
from curation.metrics.hits import holds_words
from curation.services.intake import (
    DUPLICATE,
    IntakeSummary,
    Progress,
    SeenIds,
    Tally,
)
from curation.services.rejects import Rejects
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store.chunks import (
    chunks_after,
    corpus_step,
    find_chunk,
    get_chunks,
    put_chunks,
    remove_other_chunks,
)

BATCH = 1000
PHRASE_DEPTH = 500  # so many of the best chunks are read for the words of a phrase
_PHRASE = re.compile(r'["\u201c]([^"\u201c\u201d]+)["\u201d]')


class FoundChunk(Value):
    """A chunk that a search found; `spans` are the words it was found by, as code points."""

    chunk: Chunk
    score: float
    spans: tuple[tuple[int, int], ...] = ()


def add_chunks(
    workspace: Workspace,
    files: Sequence[Path],
    *,
    now: datetime,
    format: str = "auto",  # noqa: A002 - the option's name
    replace: bool = False,
    progress: Progress | None = None,
) -> IntakeSummary:
    """Bring in chunks of the corpus and make them findable; the same id and version is updated.

    Args:
        workspace: the store and the index.
        files: the files.
        now: when.
        format: auto, jsonl, csv or parquet.
        replace: the files hold every document of theirs whole, so that its other chunks go.
        progress: told after each part.

    Raises:
        UnknownFormatError, UnreadableFileError: before anything is written.
    """
    form = check_files(tuple(files), format)
    tally = Tally(Rejects(workspace.settings.rejects_path, now=now))
    whole: defaultdict[tuple[str, str | None], set[str]] = defaultdict(set)
    try:
        for path in files:
            for batch in _batches(path, form, tally):
                _write(workspace, batch, tally)
                if replace:
                    for chunk in batch:
                        whole[chunk.doc_id, chunk.doc_version].add(chunk.chunk_id)
                if progress is not None:
                    progress(path, tally.summary())
        if not tally.refused:
            tally.removed = _remove_others(workspace, whole)
    finally:
        tally.rejects.close()
        if tally.removed:
            _rebuild(workspace)
        else:
            catch_up(workspace)
    return tally.summary()


def _batches(path: Path, form: Format, tally: Tally) -> Iterator[list[Chunk]]:
    """Return the chunks of a file in parts; refusals are counted on the way."""
    seen = SeenIds()
    waiting: list[Chunk] = []
    for raw in read_records(path, form, needed=CHUNK_COLUMNS):
        tally.read += 1
        found = chunk_of(raw) if isinstance(raw, Raw) else raw
        if isinstance(found, Refused):
            tally.refuse(path, found)
        elif isinstance(raw, Raw) and seen.again(found.chunk_id, found.doc_version or ""):
            reason = f"{DUPLICATE}: this file has the chunk in this version before"
            tally.refuse(path, Refused(raw.line, "chunk_id", reason, raw.shown, found.chunk_id))
        else:
            waiting.append(found)
            if len(waiting) >= BATCH:
                yield waiting
                waiting = []
    yield waiting


def _write(workspace: Workspace, batch: list[Chunk], tally: Tally) -> None:
    """Store the chunks of a batch that are new or other than before."""
    with workspace.store.writing() as session:
        known = get_chunks(session, [chunk.key for chunk in batch])
        put_chunks(session, [chunk for chunk in batch if known.get(chunk.key) != chunk])
    changed = sum(1 for chunk in batch if known.get(chunk.key, chunk) != chunk)
    tally.stored += len(batch) - len(known)
    tally.updated += changed
    tally.unchanged += len(known) - changed


def _remove_others(
    workspace: Workspace, whole: Mapping[tuple[str, str | None], Collection[str]]
) -> int:
    """Remove what documents that came whole had before; return how many chunks."""
    with workspace.store.writing() as session:
        return sum(
            remove_other_chunks(session, doc_id, doc_version, keep)
            for (doc_id, doc_version), keep in whole.items()
        )


def catch_up(workspace: Workspace) -> int:
    """Add to the search index what the corpus has and it lacks; return how many chunks.

    A team's own engine keeps its index itself.
    """
    if workspace.index is None:
        return 0
    with workspace.store.reading() as session:
        step, known = corpus_step(session), workspace.index.position()
        if known == step:
            return 0
        if known > step:
            return _rebuild(workspace)
        fresh = (chunk for some in chunks_after(session, known) for chunk in some)
        return workspace.index.add(fresh, position=step)


def rebuild_index(workspace: Workspace) -> int:
    """Make the search index anew from the corpus; return how many chunks it has."""
    return _rebuild(workspace)


def _rebuild(workspace: Workspace) -> int:
    if workspace.index is None:
        return 0
    with workspace.store.reading() as session:
        step = corpus_step(session)
        every = (chunk for some in chunks_after(session, 0) for chunk in some)
        return workspace.index.rebuild(every, position=step)


def search_corpus(
    workspace: Workspace,
    text: str,
    *,
    doc_version: str | None = None,
    doc_id: str | None = None,
    limit: int = 20,
) -> tuple[FoundChunk, ...]:
    """Return the chunks of the corpus that hold the words of the text, best first.

    Words in double quotes must stand in a row; looked for among the 500 best chunks. What an
    engine finds and the corpus has not is left out: it could not be evidence.

    Raises:
        SearchEngineError: a team's own engine did not answer as it should.
    """
    try:
        catch_up(workspace)
    except CorpusIndexError:
        _rebuild(workspace)
    phrases = [phrase for phrase in _PHRASE.findall(text) if phrase.strip()]
    hits = workspace.engine.search(
        text,
        doc_version=doc_version,
        doc_id=doc_id,
        limit=max(limit, PHRASE_DEPTH) if phrases else limit,
    )
    with workspace.store.reading() as session:
        chunks = _chunks_of(session, hits)
    found = [
        (chunk, hit.score)
        for hit in hits
        if (chunk := chunks.get(ChunkKey(hit.chunk_id, hit.doc_version))) is not None
        and all(holds_words(phrase, chunk.text) for phrase in phrases)
    ]
    words = frozenset(workspace.engine.read_as(text))
    return tuple(
        FoundChunk(chunk=chunk, score=score, spans=spans_of(chunk.text, words))
        for chunk, score in found[:limit]
    )


def _chunks_of(session: Session, hits: Sequence[Hit]) -> dict[ChunkKey, Chunk]:
    """Return the chunks that were found; one named without a version may have only one."""
    keys = [ChunkKey(hit.chunk_id, hit.doc_version) for hit in hits]
    chunks = get_chunks(session, keys)
    for key in keys:
        if key not in chunks and key.doc_version is None:
            found = find_chunk(session, key.chunk_id, None)
            if found is not None:
                chunks[key] = found
    return chunks
