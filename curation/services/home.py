"""A home: where configuration, the store and the default golden repository live."""

import tomllib
from datetime import datetime
from pathlib import Path

from curation.config import CONFIG_FILE, GoldenSettings, Settings, load_settings
from curation.domain.person import Person
from curation.golden import create
from curation.services.whole_file import write_whole
from curation.services.workspace import open_workspace

CURATION = Person(name="Curation", email="curation@localhost")

_TOML = """\
# How this installation of Curation works. Every key may be left out; README.md lists them all.

# me = "Your Name <you@example.org>"    # who uses the app on this machine
# database = "postgresql+psycopg://..."  # a SQLite file in this folder when left out

[golden]
path = "golden"     # the golden repository, or a folder of a bigger one
branch = "main"

# [people]           # empty: everyone on this machine has every role
# "you@example.org" = "approver"
"""


def create_home(settings: Settings, *, person: Person | None, now: datetime) -> str:
    """Create what a home lacks: folder, configuration, store, golden repository.

    Returns:
        The newest version of the golden set.
    """
    settings.home.mkdir(parents=True, exist_ok=True)
    file = settings.home / CONFIG_FILE
    if not file.exists():
        file.write_text(_TOML, encoding="utf-8")
    workspace = open_workspace(settings)
    try:
        inside = settings.golden.path != GoldenSettings().path
        return create(workspace.golden, person=person or CURATION, now=now, inside=inside)
    finally:
        workspace.store.dispose()


def set_me(home: Path, person: Person) -> Settings:
    """Write who uses the app on this machine into the configuration; return the new settings."""
    file = home / CONFIG_FILE
    old = file.read_text(encoding="utf-8-sig") if file.exists() else _TOML
    quoted = str(person).replace("\\", "\\\\").replace('"', '\\"')
    line = f'me = "{quoted}"\n'
    lines = [text for text in old.splitlines(keepends=True) if not _sets_me(text)]
    new = "".join([line, *lines])
    tomllib.loads(new)
    home.mkdir(parents=True, exist_ok=True)
    write_whole(file, new.encode())
    return load_settings(home)


def _sets_me(line: str) -> bool:
    """Return whether a line of the configuration is the key `me`."""
    return line.split("=", maxsplit=1)[0].strip() == "me"
