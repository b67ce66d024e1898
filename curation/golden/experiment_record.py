"""The file of an experiment, as far as the freeze depends on it.

Standard library only: the server-side hook carries this module.
"""

import json
import re
from typing import Any

FOLDER = "experiments"
BASELINE_FILE = f"{FOLDER}/baseline.json"
_FILE = re.compile(r"(exp-[^/]*)\.json")
_NUMBER = re.compile(r"exp-([0-9]{3,9})")  # more digits are no count, and too many end Python
# Written when it is opened and never again.
PINNED = (
    "id",
    "opened_by",
    "opened_at",
    "version",
    "commit",
    "cases_tree",
    "policy_blob",
    "component",
    "hypothesis",
    "continues",
)


def experiment_id_of(name: str) -> str | None:
    """Return the id of the experiment whose file this is; None for every other file.

    Args:
        name: the file's name in the folder `experiments`.
    """
    found = _FILE.fullmatch(name)
    return found[1] if found else None


def experiment_number(experiment_id: str) -> int | None:
    """Return n of `exp-n`; None for an id of another form."""
    found = _NUMBER.fullmatch(experiment_id)
    return int(found[1]) if found else None


def read_record(data: bytes | None) -> dict[str, Any]:
    """Return the object that an experiment's file holds; an empty one if it cannot be read."""
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


def is_open(record: dict[str, Any]) -> bool:
    """Return whether an experiment freezes the set: always, unless it says exactly `closed`."""
    return record.get("state") != "closed"
