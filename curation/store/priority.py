"""The priority of question groups, kept ready in the store (measures.md section 9)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, bindparam, case, func, or_, select, update
from sqlmodel import Session

from curation.domain.answer import SignalKind
from curation.domain.priority import (
    FILLS_A_HOLE,
    GroupParts,
    Judged,
    Reason,
    judge_reasons,
    severity,
    signal_part,
    signal_reasons,
)
from curation.domain.queue import PriorityWeights
from curation.domain.review import AnswerState
from curation.store.holes import mark_holes
from curation.store.near_groups import asked_together, relatives
from curation.store.regressions import misplaced, regressed
from curation.store.schema import ANSWER, QUESTION_GROUP, SIGNAL
from curation.store.sql import parts, read_note, write_note
from curation.store.states import lock_groups

BASIS = "priority_basis"
_EXPLICIT = tuple(kind.value for kind in SignalKind if kind.explicit)


def newest_asked(session: Session) -> datetime | None:
    """Return when the newest answer was asked."""
    statement = select(func.max(ANSWER.c.asked_at))
    found: datetime | None = session.connection().execute(statement).scalar()
    return found


def refresh_groups(session: Session, group_ids: Sequence[str], weights: PriorityWeights) -> None:
    """Compute the place of these groups anew."""
    newest = newest_asked(session)
    start = newest - timedelta(days=weights.window_days) if newest else None
    together = asked_together(session, group_ids, _inside(start))
    for ids in parts(group_ids):
        _refresh_part(session, ids, weights, start, together)


def _refresh_part(
    session: Session,
    ids: Sequence[str],
    weights: PriorityWeights,
    start: datetime | None,
    together: Mapping[str, int],
) -> None:
    """Compute the place of the groups of one IN list."""
    lock_groups(session, ANSWER.c.group_id.in_(ids))
    judges = _judged(session, ids)
    signals = _confidences(session, ids)
    slices = _slice_weights(session, ids, weights)
    on_top = regressed(session, ids)
    rows = []
    for group in session.connection().execute(_counted(ids, start)):
        said = signals.get(group.id, {})
        worst = judges.get(group.id, Judged())
        worst = worst.model_copy(update={"failed": bool(group.judge_failed)})
        asked = max(group.asked, together.get(group.id, 0))
        rows.append(
            _placed(said, worst, weights, asked=asked, factor=slices[group.id], hole=group.hole)
            | {
                "b_id": group.id,
                "newest": group.newest,
                "open_count": group.open_count,
                "on_top": group.id in on_top,
                "stale": False,
            }
        )
    if rows:
        session.connection().execute(
            update(QUESTION_GROUP).where(QUESTION_GROUP.c.id == bindparam("b_id")), rows
        )


def group_parts(
    session: Session, group_ids: Sequence[str], weights: PriorityWeights
) -> dict[str, GroupParts]:
    """Return what the priorities of these groups are made of; only window and slices weigh."""
    newest = newest_asked(session)
    start = newest - timedelta(days=weights.window_days) if newest else None
    together = asked_together(session, group_ids, _inside(start))
    found: dict[str, GroupParts] = {}
    for ids in parts(group_ids):
        judges, signals = _judged(session, ids), _confidences(session, ids)
        slices = _slice_weights(session, ids, weights)
        for group in session.connection().execute(_counted(ids, start)):
            found[group.id] = GroupParts(
                asked=max(group.asked, together.get(group.id, 0), 1),
                said=signals.get(group.id, {}),
                shortfall=judges.get(group.id, Judged()).shortfall,
                hole=bool(group.hole),
                factor=slices[group.id],
                newest=group.newest,
            )
    return found


def _placed(
    said: dict[SignalKind, float],
    worst: Judged,
    weights: PriorityWeights,
    *,
    asked: int,
    factor: float,
    hole: bool,
) -> dict[str, Any]:
    """Return the columns that say where a group stands and why."""
    users = signal_part(said, weights) + (weights.hole if hole else 0)
    judge = weights.judge * (worst.shortfall or 0)
    often = max(asked, 1) * factor
    reasons = [*signal_reasons(said, weights)]
    if hole:
        reasons.append(Reason(words=FILLS_A_HOLE, strength=weights.hole))
    return {
        "asked": max(asked, 1),
        "priority": often * max(0.0, users + judge),
        "shown_priority": often * max(0.0, users) if said else None,
        "reasons": [[r.words, r.strength] for r in reasons],
        "judge_reasons": [[r.words, r.strength] for r in judge_reasons(worst, weights)],
    }


def _inside(start: datetime | None) -> Any:  # noqa: ANN401 - an SQL condition
    """Return the condition for answers of the window; an answer without a date counts."""
    undated = ANSWER.c.asked_at.is_(None)
    return undated if start is None else or_(undated, ANSWER.c.asked_at >= start)


def _counted(ids: Sequence[str], start: datetime | None) -> Any:  # noqa: ANN401 - an SQL statement
    """Return the statement that counts the answers of groups: in the window, open, newest."""
    inside = _inside(start)
    is_open = ANSWER.c.state == AnswerState.OPEN.value
    return (
        select(
            QUESTION_GROUP.c.id,
            QUESTION_GROUP.c.hole,
            func.sum(case((inside, 1), else_=0)).label("asked"),
            func.sum(case((is_open, 1), else_=0)).label("open_count"),
            func.max(ANSWER.c.sort_at).label("newest"),
            func.max(case((ANSWER.c.judge_failed, 1), else_=0)).label("judge_failed"),
        )
        .join(ANSWER, ANSWER.c.group_id == QUESTION_GROUP.c.id)
        .where(QUESTION_GROUP.c.id.in_(ids))
        .group_by(QUESTION_GROUP.c.id, QUESTION_GROUP.c.hole)
    )


def _judged(session: Session, ids: Sequence[str]) -> dict[str, Judged]:
    """Return the worst score of each group that has one."""
    worst = (
        select(ANSWER.c.group_id, func.max(ANSWER.c.shortfall).label("short"))
        .where(ANSWER.c.group_id.in_(ids), ANSWER.c.shortfall.is_not(None))
        .group_by(ANSWER.c.group_id)
        .subquery()
    )
    same = (ANSWER.c.group_id == worst.c.group_id) & (ANSWER.c.shortfall == worst.c.short)
    statement = (
        select(
            ANSWER.c.group_id,
            worst.c.short,
            func.min(ANSWER.c.worst_metric).label("metric"),
            func.min(ANSWER.c.worst_value).label("value"),
        )
        .join(worst, same)
        .group_by(ANSWER.c.group_id, worst.c.short)
    )
    return {
        row.group_id: Judged(shortfall=row.short, metric=row.metric, value=row.value)
        for row in session.connection().execute(statement)
    }


def _confidences(session: Session, ids: Sequence[str]) -> dict[str, dict[SignalKind, float]]:
    """Return per group and kind the sum over distinct users of their best confidence."""
    sure = case((SIGNAL.c.kind.in_(_EXPLICIT), 1.0), else_=SIGNAL.c.confidence)
    each = (
        select(SIGNAL.c.group_id, SIGNAL.c.kind, func.max(sure).label("sure"))
        .where(SIGNAL.c.group_id.in_(ids))
        .group_by(SIGNAL.c.group_id, SIGNAL.c.kind, SIGNAL.c.who)
        .subquery()
    )
    statement = select(each.c.group_id, each.c.kind, func.sum(each.c.sure).label("sure")).group_by(
        each.c.group_id, each.c.kind
    )
    found: dict[str, dict[SignalKind, float]] = defaultdict(dict)
    for row in session.connection().execute(statement):
        found[row.group_id][SignalKind(row.kind)] = row.sure
    return found


def _slice_weights(
    session: Session, ids: Sequence[str], weights: PriorityWeights
) -> defaultdict[str, float]:
    """Return the largest weight among the slices of each group's answers."""
    found: defaultdict[str, float] = defaultdict(lambda: 1.0)
    if not weights.slices:
        return found
    statement = select(ANSWER.c.group_id, ANSWER.c.slice).where(ANSWER.c.group_id.in_(ids))
    seen: dict[str, float] = {}
    for row in session.connection().execute(statement.distinct()):
        weight = weights.slices.get(row.slice or "", 1.0)
        seen[row.group_id] = max(seen.get(row.group_id, 0.0), weight)
    found.update(seen)
    return found


