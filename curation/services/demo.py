"""The sample world, loaded into a home through the same doors as anyone's files."""

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from curation.config import Settings
from curation.domain.person import Person
from curation.sample import WorldFiles, write_delivery, write_world
from curation.services import changes, corpus, golden_files, golden_set, intake, review
from curation.services.cases import CaseFile
from curation.services.home import create_home, set_me
from curation.services.publish import publish
from curation.services.workspace import Workspace, open_workspace

ANA = Person(name="Ana Ruiz", email="ana@kestrel.example")
ROB = Person(name="Rob Oduya", email="rob@kestrel.example")
YOU = Person(name="Mia Kim", email="mia@kestrel.example")


def load_demo(settings: Settings, *, now: datetime, tell: Callable[[str], None]) -> dict[str, Any]:
    """Create the home where needed and load the sample world; a second call loads nothing twice.

    Returns:
        What was loaded: counts of chunks and answers, and the newest version.
    """
    version = create_home(settings, person=ANA, now=now)
    if settings.me is None:
        settings = set_me(settings.home, YOU)
    workspace = open_workspace(settings)
    try:
        with TemporaryDirectory() as folder:
            tell("Writing the sample world ...")
            files = write_world(Path(folder))
            tell("Loading its documents and answers ...")
            chunks = corpus.add_chunks(workspace, [files.chunks], now=now)
            answers = intake.ingest(workspace, [files.answers], now=now)
            if not golden_set.browse(workspace).cases:
                tell("Publishing its first golden cases ...")
                version = _publish_first_cases(workspace, files, now=now)
                _propose_as_a_colleague(workspace, files, now=now)
    finally:
        workspace.store.dispose()
    return {"chunks": chunks.read, "answers": answers.read, "version": version}


def load_next_documents(settings: Settings, *, now: datetime) -> dict[str, Any]:
    """Load the next delivery of the sample documents into a home that has the sample world.

    Some evidence of its cases then stands elsewhere, differs, is gone or has a newer value.
    """
    workspace = open_workspace(settings)
    try:
        with TemporaryDirectory() as folder:
            file = write_delivery(Path(folder) / "next-documents.jsonl")
            done = corpus.add_chunks(workspace, [file], now=now, replace=True)
    finally:
        workspace.store.dispose()
    return {"next_chunks": done.read, "removed": done.removed}


def _publish_first_cases(workspace: Workspace, files: WorldFiles, *, now: datetime) -> str:
    """Publish the policy and the starter cases of the sample world; return the version."""
    policy = golden_set.propose_policy(
        workspace, files.policy, person=ANA, reason="The slices of our documents.", now=now
    )
    changes.approve(workspace, policy.id, person=ROB, now=now)
    first = publish(workspace, person=ROB, now=now).version or ""
    imported = golden_files.propose_import(
        workspace, files.cases, person=ANA, reason="The questions we always ask.", now=now
    )
    if imported.change is None:
        return first
    changes.approve(workspace, imported.change.id, person=ROB, now=now)
    return publish(workspace, person=ROB, now=now).version or first


def _propose_as_a_colleague(workspace: Workspace, files: WorldFiles, *, now: datetime) -> None:
    """Propose a few cases in a colleague's name, so that there is something to approve."""
    for line in files.proposals.read_text(encoding="utf-8").split("\n"):
        if not line:
            continue
        given = json.loads(line)
        file = CaseFile(document=given["case"], where="the sample world", reason=given["reason"])
        review.finish_with_file(workspace, ROB, given["answer_id"], file, now=now)
