"""The search index of the corpus: tantivy in a folder beside the store, always rebuildable."""

from curation.corpus.errors import CorpusBusyError, CorpusIndexError
from curation.corpus.index import CorpusIndex, Hit

__all__ = ["CorpusBusyError", "CorpusIndex", "CorpusIndexError", "Hit"]
