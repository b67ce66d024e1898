"""Question groups that were finished and failed again in a later version (measures.md section 9).

Which answer regressed is remembered by its group, which stands on top while that answer is open:
in a column of its own, so that the priority stays what it is.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import and_, bindparam, func, select, update
from sqlmodel import Session

from curation.domain.answer import SignalKind
from curation.domain.priority import signal_bit
from curation.domain.review import AnswerState
from curation.store.schema import ANSWER, CHANGE, FACET, QUESTION_GROUP, REVIEW
from curation.store.sql import parts

_FINISHED = (AnswerState.DONE.value, AnswerState.DISMISSED.value)
OF_A_GROUP = 20


class Candidate(NamedTuple):
    """An open answer of a version first seen after the one that was reviewed; its case, if any."""

    group_id: str
    answer_id: str
    case_id: str | None
    kinds: tuple[SignalKind, ...]


def candidates(session: Session, group_ids: Collection[str] | None = None) -> list[Candidate]:
    """Return the answers that may have regressed, the newest of each group first.

    Args:
        session: a session.
        group_ids: only these groups; None for all.
    """
    if group_ids is None:
        return _candidates(session, None)
    found: list[Candidate] = []
    for ids in parts(sorted(group_ids)):
        found += _candidates(session, ids)
    return found


def _candidates(session: Session, ids: Sequence[str] | None) -> list[Candidate]:
    """Return the candidates of one IN list."""
    before, then, now = ANSWER.alias("before"), FACET.alias("then"), FACET.alias("now")
    version = "pipeline_version"
    statement = (
        select(
            ANSWER.c.id,
            ANSWER.c.group_id,
            ANSWER.c.signal_mask,
            func.max(func.coalesce(CHANGE.c.case_id, REVIEW.c.duplicate_of)).label("case_id"),
        )
        .join(before, before.c.group_id == ANSWER.c.group_id)
        .join(REVIEW, REVIEW.c.answer_id == before.c.id)
        .outerjoin(CHANGE, CHANGE.c.id == REVIEW.c.change_id)
        .join(then, (then.c.kind == version) & (then.c.value == before.c.pipeline_version))
        .join(now, (now.c.kind == version) & (now.c.value == ANSWER.c.pipeline_version))
        .where(
            ~REVIEW.c.void,
            before.c.state.in_(_FINISHED),
            ANSWER.c.state == AnswerState.OPEN.value,
            now.c.first_seen > then.c.first_seen,
        )
        .group_by(ANSWER.c.id, ANSWER.c.group_id, ANSWER.c.signal_mask, ANSWER.c.sort_at)
        .order_by(ANSWER.c.group_id, ANSWER.c.sort_at.desc(), ANSWER.c.id)
    )
    if ids is not None:
        statement = statement.where(ANSWER.c.group_id.in_(ids))
    of_group: defaultdict[str, list[Candidate]] = defaultdict(list)
    for row in session.connection().execute(statement):
        if len(of_group[row.group_id]) < OF_A_GROUP:
            kinds = tuple(kind for kind in SignalKind if row.signal_mask & signal_bit(kind))
            of_group[row.group_id].append(Candidate(row.group_id, row.id, row.case_id, kinds))
    return [one for found in of_group.values() for one in found]


def note_regressions(
    session: Session, looked_at: Collection[str] | None, found: Mapping[str, str]
) -> set[str]:
    """Remember the answer that regressed in each group; return the groups in which that changed.

    An answer that was finished since is kept: it is back on top if its verdict is taken back.

    Args:
        session: a writing session.
        looked_at: the groups that were looked at; None for all.
        found: the answers by their group.
    """
    old = _noted(session, looked_at)
    opened = _open(session, old)
    new: dict[str, str | None] = {g: None if g in opened else a for g, a in old.items()}
    new |= found
    changed = {group: answer for group, answer in new.items() if old.get(group) != answer}
    if changed:
        which = QUESTION_GROUP.c.id == bindparam("b_id")
        rows = [{"b_id": group, "regressed": answer} for group, answer in changed.items()]
        session.connection().execute(update(QUESTION_GROUP).where(which), rows)
    return set(changed)


def regressed(session: Session, group_ids: Collection[str]) -> set[str]:
    """Return which of these groups stand on top: their answer that regressed is open."""
    return _open(session, _noted(session, group_ids))


def misplaced(session: Session) -> set[str]:
    """Return the groups that stand on top without a reason, or below with one."""
    group = QUESTION_GROUP.c
    up = and_(ANSWER.c.id == group.regressed, ANSWER.c.state == AnswerState.OPEN.value)
    statement = (
        select(group.id)
        .outerjoin(ANSWER, up)
        .where(group.regressed.is_not(None), group.on_top != ANSWER.c.id.is_not(None))
    )
    return set(session.connection().execute(statement).scalars())


def _noted(session: Session, group_ids: Collection[str] | None) -> dict[str, str]:
    """Return the answers that regressed by their group; None for all groups."""
    group = QUESTION_GROUP.c
    statement = select(group.id, group.regressed).where(group.regressed.is_not(None))
    if group_ids is None:
        return {row.id: row.regressed for row in session.connection().execute(statement)}
    found: dict[str, str] = {}
    for ids in parts(sorted(group_ids)):
        some = session.connection().execute(statement.where(group.id.in_(ids)))
        found |= {row.id: row.regressed for row in some}
    return found


def _open(session: Session, noted: Mapping[str, str]) -> set[str]:
    """Return the groups whose noted answer is open."""
    found: set[str] = set()
    for ids in parts(sorted(noted.values())):
        statement = select(ANSWER.c.group_id).where(
            ANSWER.c.id.in_(ids), ANSWER.c.state == AnswerState.OPEN.value
        )
        found |= set(session.connection().execute(statement).scalars())
    return found
