"""The tables of a judge's work: runs with their budgets, what is to be judged, single calls.

The subject of an item is an answer's id or, for outputs on a golden set, `run:` with the run's
hash, the case and the repeat. A judge, with its model and the version of its prompts, judges a
subject once whichever run asked for it.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index
from sqlmodel import Field

from curation.store.tables import Row
from curation.store.types import UtcTime


class JudgeRunRow(Row, table=True):
    """One `judge run`: what was asked for, its budget, and what it has spent.

    `held_back` is the most that calls which are under way may cost. `late` counts answers of the
    judge that came when somebody else had taken the item over; they are paid for and not used.
    """

    __tablename__ = "judge_run"
    __table_args__ = (Index("ix_judge_run_judge_key", "judge_key", "ended_at"),)

    id: str = Field(primary_key=True)
    judge_key: str
    judge: str
    prompt_version: str
    asked_for: dict[str, Any] = Field(sa_type=JSON)
    asked_for_sha: str
    started_at: datetime = Field(sa_type=UtcTime, index=True)
    ended_at: datetime | None = Field(default=None, sa_type=UtcTime)
    ended_by: str | None = None
    max_calls: int | None = None
    max_cost: float | None = None
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    held_back: float = 0
    late: int = 0


class JudgeItemRow(Row, table=True):
    """An answer or an output that a judge is to score, and which worker has it until when.

    `taken` counts the claims: what a worker whose claim is over brings is not written.
    """

    __tablename__ = "judge_item"
    __table_args__ = (Index("ix_judge_item_run", "run_id", "state", "place"),)

    judge_key: str = Field(primary_key=True)
    subject: str = Field(primary_key=True)
    run_id: str = Field(foreign_key="judge_run.id")
    place: int
    probability: float | None = None
    state: str
    worker: str | None = None
    until: datetime | None = Field(default=None, sa_type=UtcTime)
    taken: int = 0
    round: int = 0
    ok: int = 0
    failed: int = 0
    done_at: datetime | None = Field(default=None, sa_type=UtcTime)


class JudgeCallRow(Row, table=True):
    """One question to a judge: its tries, what it cost, and what came of it.

    A row without `done_at` was under way when its worker ended; it is asked again in the same row.
    """

    __tablename__ = "judge_call"
    __table_args__ = (Index("ix_judge_call_done_at", "done_at"),)

    judge_key: str = Field(primary_key=True)
    subject: str = Field(primary_key=True)
    round: int = Field(primary_key=True)
    ask: str = Field(primary_key=True)
    run_id: str = Field(foreign_key="judge_run.id")
    metric: str
    tries: int = 0
    held_back: float = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    model: str | None = None
    value: float | None = None
    reason: str | None = None
    error_kind: str | None = None
    latency_ms: float | None = None
    done_at: datetime | None = Field(default=None, sa_type=UtcTime)


class RunScoreRow(Row, table=True):
    """A judge's number for one output of an evaluation run, or for one chunk it retrieved."""

    __tablename__ = "run_score"

    run_sha256: str = Field(primary_key=True, foreign_key="run.sha256")
    case_id: str = Field(primary_key=True)
    repeat: int = Field(primary_key=True)
    judge: str = Field(primary_key=True)
    prompt_version: str = Field(primary_key=True)
    position: int = Field(primary_key=True)
    metric: str
    value: float | None = None
    worst: float | None = None
    best: float | None = None
    reason: str | None = None
    status: str
    error_kind: str | None = None
    chunk_id: str | None = None
    at: datetime = Field(sa_type=UtcTime)
