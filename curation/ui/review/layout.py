"""Which passages stand where on the screen, and which one is the other version of which."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from curation.domain.answer import Answer, SignalKind
from curation.domain.chunk import Chunk, ChunkKey
from curation.services.corpus import FoundChunk
from curation.services.passages import Passages, RetrievedPassage, is_asked
from curation.ui.review.board import Desk
from curation.ui.review.counterparts import Start, start_of
from curation.ui.review.pane_answer import signal_text
from curation.ui.review.picks import Passage
from curation.ui.review.sight import ChunkBlock, SearchBlock

NO_CHUNKS = "This answer came without its chunks. Search the corpus for evidence."
NO_TEXT = "The log has no text for this chunk and the corpus has none, so it cannot be evidence."


@dataclass(frozen=True, kw_only=True)
class Found:
    """A search of the corpus and what it found."""

    query: str
    chunks: tuple[FoundChunk, ...]


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The passages of the screen in reading order, and the desk that picks are made on."""

    chunks: tuple[ChunkBlock, ...]
    note: str
    search: SearchBlock
    desk: Desk
    start: Start | None
    wanted: tuple[str, ...]
    asked_for: tuple[str, ...] = ()


def lay_out(
    answer: Answer,
    known: Passages,
    asked_for: Sequence[str],
    *,
    opened: frozenset[int] = frozenset(),
    found: Found | None = None,
) -> Layout:
    """Return the layout of an answer's passages.

    Args:
        answer: the answer.
        known: what was retrieved, with other versions.
        asked_for: the versions that the question names.
        opened: the retrieved chunks (by place) under which all other versions are shown.
        found: the search that is open.
    """
    chunks = tuple(
        _retrieved(place, item, known, asked_for, wide=place in opened)
        for place, item in enumerate(known.retrieved)
    )
    chunks = _each_once(chunks)
    hits = _hits(answer, found, asked_for)
    wanted = (answer.question, *_corrections(answer))
    blocks = [block for chunk in chunks for block in chunk.each()]
    pairs = _pairs(chunks, known)
    single = asked_for[0] if len(asked_for) == 1 else None
    shown = [block.passage for block in blocks]
    everything = [*shown, *(hit.passage for hit in hits), *_said(answer)]
    return Layout(
        chunks=chunks,
        note="" if chunks else NO_CHUNKS,
        search=_search_block(found, hits),
        desk=Desk(
            passages={passage.key: passage for passage in everything},
            asked_for=single,
            pairs=pairs,
            wanted=wanted,
        ),
        start=start_of(
            answer.question,
            " ".join(wanted[1:]),
            _in_prompt(chunks, known) or shown,
            asked_for=single,
            pairs=pairs,
        ),
        wanted=wanted,
        asked_for=tuple(asked_for),
    )


def _said(answer: Answer) -> list[Passage]:
    """Return what the users said about the answer, and the answer itself."""
    said = [
        Passage(key=f"user{i}", text=text)
        for i, signal in enumerate(answer.signals)
        if (text := signal_text(signal)).strip()
    ]
    return [*said, Passage(key="answer", text=answer.answer)]


def _search_block(found: Found | None, hits: tuple[ChunkBlock, ...]) -> SearchBlock:
    """Return the search that is open, with its hits; an empty block where none is."""
    return SearchBlock(
        shown=found is not None,
        query=found.query if found else "",
        said=_search_said(found),
        hits=hits,
    )


def _in_prompt(chunks: Sequence[ChunkBlock], known: Passages) -> list[Passage]:
    """Return the passages that the answer was made from, with their other versions."""
    used = (chunk for chunk, item in zip(chunks, known.retrieved, strict=True) if item.hit.used)
    return [block.passage for chunk in used for block in chunk.each()]


def _corrections(answer: Answer) -> list[str]:
    """Return what users said instead of the answer."""
    said = (s for s in answer.signals if s.kind is SignalKind.CORRECTION)
    return [text for signal in said if (text := signal_text(signal)).strip()]


def _retrieved(
    place: int,
    item: RetrievedPassage,
    known: Passages,
    asked_for: Sequence[str],
    *,
    wide: bool,
) -> ChunkBlock:
    """Return the block of one retrieved chunk, with other versions beneath it."""
    hit, chunk = item.hit, item.chunk
    text = chunk.text if chunk is not None else ""
    version = (chunk.doc_version if chunk else None) or hit.doc_version
    proves = chunk is not None and (item.in_corpus or not known.has_corpus)
    key = f"c{place}"
    return ChunkBlock(
        passage=Passage(
            key=key,
            text=text,
            chunk_id=hit.chunk_id if proves else None,
            doc_id=(chunk.doc_id if chunk else None) or hit.doc_id,
            doc_version=version,
        ),
        version=version,
        name=hit.chunk_id,
        title=(chunk.title if chunk else None) or hit.doc_id or "",
        rank=hit.rank,
        score=hit.score,
        tags=(*(("cited",) if item.cited else ()), *(() if hit.used else ("not in the prompt",))),
        asked=is_asked(version, asked_for) if asked_for else None,
        versions=len(item.others),
        versions_open=wide,
        problem=_problem(item, known, version),
        under=tuple(
            _other(f"{key}v{at}", other, text, known, asked_for)
            for at, other in enumerate(item.others)
            if wide or _at_once(other, version, known, asked_for)
        ),
    )


