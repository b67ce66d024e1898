"""The sample world as files, to be loaded like anyone's."""

import json
from collections import Counter
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

from curation.domain.base import Value
from curation.sample.cases import read_cases
from curation.sample.documents import WORLD, read_chunks
from curation.sample.traffic import logged_answers
from curation.sample.truth import Failure

UNTIL = date(2026, 11, 27)


class WorldFiles(Value):
    """Where the files of the sample world are, and how much they hold."""

    chunks: Path
    answers: Path
    cases: Path
    policy: Path
    chunk_count: int
    answer_count: int
    case_count: int
    failures: dict[Failure, int]  # of the logged answers, by what the corpus really says


def write_world(folder: Path, *, seed: int = 7, until: date = UNTIL) -> WorldFiles:
    """Return the files of the sample world, written into the folder.

    The log covers the six weeks that end on `until`; the same arguments give the same bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    chunks, cases = read_chunks(), read_cases()
    answers = logged_answers(seed=seed, until=until)
    policy = folder / "policy.toml"
    policy.write_bytes((WORLD / "policy.toml").read_bytes())
    return WorldFiles(
        chunks=_written(folder / "chunks.jsonl", (c.model_dump(mode="json") for c in chunks)),
        answers=_written(folder / "answers.jsonl", (a.record for a in answers)),
        cases=_written(folder / "cases.jsonl", (c.model_dump(mode="json") for c in cases)),
        policy=policy,
        chunk_count=len(chunks),
        answer_count=len(answers),
        case_count=len(cases),
        failures=dict(Counter(answer.failure for answer in answers)),
    )


def _written(path: Path, records: Iterable[dict[str, Any]]) -> Path:
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_bytes("".join(lines).encode("utf-8"))
    return path
