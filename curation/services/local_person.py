"""Who sits at this machine, and what this machine has already been told."""

import json
import os
import re
import tempfile
import tomllib
from pathlib import Path

from curation.config import CONFIG_FILE, Settings
from curation.domain.person import Person
from curation.errors import ConfigError

_ME = re.compile(r"^[ \t]*me[ \t]*=.*$", re.MULTILINE)
_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)
_BY_HAND = 'Write me = "{}" into it by hand, above the first table.'
_TOLD_FILE = "tour-shown.txt"


def name_person(settings: Settings, text: str) -> Person:
    """Write the person (`Name <email>`) into the home's configuration and return it.

    Only the line `me` changes; every other line and comment of the file stays as it is.

    Raises:
        PersonError: the text does not name a person.
        ConfigError: the file has a form that this cannot change safely.
    """
    named = Person.parse(text)
    file = settings.home / CONFIG_FILE
    old = file.read_text(encoding="utf-8") if file.exists() else ""
    new = _with_me(old, str(named))
    if tomllib.loads(new) != tomllib.loads(old) | {"me": str(named)}:
        raise ConfigError(str(file), "its form leaves no place for me", _BY_HAND.format(named))
    _write(file, new)
    return named


def _with_me(text: str, me: str) -> str:
    """Return the configuration with the line `me`, which stands before the first table."""
    line = f"me = {json.dumps(me, ensure_ascii=False)}"
    table = _TABLE.search(text)
    head, rest = (text[: table.start()], text[table.start() :]) if table else (text, "")
    if _ME.search(head):
        return _ME.sub(lambda _: line, head, count=1) + rest
    gap = "" if not head or head.endswith("\n") else "\n"
    return f"{head}{gap}{line}\n{rest}"


def tour_was_shown(settings: Settings, person: Person) -> bool:
    """Return whether the person has seen the tour on this machine."""
    file = settings.home / _TOLD_FILE
    return file.exists() and person.key in file.read_text(encoding="utf-8").split("\n")


def note_tour_shown(settings: Settings, person: Person) -> None:
    """Remember that the person has seen the tour; it does not come back."""
    if not tour_was_shown(settings, person):
        with (settings.home / _TOLD_FILE).open("a", encoding="utf-8", newline="\n") as told:
            told.write(f"{person.key}\n")


def _write(file: Path, text: str) -> None:
    """Write a file whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as writing:
        writing.write(text)
    Path(name).replace(file)
