"""`curation golden install-hook`: guard a repository that people push to."""

from pathlib import Path
from typing import Annotated

import typer

from curation.cli import golden
from curation.cli.frame import Home, Json, frame


@golden.app.command("install-hook")
def install(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The repository that is pushed to.")],
    golden_path: Annotated[
        str, typer.Option("--golden-path", help="Where the set is inside it; the root if left out.")
    ] = "",
    branch: Annotated[
        str | None, typer.Option("--branch", help="The branch that holds the set.")
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Write the server-side hook that refuses pushes which break a rule of the golden set."""
    from curation.golden.hook.install import install_hook

    with frame(home, as_json) as run:
        done = install_hook(
            path, golden_path=golden_path, branch=branch or run.settings.golden.branch
        )
        what = "replaced" if done.replaced else "written"
        run.emit(
            done.to_document(),
            [
                f"{done.path} is {what}; it guards {done.branch} and the tags golden/*.",
                "It needs git and Python 3.11 or newer there. Write it again after an update.",
            ],
        )


def register(root: typer.Typer) -> None:
    """Add nothing more: the command hangs under `curation golden`."""
    del root
