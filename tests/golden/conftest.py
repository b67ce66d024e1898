"""Real golden repositories in temporary folders."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from curation.golden import Location, create
from tests.golden.desk import ANA, MIA, ROB, START, Desk, git, make_case

__all__ = ["ANA", "MIA", "ROB", "START", "Desk", "git", "make_case"]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk at a new golden repository with a work tree; it is sound at the end."""
    location = Location.at(tmp_path / "golden")
    create(location, person=ROB, now=START)
    yield Desk(location)
    git(location.path, "fsck", "--strict", "--no-dangling")
    assert git(location.path, "for-each-ref", "refs/curation") == ""
