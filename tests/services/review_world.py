"""A workspace with a few flagged answers, for tests of reviews, changes and publishing."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curation.config import load_settings
from curation.domain.person import Person
from curation.services import corpus, intake, review
from curation.services.cases import CaseFile
from curation.services.home import create_home
from curation.services.workspace import Workspace, open_workspace
from tests.cli.world import CASE, CHUNKS, answer

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
MIA = Person.parse("Mia Kim <mia@example.org>")
ANA = Person.parse("Ana Ruiz <ana@example.org>")
ROB = Person.parse("Rob Oduya <rob@example.org>")


@contextmanager
def opened(folder: Path, *, toml: str = "", answers: int = 3) -> Generator[Workspace]:
    """A workspace in a folder, with the corpus and the answers `a-1`, `a-2`, ... brought in."""
    home = folder / "home"
    home.mkdir()
    (home / "curation.toml").write_text(toml, encoding="utf-8")
    settings = load_settings(home)
    create_home(settings, person=ANA, now=NOW)
    workspace = open_workspace(settings)
    try:
        corpus.add_chunks(workspace, [_lines(folder / "chunks.jsonl", CHUNKS)], now=NOW)
        log = [answer(n) for n in range(1, answers + 1)]
        intake.ingest(workspace, [_lines(folder / "log.jsonl", log)], now=NOW)
        yield workspace
    finally:
        workspace.store.dispose()


def _lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def proposed(
    workspace: Workspace, answer_id: str = "a-1", *, person: Person = MIA, **fields: Any
) -> review.Proposed:
    """The answer finished with the case of the tests, changed by `fields`."""
    file = CaseFile(document={**CASE, **fields}, where="case.json", reason="The old value.")
    return review.finish_with_file(workspace, person, answer_id, file, now=NOW)


def revision(proposal: review.Proposed, **fields: Any) -> CaseFile:
    """The next patch set of a proposal, changed by `fields`."""
    document = {**CASE, "id": proposal.case_id, **fields}
    return CaseFile(document=document, where="case.json", reason="Once more.")
