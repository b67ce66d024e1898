"""How many of the answers that people called bad stand at the top of an order of the queue."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from curation.domain.answer import SignalKind
from curation.domain.base import Value
from curation.domain.priority import GroupParts, priority_of, severity
from curation.domain.queue import PriorityWeights

__all__ = ["Found", "JudgedAnswer", "Order", "QueueYield", "queue_yield"]


class JudgedAnswer(Value):
    """An answer that people gave a word on; the order never sees the word."""

    answer_id: str
    group_id: str
    question: str = ""
    bad: bool
    not_good: bool
    kinds: tuple[SignalKind, ...] = ()
    shortfall: float | None = None


class Found(Value):
    """How many of the first rows lead to a bad answer, and to one that is not good."""

    bad: float
    not_good: float


class Order(Value):
    """The first rows of one order, each by the answer that stands for it."""

    answers: tuple[str, ...]
    found: Found


class QueueYield(Value):
    """The yield of three orders over the answers that people judged."""

    first: int
    rows: int
    answers: int
    bad: int
    not_good: int
    by_priority: Order
    by_judge: Order
    at_random: Found


def queue_yield(
    answers: Sequence[JudgedAnswer],
    groups: Mapping[str, GroupParts],
    weights: PriorityWeights,
    *,
    first: int,
) -> QueueYield:
    """Return what the first rows find by priority, by the judge's worst score, and at random.

    A row stands for a question group and leads to its worst-looking answer, as in the queue.
    """
    members: defaultdict[str, list[JudgedAnswer]] = defaultdict(list)
    for answer in answers:
        members[answer.group_id].append(answer)

    def by_priority(group: str) -> float:
        return priority_of(groups[group], weights)

    def by_judge(group: str) -> float:
        return groups[group].shortfall or 0.0

    def looks(answer: JudgedAnswer) -> float:
        return severity(answer.kinds, answer.shortfall, weights)

    def falls_short(answer: JudgedAnswer) -> float:
        return answer.shortfall or 0.0

    rows = min(first, len(members))
    return QueueYield(
        first=first,
        rows=len(members),
        answers=len(answers),
        bad=sum(a.bad for a in answers),
        not_good=sum(a.not_good for a in answers),
        by_priority=_order(members, groups, by_priority, looks, rows),
        by_judge=_order(members, groups, by_judge, falls_short, rows),
        at_random=_at_random(members, rows),
    )


def _order(
    members: Mapping[str, Sequence[JudgedAnswer]],
    groups: Mapping[str, GroupParts],
    place: Callable[[str], float],
    worse: Callable[[JudgedAnswer], float],
    rows: int,
) -> Order:
    """Return the first rows in the order of a place, the newest and then the last id first."""
    ordered = sorted(members, key=lambda g: (place(g), groups[g].newest, g), reverse=True)
    top = [max(members[g], key=lambda a: (worse(a), a.answer_id)) for g in ordered[:rows]]
    found = Found(bad=sum(a.bad for a in top), not_good=sum(a.not_good for a in top))
    return Order(answers=tuple(a.answer_id for a in top), found=found)


def _at_random(members: Mapping[str, Sequence[JudgedAnswer]], rows: int) -> Found:
    """Return what as many rows find on average when both rows and answers are drawn at random."""
    if not members:
        return Found(bad=0, not_good=0)
    share = rows / len(members)
    bad = sum(sum(a.bad for a in m) / len(m) for m in members.values())
    not_good = sum(sum(a.not_good for a in m) / len(m) for m in members.values())
    return Found(bad=share * bad, not_good=share * not_good)
