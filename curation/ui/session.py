"""What a page stands on: the home's settings, its opened workspace, the person, the time."""

import dataclasses
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from curation.config import Settings, load_settings
from curation.domain.person import Person
from curation.services.people import local_person
from curation.ui.errors import NobodyNamedError

if TYPE_CHECKING:
    from curation.services.workspace import Workspace


def home() -> Path:
    """Return the home that the server was started with."""
    return Path(st.secrets["curation"]["home"])


def settings() -> Settings:
    """Return the settings as the file says them now."""
    return load_settings(home())


@st.cache_resource(show_spinner=False, max_entries=4)
def _opened(
    where: Path,
    database: str | None,  # noqa: ARG001 - the key
    golden: str,  # noqa: ARG001 - the key
    branch: str,  # noqa: ARG001 - the key
    search: str,  # noqa: ARG001 - the key
) -> "Workspace":
    """Open a workspace once in the process; a store is safe to share, its sessions are per call."""
    from curation.services.workspace import open_workspace  # noqa: PLC0415 - heavy, opened once

    return open_workspace(load_settings(where))


def workspace() -> "Workspace":
    """Return the opened workspace with today's settings.

    Raises:
        CurationError: the configuration, the store or the golden set cannot be opened.
    """
    now_set = settings()
    opened = _opened(
        now_set.home,
        now_set.database,
        now_set.golden.path,
        now_set.golden.branch,
        now_set.search.model_dump_json(),
    )
    return dataclasses.replace(opened, settings=now_set)


def person() -> Person | None:
    """Return who sits here; None until the settings name somebody."""
    return local_person(settings())


def acting_person() -> Person:
    """Return who acts.

    Raises:
        NobodyNamedError: this machine names nobody.
    """
    found = person()
    if found is None:
        raise NobodyNamedError
    return found


def now() -> datetime:
    """Return the time of this rerun."""
    return datetime.now(UTC)


def zone() -> tzinfo:
    """Return the reader's time zone, UTC where the browser does not tell."""
    name = st.context.timezone
    if not name:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
