"""A run: the outputs of one pipeline on the cases of one version."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, TypeVar

from pydantic import Field, ValidationError, field_validator

from curation.domain.answer import Citation, Outcome
from curation.domain.base import Value
from curation.domain.policy import MOST_K
from curation.errors import first_problem
from curation.evaluation.errors import RunError, RunFormError

__all__ = [
    "Hit",
    "Run",
    "RunHeader",
    "RunLine",
    "check_run",
    "parse_run",
    "run_line",
    "run_sha256",
    "run_text",
]


class Hit(Value):
    """A retrieved chunk; the text is left out where the corpus has it.

    `used` says whether it reached the prompt: an answer is faithful to what it was shown.
    """

    chunk_id: str
    doc_id: str | None = None
    doc_version: str | None = None
    rank: int = Field(ge=1)
    score: float | None = None
    text: str | None = None
    used: bool = True


class RunHeader(Value):
    """What made the run. `manifest` names each component of the pipeline and its version."""

    pipeline: str | None = None
    manifest: dict[str, Any] | None = None
    corpus_snapshot: str | None = None
    k: int | None = Field(default=None, ge=1, le=MOST_K)
    started_at: datetime | None = None
    concurrency: int | None = Field(default=None, ge=1)
    version: str | None = None
    timeout_ms: float | None = Field(default=None, gt=0)


class RunLine(Value):
    """One output on one case; `outcome` None lets the documented phrase rule decide.

    `resumed` and `cached` mark a latency that was not measured in this run under its load.
    `timed_out` marks a failure that counts at the time-out's value in the latency.
    """

    case_id: str
    repeat: int = Field(default=1, ge=1)
    hits: tuple[Hit, ...] = ()
    prompt: str | None = None
    answer: str | None = None
    outcome: Outcome | None = None
    citations: tuple[Citation, ...] = ()
    latency_ms: float | None = Field(default=None, ge=0)
    cost_usd: float | None = Field(default=None, ge=0)
    error: str | None = None
    trace_id: str | None = None
    resumed: bool = False
    cached: bool = False
    timed_out: bool = False

    @field_validator("hits", mode="before")
    @classmethod
    def _hits_from_ids(cls, given: object) -> object:
        """Take plain chunk ids for hits, and the order for a rank that is left out."""
        if not isinstance(given, list | tuple):
            return given
        return [_ranked(item, rank) for rank, item in enumerate(given, start=1)]

    @field_validator("hits", mode="after")
    @classmethod
    def _hits_by_rank(cls, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
        return tuple(sorted(hits, key=lambda hit: hit.rank))

    @field_validator("citations", mode="before")
    @classmethod
    def _citations_from_ids(cls, given: object) -> object:
        if not isinstance(given, list | tuple):
            return given
        return [{"chunk_id": item} if isinstance(item, str) else item for item in given]

    @property
    def failed(self) -> bool:
        """Whether the pipeline gave no output."""
        return self.error is not None or self.answer is None

    @property
    def name(self) -> str:
        """The case and, from the second on, the repeat."""
        return self.case_id if self.repeat == 1 else f"{self.case_id} (repeat {self.repeat})"


def _ranked(item: object, rank: int) -> object:
    if isinstance(item, str):
        return {"chunk_id": item, "rank": rank}
    if isinstance(item, Mapping) and item.get("rank") is None:
        return {**item, "rank": rank}
    return item


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The lines of a run with its header and the hash of its text."""

    header: RunHeader
    lines: tuple[RunLine, ...]
    sha256: str

    @property
    def repeats(self) -> int:
        """How often each case was run."""
        return max((line.repeat for line in self.lines), default=1)


def parse_run(text: str) -> Run:
    """Return the run that a JSONL text holds; the first line may be its header.

    The header is the object without a `case_id`. Lines end at U+000A only.

    Raises:
        RunFormError: a line is not JSON, or not a run line.
    """
    header, lines = RunHeader(), []
    rows = [(n, row) for n, row in enumerate(text.removeprefix("\ufeff").split("\n"), 1)]
    rows = [(n, row) for n, row in rows if row.strip()]
    for at, (number, row) in enumerate(rows):
        document = _object(number, row)
        if at == 0 and "case_id" not in document:
            header = _model(RunHeader, document, number)
        else:
            lines.append(_model(RunLine, document, number))
    return Run(header=header, lines=tuple(lines), sha256=run_sha256(text))


def run_line(document: Mapping[str, Any], *, number: int) -> RunLine:
    """Return the run line of one parsed object.

    Raises:
        RunFormError: it is not a run line.
    """
    return _model(RunLine, document, number)


def run_sha256(text: str) -> str:
    """Return the sha256 (hex) of a run's text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def run_text(header: RunHeader, lines: Iterable[RunLine]) -> str:
    """Return a run as JSONL: the header, then a line an output."""
    values: list[Value] = [header, *lines]
    return "".join(
        json.dumps(value.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False) + "\n"
        for value in values
    )


def _object(number: int, row: str) -> dict[str, Any]:
    try:
        document = json.loads(row, object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecursionError as problem:
        raise RunFormError(number, "it is nested too deeply") from problem
    except ValueError as problem:
        raise RunFormError(number, str(problem)) from problem
    if not isinstance(document, dict):
        raise RunFormError(number, "it is not a JSON object")
    return document


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return found


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")


M = TypeVar("M", bound=Value)


def _model(model: type[M], document: Mapping[str, Any], number: int) -> M:
    try:
        return model.model_validate(document)
    except ValidationError as problem:
        raise RunFormError(number, first_problem(problem)) from problem


_NO_ANSWER = "its line has no text as `answer`, and no `error` that says what failed"


def check_run(
    lines: Sequence[RunLine], case_ids: Collection[str], *, failures_as_wrong: bool = False
) -> dict[str, tuple[RunLine, ...]]:
    """Return the outputs of each case, by repeat; every case has the same number of them.

    Raises:
        RunError: a case has no output, two outputs, a failed one, or is not of this version.
    """
    wanted = set(case_ids)
    repeats = max((line.repeat for line in lines), default=1)
    seen = Counter((line.case_id, line.repeat) for line in lines)
    problems = {
        "missing": [
            case_id if repeat == 1 else f"{case_id} (repeat {repeat})"
            for case_id in sorted(wanted)
            for repeat in range(1, repeats + 1)
            if (case_id, repeat) not in seen
        ],
        "extra": sorted({line.case_id for line in lines} - wanted),
        "duplicate": sorted({line.name for line in lines if seen[line.case_id, line.repeat] > 1}),
        "failed": []
        if failures_as_wrong
        else sorted(line.name for line in lines if line.failed and line.case_id in wanted),
    }
    if any(problems.values()):
        failed = set(problems["failed"])
        errors = [line.error or _NO_ANSWER for line in lines if line.name in failed]
        raise RunError(**problems, first_error=next(iter(errors), None))
    by_case: dict[str, list[RunLine]] = {case_id: [] for case_id in sorted(wanted)}
    for line in lines:
        by_case[line.case_id].append(line)
    return {
        case_id: tuple(sorted(outputs, key=lambda line: line.repeat))
        for case_id, outputs in by_case.items()
    }
