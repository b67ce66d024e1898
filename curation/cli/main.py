"""The `curation` command: which families of commands there are."""

import os
import sys
from typing import Annotated

import typer

from curation import __version__
from curation.cli import (
    adjudication,
    agreement,
    case,
    change,
    evaluate,
    evidence,
    experiment,
    fact,
    golden,
    home,
    hook,
    ingest,
    judge,
    queue,
    review,
    settling,
    setup,
    signals,
)
from curation.cli.frame import Home, Json, remember
from curation.errors import CurationError

app = typer.Typer(
    name="curation",
    help="Review production answers of a RAG system and keep a golden set in git.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
FAMILIES = (
    setup,
    home,
    ingest,
    evidence,
    judge,
    queue,
    review,
    adjudication,
    change,
    case,
    golden,
    hook,
    fact,
    experiment,
    evaluate,
    settling,
    signals,
    agreement,
)
for family in FAMILIES:
    family.register(app)


def _version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        typer.echo(f"curation {__version__}")
        raise typer.Exit


@app.callback()
def options(
    home: Home = None,
    as_json: Json = False,
    version: Annotated[  # noqa: ARG001 - answered before this runs
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options that every command understands before or after its name."""
    remember(home, as_json=as_json)


def main() -> None:
    """Run the command line; a machine without git is one sentence, as every other refusal.

    Where the machine's locale knows only ASCII, it begins again in UTF-8.
    """
    if sys.getfilesystemencoding() != "utf-8":
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606
    try:
        app()
    except CurationError as problem:
        typer.echo(str(problem), err=True)
        sys.exit(problem.exit_status)
