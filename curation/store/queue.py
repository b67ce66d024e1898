"""Lists of the queue. Rows stand for question groups, counts for answers."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session

from curation.domain.answer import SignalKind
from curation.domain.person import Person
from curation.domain.priority import Reason, shown_reasons
from curation.domain.queue import (
    FilterChoices,
    HeldAnswer,
    QueueCounts,
    QueueFilter,
    QueueRow,
    QueueState,
)
from curation.domain.review import AnswerState, Lease
from curation.store.claims import leases
from curation.store.queue_filters import held, in_state, matching, narrowed, open_to
from curation.store.schema import ANSWER, FACET, LEASE, QUESTION_GROUP
from curation.store.states import with_open

FEW = 20_000


def count_queue(session: Session, filters: QueueFilter, now: datetime) -> QueueCounts:
    """Return the answers by state under every filter but the state."""
    which = narrowed(filters)
    statement = select(ANSWER.c.state, func.count()).where(*which).group_by(ANSWER.c.state)
    by_state = {row[0]: int(row[1]) for row in session.connection().execute(statement)}
    taken = select(LEASE.c.answer_id).where(LEASE.c.until > now)
    in_hand = (
        select(func.count()).select_from(ANSWER).where(open_to(), ANSWER.c.id.in_(taken), *which)
    )
    count = int(session.connection().execute(in_hand).scalar_one())
    return QueueCounts(
        open=by_state.get(AnswerState.OPEN.value, 0) - count,
        held=count,
        done=by_state.get(AnswerState.DONE.value, 0),
        dismissed=by_state.get(AnswerState.DISMISSED.value, 0),
        covered=by_state.get(AnswerState.COVERED.value, 0),
    )


def count_rows(session: Session, filters: QueueFilter, person: Person | None, now: datetime) -> int:
    """Return how many groups the list has."""
    statement = select(func.count(ANSWER.c.group_id.distinct()))
    found = session.connection().execute(statement.where(*matching(filters, person, now)))
    return int(found.scalar_one())


def list_rows(
    session: Session,
    filters: QueueFilter,
    person: Person | None,
    *,
    now: datetime,
    start: int,
    size: int,
    show_judge: bool,
) -> tuple[QueueRow, ...]:
    """Return a page of the list, the most worth a minute first.

    Args:
        session: a session.
        filters: which answers.
        person: whose, for the list `mine`.
        now: when, since holds end.
        start: how many rows come before the page.
        size: how many rows the page has.
        show_judge: show the priority with the judge's part, and its reasons.
    """
    which = matching(filters, person, now)
    here = (ANSWER.c.group_id == QUESTION_GROUP.c.id, *which)
    worst = (
        select(ANSWER.c.id)
        .where(*here)
        .order_by(ANSWER.c.severity.desc(), ANSWER.c.sort_at.desc(), ANSWER.c.id.desc())
        .limit(1)
        .correlate(QUESTION_GROUP)
        .scalar_subquery()
    )
    members = (
        select(func.count()).select_from(ANSWER).where(*here).correlate(QUESTION_GROUP)
    ).scalar_subquery()
    page = _page(session, filters, which, start=start, size=size)
    statement = select(QUESTION_GROUP, worst.label("answer_id"), members.label("members")).where(
        QUESTION_GROUP.c.id.in_(page)
    )
    groups = {row.id: row for row in session.connection().execute(statement)}
    ordered = [groups[group_id] for group_id in page]
    answers = _answers(session, [row.answer_id for row in ordered])
    in_hand = {item.answer_id: item.lease for item in leases(session, now)}
    return tuple(
        _row(group, answers[group.answer_id], in_hand, show_judge=show_judge) for group in ordered
    )


def _page(
    session: Session, filters: QueueFilter, which: Sequence[Any], *, start: int, size: int
) -> list[str]:
    """Return the groups of a page in order.

    Where few answers match, their groups are found first; where many do, the groups are walked in
    order until the page is full.
    """
    chosen: Any
    few = select(ANSWER.c.group_id).where(*which)
    number = session.connection().execute(
        select(func.count()).select_from(few.limit(FEW).subquery())
    )
    if int(number.scalar_one()) < FEW:
        chosen = QUESTION_GROUP.c.id.in_(few)
    else:
        here = select(ANSWER.c.id).where(ANSWER.c.group_id == QUESTION_GROUP.c.id, *which)
        chosen = here.correlate(QUESTION_GROUP).exists()
    statement = select(QUESTION_GROUP.c.id).where(chosen)
    if filters.state in {QueueState.TO_REVIEW, QueueState.MINE, QueueState.HELD}:
        statement = statement.where(with_open())
    statement = statement.order_by(
        QUESTION_GROUP.c.priority.desc(), QUESTION_GROUP.c.newest.desc(), QUESTION_GROUP.c.id.desc()
    )
    return list(session.connection().execute(statement.limit(size).offset(start)).scalars())


def _answers(session: Session, ids: Sequence[str]) -> dict[str, Any]:
    """Return the short rows of the answers."""
    statement = select(ANSWER).where(ANSWER.c.id.in_(ids))
    return {row.id: row for row in session.connection().execute(statement)}


def _row(
    group: Any,  # noqa: ANN401 - a row of the database
    answer: Any,  # noqa: ANN401 - a row of the database
    in_hand: Mapping[str, Lease],
    *,
    show_judge: bool,
) -> QueueRow:
    """Return the row that stands for a group."""
    stored = [*group.reasons, *(group.judge_reasons if show_judge else ())]
    reasons = [Reason(words=words, strength=strength) for words, strength in stored]
    state = AnswerState(answer.state)
    lease = in_hand.get(answer.id)
    return QueueRow(
        answer_id=answer.id,
        question=answer.question,
        priority=group.priority if show_judge else group.shown_priority,
        reasons=shown_reasons(reasons),
        asked=group.asked,
        slice=answer.slice,
        date=answer.asked_at,
        more=group.members - 1,
        state=AnswerState.HELD if lease and state is AnswerState.OPEN else state,
        lease=lease,
    )


def read_choices(session: Session) -> FilterChoices:
    """Return what the filters can choose."""
    found: dict[str, list[str]] = {}
    for row in session.connection().execute(select(FACET).order_by(FACET.c.value)):
        found.setdefault(row.kind, []).append(row.value)
    return FilterChoices(
        slices=tuple(found.get("slice", ())),
        signals=tuple(kind for kind in SignalKind if kind.value in found.get("signal", ())),
        pipeline_versions=tuple(found.get("pipeline_version", ())),
        metrics=tuple(found.get("metric", ())),
    )


__all__ = [
    "HeldAnswer",
    "count_queue",
    "count_rows",
    "held",
    "in_state",
    "list_rows",
    "read_choices",
]
