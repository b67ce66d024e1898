"""What tests of the services share."""

from collections.abc import Generator
from pathlib import Path

import pytest

from curation.services.workspace import Workspace
from tests.services.home import workspace


@pytest.fixture
def home(tmp_path: Path) -> Generator[Workspace]:
    """A workspace on a new home without a golden set."""
    opened = workspace(tmp_path)
    opened.settings.home.mkdir(exist_ok=True)
    yield opened
    opened.store.dispose()
