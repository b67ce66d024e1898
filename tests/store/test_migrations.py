"""The migrations make the tables that the program knows, all or nothing, by one process at once."""

import subprocess
import sys

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect, text

from curation.store import StoreTooNewError, StoreUnavailableError, open_store
from curation.store.migrations import HEAD, configuration
from curation.store.schema import METADATA

OPEN = """
from pathlib import Path
from curation.store import open_store
open_store({}, Path({!r})).dispose()
"""


def test_the_migrations_lead_to_the_tables_of_the_program(store):
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []


def test_the_partial_indexes_and_clustered_tables_are_in_the_migrations_too(sqlite_store):
    with sqlite_store.engine.connect() as connection:
        rows = connection.execute(text("SELECT name, sql FROM sqlite_master"))
        made = {row.name: row.sql for row in rows}
    assert "WITHOUT ROWID" in made["retrieved"]
    assert made["ix_question_group_place"].endswith("WHERE open_count > 0")
    assert made["ix_question_group_stale"].endswith("WHERE stale = 1")
    assert made["ix_score_metric"].endswith("WHERE chunk_id IS NULL")


def test_the_head_that_the_quick_start_knows_is_the_head(sqlite_store):
    with sqlite_store.engine.connect() as connection:
        scripts = ScriptDirectory.from_config(configuration(connection))
        assert scripts.get_heads() == [HEAD]


def test_several_processes_may_open_a_fresh_store_at_once(tmp_path):
    file = tmp_path / "s.sqlite3"
    code = OPEN.format("None", str(file))
    running = [subprocess.Popen([sys.executable, "-W", "error", "-c", code]) for _ in range(4)]
    assert [process.wait() for process in running] == [0, 0, 0, 0]
    store = open_store(None, file)
    with store.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM alembic_version")).scalar() == 1
    store.dispose()


@pytest.mark.postgres
def test_several_processes_may_open_a_fresh_database_at_once(postgres_database, tmp_path):
    code = OPEN.format(repr(postgres_database), str(tmp_path / "unused"))
    running = [subprocess.Popen([sys.executable, "-W", "error", "-c", code]) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]


def test_a_migration_that_fails_leaves_nothing(tmp_path):
    file = tmp_path / "s.sqlite3"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE change (id INTEGER)"))
    engine.dispose()
    with pytest.raises(StoreUnavailableError, match="already exists"):
        open_store(None, file)
    engine = create_engine(f"sqlite:///{file}")
    assert inspect(engine).get_table_names() == ["change"]
    engine.dispose()


def test_a_store_of_a_newer_program_is_left_alone(tmp_path):
    file = tmp_path / "s.sqlite3"
    open_store(None, file).dispose()
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreTooNewError, match="9999"):
        open_store(None, file)


def test_what_put_a_question_on_top_leaves_its_priority_and_becomes_a_column(tmp_path):
    file = tmp_path / "s.sqlite3"
    engine = create_engine(f"sqlite:///{file}")
    row = (
        "INSERT INTO question_group (id, words, asked, newest, priority, reasons, judge_reasons, "
        "hole, open_count, stale) "
        "VALUES (:id, 'w', 1, '2026-11-30', :priority, '[]', '[]', 0, 1, 0)"
    )
    with engine.begin() as connection:
        command.upgrade(configuration(connection), "0007")
        places = [{"id": "up", "priority": 1e9 + 6}, {"id": "plain", "priority": 7.0}]
        connection.execute(text(row), places)
        note = "INSERT INTO note (name, value) VALUES ('regressions', '{\"up\": \"a-1\"}')"
        connection.execute(text(note))
    engine.dispose()
    store = open_store(None, file)
    with store.engine.connect() as connection:
        asked = "SELECT id, priority, on_top, regressed, stale FROM question_group ORDER BY id DESC"
        found = [tuple(row) for row in connection.execute(text(asked))]
        assert connection.execute(text("SELECT count(*) FROM note")).scalar() == 0
    store.dispose()
    assert found == [("up", 6.0, 1, "a-1", 1), ("plain", 7.0, 0, None, 0)]
