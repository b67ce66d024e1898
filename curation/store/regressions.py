"""Question groups that were finished and failed again in a later version (measures.md section 9).

Which answer regressed is remembered by its group, in one note: only groups with a review can, so
there are few. A group stands on top while that answer is open.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlmodel import Session

from curation.domain.answer import SignalKind
from curation.domain.priority import signal_bit
from curation.domain.review import AnswerState
from curation.store.schema import ANSWER, CHANGE, FACET, QUESTION_GROUP, REVIEW
from curation.store.sql import parts, read_note, write_note

_NOTE = "regressions"
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

    Args:
        session: a writing session.
        looked_at: the groups that were looked at; None for all.
        found: the answers by their group.
    """
    old = read_note(session, _NOTE) or {}
    kept = {} if looked_at is None else {g: a for g, a in old.items() if g not in looked_at}
    finished = {g: a for g, a in old.items() if g not in kept and g not in found}
    still = _in_state(session, finished, open_ones=False)
    new = kept | {g: a for g, a in finished.items() if a in still} | dict(found)
    if new != old:
        write_note(session, _NOTE, new)
    return {group for group in old.keys() | new.keys() if old.get(group) != new.get(group)}


def regressed(session: Session, group_ids: Collection[str] | None = None) -> dict[str, str]:
    """Return the groups that stand on top, each with its open answer that regressed."""
    noted = read_note(session, _NOTE) or {}
    if group_ids is not None:
        noted = {group: answer for group, answer in noted.items() if group in group_ids}
    up = _in_state(session, noted, open_ones=True)
    return {group: answer for group, answer in noted.items() if answer in up}


def misplaced(session: Session, above: float) -> set[str]:
    """Return the groups that stand on top without a reason, or below with one."""
    noted = read_note(session, _NOTE) or {}
    up = set(regressed(session)) if noted else set()
    found: set[str] = set()
    for ids in parts(sorted(noted)):
        statement = select(QUESTION_GROUP.c.id, QUESTION_GROUP.c.priority)
        for row in session.connection().execute(statement.where(QUESTION_GROUP.c.id.in_(ids))):
            if (row.priority >= above) != (row.id in up):
                found.add(row.id)
    return found


def _in_state(session: Session, noted: Mapping[str, str], *, open_ones: bool) -> set[Any]:
    """Return which of the noted answers are open, or which are not."""
    is_open = ANSWER.c.state == AnswerState.OPEN.value
    found: set[Any] = set()
    for ids in parts(sorted(set(noted.values()))):
        statement = select(ANSWER.c.id).where(
            ANSWER.c.id.in_(ids), is_open if open_ones else ~is_open
        )
        found |= set(session.connection().execute(statement).scalars())
    return found
