"""A passage of the corpus. Identity is id *and* version: the same text recurs across versions."""

import hashlib
from typing import NamedTuple

from curation.domain.base import Value


class ChunkKey(NamedTuple):
    """What identifies a chunk."""

    chunk_id: str
    doc_version: str | None


class Chunk(Value):
    """A passage of the corpus."""

    chunk_id: str
    doc_id: str
    doc_version: str | None = None
    title: str | None = None
    text: str
    category: str | None = None
    doc_family: str | None = None

    @property
    def key(self) -> ChunkKey:
        """What identifies the chunk."""
        return ChunkKey(self.chunk_id, self.doc_version)


def text_sha256(text: str) -> str:
    """Return the sha256 (hex) of a chunk's text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
