"""The search index of the corpus in PostgreSQL itself, for teams: text search with a GIN index.

Words are cut as in the index beside the store, so that both find the same. Candidates are capped
before they are ranked: common words cost no more than rare ones. Derived data in tables of their
own, made when first written.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from curation.corpus.engine import Hit
from curation.corpus.errors import CorpusBusyError, CorpusIndexError
from curation.corpus.spelling import known_words
from curation.corpus.words import analyzer, indexed, words_of
from curation.domain.chunk import Chunk

CANDIDATES = 2_000
MOST_RANKED = 8  # the rarest words of a search decide
COMMON = 0.05  # a word that more of the chunks have finds nothing on its own
WAIT_SECONDS = 60
SEARCH_SECONDS = 5
_PART = 2_000
_LAST_PLACE = 16_383  # of a word in a tsvector
_PLACES = 100  # of one word that are kept
_LOCK = 0x6375_7261_7469_6F6E  # the lock that writers share
_MADE = """
CREATE TABLE IF NOT EXISTS corpus_search (
    chunk_id text NOT NULL, doc_version text NOT NULL, doc_id text NOT NULL, title text,
    words tsvector NOT NULL, PRIMARY KEY (chunk_id, doc_version));
CREATE INDEX IF NOT EXISTS ix_corpus_search_words ON corpus_search USING gin (words);
CREATE INDEX IF NOT EXISTS ix_corpus_search_doc ON corpus_search (doc_id, doc_version);
CREATE TABLE IF NOT EXISTS corpus_search_word (
    word text COLLATE "C" PRIMARY KEY, chunks int NOT NULL);
CREATE TABLE IF NOT EXISTS corpus_search_step (one int PRIMARY KEY, step bigint NOT NULL)
"""


class PostgresIndex:
    """The index in the store's database. Safe to share between threads and processes."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._where = engine.url.render_as_string(hide_password=True)

    def position(self) -> int:
        """Return up to which step of the corpus the index knows; 0 for no index."""
        with self._reading() as connection:
            if connection is None:
                return 0
            found = connection.execute(text("SELECT step FROM corpus_search_step")).scalar()
            return int(found or 0)

    def size(self) -> int:
        """Return how many chunks the index has."""
        with self._reading() as connection:
            return 0 if connection is None else _count(connection)

    def add(self, chunks: Iterable[Chunk], *, position: int = 0) -> int:
        """Add the chunks, replacing those of the same id and version, and return how many.

        Raises:
            CorpusBusyError: another process kept writing for too long.
        """
        with self._writing() as connection:
            return _written(connection, chunks, position)

    def rebuild(self, chunks: Iterable[Chunk], *, position: int = 0) -> int:
        """Make the index anew from these chunks alone and return how many."""
        with self._writing() as connection:
            connection.execute(text("DELETE FROM corpus_search"))
            connection.execute(text("DELETE FROM corpus_search_word"))
            return _written(connection, chunks, position)

    def search(
        self,
        text: str,
        *,
        doc_version: str | None = None,
        doc_id: str | None = None,
        limit: int = 20,
    ) -> tuple[Hit, ...]:
        """Return the chunks that hold the words of the text, best first.

        Those that hold every word come first; where they are few, those that hold some of its
        rarer words follow.
        """
        with self._reading() as connection:
            words = [] if connection is None else list(self._read(connection, text))
            if connection is None or not words:
                return ()
            rarest = _by_rarity(connection, words)[:MOST_RANKED]
            found = _Found(connection, rarest, doc_version=doc_version, doc_id=doc_id)
            hits = found.hits(words, " & ", limit)
            if len(hits) < limit:
                some = [word for word, idf in rarest if idf > math.log(1 / COMMON)]
                some = some or [word for word, _ in rarest[:1]]
                known = {(hit.chunk_id, hit.doc_version) for hit in hits}
                more = found.hits(some, " | ", limit + len(hits))
                hits += [hit for hit in more if (hit.chunk_id, hit.doc_version) not in known]
            return tuple(hits[:limit])

    def read_as(self, text: str) -> tuple[str, ...]:
        """Return the words that a search is for: unknown ones as the known ones they are near."""
        with self._reading() as connection:
            return words_of(text) if connection is None else self._read(connection, text)

    @staticmethod
    def _read(connection: Connection, words: str) -> tuple[str, ...]:
        return known_words(_Terms(connection), words_of(words))

    @contextmanager
    def _reading(self) -> Generator[Connection | None]:
        """Give a connection that looks, None where nothing was ever written."""
        with self._guarded(), self._engine.connect() as connection:
            connection.execute(text(f"SET LOCAL statement_timeout = '{SEARCH_SECONDS}s'"))
            made = connection.execute(text("SELECT to_regclass('corpus_search_step')")).scalar()
            yield connection if made is not None else None

    @contextmanager
    def _writing(self) -> Generator[Connection]:
        """Give the one connection that writes; others wait for it."""
        with self._guarded(), self._engine.begin() as connection:
            connection.execute(text(f"SET LOCAL lock_timeout = '{WAIT_SECONDS * 1000}ms'"))
            try:
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            except OperationalError as problem:
                raise CorpusBusyError(self._where, WAIT_SECONDS) from problem
            for statement in _MADE.split(";"):
                connection.execute(text(statement))
            yield connection

    @contextmanager
    def _guarded(self) -> Generator[None]:
        """Turn what the database raises into one sentence."""
        try:
            yield
        except SQLAlchemyError as problem:
            said = str(getattr(problem, "orig", None) or problem).strip().split("\n")[0]
            raise CorpusIndexError(self._where, said.rstrip(".")) from problem


