"""The answers of sessions in order, and the signals that were derived from them.

A derived signal is a row of the signal table whose rule is one of `metrics.session_signals`. It
stands before those of the log, so that a second import of the same record finds them in the order
in which it would leave them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import bindparam, delete, func, select, update
from sqlmodel import Session

from curation.domain.answer import Signal, SignalKind
from curation.domain.priority import severity, signal_bit
from curation.domain.queue import PriorityWeights
from curation.metrics.session_signals import IDLE, SessionTurn, is_derived
from curation.store.answer_rows import signal_row
from curation.store.intake import begin_import
from curation.store.priority import mark_stale
from curation.store.schema import ANSWER, BODY, FACET, SIGNAL
from curation.store.sql import insert_many, insert_missing, parts, read_note, write_note

LONGEST = 5_000  # answers of one session that are looked at together
SOME = 1_000
_LONG_ANSWER = 4_000  # characters; whether an answer declines shows before
_RULES_NOTE = "session_rules"


def sessions(
    session: Session, session_ids: Sequence[str] | None = None
) -> Iterator[tuple[SessionTurn, ...]]:
    """Yield the answers of each session; a very long one in parts.

    Args:
        session: a reading session.
        session_ids: only these; None for all.
    """
    if session_ids is None:
        yield from _read(session, ANSWER.c.session_id.is_not(None))
        return
    for ids in parts(sorted(session_ids)):
        yield from _read(session, ANSWER.c.session_id.in_(ids))


def _read(session: Session, which: Any) -> Iterator[tuple[SessionTurn, ...]]:  # noqa: ANN401 - an SQL condition
    """Yield the sessions of one statement, a bounded number of answers in memory."""
    statement = (
        select(
            ANSWER.c.id,
            ANSWER.c.session_id,
            ANSWER.c.question,
            ANSWER.c.asked_at,
            ANSWER.c.outcome,
            func.substr(BODY.c.answer, 1, _LONG_ANSWER).label("answer"),
            BODY.c.conversation,
        )
        .join(BODY, BODY.c.answer_id == ANSWER.c.id)
        .where(which)
        .order_by(ANSWER.c.session_id, ANSWER.c.sort_at, ANSWER.c.id)
    )
    rows = session.connection().execute(statement).yield_per(SOME)
    for _, members in groupby(rows, key=lambda row: row.session_id):
        waiting: list[Any] = []
        for row in members:
            waiting.append(row)
            if len(waiting) == LONGEST:
                yield _turns(session, waiting)
                waiting = []
        if waiting:
            yield _turns(session, waiting)


def _turns(session: Session, rows: Sequence[Any]) -> tuple[SessionTurn, ...]:
    logged = _logged(session, [row.id for row in rows])
    return tuple(
        SessionTurn(
            answer_id=row.id,
            question=row.question,
            answer=row.answer,
            outcome=row.outcome,
            asked_at=row.asked_at,
            earlier=tuple(turn["text"] for turn in row.conversation if turn["role"] == "user"),
            logged=logged.get(row.id, ()),
        )
        for row in rows
    )


def _logged(session: Session, ids: Sequence[str]) -> dict[str, tuple[SignalKind, ...]]:
    """Return the kinds of the signals that came with the log."""
    found: defaultdict[str, list[SignalKind]] = defaultdict(list)
    for some in parts(ids):
        chosen = select(SIGNAL.c.answer_id, SIGNAL.c.kind, SIGNAL.c.rule)
        for row in session.connection().execute(chosen.where(SIGNAL.c.answer_id.in_(some))):
            if not is_derived(row.rule):
                found[row.answer_id].append(SignalKind(row.kind))
    return {answer_id: tuple(kinds) for answer_id, kinds in found.items()}


def running_sessions(session: Session, newest: datetime | None) -> set[str]:
    """Return the sessions that may still have gone on when this was the newest answer."""
    if newest is None:
        return set()
    statement = select(ANSWER.c.session_id).where(
        ANSWER.c.asked_at >= newest - IDLE, ANSWER.c.session_id.is_not(None)
    )
    return set(session.connection().execute(statement.distinct()).scalars())


def replace_derived(
    session: Session,
    found: Mapping[str, Sequence[Signal]],
    weights: PriorityWeights,
    *,
    now: datetime,
) -> tuple[int, int]:
    """Let these be the derived signals of these answers; return how many came and went."""
    begin_import(session)
    added = removed = 0
    for ids in parts(sorted(found)):
        stored = _stored(session, ids)
        other = [i for i in ids if _changed(stored[i], found[i])]
        if other:
            removed += sum(is_derived(row.rule) for i in other for row in stored[i])
            added += sum(len(found[i]) for i in other)
            _replace(session, other, found, stored, weights, now=now)
    return added, removed


def _stored(session: Session, ids: Sequence[str]) -> defaultdict[str, list[Any]]:
    found: defaultdict[str, list[Any]] = defaultdict(list)
    statement = select(SIGNAL).where(SIGNAL.c.answer_id.in_(ids))
    for row in session.connection().execute(statement.order_by(SIGNAL.c.position)):
        found[row.answer_id].append(row)
    return found


def _changed(stored: Sequence[Any], found: Sequence[Signal]) -> bool:
    """Return whether the derived ones among the stored signals are others than these."""
    old = [(r.kind, r.rule, r.comment, r.confidence, r.at) for r in stored if is_derived(r.rule)]
    return old != [(s.kind.value, s.rule, s.comment, s.confidence, s.at) for s in found]


def _replace(
    session: Session,
    ids: Sequence[str],
    found: Mapping[str, Sequence[Signal]],
    stored: Mapping[str, Sequence[Any]],
    weights: PriorityWeights,
    *,
    now: datetime,
) -> None:
    """Write the derived signals of answers in which they changed, and what follows from them."""
    connection = session.connection()
    chosen = select(ANSWER.c.id, ANSWER.c.group_id, ANSWER.c.user_id, ANSWER.c.session_id)
    answers = list(connection.execute(chosen.where(ANSWER.c.id.in_(ids))))
    old = [(i, row.position) for i in ids for row in stored[i] if is_derived(row.rule)]
    gone = delete(SIGNAL).where(
        SIGNAL.c.answer_id == bindparam("b_id"), SIGNAL.c.position == bindparam("b_position")
    )
    if old:
        connection.execute(gone, [{"b_id": i, "b_position": position} for i, position in old])
    rows = [
        row
        for answer in answers
        for row in _rows(
            answer,
            [row for row in stored[answer.id] if not is_derived(row.rule)],
            found[answer.id],
        )
    ]
    insert_many(session, SIGNAL, rows)
    weigh_signals(session, ids, weights, now=now)


def weigh_signals(
    session: Session, ids: Sequence[str], weights: PriorityWeights, *, now: datetime
) -> None:
    """Let the answers, their groups and the filters follow from the stored signals."""
    connection = session.connection()
    kinds: defaultdict[str, set[SignalKind]] = defaultdict(set)
    chosen = select(SIGNAL.c.answer_id, SIGNAL.c.kind).where(SIGNAL.c.answer_id.in_(ids))
    for row in connection.execute(chosen.distinct()):
        kinds[row.answer_id].add(SignalKind(row.kind))
    columns = select(ANSWER.c.id, ANSWER.c.group_id, ANSWER.c.shortfall)
    answers = list(connection.execute(columns.where(ANSWER.c.id.in_(ids))))
    updates = [
        {
            "b_id": answer.id,
            "signal_mask": sum(signal_bit(kind) for kind in kinds[answer.id]),
            "severity": severity(kinds[answer.id], answer.shortfall, weights),
        }
        for answer in answers
    ]
    if updates:
        connection.execute(update(ANSWER).where(ANSWER.c.id == bindparam("b_id")), updates)
    seen = sorted({kind.value for found in kinds.values() for kind in found})
    facets = [{"kind": "signal", "value": kind, "first_seen": now} for kind in seen]
    insert_missing(session, FACET, facets)
    mark_stale(session, sorted({answer.group_id for answer in answers}))


def _rows(answer: Any, kept: Sequence[Any], found: Sequence[Signal]) -> list[dict[str, Any]]:  # noqa: ANN401 - a row of the database
    """Return the rows of an answer's derived signals, before those of the log."""
    first = min((row.position for row in kept), default=0) - len(found)
    return [
        signal_row(answer, signal, group_id=answer.group_id, position=first + place)
        for place, signal in enumerate(found)
    ]


def derived_by(session: Session) -> int | None:
    """Return which release of the rules the stored signals were derived by; None before any."""
    found: int | None = read_note(session, _RULES_NOTE)
    return found


def note_derived_by(session: Session, rules: int) -> None:
    """Remember which release of the rules was at work."""
    write_note(session, _RULES_NOTE, rules)
