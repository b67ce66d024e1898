"""A store on SQLite and on PostgreSQL: every test that takes `store` runs on both."""

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from curation.store import Store, open_store
from curation.store.schema import METADATA
from tests.postgres import new_database


@pytest.fixture
def postgres_database(postgres_server: str) -> str:
    """The address of a new database."""
    return new_database(postgres_server)


@pytest.fixture(scope="session")
def postgres_store(postgres_server: str) -> Iterator[Store]:
    """A store on PostgreSQL whose tables the tests share, one after the other."""
    store = open_store(new_database(postgres_server), Path("unused"))
    yield store
    store.dispose()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Store, None, None]:
    """An opened, empty store."""
    if request.param == "postgres":
        opened: Store = request.getfixturevalue("postgres_store")
        with opened.writing() as session:
            names = ", ".join(f'"{table.name}"' for table in METADATA.sorted_tables)
            session.connection().execute(text(f"TRUNCATE {names}"))
        yield opened
        return
    opened = open_store(None, tmp_path / "store.sqlite3")
    yield opened
    opened.dispose()


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Generator[Store, None, None]:
    """An opened, empty store on SQLite."""
    opened = open_store(None, tmp_path / "store.sqlite3")
    yield opened
    opened.dispose()
