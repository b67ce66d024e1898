"""What every command shares: its options, its home, how it prints and how it ends."""

import json
import sys
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

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
As = Annotated[str, typer.Option("--as", help='Who does it: "Name <email>".', show_default=False)]
Reason = Annotated[str, typer.Option("--reason", help="Why, in your own words.")]


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

    def person(self, text: str) -> Person:
        """Return the person that `--as` names."""
        return Person.parse(text)

    def workspace(self) -> "Workspace":
        """Return the opened store and golden repository of the home."""
        from curation.services.workspace import open_workspace

        return open_workspace(self.settings)


def _write(stream: Any, text: str) -> None:  # noqa: ANN401 - any text stream
    """Write a line; what the terminal cannot encode is escaped instead of failing."""
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
    except CurationError as problem:
        if as_json:
            _write(sys.stdout, json.dumps({"error": str(problem)}, ensure_ascii=False))
        _write(sys.stderr, str(problem))
        raise typer.Exit(problem.exit_status) from problem
    except KeyboardInterrupt:
        _write(sys.stderr, "Stopped. What was done so far is kept.")
        raise typer.Exit(130) from None
    if running.status:
        raise typer.Exit(running.status)
