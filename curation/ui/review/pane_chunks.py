"""The chunk pane as the browser is told to draw it."""

from curation.domain.segments import Span
from curation.domain.visible import shown
from curation.ui.review.board import Board
from curation.ui.review.counterparts import best_sentence, differing_words
from curation.ui.review.marks import passage_marks
from curation.ui.review.pane_answer import Document, block
from curation.ui.review.picks import evidence_of
from curation.ui.review.sight import ChunkBlock, Sight
from curation.ui.review.texts import CHUNK_FOLD, Mark, Texts, sentences_of

_NAME = 32
_MOST_DIFFERENT = 0.6


def chunks_pane(sight: Sight, board: Board, texts: Texts) -> Document:
    """Return the retrieved chunks in rank order, the versions beneath them, the search."""
    return {
        "note": sight.chunks_note,
        "search": {
            "shown": sight.search.shown,
            "said": sight.search.said,
            "hits": [_chunk(hit, sight, board, texts) for hit in sight.search.hits],
        },
        "items": [_chunk(chunk, sight, board, texts) for chunk in sight.chunks],
    }


def _chunk(chunk: ChunkBlock, sight: Sight, board: Board, texts: Texts) -> Document:
    """Return one chunk with those beneath it."""
    passage = chunk.passage
    guard = board.guard.text if board.guard and board.guard.block == passage.key else None
    return {
        "key": passage.key,
        "label": _label(chunk),
        "lead": "↳ same passage" if chunk.pair is not None else "",
        "nested": chunk.pair is not None,
        "rank": f"#{chunk.rank}" if chunk.rank is not None else "",
        "score": f"{chunk.score:.3g}" if chunk.score is not None else "",
        "version": _version(chunk),
        "asked": {True: "yes", False: "no", None: ""}[chunk.asked],
        "tags": list(chunk.tags),
        "name": _short(shown(chunk.name)),
        "title": shown(" · ".join(dict.fromkeys((chunk.name, chunk.title or chunk.name)))),
        "versions": _versions(chunk),
        "pickable": passage.proves,
        "evidence": bool(evidence_of(board.draft, passage)),
        "guard": guard,
        "problem": chunk.problem,
        "block": chunk_block(chunk, sight, board, texts),
        "under": [_chunk(other, sight, board, texts) for other in chunk.under],
    }


def chunk_block(chunk: ChunkBlock, sight: Sight, board: Board, texts: Texts) -> Document:
    """Return the text of a chunk with its marks; quotes and the best sentence are never folded."""
    passage = chunk.passage
    differing = _telling_differences(passage.text, chunk.pair) if chunk.pair is not None else ()
    words = tuple((start, end, "hit", "found by the search") for start, end in chunk.hits)
    found: tuple[Mark, ...] = (*passage_marks(passage, board.draft, differing), *words)
    folds = len(passage.text) > CHUNK_FOLD
    best = best_sentence(passage.text, sight.wanted) if folds else None
    keep = frozenset(
        sentences_of(passage.text, (*differing[:20], *chunk.hits[:20]))
        | ({best} if best is not None else set())
    )
    if sight.start is not None and sight.start.block == passage.key:
        keep |= {sight.start.sentence}
    return block(
        texts, passage.key, passage.text, found=found, limit=CHUNK_FOLD, keep=keep, walk=True
    )


def _telling_differences(text: str, pair: str) -> tuple[Span, ...]:
    """Return the words that differ; none where most do, since then they tell nothing."""
    differing = differing_words(text, pair)
    changed = sum(span.end - span.start for span in differing)
    return differing if changed <= _MOST_DIFFERENT * len(text) else ()


def _version(chunk: ChunkBlock) -> str:
    """Return the version as the head says it."""
    version = shown(chunk.version or "")
    if chunk.asked is None:
        return version
    if not version:
        return "no version"
    return f"{version} ✓ asked for" if chunk.asked else f"{version} ≠ asked for"


def _versions(chunk: ChunkBlock) -> Document | None:
    """Return the button that opens the other versions of a retrieved chunk."""
    if chunk.versions < 1 or chunk.pair is not None:
        return None
    return {"label": f"Versions ({chunk.versions + 1})", "open": chunk.versions_open}


def _short(name: str) -> str:
    """Return the end of a long name, which tells more than its beginning."""
    return name if len(name) <= _NAME else "…" + name[1 - _NAME :]


def _label(chunk: ChunkBlock) -> str:
    """Return the chunk's name for a reader of the page who does not see it."""
    rank = f"Chunk {chunk.rank}" if chunk.rank is not None else "Chunk, not retrieved"
    return f"{rank}, version {shown(chunk.version or '')}" if chunk.version else rank
