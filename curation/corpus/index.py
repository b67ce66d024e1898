"""Writing and searching the index.

Several processes may search; one writes at a time and the others wait for it. The index says in a
document of its own up to which step of the corpus it knows, committed together with the chunks,
so that an interrupted writing is caught up by the next one.
"""

import shutil
import threading
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

import tantivy

from curation.corpus.engine import Hit
from curation.corpus.errors import CorpusBusyError, CorpusIndexError
from curation.corpus.spelling import TantivyTerms, known_words
from curation.corpus.words import analyzer, indexed, spans_of, words_of
from curation.domain.chunk import Chunk

HEAP = 64_000_000
WAIT_SECONDS = 60.0
_ANALYZER = "words"
_POSITION = "position"


class CorpusIndex:
    """The index in a folder. Safe to share between threads; made when first written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._opened: tantivy.Index | None = None
        self._lock = threading.Lock()

    def position(self) -> int:
        """Return up to which step of the corpus the index knows; 0 for no index."""
        index = self._existing()
        if index is None:
            return 0
        with self._guarded():
            searcher = index.searcher()
            found = searcher.search(_marker_query(index.schema), 1).hits
            return int(searcher.doc(found[0][1])["step"][0]) if found else 0

    def size(self) -> int:
        """Return how many documents the index has, its own marker included; 0 for no index."""
        index = self._existing()
        return 0 if index is None else int(index.searcher().num_docs)

    def add(self, chunks: Iterable[Chunk], *, position: int = 0) -> int:
        """Add the chunks, replacing those of the same id and version, and return how many.

        Args:
            chunks: what to add.
            position: the step of the corpus that the index then knows.

        Raises:
            CorpusBusyError: another process kept writing for too long.
        """
        return self._write(chunks, position=position, empty_first=False)

    def rebuild(self, chunks: Iterable[Chunk], *, position: int = 0) -> int:
        """Make the index anew from these chunks alone and return how many."""
        try:
            return self._write(chunks, position=position, empty_first=True)
        except CorpusIndexError:
            with self._lock:
                self._opened = None
                shutil.rmtree(self.folder, ignore_errors=True)
            return self._write(chunks, position=position, empty_first=True)

    def search(
        self,
        text: str,
        *,
        doc_version: str | None = None,
        doc_id: str | None = None,
        limit: int = 20,
        every: bool = False,
        as_typed: bool = False,
    ) -> tuple[Hit, ...]:
        """Return the chunks that hold the words of the text, best first.

        Args:
            text: any words; nothing in it is read as an operator.
            doc_version: only this version.
            doc_id: only this document.
            limit: how many at most.
            every: only chunks that hold every word.
            as_typed: no word is read as another one that it is near.
        """
        index = self._existing()
        if index is None:
            return ()
        words = words_of(text) if as_typed else self.read_as(text)
        if not words:
            return ()
        with self._guarded():
            query = _query(index.schema, words, doc_version=doc_version, doc_id=doc_id, every=every)
            searcher = index.searcher()
            found = searcher.search(query, limit, count=False).hits
            return tuple(_hit(searcher.doc(place), score) for score, place in found)

    def read_as(self, text: str) -> tuple[str, ...]:
        """Return the words that a search is for: unknown ones as the known ones they are near.

        The last word may be the beginning of one. Numbers and versions are never read otherwise.
        """
        index, words = self._existing(), words_of(text)
        if index is None:
            return words
        with self._guarded():
            return known_words(TantivyTerms(index.searcher()), words)

    def spans(self, text: str, chunk_text: str) -> tuple[tuple[int, int], ...]:
        """Return where the words of a search stand in a chunk's text, as code points."""
        return spans_of(chunk_text, frozenset(self.read_as(text)))

    def _existing(self) -> tantivy.Index | None:
        """Return the index as it is now on disk, None if there is none."""
        with self._lock:
            if not (self.folder / "meta.json").exists():
                self._opened = None
                return None
            with self._guarded():
                if self._opened is None:
                    self._opened = _with_words(tantivy.Index.open(str(self.folder)))
                self._opened.reload()
                return self._opened

    def _made(self) -> tantivy.Index:
        """Return the index, made where there is none."""
        existing = self._existing()
        if existing is not None:
            return existing
        with self._lock, self._guarded():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._opened = _with_words(tantivy.Index(_schema(), str(self.folder), reuse=True))
            return self._opened

    def _write(self, chunks: Iterable[Chunk], *, position: int, empty_first: bool) -> int:
        """Write under the lock that processes share."""
        index = self._made()
        writer = self._writer(index)
        count = 0
        try:
            with self._guarded():
                if empty_first:
                    writer.delete_all_documents()
                for chunk in chunks:
                    if not empty_first:
                        writer.delete_documents_by_term("key", _key(chunk))
                    writer.add_document(_document(chunk))
                    count += 1
                writer.delete_documents_by_term("key", _POSITION)
                writer.add_document(_marker(position))
                writer.commit()
        except BaseException:
            writer.rollback()
            raise
        finally:
            writer.wait_merging_threads()
        index.reload()
        return count

    def _writer(self, index: tantivy.Index) -> tantivy.IndexWriter:
        """Return the writer, waiting while another process has it."""
        return _patiently(lambda: index.writer(HEAP, 1), self.folder)

    @contextmanager
    def _guarded(self) -> Generator[None]:
        """Turn what the engine raises into one sentence."""
        try:
            yield
        except (ValueError, OSError) as problem:
            raise CorpusIndexError(self.folder, str(problem).rstrip(".")) from problem


