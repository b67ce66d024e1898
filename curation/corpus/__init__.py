"""What finds passages: tantivy beside the store, PostgreSQL, or a team's own engine over HTTP."""

from curation.corpus.engine import ChunkIndex, Hit, SearchEngine
from curation.corpus.errors import CorpusBusyError, CorpusIndexError, SearchEngineError
from curation.corpus.http_engine import HttpEngine
from curation.corpus.index import CorpusIndex
from curation.corpus.postgres import PostgresIndex
from curation.corpus.words import spans_of

__all__ = [
    "ChunkIndex",
    "CorpusBusyError",
    "CorpusIndex",
    "CorpusIndexError",
    "Hit",
    "HttpEngine",
    "PostgresIndex",
    "SearchEngine",
    "SearchEngineError",
    "spans_of",
]
