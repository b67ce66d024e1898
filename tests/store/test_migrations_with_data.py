"""A store that an older program filled is brought to the newest revision with all it holds."""

from datetime import timedelta

import pytest
from alembic import command
from sqlalchemy import MetaData, create_engine, select, text

from curation.domain.queue import QueueFilter
from curation.domain.review import Verdict
from curation.domain.sample import SampleRequest
from curation.services import changes, sampling
from curation.services.review import load_work
from curation.services.triage import list_queue
from curation.services.verdicts import Dismissal, dismiss
from curation.services.workspace import open_workspace
from curation.store.migrations import HEAD, configuration
from tests.services.review_world import ANA, MIA, NOW, opened, proposed

OLDER = ("0001", "0003", "0006")


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A home with something in most tables, its store closed."""
    with opened(tmp_path_factory.mktemp("filled"), answers=4) as world:
        change = proposed(world).change
        changes.comment(world, change.id, person=ANA, text="Which relay?", now=NOW)
        dismiss(world, MIA, "a-2", Dismissal(verdict=Verdict.RIGHT), now=NOW)
        sampling.draw(world, ANA, SampleRequest(n=2), now=NOW)
        load_work(world, MIA, "a-3")
    return world.settings


def tables_of(engine):
    found = MetaData()
    found.reflect(engine)
    return {name: table for name, table in found.tables.items() if name != "alembic_version"}


def rows_of(connection, table, names):
    columns = [table.c[name] for name in sorted(names)]
    return [dict(row._mapping) for row in connection.execute(select(*columns))]


def without(rows, names):
    return sorted(repr({k: v for k, v in row.items() if k in names}) for row in rows)


@pytest.mark.parametrize("revision", OLDER)
def test_nothing_is_lost_on_the_way_from_an_older_revision(filled, tmp_path, revision):
    new = create_engine(f"sqlite:///{filled.database_path}")
    file = tmp_path / "old.sqlite3"
    old = create_engine(f"sqlite:///{file}")
    with old.begin() as connection:
        command.upgrade(configuration(connection), revision)
    mine, theirs = tables_of(old), tables_of(new)
    before = {}
    with new.connect() as reading, old.begin() as writing:
        for name in mine.keys() & theirs.keys():
            names = set(mine[name].c.keys()) & set(theirs[name].c.keys())
            before[name] = rows_of(reading, theirs[name], names)
            if before[name]:
                writing.execute(mine[name].insert(), before[name])
    assert sum(map(len, before.values())) > 20
    old.dispose()
    world = open_workspace(filled.model_copy(update={"database": f"sqlite:///{file}"}))
    with world.store.engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == HEAD
        now = tables_of(world.store.engine)
        for name, rows in before.items():
            kept = set(now[name].c.keys()) & set(mine[name].c.keys()) - {"stale"}
            assert without(rows_of(connection, now[name], kept), kept) == without(rows, kept), name
    page = list_queue(world, MIA, QueueFilter(), now=NOW + timedelta(hours=1))
    assert page.counts.all == 4
    world.store.dispose()
    new.dispose()
