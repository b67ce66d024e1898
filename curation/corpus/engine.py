"""What finds passages: two methods for a team's own engine, five for an index kept here."""

from collections.abc import Iterable
from typing import Protocol

from curation.domain.base import Value
from curation.domain.chunk import Chunk


class Hit(Value):
    """A chunk that a search found, best first."""

    chunk_id: str
    doc_version: str | None
    doc_id: str
    title: str | None
    score: float


class SearchEngine(Protocol):
    """Whatever finds chunks of the corpus by words."""

    def search(
        self,
        text: str,
        *,
        doc_version: str | None = None,
        doc_id: str | None = None,
        limit: int = 20,
    ) -> tuple[Hit, ...]:
        """Return the chunks that hold the words of the text, best first.

        Args:
            text: any words; nothing in it is read as an operator.
            doc_version: only this version.
            doc_id: only this document.
            limit: how many at most.
        """

    def read_as(self, text: str) -> tuple[str, ...]:
        """Return the words that a search is for, as they are marked in what it finds."""


class ChunkIndex(SearchEngine, Protocol):
    """An engine whose index this program writes and keeps in step with the corpus."""

    def position(self) -> int:
        """Return up to which step of the corpus the index knows; 0 for no index."""

    def add(self, chunks: Iterable[Chunk], *, position: int = 0) -> int:
        """Add the chunks, replacing those of the same id and version, and return how many."""

    def rebuild(self, chunks: Iterable[Chunk], *, position: int = 0) -> int:
        """Make the index anew from these chunks alone and return how many."""