class _Terms:
    """The words of the index."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def known(self, word: str) -> bool:
        return bool(_frequencies(self._connection, [word]))

    def beginning(self, start: str, most: int) -> Sequence[str]:
        statement = text(
            "SELECT word FROM corpus_search_word WHERE word >= :start AND word < :end "
            "ORDER BY chunks DESC, word LIMIT :most"
        )
        end = start[:-1] + chr(ord(start[-1]) + 1)
        found = self._connection.execute(statement, {"start": start, "end": end, "most": most})
        return list(found.scalars())


class _Found:
    """Runs one search's statements, and ranks what they find."""

    def __init__(
        self,
        connection: Connection,
        rarest: Sequence[tuple[str, float]],
        *,
        doc_version: str | None,
        doc_id: str | None,
    ) -> None:
        self._connection = connection
        self._rarest = rarest
        narrow = {"doc_version": doc_version, "doc_id": doc_id}
        self._narrow = {name: value for name, value in narrow.items() if value is not None}

    def hits(self, words: Sequence[str], joined: str, limit: int) -> list[Hit]:
        """Return the best of the first candidates that hold all, or any, of the words."""
        ranked = " + ".join(
            f"ts_rank(words, CAST(:word{at} AS tsquery)) * :weight{at}"
            for at in range(len(self._rarest))
        )
        narrow = "".join(f" AND {name} = :{name}" for name in self._narrow)
        statement = text(
            f"SELECT chunk_id, doc_version, doc_id, title, {ranked} AS score FROM ("  # noqa: S608 - names of ours only
            f"SELECT * FROM corpus_search WHERE words @@ CAST(:query AS tsquery){narrow} "
            "LIMIT :candidates) AS candidate "
            "ORDER BY score DESC, chunk_id, doc_version LIMIT :limit"
        )
        values: dict[str, Any] = {"query": joined.join(f"'{word}'" for word in words)}
        for at, (word, idf) in enumerate(self._rarest):
            values |= {f"word{at}": f"'{word}'", f"weight{at}": idf}
        values |= {"candidates": CANDIDATES, "limit": limit, **self._narrow}
        return [
            Hit(
                chunk_id=row.chunk_id,
                doc_version=row.doc_version or None,
                doc_id=row.doc_id,
                title=row.title,
                score=float(row.score),
            )
            for row in self._connection.execute(statement, values)
        ]


def _by_rarity(connection: Connection, words: Sequence[str]) -> list[tuple[str, float]]:
    """Return the words with their inverse document frequency, the rarest known first."""
    chunks = max(1, _count(connection))
    often = _frequencies(connection, words)
    weighed = [(word, math.log(1 + chunks / often[word])) for word in words if word in often]
    return sorted(weighed, key=lambda pair: -pair[1]) or [(word, 1.0) for word in words]


