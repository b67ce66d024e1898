"""Filters of the queue as SQL conditions on an answer."""

from datetime import datetime
from typing import Any

from sqlalchemy import and_, or_, select, union_all

from curation.domain.person import Person
from curation.domain.priority import signal_bit
from curation.domain.queue import MetricBelow, QueueFilter, QueueState
from curation.domain.review import AnswerState
from curation.metrics.normalise import same_question_key
from curation.store.doubles import known_to
from curation.store.schema import ANSWER, LEASE, QUESTION_GROUP, SCORE


def claimable(filters: QueueFilter, person: Person, now: datetime) -> list[Any]:
    """Return the conditions that an answer meets to be taken: free, or one's own for `mine`.

    The words are left out, since they are a condition on the group.
    """
    whose = ~held(now, known_to(person))
    if filters.state is QueueState.MINE:
        whose = held(now, LEASE.c.person == person.key)
    return [open_to(), whose, *narrowed_each(filters)]


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


def narrowed(filters: QueueFilter) -> list[Any]:
    """Return the conditions of every filter but the state, as they are cheapest for all answers."""
    which = _plain(filters)
    if filters.metric_below is not None:
        rising, falling = _worse(filters.metric_below)
        scored = union_all(
            _scored(filters.metric_below, rising), _scored(filters.metric_below, falling)
        )
        which.append(ANSWER.c.id.in_(scored))
    if words := with_words(filters):
        which.append(ANSWER.c.group_id.in_(select(QUESTION_GROUP.c.id).where(*words)))
    return which


def narrowed_each(filters: QueueFilter) -> list[Any]:
    """Return the same, without the words, as it is cheapest for one answer after the other."""
    which = _plain(filters)
    if filters.metric_below is not None:
        worse = or_(*_worse(filters.metric_below))
        mine = _scored(filters.metric_below, worse).where(SCORE.c.answer_id == ANSWER.c.id)
        which.append(mine.correlate(ANSWER).exists())
    return which


def with_words(filters: QueueFilter) -> list[Any]:
    """Return the conditions that the question of a group holds every word, in whatever case."""
    return [
        QUESTION_GROUP.c.words.contains(word, autoescape=True)
        for word in same_question_key(filters.words).split()
    ]


def _plain(filters: QueueFilter) -> list[Any]:
    """Return the conditions that an answer's own row settles."""
    which: list[Any] = []
    if filters.slice is not None:
        which.append(ANSWER.c.slice == filters.slice)
    if filters.pipeline_version is not None:
        which.append(ANSWER.c.pipeline_version == filters.pipeline_version)
    if filters.signal is not None:
        bit = signal_bit(filters.signal)
        which.append(ANSWER.c.signal_mask.op("&")(bit) != 0)
    return which


def _worse(below: MetricBelow) -> tuple[Any, Any]:
    """Return the conditions that a score is worse, on a rising and on a falling scale."""
    rising = and_(~SCORE.c.inverted, SCORE.c.value < below.value)
    falling = and_(SCORE.c.inverted, SCORE.c.value > below.value)
    return rising, falling


def _scored(below: MetricBelow, worse: Any) -> Any:  # noqa: ANN401 - SQL conditions
    """Return the answers with such a score."""
    about = SCORE.c.metric == below.metric
    return select(SCORE.c.answer_id).where(about, SCORE.c.chunk_id.is_(None), worse)
