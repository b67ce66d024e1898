"""The next delivery of the sample documentation, as documents come: some new, some cut anew.

It brings whole documents, so that what they had before goes: `corpus add FILE --replace`.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from curation.domain.chunk import Chunk
from curation.sample.documents import read_documents

NEXT_EDITION = "2027"
CUT_ANEW = (("console/access", "4.2"), ("gateway/limits", "4.2"), ("store/backup", "4.2"))
REWORDED = {("billing/support", "4.2"): (("| 1 | 1 hour |", "| 1 | 45 minutes |"),)}
LEFT_OUT = {("billing/invoices", "4.2"): "billing/invoices#refunds"}
RENEWED = {
    "handbook/leave": (("from day 2 on", "from day 3 on"),),
    "handbook/remote": (("up to 30 days a", "up to 40 days a"),),
    "handbook/benefits": (("The company adds 6 %", "The company adds 7 %"),),
}


def next_chunks() -> tuple[Chunk, ...]:
    """Return the chunks of the delivery, document by document."""
    return (*_cut_anew(), *_reworded(), *_shortened(), *_renewed())


def write_delivery(path: Path) -> Path:
    """Return the file, with the delivery written into it as JSON lines."""
    lines = (json.dumps(c.model_dump(mode="json"), ensure_ascii=False) for c in next_chunks())
    path.write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8"))
    return path


def _cut_anew() -> Iterator[Chunk]:
    """Yield documents whose sections come two to a chunk, under other ids."""
    for doc_id, version in CUT_ANEW:
        sections = read_documents()[doc_id].chunks(version)
        for at in range(0, len(sections), 2):
            pair = sections[at : at + 2]
            yield pair[0].model_copy(
                update={
                    "chunk_id": f"{doc_id}/{at // 2 + 1:02}",
                    "text": "\n\n".join(section.text for section in pair),
                }
            )


def _reworded() -> Iterator[Chunk]:
    """Yield documents that say something else in the same version."""
    for (doc_id, version), pairs in REWORDED.items():
        for chunk in read_documents()[doc_id].chunks(version):
            yield _with(chunk, pairs)


def _shortened() -> Iterator[Chunk]:
    """Yield documents that lack a section which they had."""
    for (doc_id, version), gone in LEFT_OUT.items():
        yield from (c for c in read_documents()[doc_id].chunks(version) if c.chunk_id != gone)


def _renewed() -> Iterator[Chunk]:
    """Yield the next edition of documents, with other values."""
    for doc_id, pairs in RENEWED.items():
        document = read_documents()[doc_id]
        for chunk in document.chunks(document.versions[-1]):
            yield _with(chunk, pairs).model_copy(update={"doc_version": NEXT_EDITION})


def _with(chunk: Chunk, pairs: Sequence[tuple[str, str]]) -> Chunk:
    text = chunk.text
    for old, new in pairs:
        text = text.replace(old, new)
    return chunk.model_copy(update={"text": text})
