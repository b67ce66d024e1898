"""A workspace on a new home, and logs written as files."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curation.config import Settings
from curation.domain.person import Person
from curation.services.workspace import Workspace, open_workspace

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
MIA = Person(name="Mia Kim", email="mia@example.org")
ROB = Person(name="Rob Oduya", email="rob@example.org")


def workspace(folder: Path, **settings: Any) -> Workspace:
    return open_workspace(Settings.model_validate({"home": folder / "home", **settings}))


def record(name: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "question": f"What is {name}?", "answer": f"It is {name}.", **fields}


def log(folder: Path, *records: Any, name: str = "log.jsonl") -> Path:
    """Write records as JSONL: a dict as JSON, a text as it is."""
    lines = [r if isinstance(r, str) else json.dumps(r) for r in records]
    path = folder / name
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
    return path


def rejects(path: str | None) -> list[dict[str, Any]]:
    assert path is not None
    return [json.loads(line) for line in Path(path).read_text().splitlines()]
