"""The files of `experiments/` as bytes and back: an experiment, its numbers, the baseline.

The JSON is what Python's own `json` writes with two spaces a level, so that the server-side hook
and a reader without this program can check it.
"""

import json
import re

from pydantic import ValidationError

from curation.domain.base import Value
from curation.domain.experiment import Baseline, Experiment
from curation.errors import first_problem
from curation.golden.experiment_errors import UnreadableExperimentError
from curation.golden.experiment_record import FOLDER, read_record
from curation.golden.kinds import version_number

_IDS = ("commit", "cases_tree", "policy_blob")
_ID = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


def experiment_path(experiment_id: str) -> str:
    """Return the path of an experiment's file, relative to the golden path."""
    return f"{FOLDER}/{experiment_id}.json"


def numbers_path(experiment_id: str) -> str:
    """Return the path of the numbers of each case, relative to the golden path."""
    return f"{FOLDER}/{experiment_id}.cases.jsonl"


def value_bytes(value: Value) -> bytes:
    """Return a value as the bytes of its file."""
    document = value.model_dump(mode="json")
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def parse_experiment(experiment_id: str, data: bytes) -> Experiment:
    """Return the experiment that a file says.

    Raises:
        UnreadableExperimentError: it says none, or another one.
    """
    try:
        found = Experiment.model_validate_json(data)
    except ValidationError as problem:
        raise UnreadableExperimentError(experiment_id, first_problem(problem)) from problem
    for name in _IDS:
        if _ID.fullmatch(getattr(found, name)) is None:
            raise UnreadableExperimentError(experiment_id, f"its {name} is no id of git's")
    if version_number(found.version) is None:
        raise UnreadableExperimentError(experiment_id, "its version is none")
    if found.id != experiment_id:
        raise UnreadableExperimentError(experiment_id, f"its file says that it is {found.id}")
    if not read_record(data):
        raise UnreadableExperimentError(experiment_id, "a key of its file comes twice")
    return found


def parse_baseline(data: bytes | None) -> Baseline | None:
    """Return the baseline that a file says; None where there is none that can be read."""
    try:
        return None if data is None else Baseline.model_validate_json(data)
    except ValidationError:
        return None
