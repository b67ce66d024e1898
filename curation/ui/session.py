"""What a page stands on: the home's settings, its opened workspace, the person, the time."""

import dataclasses
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from curation.config import Settings, load_settings
from curation.domain.person import Person
from curation.errors import CurationError
from curation.services.people import local_person
from curation.services.sign_in import SignedIn, signed_in, with_role
from curation.ui.errors import ChangedAuthError, NobodyNamedError, NotSignedInError

if TYPE_CHECKING:
    from curation.services.workspace import Workspace


def home() -> Path:
    """Return the home that the server was started with."""
    return Path(st.secrets["curation"]["home"])


def nobody_signs_in() -> bool:
    """Return whether the server was started for one person on one machine."""
    return _auth_at_start() == "local"


def _auth_at_start() -> str:
    return str(st.secrets["curation"].get("auth", "local"))


def configured() -> Settings:
    """Return the settings as the file says them now.

    Raises:
        ConfigError: the file cannot be read.
        ChangedAuthError: it says another way of signing in than the server was started with.
    """
    found = load_settings(home())
    if found.auth != _auth_at_start():
        raise ChangedAuthError(_auth_at_start(), found.auth)
    return found


def settings() -> Settings:
    """Return the settings as the file says them now, with the role of who is signed in."""
    found = configured()
    if found.sign_in is None:
        return found
    try:
        return with_role(found, signed_in_here(found))
    except CurationError:
        return found


def signed_in_here(found: Settings) -> SignedIn:
    """Return who signed in in this browser.

    Raises:
        NotSignedInError: nobody did.
        CurationError: somebody did who is not let in, or not any more.
    """
    if not st.user.get("is_logged_in"):
        raise NotSignedInError
    return signed_in(found, st.user.to_dict(), now=now())


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
    """Return who sits here; None until the settings name somebody, or somebody signs in."""
    found = configured()
    if found.sign_in is None:
        return local_person(found)
    try:
        return signed_in_here(found).person
    except CurationError:
        return None


def acting_person() -> Person:
    """Return who acts.

    Raises:
        NobodyNamedError: this machine names nobody.
        NotSignedInError: nobody is signed in, or not any more.
    """
    found = person()
    if found is None:
        raise NobodyNamedError if nobody_signs_in() else NotSignedInError
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
