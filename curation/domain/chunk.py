"""A passage of the corpus. Identity is id *and* version: the same text recurs across versions."""

import hashlib
import re
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


def passage_key(chunk: Chunk) -> str:
    """Return the chunk's id without its version."""
    return unversioned(chunk.chunk_id, chunk.doc_version)


def document_key(chunk: Chunk) -> str:
    """Return the document's id without its version."""
    return unversioned(chunk.doc_id, chunk.doc_version)


def unversioned(text: str, version: str | None) -> str:
    """Return the text with the version in it replaced by a sign."""
    if not version:
        return text
    return re.sub(
        rf"(?<![\w.]){re.escape(version)}(?![\w.])|(?<=\bv){re.escape(version)}(?!\w)", "\0", text
    ).replace("\0", "{}")
