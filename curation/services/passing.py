"""A workspace for a machine that only passes by: a CI job measures without a home of its own."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from curation.config import Settings
from curation.services.workspace import Workspace, open_workspace


@contextmanager
def home_or_passing(settings: Settings) -> Generator[Workspace, None, None]:
    """Give the workspace of the home, or one that is gone afterwards where there is no home.

    What is kept in the latter (raw outputs, reports) goes with it.
    """
    with TemporaryDirectory(prefix="curation-") as folder:
        there = settings.home.is_dir()
        home = settings if there else settings.model_copy(update={"home": Path(folder)})
        workspace = open_workspace(home)
        try:
            yield workspace
        finally:
            workspace.store.dispose()
