"""What every test shares: its own HOME without anyone's git settings, and how hard to search."""

import os
import sys

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