def is_current(session: Session, weights: PriorityWeights) -> bool:
    """Return whether every place was computed, from these weights and for the newest day."""
    basis = _basis(session, weights)
    note = read_note(session, BASIS)
    if session.connection().execute(_stale().limit(1)).first() is not None:
        return False
    if misplaced(session):
        return False
    return (
        note is not None
        and _day(note) == _day(basis)
        and note["weights"] == basis["weights"]
        and note.get("holes") == basis["holes"]
    )


def _stale() -> Select[Any]:
    return select(QUESTION_GROUP.c.id).where(QUESTION_GROUP.c.stale)


def mark_stale(session: Session, group_ids: Sequence[str]) -> None:
    """Remember that the place of these groups is to be computed anew."""
    for ids in parts(group_ids):
        session.connection().execute(
            update(QUESTION_GROUP).where(QUESTION_GROUP.c.id.in_(ids)).values(stale=True)
        )


def _day(basis: dict[str, Any]) -> str:
    return (basis["newest"] or "")[:10]


def settle(session: Session, weights: PriorityWeights) -> None:
    """Bring every place up to these weights and to the window that ends with the newest answer."""
    note = read_note(session, BASIS)
    basis = _basis(session, weights)
    if note is not None and note["weights"] != basis["weights"]:
        refresh_all(session, weights)
        return
    groups = set(session.connection().execute(_stale()).scalars())
    others = note is not None and note.get("holes") != basis["holes"]
    groups.update(mark_holes(session, weights.holes, None if others else sorted(groups)))
    if note is not None and note["newest"] != basis["newest"]:
        groups.update(_groups_that_aged(session, note["newest"], weights))
    groups |= misplaced(session)
    groups |= relatives(session, sorted(groups))
    refresh_groups(session, sorted(groups), weights)
    if note != basis:
        write_note(session, BASIS, basis)