def _patiently(make: Callable[[], tantivy.IndexWriter], folder: Path) -> tantivy.IndexWriter:
    """Return what `make` makes, trying again while the lock is taken."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            return make()
        except ValueError as problem:
            if "Lock" not in str(problem):
                raise CorpusIndexError(folder, str(problem)) from problem
            if time.monotonic() > deadline:
                raise CorpusBusyError(folder, WAIT_SECONDS) from problem
            time.sleep(0.05)


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("key", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("chunk_id", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("doc_version", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("doc_id", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("shown_title", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("title", tokenizer_name=_ANALYZER, index_option="freq")
    builder.add_text_field("text", tokenizer_name=_ANALYZER, index_option="freq")
    builder.add_integer_field("step", stored=True)
    return builder.build()


def _with_words(index: tantivy.Index) -> tantivy.Index:
    """Return the index with the way in which texts are cut."""
    index.register_tokenizer(_ANALYZER, analyzer())
    return index


def _key(chunk: Chunk) -> str:
    return f"chunk\0{chunk.chunk_id}\0{chunk.doc_version or ''}"


def _document(chunk: Chunk) -> tantivy.Document:
    return tantivy.Document(
        key=_key(chunk),
        chunk_id=chunk.chunk_id,
        doc_version=chunk.doc_version or "",
        doc_id=chunk.doc_id,
        shown_title=chunk.title or "",
        title=indexed(chunk.title or ""),
        text=indexed(chunk.text),
    )


def _marker(position: int) -> tantivy.Document:
    document = tantivy.Document(key=_POSITION)
    document.add_integer("step", position)
    return document


def _marker_query(schema: tantivy.Schema) -> tantivy.Query:
    return tantivy.Query.term_query(schema, "key", _POSITION, "basic")


def _query(
    schema: tantivy.Schema,
    words: tuple[str, ...],
    *,
    doc_version: str | None,
    doc_id: str | None,
    every: bool = False,
) -> tantivy.Query:
    """Return the query: any of the words counts, in the title more; version and document must."""
    if every:
        query = tantivy.Query.boolean_query(
            [(tantivy.Occur.Must, _word(schema, "text", word)) for word in words]
        )
    else:
        query = tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Should, _word(schema, field, word))
                for word in words
                for field in ("title", "text")
            ]
        )
    must = [
        (tantivy.Occur.Must, tantivy.Query.term_query(schema, field, value, "basic"))
        for field, value in (("doc_version", doc_version), ("doc_id", doc_id))
        if value is not None
    ]
    if not must:
        return query
    exact = [(occur, tantivy.Query.const_score_query(part, 0.0)) for occur, part in must]
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, query), *exact])


def _word(schema: tantivy.Schema, field: str, word: str) -> tantivy.Query:
    return tantivy.Query.term_query(schema, field, word, "freq")


def _hit(document: tantivy.Document, score: float) -> Hit:
    return Hit(
        chunk_id=document["chunk_id"][0],
        doc_version=document["doc_version"][0] or None,
        doc_id=document["doc_id"][0],
        title=document["shown_title"][0] or None,
        score=score,
    )
