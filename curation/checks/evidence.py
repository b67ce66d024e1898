"""Whether the evidence is in the corpus, holds its quotes, and is of the version asked for."""

from collections.abc import Iterator

from curation.checks.context import CheckContext, error, fine, warning
from curation.domain.chunk import ChunkKey
from curation.domain.finding import Check, Finding
from curation.domain.visible import shown

VERSIONS = "V"


def quotes(context: CheckContext) -> Iterator[Finding]:
    """Yield chunks that the corpus does not have and quotes that are not in their chunk."""
    checked = 0
    wrong = False
    for item in context.case.evidence:
        text = context.chunks.get(ChunkKey(item.chunk_id, item.doc_version))
        if text is None:
            if context.has_corpus:
                wrong = True
                yield error(
                    Check.CHUNK_NOT_IN_CORPUS,
                    f"Chunk {shown(item.chunk_id)} is not in the corpus"
                    f"{_at(item.doc_version)}, so it cannot be evidence.",
                    field="evidence",
                    item=item.id,
                    key=VERSIONS,
                )
        elif item.quote and item.quote not in text:
            wrong = True
            yield error(
                Check.QUOTE_NOT_IN_CHUNK,
                f"A quote is not in its chunk {shown(item.chunk_id)}: pick it again.",
                field="evidence",
                item=item.id,
            )
        elif item.quote:
            checked += 1
    if checked and not wrong:
        yield fine(Check.QUOTES, "Every quote is in its chunk.")


def _at(version: str | None) -> str:
    return f" at {shown(version)}" if version else ""


def versions(context: CheckContext) -> Iterator[Finding]:
    """Yield gold evidence of another version than the question asks about."""
    asked = " and ".join(context.asked_versions)
    seen: set[str | None] = set()
    for item in context.mismatched:
        if item.doc_version in seen:
            continue
        seen.add(item.doc_version)
        yield warning(
            Check.VERSION_MISMATCH,
            f"Evidence is version {shown(item.doc_version or '')}, "
            f"the question asks about {asked}.",
            field="evidence",
            item=item.id,
            key=VERSIONS,
        )
