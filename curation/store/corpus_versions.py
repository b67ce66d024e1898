"""In which versions the corpus has a chunk."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from sqlalchemy import select
from sqlmodel import Session

from curation.store.schema import CHUNK
from curation.store.sql import parts


def versions_of(session: Session, chunk_ids: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the versions of each chunk that the corpus has; no version is the empty one."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for some in parts(sorted(chunk_ids)):
        statement = select(CHUNK.c.chunk_id, CHUNK.c.doc_version).where(CHUNK.c.chunk_id.in_(some))
        for row in session.connection().execute(statement.order_by(CHUNK.c.doc_version)):
            found[row.chunk_id].append(row.doc_version)
    return {chunk_id: tuple(versions) for chunk_id, versions in found.items()}
