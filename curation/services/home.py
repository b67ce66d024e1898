"""A home: where configuration, the store and the default golden repository live."""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from curation.config import CONFIG_FILE, GoldenSettings, Settings, load_settings
from curation.domain.person import Person
from curation.errors import CurationError
from curation.golden import create, list_versions, open_experiments, read_version
from curation.services.workspace import Workspace, open_workspace

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


@dataclass(frozen=True, kw_only=True)
class Examined:
    """One line of the doctor: what was looked at, whether it is well, and what to do."""

    name: str
    well: bool
    said: str


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
    old = file.read_text(encoding="utf-8") if file.exists() else _TOML
    quoted = str(person).replace("\\", "\\\\").replace('"', '\\"')
    line = f'me = "{quoted}"\n'
    lines = [text for text in old.splitlines(keepends=True) if not _sets_me(text)]
    new = "".join([line, *lines])
    tomllib.loads(new)
    home.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.part")
    part.write_text(new, encoding="utf-8")
    part.replace(file)
    return load_settings(home)


def _sets_me(line: str) -> bool:
    """Return whether a line of the configuration is the key `me`."""
    return line.split("=", maxsplit=1)[0].strip() == "me"


def examine(settings: Settings) -> tuple[Examined, ...]:
    """Return what is well and what is not in a home, one line a part."""
    if not settings.home.is_dir():
        said = f"{settings.home} does not exist. Run `curation init`."
        return (Examined(name="home", well=False, said=said),)
    workspace: Workspace | None = None
    parts: Sequence[tuple[str, Callable[[Workspace], str]]] = (
        ("golden set", _golden_line),
        ("versions", _versions_line),
        ("freeze", _freeze_line),
    )
    found = [Examined(name="home", well=True, said=str(settings.home))]
    try:
        workspace = open_workspace(settings)
        found.append(Examined(name="store", well=True, said=workspace.store.where))
        found += [_examined(name, look, workspace) for name, look in parts]
    except CurationError as problem:
        found.append(Examined(name="store", well=False, said=str(problem)))
    finally:
        if workspace is not None:
            workspace.store.dispose()
    return tuple(found)


def _examined(name: str, look: Callable[[Workspace], str], workspace: Workspace) -> Examined:
    """Return one line of the doctor."""
    try:
        return Examined(name=name, well=True, said=look(workspace))
    except CurationError as problem:
        return Examined(name=name, well=False, said=str(problem))


def _golden_line(workspace: Workspace) -> str:
    """Return where the set is and how many cases count."""
    golden = read_version(workspace.golden)
    return f"{workspace.golden.path}, {len(golden.active)} active cases at {golden.commit[:12]}"


def _versions_line(workspace: Workspace) -> str:
    """Return the newest version."""
    return f"newest is {list_versions(workspace.golden)[-1].version}"


def _freeze_line(workspace: Workspace) -> str:
    """Return what freezes the set."""
    frozen = open_experiments(workspace.golden)
    return f"frozen by {', '.join(e.id for e in frozen)}" if frozen else "not frozen"
