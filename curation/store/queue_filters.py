"""Filters of the queue as SQL conditions on an answer."""

from datetime import datetime
from typing import Any

from sqlalchemy import and_, or_, select

from curation.domain.person import Person
from curation.domain.priority import signal_bit
from curation.domain.queue import MetricBelow, QueueFilter, QueueState
from curation.domain.review import AnswerState
from curation.metrics.normalise import same_question_key
from curation.store.schema import ANSWER, LEASE, QUESTION_GROUP, SCORE


def matching(filters: QueueFilter, person: Person | None, now: datetime) -> list[Any]:
    """Return the conditions that an answer meets to be in the list."""
    return [*in_state(filters.state, person, now), *narrowed(filters)]


def open_to() -> Any:  # noqa: ANN401 - an SQL condition
    """Return the condition that an answer has no verdict and is not covered."""
    return ANSWER.c.state == AnswerState.OPEN.value


def held(now: datetime, *who: Any) -> Any:  # noqa: ANN401 - an SQL condition
    """Return the condition that somebody's hold on the answer lasts."""
    return (
        select(LEASE.c.answer_id)
        .where(LEASE.c.answer_id == ANSWER.c.id, LEASE.c.until > now, *who)
        .correlate(ANSWER)
        .exists()
    )


def in_state(state: QueueState, person: Person | None, now: datetime) -> list[Any]:
    """Return the conditions for one of the lists."""
    if state is QueueState.TO_REVIEW:
        return [open_to(), ~held(now)]
    if state is QueueState.HELD:
        return [open_to(), ANSWER.c.id.in_(_held_ids(now))]
    if state is QueueState.MINE:
        key = person.key if person else ""
        return [open_to(), ANSWER.c.id.in_(_held_ids(now, LEASE.c.person == key))]
    return [ANSWER.c.state == state.value]


def _held_ids(now: datetime, *who: Any) -> Any:  # noqa: ANN401 - an SQL statement
    return select(LEASE.c.answer_id).where(LEASE.c.until > now, *who)


def narrowed(filters: QueueFilter) -> list[Any]:
    """Return the conditions of every filter but the state."""
    which: list[Any] = []
    if filters.slice is not None:
        which.append(ANSWER.c.slice == filters.slice)
    if filters.pipeline_version is not None:
        which.append(ANSWER.c.pipeline_version == filters.pipeline_version)
    if filters.signal is not None:
        bit = signal_bit(filters.signal)
        which.append(ANSWER.c.signal_mask.op("&")(bit) != 0)
    if filters.metric_below is not None:
        which.append(_scored_below(filters.metric_below))
    if filters.words.strip():
        which.append(_with_words(filters.words))
    return which


def _scored_below(below: MetricBelow) -> Any:  # noqa: ANN401 - an SQL condition
    """Return the condition that a score of the answer is worse than a value."""
    worse = or_(
        and_(~SCORE.c.inverted, SCORE.c.value < below.value),
        and_(SCORE.c.inverted, SCORE.c.value > below.value),
    )
    scored = select(SCORE.c.answer_id).where(
        SCORE.c.metric == below.metric, SCORE.c.chunk_id.is_(None), worse
    )
    return ANSWER.c.id.in_(scored)


def _with_words(words: str) -> Any:  # noqa: ANN401 - an SQL condition
    """Return the condition that the question holds every word, in whatever case."""
    groups = select(QUESTION_GROUP.c.id)
    for word in same_question_key(words).split():
        groups = groups.where(QUESTION_GROUP.c.words.contains(word, autoescape=True))
    return ANSWER.c.group_id.in_(groups)
