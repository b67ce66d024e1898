"""Opening the store, and sessions that read or write.

SQLite: WAL, foreign keys, the driver's own transactions off; a reading session begins with BEGIN,
a writing one with BEGIN IMMEDIATE, so that reading first and writing later cannot lose an update.
PostgreSQL: a reading session is REPEATABLE READ; a writing one sees what others commit, and locks
the rows that it decides on.
"""

import sqlite3
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DataError, SQLAlchemyError
from sqlmodel import Session

from curation.store.errors import StoreUnavailableError, UnstorableError
from curation.store.migrations import upgrade

BUSY_SECONDS = 30.0


class Store:
    """The opened database. Safe to share between threads; sessions are not."""

    def __init__(self, engine: Engine, where: str) -> None:
        self.engine = engine
        self.where = where
        self._writer = engine.execution_options(writes=True)
        self._reader = (
            engine.execution_options(isolation_level="REPEATABLE READ")
            if engine.dialect.name == "postgresql"
            else engine
        )

    @contextmanager
    def reading(self) -> Generator[Session]:
        """Give a session that sees one state of the store from begin to end.

        Raises:
            StoreUnavailableError: the database could not be read.
        """
        with self._session(self._reader) as session:
            yield session

    @contextmanager
    def writing(self) -> Generator[Session]:
        """Give a session that commits when the block ends without an error.

        Raises:
            StoreUnavailableError: the database could not be written; nothing of the block is kept.
        """
        with self._session(self._writer) as session:
            yield session
            session.commit()

    @contextmanager
    def _session(self, engine: Engine) -> Generator[Session]:
        """Give a session; what the database or its driver raises becomes one sentence."""
        driver = self.engine.dialect.loaded_dbapi
        try:
            with Session(engine, expire_on_commit=False) as session:
                session.connection()
                yield session
        except UnicodeEncodeError as problem:
            raise UnstorableError("it holds half of a surrogate pair") from problem
        except OverflowError as problem:
            if "SQLite" not in str(problem):
                raise
            raise UnstorableError("it holds a number of more than 64 bits") from problem
        except (DataError, driver.DataError) as problem:
            raise UnstorableError(_short(problem)) from problem
        except (SQLAlchemyError, driver.Error) as problem:
            raise StoreUnavailableError(self.where, _short(problem)) from problem

    def dispose(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def open_store(database: str | None, path: Path) -> Store:
    """Return the store: the configured database, else the SQLite file; made and migrated if needed.

    Args:
        database: a PostgreSQL (or SQLite) address, or None.
        path: the SQLite file that is used without an address.

    Raises:
        StoreUnavailableError: the database cannot be opened.
        StoreTooNewError: a newer version of the program made it.
    """
    url = _url(database, path)
    where = url.render_as_string(hide_password=True) if database else str(path)
    try:
        if url.get_backend_name() == "sqlite" and url.database:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        engine = _engine(url)
        upgrade(engine, where)
    except (SQLAlchemyError, OSError) as problem:
        raise StoreUnavailableError(where, _short(problem)) from problem
    return Store(engine, where)


def _url(database: str | None, path: Path) -> URL:
    """Return the address; built from parts, since a path may hold any sign."""
    if not database:
        return URL.create("sqlite", database=str(path))
    try:
        url = make_url(database)
    except ArgumentError as problem:
        raise StoreUnavailableError("address", _short(problem)) from problem
    kind = url.drivername.partition("+")[0]
    if kind not in {"sqlite", "postgresql", "postgres"}:
        what = f"it begins with {kind}, and only postgresql:// and sqlite:// are known"
        raise StoreUnavailableError("address", what)
    return url if kind == "sqlite" else url.set(drivername="postgresql+psycopg")


def _engine(url: URL) -> Engine:
    """Return an engine whose transactions begin as this module says."""
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True)
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's own
    """Switch the driver's transactions off and set what every connection needs."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={int(BUSY_SECONDS * 1000)}")
    _use_write_ahead_log(cursor)
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA cache_size=-65536")
    cursor.close()


def _use_write_ahead_log(cursor: Any) -> None:  # noqa: ANN401 - the driver's own
    """Switch to WAL; several processes doing so at once on a fresh file lock each other out."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


def _on_begin(connection: Connection) -> None:
    """Begin as a reader or as a writer."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _short(problem: Exception) -> str:
    """Return the first line of what the database says."""
    origin = getattr(problem, "orig", None) or problem
    lines = str(origin).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(problem).__name__