def _problem(item: RetrievedPassage, known: Passages, version: str | None) -> str:
    """Return why a retrieved chunk cannot be evidence; empty when it can."""
    if item.chunk is None:
        return NO_TEXT
    if item.in_corpus or not known.has_corpus:
        return ""
    at = f" at {version}" if version else ""
    return f"Chunk {item.hit.chunk_id} is not in the corpus{at}, so it cannot be evidence."


def _at_once(other: Chunk, version: str | None, known: Passages, asked_for: Sequence[str]) -> bool:
    """Return whether another version is shown without asking: it is asked for, this one is not."""
    if not asked_for or is_asked(version, asked_for) or not is_asked(other.doc_version, asked_for):
        return False
    return _rank_of(other.key, known) is None


def _rank_of(key: ChunkKey, known: Passages) -> int | None:
    return next(
        (
            item.hit.rank
            for item in known.retrieved
            if ChunkKey(item.hit.chunk_id, item.hit.doc_version) == key
        ),
        None,
    )


def _other(
    key: str, chunk: Chunk, pair: str, known: Passages, asked_for: Sequence[str]
) -> ChunkBlock:
    """Return the block of the same passage in another version."""
    return ChunkBlock(
        passage=_passage(key, chunk),
        version=chunk.doc_version,
        name=chunk.chunk_id,
        title=chunk.title or chunk.doc_id,
        tags=(_retrieved_tag(_rank_of(chunk.key, known)),),
        asked=is_asked(chunk.doc_version, asked_for) if asked_for else None,
        pair=pair,
    )


def _passage(key: str, chunk: Chunk) -> Passage:
    return Passage(
        key=key,
        text=chunk.text,
        chunk_id=chunk.chunk_id,
        doc_id=chunk.doc_id,
        doc_version=chunk.doc_version,
    )


def _retrieved_tag(rank: int | None) -> str:
    return "not retrieved" if rank is None else f"retrieved #{rank}"


def _each_once(chunks: Iterable[ChunkBlock]) -> tuple[ChunkBlock, ...]:
    """Return the chunks with a passage beneath only the first of those that it belongs to."""
    seen: set[tuple[str | None, str | None]] = set()
    listed = []
    for chunk in chunks:
        if chunk.versions_open:
            listed.append(chunk)
            continue
        kept = []
        for other in chunk.under:
            key = (other.passage.chunk_id, other.passage.doc_version)
            if key not in seen:
                seen.add(key)
                kept.append(other)
        listed.append(replace(chunk, under=tuple(kept)))
    return tuple(listed)


def _pairs(chunks: Sequence[ChunkBlock], known: Passages) -> dict[str, str]:
    """Return for each passage the retrieved passage of another version that it stands against."""
    pairs = {other.passage.key: c.passage.key for c in chunks for other in c.under}
    for place, item in enumerate(known.retrieved):
        others = {other.key for other in item.others}
        for at, retrieved in enumerate(known.retrieved):
            key = ChunkKey(retrieved.hit.chunk_id, retrieved.hit.doc_version)
            if at != place and key in others:
                pairs.setdefault(f"c{place}", f"c{at}")
    return pairs


def _hits(answer: Answer, found: Found | None, asked_for: Sequence[str]) -> tuple[ChunkBlock, ...]:
    """Return the blocks of a search's hits."""
    if found is None:
        return ()
    ranks = {(hit.chunk_id, hit.doc_version): hit.rank for hit in answer.retrieved}
    return tuple(
        ChunkBlock(
            passage=_passage(f"s{at}", hit.chunk),
            version=hit.chunk.doc_version,
            name=hit.chunk.chunk_id,
            title=hit.chunk.title or hit.chunk.doc_id,
            tags=(_retrieved_tag(ranks.get((hit.chunk.chunk_id, hit.chunk.doc_version))),),
            asked=is_asked(hit.chunk.doc_version, asked_for) if asked_for else None,
            hits=hit.spans,
        )
        for at, hit in enumerate(found.chunks)
    )


def _search_said(found: Found | None) -> str:
    if found is None:
        return ""
    if not found.chunks:
        return f"No chunk of the corpus holds {found.query!r}."
    return f"{len(found.chunks)} chunks for {found.query!r}, best first."
