"""What every command shares: its options, its home, how it prints and how it ends."""

import json
import sys
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from traceback import format_exception
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.exceptions import TyperException

from curation.config import Settings, load_settings, resolve_home
from curation.domain.person import Person
from curation.domain.visible import shown
from curation.errors import CurationError

if TYPE_CHECKING:
    from curation.services.workspace import Workspace

Home = Annotated[
    Path | None,
    typer.Option("--home", help="Where configuration and data live.", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
ME = '"Name <email>"; `me` of curation.toml when left out.'
As = Annotated[str | None, typer.Option("--as", help=f"Who does it: {ME}", show_default=False)]
Looker = Annotated[str | None, typer.Option("--as", help=f"Who looks: {ME}", show_default=False)]
Reason = Annotated[str, typer.Option("--reason", help="Why, in your own words.")]


class NoHomeError(CurationError):
    """A command works in a home that nobody made."""

    exit_status = 2

    def __init__(self, home: Path) -> None:
        super().__init__(
            f"There is no home at {home}. Run `curation init`, or name another one with --home."
        )


class NobodyNamedError(CurationError):
    """A command that somebody must answer for was given by nobody."""

    exit_status = 2

    def __init__(self) -> None:
        super().__init__(
            "Nothing was done, because nobody is named. "
            'Write --as "Name <email>", or set `me` in curation.toml.'
        )


class UnusableFileError(CurationError):
    """The machine refused a file or folder."""

    exit_status = 2

    def __init__(self, problem: OSError) -> None:
        what = problem.filename or "A file"
        super().__init__(
            f"{what} could not be used: {problem.strerror or problem}. Nothing more was done. "
            "Check that it is there, that you may use it, and that the disk has room."
        )


class NotTextError(CurationError):
    """What was given holds bytes that are no text."""

    exit_status = 2

    def __init__(self, problem: UnicodeEncodeError) -> None:
        part = problem.object[problem.start : problem.end]
        super().__init__(f"Nothing was done: {part!r} is not text in UTF-8. Write it in UTF-8.")


class FaultError(CurationError):
    """Something that the program did not foresee."""

    exit_status = 2

    def __init__(self, problem: Exception) -> None:
        said = " ".join(str(problem).split())[:200]
        super().__init__(
            f"Curation stopped at a fault of its own: {type(problem).__name__} ({said}). "
            f"Where it happened is written in {_written_down(problem)}. Report it with that file."
        )


def _written_down(problem: Exception) -> str:
    """Write where a fault happened to a file; return the file."""
    with NamedTemporaryFile(
        "w",
        prefix="curation-fault-",
        suffix=".txt",
        delete=False,
        encoding="utf-8",
        errors="backslashreplace",
    ) as file:
        file.writelines(format_exception(problem))
        return file.name


@dataclass
class Frame:
    """One running command: its settings and how it answers."""

    settings: Settings
    as_json: bool
    status: int = 0

    def emit(self, document: Mapping[str, Any], lines: Iterable[str]) -> None:
        """Print the document as JSON, or the lines for people."""
        if self.as_json:
            text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2)
            _write(sys.stdout, text)
            return
        for line in lines:
            _write(sys.stdout, shown(line))

    def tell(self, line: str) -> None:
        """Print a message for people on standard error."""
        _write(sys.stderr, shown(line))

    def person(self, text: str | None) -> Person:
        """Return the person that `--as` names, else who uses this machine.

        Raises:
            NobodyNamedError: neither is known.
        """
        found = self.person_here(text)
        if found is None:
            raise NobodyNamedError
        return found

    def person_here(self, text: str | None) -> Person | None:
        """Return the person that `--as` names, else who uses this machine, if that is known."""
        from curation.services.people import local_person

        return Person.entered(text) if text is not None else local_person(self.settings)

    def viewer(self, text: str | None, *, judged: bool) -> Person | None:
        """Return who looks; seeing the judge is remembered of somebody by name only."""
        person = self.person_here(text)
        if person is None and judged:
            self.tell(
                "Nobody is named (--as), so no review of these answers is marked as not blind."
            )
        return person

    def workspace(self) -> "Workspace":
        """Return the opened store and golden repository of the home."""
        from curation.services.workspace import open_workspace

        if not self.settings.home.is_dir():
            raise NoHomeError(self.settings.home)
        return open_workspace(self.settings)


def _write(stream: Any, text: str) -> None:  # noqa: ANN401 - any text stream
    """Write a line; what the terminal cannot encode is escaped instead of failing.

    A stream that was closed before the command began takes nothing.
    """
    if stream is None:
        return
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    stream.flush()


@dataclass(frozen=True)
class _Before:
    """What was said before the command's name."""

    home: Path | None = None
    as_json: bool = False


_BEFORE_THE_NAME: ContextVar[_Before] = ContextVar("before_the_name", default=_Before())  # noqa: B039


def remember(home: Path | None, *, as_json: bool) -> None:
    """Keep the options that stand before the command's name, for the command to come."""
    _BEFORE_THE_NAME.set(_Before(home, as_json))


@contextmanager
def frame(home: Path | None, as_json: bool) -> Generator[Frame]:
    """Run a command: errors become one sentence on standard error and the exit status.

    With `--json` a refusal is a document too: `{"error": sentence}`.
    """
    before = _BEFORE_THE_NAME.get()
    as_json = as_json or before.as_json
    try:
        running = Frame(load_settings(resolve_home(home or before.home)), as_json)
        yield running
    except (BrokenPipeError, TyperException, typer.Exit, typer.Abort):
        raise
    except CurationError as problem:
        raise _ended(problem, as_json=as_json) from problem
    except UnicodeEncodeError as problem:
        raise _ended(NotTextError(problem), as_json=as_json) from problem
    except OSError as problem:
        raise _ended(UnusableFileError(problem), as_json=as_json) from problem
    except Exception as problem:
        raise _ended(FaultError(problem), as_json=as_json) from problem
    except KeyboardInterrupt:
        _write(sys.stderr, "Stopped. What was done so far is kept.")
        raise typer.Exit(130) from None
    if running.status:
        raise typer.Exit(running.status)


def _ended(problem: CurationError, *, as_json: bool) -> typer.Exit:
    """Print why a command ended; return its exit."""
    if as_json:
        with suppress(OSError):  # where nothing can be written, standard error says so
            _write(sys.stdout, json.dumps({"error": str(problem)}, ensure_ascii=False))
    _write(sys.stderr, shown(str(problem)))
    return typer.Exit(problem.exit_status)
