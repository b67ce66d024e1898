"""Signals that another program reports one by one."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session

from curation.domain.queue import PriorityWeights
from curation.domain.reported import ReportedSignal
from curation.store.intake import begin_import
from curation.store.schema import ANSWER, SIGNAL
from curation.store.session_signals import weigh_signals
from curation.store.sql import insert_many, parts


def known_answers(session: Session, answer_ids: Sequence[str]) -> dict[str, Any]:
    """Return the group, user and session of those of these answers that the store has."""
    columns = (ANSWER.c.id, ANSWER.c.group_id, ANSWER.c.user_id, ANSWER.c.session_id)
    found: dict[str, Any] = {}
    for ids in parts(answer_ids):
        statement = select(*columns).where(ANSWER.c.id.in_(ids))
        found |= {row.id: row for row in session.connection().execute(statement)}
    return found


def add_reported(
    session: Session,
    signals: Sequence[ReportedSignal],
    answers: dict[str, Any],
    weights: PriorityWeights,
    *,
    now: datetime,
) -> int:
    """Store the signals that are not there yet; return how many that is."""
    begin_import(session)
    ids = sorted({signal.answer_id for signal in signals})
    seen, last = _stored(session, ids)
    rows: list[dict[str, Any]] = []
    for signal in signals:
        answer = answers[signal.answer_id]
        who = signal.user or answer.user_id or answer.session_id or answer.id
        key = _key(signal.answer_id, who, signal)
        if key in seen:
            continue
        seen.append(key)
        last[signal.answer_id] = last.get(signal.answer_id, -1) + 1
        rows.append(
            {
                "answer_id": signal.answer_id,
                "position": last[signal.answer_id],
                "group_id": answer.group_id,
                "who": who,
                "kind": signal.kind.value,
                "value": signal.value,
                "comment": signal.comment,
                "at": signal.at,
                "confidence": 1.0,
                "rule": None,
            }
        )
    insert_many(session, SIGNAL, rows)
    for some in parts(sorted({row["answer_id"] for row in rows})):
        weigh_signals(session, some, weights, now=now)
    return len(rows)


def _key(answer_id: str, who: str, signal: Any) -> tuple[Any, ...]:  # noqa: ANN401 - a signal or its row
    kind = getattr(signal.kind, "value", signal.kind)
    return (answer_id, who, kind, signal.value, signal.comment, signal.at)


def _stored(session: Session, ids: Sequence[str]) -> tuple[list[tuple[Any, ...]], dict[str, int]]:
    """Return what is known of the answers' signals, and the last position of each answer."""
    seen: list[tuple[Any, ...]] = []
    last: dict[str, int] = {}
    for some in parts(ids):
        which = SIGNAL.c.answer_id.in_(some)
        rows = session.connection().execute(select(SIGNAL).where(which))
        seen += [_key(row.answer_id, row.who, row) for row in rows]
        positions = select(SIGNAL.c.answer_id, func.max(SIGNAL.c.position).label("last"))
        found = session.connection().execute(positions.where(which).group_by(SIGNAL.c.answer_id))
        last |= {row.answer_id: row.last for row in found}
    return seen, last
