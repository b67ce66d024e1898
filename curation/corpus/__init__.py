"""The search index of the corpus: tantivy in a folder beside the store, always rebuildable."""

from curation.corpus.errors import CorpusBusyError, CorpusIndexError
from curation.corpus.index import CorpusIndex, Hit
from curation.corpus.words import spans_of

__all__ = ["CorpusBusyError", "CorpusIndex", "CorpusIndexError", "Hit", "spans_of"]