def refresh_all(session: Session, weights: PriorityWeights) -> None:
    """Compute the place of every group anew, and how bad each answer looks."""
    _weigh_answers(session, weights)
    mark_holes(session, weights.holes)
    refresh_groups(session, _all_groups(session), weights)
    write_note(session, BASIS, _basis(session, weights))


def _all_groups(session: Session) -> list[str]:
    return list(session.connection().execute(select(QUESTION_GROUP.c.id)).scalars())


def _groups_that_aged(
    session: Session, newest_then: str | None, weights: PriorityWeights
) -> list[str]:
    """Return the groups with an answer that was inside the window then and is not now."""
    newest = newest_asked(session)
    if newest is None:
        return []
    window = timedelta(days=weights.window_days)
    aged = [ANSWER.c.asked_at < newest - window]
    if newest_then is not None:
        aged.append(ANSWER.c.asked_at >= datetime.fromisoformat(newest_then) - window)
    statement = select(ANSWER.c.group_id).where(*aged).distinct()
    return list(session.connection().execute(statement).scalars())


def _basis(session: Session, weights: PriorityWeights) -> dict[str, Any]:
    """Return what the stored priorities rest on."""
    newest = newest_asked(session)
    return {
        "weights": weights.model_dump(mode="json", exclude={"holes"}),
        "holes": weights.holes.model_dump(mode="json"),
        "newest": newest.isoformat() if newest else None,
    }


def _weigh_answers(session: Session, weights: PriorityWeights) -> None:
    """Compute how bad each answer looks anew."""
    connection = session.connection()
    ids = list(connection.execute(select(ANSWER.c.id)).scalars())
    for some in parts(ids):
        kinds: dict[str, set[SignalKind]] = defaultdict(set)
        signals = select(SIGNAL.c.answer_id, SIGNAL.c.kind).where(SIGNAL.c.answer_id.in_(some))
        for row in connection.execute(signals):
            kinds[row.answer_id].add(SignalKind(row.kind))
        chosen = select(ANSWER.c.id, ANSWER.c.shortfall, ANSWER.c.severity)
        rows = [
            {"b_id": row.id, "severity": worth}
            for row in connection.execute(chosen.where(ANSWER.c.id.in_(some)))
            if (worth := severity(kinds[row.id], row.shortfall, weights)) != row.severity
        ]
        if rows:
            connection.execute(update(ANSWER).where(ANSWER.c.id == bindparam("b_id")), rows)
