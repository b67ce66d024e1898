"""What the Import page says: what can be brought in, how far it is, and what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from curation.domain.plural import plural
from curation.services.corpus import add_chunks
from curation.services.intake import IntakeSummary, Progress, failed_scores_words, ingest
from curation.services.workspace import Workspace
from curation.ui.tree import Child, button, node


class Import(Protocol):
    """A use case that brings files in."""

    def __call__(
        self,
        workspace: Workspace,
        files: Sequence[Path],
        /,
        *,
        now: datetime,
        progress: Progress | None = None,
    ) -> IntakeSummary:
        """Bring the files in and return what came of it."""


@dataclass(frozen=True, kw_only=True)
class ImportKind:
    """One kind of thing that can be brought in."""

    noun: str
    title: str
    about: str
    run: Import


KINDS = (
    ImportKind(
        noun="answers",
        title="Logged answers",
        about="JSONL, plain or gzip, CSV or Parquet: one answer a record, with its id, question "
        "and answer. Bringing the same file in again adds nothing twice.",
        run=ingest,
    ),
    ImportKind(
        noun="chunks",
        title="The corpus",
        about="JSONL of chunks: chunk_id, doc_id, doc_version, title, text, category, doc_family.",
        run=add_chunks,
    ),
)


def progress_words(name: str, so_far: IntakeSummary) -> str:
    """Return how far an import is."""
    return f"{name}: {so_far.read} read, {so_far.stored} new, {so_far.refused} refused"


def done_words(summary: IntakeSummary) -> str:
    """Return what is said at once of an import that ended; what was refused is never left out."""
    return (
        f"{summary.stored} new, {summary.updated} updated, {summary.refused} refused "
        f"of {plural(summary.read, 'record')} read. Q: the queue."
    )


def draw_summary(noun: str, summary: IntakeSummary) -> list[Child]:
    """Return what came of the last import: the parts add up to what was read."""
    said = (
        f"{summary.read} read = {summary.stored} new + {summary.updated} updated + "
        f"{summary.unchanged} unchanged + {summary.refused} refused"
    )
    drawn: list[Child] = [node("h2", f"Last import: {noun}"), node("p", said, role="status")]
    if summary.rejects_file:
        drawn.append(
            node(
                "p",
                f"{plural(summary.refused, 'record')} refused, each with its line, field and "
                f"reason, in {summary.rejects_file}",
                cls="cur-literal",
            )
        )
    if summary.failed_scores:
        drawn.append(node("p", failed_scores_words(summary.failed_scores)))
    drawn.append(node("p", button("Queue", "to_queue", key="Q")))
    return drawn
