"""Which experiments are open, and so freeze the set. What cannot be read counts as open."""

import json
import re
from datetime import UTC, datetime
from typing import Any

from curation.domain.experiment import OpenExperiment

FOLDER = "experiments"
_FILE = re.compile(r"(exp-[^/]*)\.json")


def experiment_id_of(name: str) -> str | None:
    """Return the id of the experiment whose file this is; None for every other file.

    Args:
        name: the file's name in the folder `experiments`.
    """
    found = _FILE.fullmatch(name)
    return found[1] if found else None


def open_experiment(experiment_id: str, data: bytes | None) -> OpenExperiment | None:
    """Return the experiment when its file does not say, exactly, that it is closed."""
    record = _record(data)
    if record.get("state") == "closed":
        return None
    return OpenExperiment(
        id=experiment_id,
        component=_text(record.get("component")),
        opened_by=_text(record.get("opened_by")),
        opened_at=_moment(record.get("opened_at")),
        version=_text(record.get("version")),
    )


def _record(data: bytes | None) -> dict[str, Any]:
    """Return the file's object; an empty one when it cannot be read."""
    try:
        record = json.loads((data or b"").decode("utf-8"), object_pairs_hook=_unique)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a key comes twice")
    return table


def _text(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    return value.encode("utf-8", "replace").decode()


def _moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment
