"""The queue: what is most worth a person's minute, and the next answer to review."""

from collections.abc import Sequence
from datetime import datetime

from curation.domain.person import Person, Role
from curation.domain.queue import (
    FilterChoices,
    MetricBelow,
    QueueCounts,
    QueueFilter,
    QueuePage,
    QueueRow,
    QueueState,
)
from curation.services.priority import current_weights
from curation.services.regressions import look_when_cases_changed
from curation.services.workspace import Workspace
from curation.store import Session, queue
from curation.store.answered import cases_given
from curation.store.claims import claim, claim_next
from curation.store.priority import is_current, settle
from curation.store.reviews import mark_all_not_blind
from curation.store.sampling import read_waiting

PAGE = 50
MANY = 1000  # rows of a page that nobody looks at

__all__ = [
    "FilterChoices",
    "MetricBelow",
    "QueueCounts",
    "QueueFilter",
    "QueuePage",
    "QueueRow",
    "QueueState",
    "filter_choices",
    "keep_current",
    "list_queue",
    "next_answer",
    "whole_queue",
]


def list_queue(
    workspace: Workspace,
    person: Person | None,
    filters: QueueFilter,
    *,
    now: datetime,
    page: int = 1,
    size: int = PAGE,
    show_judge: bool = False,
) -> QueuePage:
    """Return a page of the queue.

    Showing the judge's part, or filtering by a metric, makes the person's reviews of the answers
    on the page not blind.

    Args:
        workspace: the store.
        person: who looks; None for nobody known.
        filters: which answers.
        now: when, since holds end.
        page: which page, from 1; one beyond the end is the last.
        size: rows of a page.
        show_judge: show the priority with the judge's part, and its reasons.
    """
    keep_current(workspace)
    judged = show_judge or filters.metric_below is not None
    with workspace.store.reading() as session:
        found = queue.read_page(
            session, filters, person, now=now, page=page, size=size, show_judge=judged
        )
        given = cases_given(session, [row.answer_id for row in found.rows], person)
    rows = tuple(
        row.model_copy(update={"given": given.get(row.answer_id, "")}) for row in found.rows
    )
    if judged:
        _remember_seen(workspace, person, rows, now=now)
    return found.model_copy(update={"rows": rows})


def whole_queue(
    workspace: Workspace,
    person: Person | None,
    filters: QueueFilter,
    *,
    now: datetime,
    show_judge: bool = False,
) -> tuple[QueueRow, ...]:
    """Return every row of the filtered queue as it is at one moment, whatever comes in meanwhile.

    For the judge's part the same holds as on a page of it.
    """
    keep_current(workspace)
    judged = show_judge or filters.metric_below is not None
    rows: list[QueueRow] = []
    number, pages = 1, 1
    with workspace.store.reading() as session:
        while number <= pages:
            found = queue.read_page(
                session, filters, person, now=now, page=number, size=MANY, show_judge=judged
            )
            rows += found.rows
            number, pages = number + 1, found.pages
    if judged:
        _remember_seen(workspace, person, rows, now=now)
    return tuple(rows)


def _remember_seen(
    workspace: Workspace, person: Person | None, rows: Sequence[QueueRow], *, now: datetime
) -> None:
    """Remember that the person saw the judge's part of these answers."""
    if person is not None and rows:
        with workspace.store.writing() as session:
            mark_all_not_blind(session, [row.answer_id for row in rows], person, now=now)


def next_answer(
    workspace: Workspace, person: Person, filters: QueueFilter, *, now: datetime
) -> str | None:
    """Claim the answer most worth a minute and return its id; None: nothing is free.

    Raises:
        RoleError: the person may not review.
    """
    workspace.require(person, Role.REVIEWER, "Reviewing")
    keep_current(workspace)
    minutes = workspace.settings.review.lease_minutes
    with workspace.store.writing() as session:
        if filters.sample:
            return _next_of_sample(session, person, now=now, minutes=minutes)
        return claim_next(session, person, filters, now=now, minutes=minutes)


def next_or_own(
    workspace: Workspace, person: Person, filters: QueueFilter, *, now: datetime
) -> str | None:
    """Claim what comes next; where nothing is free, go on with what the person left open.

    Raises:
        RoleError: the person may not review.
    """
    own = filters.model_copy(update={"state": QueueState.MINE})
    return next_answer(workspace, person, filters, now=now) or next_answer(
        workspace, person, own, now=now
    )


def _next_of_sample(
    session: Session, person: Person, *, now: datetime, minutes: float
) -> str | None:
    """Claim what comes next of the newest sample; what somebody else holds is passed over."""
    for answer_id in read_waiting(session, person, now):
        if claim(session, answer_id, person, now=now, minutes=minutes).mine:
            return answer_id
    return None


def filter_choices(workspace: Workspace) -> FilterChoices:
    """Return what the filters can choose."""
    with workspace.store.reading() as session:
        return queue.read_choices(session)


def keep_current(workspace: Workspace) -> None:
    """Compute the priorities anew when weights or cases changed or an import was cut off."""
    look_when_cases_changed(workspace)
    weights = current_weights(workspace)
    with workspace.store.reading() as session:
        if is_current(session, weights):
            return
    with workspace.store.writing() as session:
        settle(session, weights)
