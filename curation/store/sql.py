"""The few statements that SQLite and PostgreSQL spell differently, and counters."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Table, case
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session

from curation.store.schema import COUNTER, NOTE

MANY = 500
T = TypeVar("T")


def writes(session: Session) -> bool:
    """Return whether the session may write; only then is a row locked for what rests on it."""
    return bool(session.connection().get_execution_options().get("writes"))


def insert_into(session: Session, table: Table) -> sqlite.Insert:
    """Return an insert that can say what happens on conflict, for the session's database."""
    if session.get_bind().dialect.name == "postgresql":
        return cast("sqlite.Insert", postgresql.insert(table))
    return sqlite.insert(table)


def insert_many(session: Session, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert the rows, which all have the same keys, the quickest way the driver has."""
    if not rows:
        return
    connection = session.connection()
    names = list(rows[0])
    columns = [table.c[name] for name in names]
    prepare = [
        column.type.dialect_impl(connection.dialect).bind_processor(connection.dialect)
        for column in columns
    ]
    made = [
        tuple(
            value if ready is None else ready(value)
            for ready, value in zip(prepare, row.values(), strict=True)
        )
        for row in rows
    ]
    quoted = connection.dialect.identifier_preparer
    target = f"{quoted.format_table(table)} ({', '.join(map(quoted.format_column, columns))})"
    if connection.dialect.name == "postgresql":
        _copy(connection, target, made)
        return
    marks = ", ".join("?" * len(names))
    connection.exec_driver_sql(f"INSERT INTO {target} VALUES ({marks})", made)  # noqa: S608


def _copy(connection: Connection, target: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows by COPY."""
    driver = connection.connection.driver_connection
    if driver is not None:
        with driver.cursor() as cursor, cursor.copy(f"COPY {target} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)


def insert_missing(session: Session, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert the rows whose key is not there yet."""
    if rows:
        session.connection().execute(insert_into(session, table).on_conflict_do_nothing(), rows)


def parts(items: Sequence[T], size: int = MANY) -> Iterator[Sequence[T]]:
    """Return the items in parts that fit into one IN list."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def count_up(session: Session, name: str, *, at_least: int = 1) -> int:
    """Return the next value of a counter, never below `at_least` and never given twice."""
    bigger = COUNTER.c.value + 1
    statement = insert_into(session, COUNTER).values(name=name, value=at_least)
    statement = statement.on_conflict_do_update(
        index_elements=[COUNTER.c.name],
        set_={"value": case((bigger > at_least, bigger), else_=at_least)},
    )
    return int(session.connection().execute(statement.returning(COUNTER.c.value)).scalar_one())


def counter(session: Session, name: str) -> int:
    """Return the last value that a counter gave, 0 if none."""
    found = session.connection().execute(COUNTER.select().where(COUNTER.c.name == name)).first()
    return 0 if found is None else int(found.value)


def read_note(session: Session, name: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return what the store remembers under a name, None for nothing."""
    found = session.connection().execute(NOTE.select().where(NOTE.c.name == name)).first()
    return None if found is None else found.value


def write_note(session: Session, name: str, value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Remember a value under a name."""
    statement = insert_into(session, NOTE).values(name=name, value=value)
    session.connection().execute(
        statement.on_conflict_do_update(index_elements=[NOTE.c.name], set_={"value": value})
    )
