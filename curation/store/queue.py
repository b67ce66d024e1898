"""Lists of the queue. Rows stand for question groups, counts for answers.

Who holds what is read first and only once: holds are few, and a list of ids is the cheapest way
to leave them out of the many.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlmodel import Session

from curation.domain.answer import SignalKind
from curation.domain.person import Person
from curation.domain.priority import Reason, shown_reasons
from curation.domain.queue import (
    FilterChoices,
    QueueCounts,
    QueueFilter,
    QueuePage,
    QueueRow,
    QueueState,
)
from curation.domain.review import AnswerState
from curation.store.claims import Holds, current_holds
from curation.store.doubles import own_verdicts
from curation.store.near_groups import open_near
from curation.store.queue_filters import narrowed, narrowed_each, with_words
from curation.store.queue_order import first_answer, places
from curation.store.schema import ANSWER, FACET, QUESTION_GROUP
from curation.store.states import with_open

FEW = 20_000
OPEN = AnswerState.OPEN.value


def count_queue(
    session: Session, filters: QueueFilter, now: datetime, viewer: Person | None = None
) -> QueueCounts:
    """Return the answers by state under every filter but the state, as the viewer may know."""
    return _Listing(session, filters, viewer, current_holds(session, now, viewer)).counts


def read_page(
    session: Session,
    filters: QueueFilter,
    person: Person | None,
    *,
    now: datetime,
    page: int = 1,
    size: int = 50,
    show_judge: bool = False,
) -> QueuePage:
    """Return a page of a list, the most worth a minute first; one beyond the end is the last.

    Args:
        session: a session.
        filters: which answers.
        person: who looks: whose answers are `mine`, and whose verdict counts for them although
            another one's is still awaited.
        now: when, since holds end.
        page: which page, from 1.
        size: how many rows a page has.
        show_judge: show the priority with the judge's part, and its reasons.
    """
    holds = current_holds(session, now, person)
    listing = _Listing(session, filters, person, holds)
    shown = listing.count_groups()
    pages = max(1, -(-shown // size))
    number = min(max(page, 1), pages)
    groups = listing.page((number - 1) * size, size) if shown else []
    return QueuePage(
        rows=listing.rows(groups, show_judge=show_judge),
        counts=listing.counts,
        shown=shown,
        page=number,
        pages=pages,
        leases=holds.answers,
    )


class _Listing:
    """One of the lists under its filters, at one moment."""

    def __init__(
        self, session: Session, filters: QueueFilter, person: Person | None, holds: Holds
    ) -> None:
        self._connection = session.connection()
        self._filters = filters
        self._state = filters.state
        self._holds = holds
        self._whose = holds.ids_of(person) if filters.state is QueueState.MINE else holds.ids
        self._given = own_verdicts(session, person)
        self._narrow = narrowed(filters)
        self._answers, self._groups = self._by_state()
        self.counts = self._counts()

    def _by_state(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return the answers and, under a filter, the groups by stored state."""
        columns: list[Any] = [ANSWER.c.state, func.count().label("answers")]
        if self._narrow:
            columns.append(func.count(ANSWER.c.group_id.distinct()).label("groups"))
        statement = select(*columns).where(*self._narrow).group_by(ANSWER.c.state)
        rows = list(self._connection.execute(statement))
        answers = {row.state: int(row.answers) for row in rows}
        return answers, {row.state: int(row.groups) for row in rows} if self._narrow else {}

    def _counts(self) -> QueueCounts:
        """Return the answers by state, the held ones apart from the open."""
        in_hand = len(self._inside(self._holds.ids))
        states = Counter(self._answers)
        for answer_id in self._inside(tuple(self._given)):
            mine, stored = self._given[answer_id]
            states[stored] -= 1
            states[mine.value] += 1
        return QueueCounts(
            open=states[OPEN] - in_hand,
            held=in_hand,
            done=states[AnswerState.DONE.value],
            dismissed=states[AnswerState.DISMISSED.value],
            covered=states[AnswerState.COVERED.value],
        )

    def _inside(self, ids: Sequence[str]) -> Sequence[str]:
        """Return those of a few answers that the filters let through."""
        return [row.id for row in self._among(ids)] if self._narrow else ids

    def _among(self, ids: Sequence[str]) -> list[Any]:
        """Return those of a few answers that the filters let through, with their groups."""
        if not ids:
            return []
        statement = select(ANSWER.c.id, ANSWER.c.group_id).join(
            QUESTION_GROUP, QUESTION_GROUP.c.id == ANSWER.c.group_id
        )
        which = (ANSWER.c.id.in_(ids), *with_words(self._filters), *narrowed_each(self._filters))
        return list(self._connection.execute(statement.where(*which)))

    def _in_state(self) -> list[Any]:
        """Return the conditions for the list; a verdict of the viewer's own counts for them."""
        if self._state in {QueueState.HELD, QueueState.MINE}:
            return [ANSWER.c.state == OPEN, ANSWER.c.id.in_(self._whose)]
        if self._state is QueueState.TO_REVIEW:
            return _but(ANSWER.c.state == OPEN, self._taken)
        stored = self._state.value
        left = [i for i, (_, before) in self._given.items() if before == stored]
        come = [i for i, (mine, _) in self._given.items() if mine.value == stored]
        which = _but(ANSWER.c.state == stored, left)
        return [or_(and_(*which), ANSWER.c.id.in_(come))] if come else which

    @property
    def _taken(self) -> list[str]:
        """The open answers that are not to review for the viewer: held, or judged by them."""
        judged = (i for i, (_, before) in self._given.items() if before == OPEN)
        return [*self._holds.ids, *judged]

    @property
    def _number(self) -> int:
        """How many answers are in the list, at most."""
        return {
            QueueState.TO_REVIEW: self.counts.open,
            QueueState.MINE: len(self._whose),
            QueueState.HELD: self.counts.held,
            QueueState.DONE: self.counts.done,
            QueueState.DISMISSED: self.counts.dismissed,
            QueueState.COVERED: self.counts.covered,
        }[self._state]

    def count_groups(self) -> int:
        """Return how many groups the list has."""
        if not self._number:
            return 0
        if self._state is QueueState.TO_REVIEW:
            return self._count_open_groups() - len(self._wholly_taken())
        if self._state in {QueueState.HELD, QueueState.MINE}:
            return len({row.group_id for row in self._among(self._whose)})
        if self._narrow and not self._given:
            return self._groups.get(self._state.value, 0)
        which = (*self._in_state(), *self._narrow)
        statement = select(func.count(ANSWER.c.group_id.distinct())).where(*which)
        return int(self._connection.execute(statement).scalar_one())

    def _count_open_groups(self) -> int:
        """Return how many groups have an open answer, held or not."""
        if self._narrow:
            return self._groups.get(OPEN, 0)
        statement = select(func.count()).select_from(QUESTION_GROUP).where(with_open())
        return int(self._connection.execute(statement).scalar_one())

    def _wholly_taken(self) -> set[str]:
        """Return the groups all of whose open answers under the filters are taken."""
        touched = {row.group_id for row in self._among(self._taken)}
        if not touched:
            return set()
        free = select(ANSWER.c.group_id).where(
            ANSWER.c.group_id.in_(touched), *self._in_state(), *narrowed_each(self._filters)
        )
        return touched - set(self._connection.execute(free.distinct()).scalars())

    def page(self, start: int, size: int) -> list[str]:
        """Return the groups of a page in order.

        Where few answers match, their groups are collected and sorted; where many do, the groups
        are walked in order until the page is full.
        """
        to_review = self._state is QueueState.TO_REVIEW
        statement = select(QUESTION_GROUP.c.id)
        if to_review and not self._narrow:
            full = self._wholly_taken()
            statement = statement.where(with_open(), QUESTION_GROUP.c.id.not_in(full))
        elif self._number < FEW:
            few = select(ANSWER.c.group_id).where(*self._in_state(), *self._narrow)
            statement = statement.where(QUESTION_GROUP.c.id.in_(few))
        else:
            here = self._members(ANSWER.c.id).exists()
            groups = [with_open()] if to_review else []
            statement = statement.where(*groups, *with_words(self._filters), here)
        ordered = statement.order_by(*places())
        return list(self._connection.execute(ordered.limit(size).offset(start)).scalars())

    def _members(self, *columns: Any) -> Any:  # noqa: ANN401 - an SQL statement
        """Return the statement for the answers of a listed group that are in the list."""
        here = ANSWER.c.group_id == QUESTION_GROUP.c.id
        which = (here, *self._in_state(), *narrowed_each(self._filters))
        return select(*columns).select_from(ANSWER).where(*which).correlate(QUESTION_GROUP)

    def rows(self, group_ids: Sequence[str], *, show_judge: bool) -> tuple[QueueRow, ...]:
        """Return the rows of these groups, each with the answer that is served first."""
        first = first_answer(self._members(ANSWER.c.id))
        number = self._members(func.count()).scalar_subquery()
        statement = select(QUESTION_GROUP, first.label("answer_id"), number.label("members"))
        chosen = statement.where(QUESTION_GROUP.c.id.in_(group_ids))
        groups = {row.id: row for row in self._connection.execute(chosen)}
        ordered = [groups[group_id] for group_id in group_ids]
        short = select(ANSWER).where(ANSWER.c.id.in_([group.answer_id for group in ordered]))
        answers = {row.id: row for row in self._connection.execute(short)}
        near = open_near(self._connection, group_ids)
        return tuple(
            self._row(group, answers[group.answer_id], near, show_judge=show_judge)
            for group in ordered
        )

    def _row(
        self,
        group: Any,  # noqa: ANN401 - a row of the database
        answer: Any,  # noqa: ANN401 - a row of the database
        near: Mapping[str, int],
        *,
        show_judge: bool,
    ) -> QueueRow:
        """Return the row that stands for a group."""
        stored = [*group.reasons, *(group.judge_reasons if show_judge else ())]
        lease = self._holds.lease_of(answer.id)
        return QueueRow(
            answer_id=answer.id,
            question=answer.question,
            priority=group.priority if show_judge else group.shown_priority,
            reasons=shown_reasons(
                [Reason(words=w, strength=s) for w, s in stored], regressed=group.on_top
            ),
            asked=group.asked,
            slice=answer.slice,
            date=answer.asked_at,
            more=group.members - 1,
            near=near.get(group.id, 0),
            state=AnswerState.HELD if lease else self._state_of(answer),
            lease=lease,
        )

    def _state_of(self, answer: Any) -> AnswerState:  # noqa: ANN401 - a row of the database
        """Return where an answer stands for the viewer."""
        given = self._given.get(answer.id)
        return given[0] if given else AnswerState(answer.state)


def _but(state: ColumnElement[bool], ids: Sequence[str]) -> list[ColumnElement[bool]]:
    """Return the conditions for a state but for some answers."""
    return [state, ANSWER.c.id.not_in(ids)] if ids else [state]


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
