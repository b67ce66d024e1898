"""Migrations of the store: all or nothing, and safe when several processes open it at once."""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect, text

from curation.store.errors import StoreTooNewError

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0009"
_LOCK = 0x6375_7261
_FOLDER = Path(__file__).resolve().parent


def upgrade(engine: Engine, where: str) -> None:
    """Bring the database to the newest revision.

    Raises:
        StoreTooNewError: it is at a revision that this version does not know.
    """
    with engine.connect() as connection:
        if _revision(connection) == HEAD:
            return
    with engine.execution_options(writes=True).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        _upgrade(connection, where)


def _revision(connection: Connection) -> str | None:
    """Return the revision of the database, None for a new one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def _upgrade(connection: Connection, where: str) -> None:
    """Run the migrations that are missing, inside the caller's transaction."""
    from alembic import command  # noqa: PLC0415 - a third of a second that most starts save
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = configuration(connection)
    revision = _revision(connection)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if revision is not None and revision not in known:
        raise StoreTooNewError(where, revision)
    command.upgrade(config, "head")


def configuration(connection: Connection) -> "Config":
    """Return how alembic finds the migrations and the connection."""
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