def _count(connection: Connection) -> int:
    """Return how many chunks there are, exactly while they are few, else as the planner thinks."""
    statement = text("SELECT reltuples FROM pg_class WHERE oid = 'corpus_search'::regclass")
    about = int(connection.execute(statement).scalar() or 0)
    if about > 10 * CANDIDATES:
        return about
    return int(connection.execute(text("SELECT count(*) FROM corpus_search")).scalar() or 0)


def _frequencies(connection: Connection, words: Sequence[str]) -> dict[str, int]:
    """Return how many chunks have each of the words that some have."""
    statement = text("SELECT word, chunks FROM corpus_search_word WHERE word = ANY(:words)")
    found = connection.execute(statement, {"words": list(words)})
    return {row.word: row.chunks for row in found}


def _written(connection: Connection, chunks: Iterable[Chunk], position: int) -> int:
    """Write the chunks part by part, in the caller's transaction; return how many."""
    count = 0
    left = iter(chunks)
    while part := list(islice(left, _PART)):
        count += len(part)
        _write_part(connection, {chunk.key: chunk for chunk in part}.values())
    connection.execute(
        text(
            "INSERT INTO corpus_search_step VALUES (1, :step) "
            "ON CONFLICT (one) DO UPDATE SET step = excluded.step"
        ),
        {"step": position},
    )
    return count


def _write_part(connection: Connection, chunks: Iterable[Chunk]) -> None:
    """Replace the chunks of a part, and count their words."""
    rows = [(chunk, *_vector(chunk)) for chunk in chunks]
    keys = {
        "ids": [chunk.chunk_id for chunk, _, _ in rows],
        "versions": [chunk.doc_version or "" for chunk, _, _ in rows],
    }
    gone = connection.execute(
        text(
            "DELETE FROM corpus_search AS old USING unnest(CAST(:ids AS text[]), "
            "CAST(:versions AS text[])) AS new (id, version) WHERE old.chunk_id = new.id "
            "AND old.doc_version = new.version RETURNING tsvector_to_array(old.words) AS words"
        ),
        keys,
    )
    change: Counter[str] = Counter()
    for row in gone:
        change.subtract(row.words)
    for _, _, words in rows:
        change.update(words)
    driver = connection.connection.driver_connection
    if driver is None:
        return
    columns = "chunk_id, doc_version, doc_id, title, words"
    with driver.cursor() as cursor, cursor.copy(f"COPY corpus_search ({columns}) FROM STDIN") as to:
        for chunk, vector, _ in rows:
            to.write_row(
                (chunk.chunk_id, chunk.doc_version or "", chunk.doc_id, chunk.title, vector)
            )
    _count_words(connection, change)


def _count_words(connection: Connection, change: Counter[str]) -> None:
    """Add to the words' frequencies; a word that no chunk has any more goes."""
    moved = sorted((word, by) for word, by in change.items() if by)
    values = {"words": [word for word, _ in moved], "by": [by for _, by in moved]}
    connection.execute(
        text(
            "INSERT INTO corpus_search_word AS old SELECT * FROM unnest(CAST(:words AS text[]), "
            "CAST(:by AS int[])) ON CONFLICT (word) DO UPDATE SET chunks = old.chunks + "
            "excluded.chunks"
        ),
        values,
    )
    connection.execute(
        text("DELETE FROM corpus_search_word WHERE chunks <= 0 AND word = ANY(:words)"), values
    )


def _vector(chunk: Chunk) -> tuple[str, tuple[str, ...]]:
    """Return the chunk's words with their places as a tsvector is written, and the words alone.

    Words are letters and digits, so that nothing in them can be read as anything else; those of
    the title weigh more.
    """
    places: defaultdict[str, list[str]] = defaultdict(list)
    for at, word, weight in _placed(chunk):
        if len(places[word]) < _PLACES:
            places[word].append(f"{min(at, _LAST_PLACE)}{weight}")
    written = " ".join(f"'{word}':{','.join(at)}" for word, at in places.items())
    return written, tuple(places)


def _placed(chunk: Chunk) -> Iterator[tuple[int, str, str]]:
    """Yield the words of title and text with their places and weights."""
    at = 0
    for part, weight in ((chunk.title or "", "A"), (chunk.text, "D")):
        for word in analyzer().analyze(indexed(part).encode("utf-8", "replace").decode()):
            at += 1
            yield at, str(word), weight
