"""Reports, comparisons and gates in the format that was asked for, to a file or to the terminal."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from curation.cli.frame import Frame
from curation.errors import CurationError

Rendering = Mapping["Format", Callable[[], str]]


class Format(StrEnum):
    """What a result can be written as."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    JUNIT = "junit"
    HTML = "html"


Out = Annotated[
    Path | None, typer.Option("--out", help="Write it here; the ending says the format.")
]
FormatOption = Annotated[
    Format | None, typer.Option("--format", help="What to write.", show_default=False)
]
_ENDINGS = {
    ".json": Format.JSON,
    ".md": Format.MARKDOWN,
    ".xml": Format.JUNIT,
    ".html": Format.HTML,
    ".txt": Format.TEXT,
}


class FormatError(CurationError):
    """A result cannot be written as asked."""

    exit_status = 2

    def __init__(self, name: str, known: str) -> None:
        super().__init__(f"Nothing was written as {name}. Choose one of {known} with --format.")


class OutFileError(CurationError):
    """A result cannot be written to a file."""

    exit_status = 2

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path} was not written: {problem}. Name another file with --out.")


def show(
    run: Frame,
    rendering: Rendering,
    document: Mapping[str, Any],
    *,
    out: Path | None,
    format_: Format | None,
) -> None:
    """Write a result to `out`, or print it; with `--json` the document is printed in any case.

    Raises:
        FormatError: it cannot be written in that format.
    """
    if out is None:
        text = _rendered(rendering, format_ or Format.TEXT)
        run.emit(document, [text.removesuffix("\n")])
        return
    _write(out, _rendered(rendering, format_ or _ENDINGS.get(out.suffix.casefold(), Format.JSON)))
    run.emit(document, [_rendered(rendering, Format.TEXT).removesuffix("\n"), f"Written to {out}."])


def _rendered(rendering: Rendering, format_: Format) -> str:
    render = rendering.get(format_)
    if render is None:
        raise FormatError(format_.value, ", ".join(known.value for known in rendering))
    return render()


def _write(path: Path, text: str) -> None:
    """Write a file, or say why it could not be written."""
    from curation.services.whole_file import write_whole

    try:
        write_whole(path, text.encode())
    except OSError as problem:
        raise OutFileError(path, problem.strerror or str(problem)) from problem
