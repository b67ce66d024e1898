"""`curation ingest` and `curation corpus`."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curation.cli.frame import Frame, Home, Json, frame
from curation.domain.visible import shown

if TYPE_CHECKING:
    from curation.services.corpus import FoundChunk
    from curation.services.intake import IntakeSummary

Files = Annotated[
    list[Path], typer.Argument(metavar="FILE...", help="JSONL, plain or gzip, CSV or Parquet.")
]
Format = Annotated[str, typer.Option("--format", help="auto, jsonl, csv or parquet.")]

corpus = typer.Typer(help="The chunks that evidence comes from.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("ingest")(ingest)
    corpus.command("add")(add)
    corpus.command("search")(search)
    corpus.command("index")(index)
    app.add_typer(corpus, name="corpus")


def ingest(
    files: Files,
    form: Format = "auto",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Bring in logged answers. Bringing a file in again updates scores, signals and labels."""
    with frame(home, as_json) as running:
        from curation.services.intake import failed_scores_words
        from curation.services.intake import ingest as bring_in

        summary = bring_in(
            running.workspace(), files, format=form, now=datetime.now(UTC), progress=_told
        )
        _report(running, summary, "answers")
        if summary.failed_scores:
            running.tell(failed_scores_words(summary.failed_scores))


def add(
    files: Files,
    form: Format = "auto",
    replace: Annotated[
        bool,
        typer.Option(
            "--replace", help="The files hold their documents whole: remove their other chunks."
        ),
    ] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Bring in chunks of the corpus and make them findable."""
    with frame(home, as_json) as running:
        from curation.services.corpus import add_chunks

        summary = add_chunks(
            running.workspace(),
            files,
            format=form,
            now=datetime.now(UTC),
            replace=replace,
            progress=_told,
        )
        _report(
            running,
            summary,
            "chunks",
            left_out=("failed_scores",) if replace else ("failed_scores", "removed"),
        )
        if replace:
            running.tell(f"{summary.removed} older chunks of these documents were removed.")


def _told(path: Path, so_far: "IntakeSummary") -> None:
    """Show in a terminal how far it is."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{shown(path.name)}: {so_far.read} read")
        sys.stderr.flush()


def _report(
    running: Frame,
    summary: "IntakeSummary",
    things: str,
    left_out: tuple[str, ...] = ("removed",),
) -> None:
    """Say what was read; anything refused is exit 1."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
    line = (
        f"{summary.read} {things} read: {summary.stored} stored, {summary.updated} updated, "
        f"{summary.unchanged} unchanged, {summary.refused} refused."
    )
    running.emit(summary.model_dump(mode="json", exclude=set(left_out)), [line])
    if not summary.read:
        running.tell(f"Nothing was brought in: the files hold no {things}. Check what wrote them.")
    if summary.refused:
        running.status = 1
        running.tell(
            f"{summary.refused} of {summary.read} records were refused. "
            f"Line, field and reason of each: {summary.rejects_file}"
        )


def search(
    text: Annotated[str, typer.Argument(help="Any words.")],
    doc_version: Annotated[
        str | None, typer.Option("--doc-version", help="Only this version.")
    ] = None,
    doc_id: Annotated[str | None, typer.Option("--doc-id", help="Only this document.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="How many.")] = 20,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Search the corpus for words."""
    with frame(home, as_json) as running:
        from curation.services.corpus import search_corpus

        found = search_corpus(
            running.workspace(), text, doc_version=doc_version, doc_id=doc_id, limit=limit
        )
        document = {"query": text, "hits": [_hit(item) for item in found]}
        running.emit(document, [_hit_line(item) for item in found] or ["Nothing found."])


def _hit(item: "FoundChunk") -> dict[str, object]:
    return {
        **item.chunk.model_dump(mode="json"),
        "score": round(item.score, 4),
        "spans": [list(span) for span in item.spans],
    }


def _hit_line(item: "FoundChunk") -> str:
    chunk = item.chunk
    version = f" [{chunk.doc_version}]" if chunk.doc_version else ""
    text = " ".join(chunk.text.split())
    return f"{item.score:7.2f}  {chunk.chunk_id}{version}  {text[:120]}"


def index(
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Make it anew.")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Bring the search index up to date with the corpus."""
    with frame(home, as_json) as running:
        from curation.services.corpus import catch_up, rebuild_index

        workspace = running.workspace()
        count = rebuild_index(workspace) if rebuild else catch_up(workspace)
        what = "indexed anew" if rebuild else "added to the index"
        running.emit({"indexed": count, "rebuilt": rebuild}, [f"{count} chunks {what}."])
