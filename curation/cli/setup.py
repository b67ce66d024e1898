"""`curation init`, `doctor` and `demo`: make a home, check it, or load the sample world."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated

import typer

from curation.cli.frame import ME, Frame, Home, Json, frame
from curation.errors import CurationError

LAST_DEMO_PORT = 8510


class NoPortError(CurationError):
    """Every port that the demo may use is taken."""

    exit_status = 2

    def __init__(self, first: int, last: int) -> None:
        super().__init__(
            f"The demo did not start: the ports {first} to {last} are all taken. Free one of them."
        )


def init(
    as_: Annotated[
        str | None,
        typer.Option("--as", help=f"Who makes the set and works here: {ME}", show_default=False),
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Create a home: configuration, store, and a golden repository at golden/v1."""
    from curation.services.home import create_home, set_me
    from curation.services.people import local_person

    with frame(home, as_json) as run:
        person = run.person_here(as_)
        version = create_home(run.settings, person=person, now=datetime.now(UTC))
        if as_ and person is not None and local_person(run.settings) is None:
            set_me(run.settings.home, person)  # who makes the home is who sits at it
        golden = run.settings.golden_path
        run.emit(
            {"home": str(run.settings.home), "golden": str(golden), "version": version},
            [f"{run.settings.home} is ready. The golden set is {golden}, at {version}."],
        )


def doctor(home: Home = None, as_json: Json = False) -> None:
    """Check a home and explain it; exit 1 when something is not well."""
    from curation.services.doctor import examine

    with frame(home, as_json) as run:
        found = examine(run.settings)
        run.status = 0 if all(e.well for e in found) else 1
        run.emit(
            {"checks": [{"name": e.name, "well": e.well, "said": e.said} for e in found]},
            [f"{'✓' if e.well else '✕'} {e.name}: {e.said}" for e in found],
        )


def demo(
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser.")
    ] = False,
    port: Annotated[int, typer.Option("--port", min=1, max=65535)] = 8501,
    load_only: Annotated[
        bool, typer.Option("--load-only", help="Load the sample world, do not serve.")
    ] = False,
    next_documents: Annotated[
        bool,
        typer.Option(
            "--next-documents",
            help="Load the next delivery of its documents too: evidence moves and values change.",
        ),
    ] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Load the sample world into a home and open the app on it."""
    from curation.services.demo import load_demo, load_next_documents

    with frame(home, as_json) as run:
        found = None if load_only else _free_port(port)
        loaded = load_demo(run.settings, now=datetime.now(UTC), tell=run.tell)
        if next_documents:
            loaded |= load_next_documents(run.settings, now=datetime.now(UTC))
        document = loaded | {"address": f"http://127.0.0.1:{found}" if found else None}
        lines = [f"The sample world is in {run.settings.home}."]
        if found is not None:
            lines.append(f"Curation is at http://127.0.0.1:{found}. Ctrl+C stops it.")
        run.emit(document, lines)
        if found is not None:
            _serve(run, found, no_browser=no_browser)


def _free_port(first: int) -> int:
    """Return the first free port from `first` up to 8510."""
    from curation.ui.errors import PortTakenError
    from curation.ui.server import refuse_taken_port

    last = max(first, LAST_DEMO_PORT)
    for port in range(first, last + 1):
        with suppress(PortTakenError):
            refuse_taken_port("127.0.0.1", port)
            return port
    raise NoPortError(first, last)


def _serve(run: Frame, port: int, *, no_browser: bool) -> None:
    """Serve the home; a browser opens as soon as the server answers."""
    from curation.config import load_settings
    from curation.ui.browser import open_when_ready
    from curation.ui.server import serve

    if not no_browser:
        open_when_ready(f"http://127.0.0.1:{port}")
    serve(load_settings(run.settings.home), "127.0.0.1", port)


def rebuild(home: Home = None, as_json: Json = False) -> None:
    """Rebuild what is derived: the corpus search index, the groups and their priorities."""
    from curation.services import logged_answers
    from curation.services.corpus import rebuild_index
    from curation.services.golden_files import maintain
    from curation.services.priority import rebuild_near_groups, rebuild_priorities

    with frame(home, as_json) as run:
        workspace = run.workspace()
        chunks = rebuild_index(workspace)
        answers = logged_answers.rebuild(workspace)
        near = rebuild_near_groups(workspace)
        rebuild_priorities(workspace)
        maintain(run.settings)
        run.emit(
            {"chunks": chunks, "answers": answers, "near_questions": near},
            [
                f"{chunks} chunks and {answers} answers are findable; priorities are computed.",
                f"{near} questions ask nearly the same as another one.",
            ],
        )


def register(root: typer.Typer) -> None:
    """Add the commands to the command line."""
    root.command("init")(init)
    root.command("doctor")(doctor)
    root.command("demo")(demo)
    index = typer.Typer(help="What is derived from the rest.", no_args_is_help=True)
    index.command("rebuild")(rebuild)
    root.add_typer(index, name="index")
