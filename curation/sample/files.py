"""The sample world as files, to be loaded like anyone's."""

import json
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from curation.domain.base import Value
from curation.domain.case import Case
from curation.sample.cases import read_cases
from curation.sample.documents import WORLD, read_chunks
from curation.sample.traffic import LoggedAnswer, logged_answers
from curation.sample.truth import Failure

UNTIL = date(2026, 11, 27)
LEFT_TO_REVIEW = frozenset({"connect-timeout-42", "annual-leave"})  # the top of the queue
PROPOSED = {
    "gateway-port-42": "Users of 4.2 were sent to the port of 4.0.",
    "disk-buffer-42": "The answer gave the size of an older release.",
    "childcare": "No document mentions childcare, so the answer should have declined.",
}


class WorldFiles(Value):
    """Where the files of the sample world are."""

    chunks: Path
    answers: Path
    cases: Path
    proposals: Path  # {answer_id, reason, case}: what a colleague has proposed already
    policy: Path


def write_world(folder: Path, *, seed: int = 7, until: date = UNTIL) -> WorldFiles:
    """Return the files of the sample world, written into the folder.

    The log covers the six weeks that end on `until`; the same arguments give the same bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    chunks, cases = read_chunks(), read_cases()
    answers = logged_answers(seed=seed, until=until)
    imported = [c for c in cases if c.id not in LEFT_TO_REVIEW | PROPOSED.keys()]
    policy = folder / "policy.toml"
    policy.write_bytes((WORLD / "policy.toml").read_bytes())
    return WorldFiles(
        chunks=_written(folder / "chunks.jsonl", (c.model_dump(mode="json") for c in chunks)),
        answers=_written(folder / "answers.jsonl", (a.record for a in answers)),
        cases=_written(folder / "cases.jsonl", (c.model_dump(mode="json") for c in imported)),
        proposals=_written(folder / "proposals.jsonl", _proposals(cases, answers)),
        policy=policy,
    )


def _proposals(cases: Iterable[Case], answers: Sequence[LoggedAnswer]) -> Iterable[dict[str, Any]]:
    """Yield what a colleague made of the first wrong answer to each question in `PROPOSED`."""
    left_out = {"schema", "id", "status", "provenance", "reference_source", "retired"}
    for case in cases:
        if case.id not in PROPOSED:
            continue
        wrong = next(
            answer.record["id"]
            for answer in answers
            if answer.record["question"] == case.question and answer.failure is not Failure.NONE
        )
        document = case.model_dump(mode="json")
        kept = {key: value for key, value in document.items() if key not in left_out}
        yield {"answer_id": wrong, "reason": PROPOSED[case.id], "case": kept}


def _written(path: Path, records: Iterable[dict[str, Any]]) -> Path:
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_bytes("".join(lines).encode("utf-8"))
    return path
