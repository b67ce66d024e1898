"""The `curation` command: which families of commands there are."""

import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, NoReturn

import typer
from pydantic import ValidationError
from typer.exceptions import TyperException

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
    hook,
    ingest,
    judge,
    queue,
    review,
    serve,
    settling,
    setup,
    signals,
)
from curation.cli.frame import Home, Json, UnusableFileError, remember
from curation.errors import CurationError, place_and_problem

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
    serve,
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
        status = _called()
    except BrokenPipeError:
        status = 1
    except OSError as problem:
        status = UnusableFileError.exit_status
        with suppress(OSError):
            typer.echo(str(UnusableFileError(problem)), err=True)
    _end(status)


def _called() -> int:
    """Run the command that was called; return its exit status."""
    try:
        return app(standalone_mode=False) or 0
    except CurationError as problem:
        typer.echo(str(problem), err=True)
        return problem.exit_status
    except TyperException as problem:
        _reword(problem)
        if _wants_json(sys.argv[1:]):
            typer.echo(json.dumps({"error": _sentence(problem)}, ensure_ascii=False))
        _show(problem)
        return problem.exit_code
    except typer.Abort:
        typer.echo("Stopped.", err=True)
        return 1


def _end(status: int) -> NoReturn:
    """End with a status; what standard output did not take is not tried once more."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        sys.stdout = None
    sys.exit(status)


def _show(problem: TyperException) -> None:
    """Print a refusal of Typer's as it prints them itself: with the usage where it has one."""
    show = getattr(problem, "show", None)
    if show is None:
        typer.echo(problem.format_message(), err=True)
    else:
        show()


def _reword(problem: TyperException) -> None:
    """Say in our words what is wrong with a value; Typer hands on those of pydantic."""
    if isinstance(problem.__cause__, ValidationError):
        _, wrong = place_and_problem(problem.__cause__)
        problem.message = f"it {wrong}." if wrong.startswith(("is ", "has ")) else wrong


def _wants_json(words: Sequence[str]) -> bool:
    """Return whether `--json` is among the options, whatever else of them is wrong."""
    end = words.index("--") if "--" in words else len(words)
    return "--json" in words[:end]


def _sentence(problem: TyperException) -> str:
    """Return what was wrong with how a command was called, and where to read how it is."""
    context = getattr(problem, "ctx", None)
    called = context.command_path if context is not None else "curation"
    head, _, listed = problem.format_message().partition("\n")
    said = f"{head} {' '.join(listed.split())}" if head.endswith(":") else head
    said = said.rstrip(".")
    return f"{said}. Run `{called} --help` to see how it is called."
