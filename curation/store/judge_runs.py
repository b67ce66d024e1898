"""The runs of judges: what was asked for, within which budget, and how each ended."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select, update
from sqlmodel import Session

from curation.store.schema import JUDGE_RUN

__all__ = ["JudgeRun", "add_run", "begin_preparing", "end_run", "find_open_run", "get_run"]

_PREPARE_LOCK = 0x6A75_6467


@dataclass(frozen=True, kw_only=True)
class JudgeRun:
    """A run of a judge with its budget and what it has spent."""

    id: str
    judge_key: str
    judge: str
    prompt_version: str
    asked_for: Mapping[str, Any]
    asked_for_sha: str
    started_at: datetime
    ended_at: datetime | None = None
    ended_by: str | None = None
    max_calls: int | None = None
    max_cost: float | None = None
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    held_back: float = 0
    late: int = 0

    @property
    def outputs(self) -> str | None:
        """The hash of the outputs that it scores; None for stored answers."""
        what = str(self.asked_for.get("what", ""))
        return what.removeprefix("run:") if what.startswith("run:") else None

    @property
    def on_outputs(self) -> bool:
        """Whether it scores outputs on a golden set."""
        return self.outputs is not None


def begin_preparing(session: Session) -> None:
    """Let workers begin one after the other, so that the second one joins the first one's run."""
    if session.get_bind().dialect.name == "postgresql":
        session.connection().execute(select(func.pg_advisory_xact_lock(_PREPARE_LOCK)))


def add_run(session: Session, run: JudgeRun) -> None:
    """Keep a new run."""
    session.connection().execute(JUDGE_RUN.insert().values(**vars(run)))


def get_run(session: Session, run_id: str) -> JudgeRun | None:
    """Return a run as it stands."""
    row = session.connection().execute(select(JUDGE_RUN).where(JUDGE_RUN.c.id == run_id)).mappings()
    found = row.first()
    return None if found is None else JudgeRun(**found)


def find_open_run(session: Session, judge_key: str, asked_for_sha: str) -> JudgeRun | None:
    """Return the newest run of the same judge that was asked for the same and has not ended."""
    statement = (
        select(JUDGE_RUN)
        .where(
            JUDGE_RUN.c.judge_key == judge_key,
            JUDGE_RUN.c.asked_for_sha == asked_for_sha,
            JUDGE_RUN.c.ended_at.is_(None),
        )
        .order_by(JUDGE_RUN.c.started_at.desc(), JUDGE_RUN.c.id)
    )
    found = session.connection().execute(statement).mappings().first()
    return None if found is None else JudgeRun(**found)


def end_run(session: Session, run_id: str, why: str, *, now: datetime) -> None:
    """Remember why a run ended; the first reason counts."""
    session.connection().execute(
        update(JUDGE_RUN)
        .where(JUDGE_RUN.c.id == run_id, JUDGE_RUN.c.ended_at.is_(None))
        .values(ended_at=now, ended_by=why)
    )
