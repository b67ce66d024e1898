"""Auditing the golden set for its page: once while nothing moves, and again when asked."""

import streamlit as st

from curation.config import Settings
from curation.golden import AuditReport
from curation.services import golden_set
from curation.services.golden_files import audit
from curation.services.workspace import Workspace
from curation.ui import bar, shell
from curation.ui.bar import Event


@st.cache_resource(show_spinner="Auditing the golden set …", max_entries=4)
def audited(
    golden: str,  # noqa: ARG001 - the key
    tip: str,  # noqa: ARG001 - the key
    versions: tuple[str, ...],  # noqa: ARG001 - the key
    _settings: Settings,
) -> AuditReport:
    """Return the audit of a history, made once while branch and versions stay where they are."""
    return audit(_settings.golden_path, _settings)


def report_now(workspace: Workspace) -> AuditReport:
    """Return the audit of the set as it is now."""
    tip = golden_set.browse(workspace).commit
    versions = tuple(f"{one.version} {one.commit}" for one in golden_set.versions(workspace))
    settings = workspace.settings
    return audited(str(settings.golden_path), tip, versions, settings)


def act(event: Event) -> None:
    """Do what a key or a press asks for."""
    if event.act == "again":
        audited.clear()
        bar.say("Audited again.")
    else:
        shell.followed(event)
