"""How many bad answers the first rows of an order find, beside the judge's order and chance."""

from datetime import UTC, datetime

import pytest

from curation.domain.answer import SignalKind
from curation.domain.priority import GroupParts
from curation.domain.queue import PriorityWeights
from curation.metrics.queue_yield import Found, JudgedAnswer, Order, QueueYield, queue_yield

DOWN, UP = SignalKind.THUMBS_DOWN, SignalKind.THUMBS_UP
WEIGHTS = PriorityWeights(signals={DOWN: 3.0, UP: -2.0}, judge=3.0, hole=1.0, window_days=30)


def answer(
    name: str, *kinds: SignalKind, bad: bool = False, short: float | None = None
) -> JudgedAnswer:
    """An answer `g1-a` of the group `g1`; a bad one is not good either."""
    return JudgedAnswer(
        answer_id=name,
        group_id=name.partition("-")[0],
        bad=bad,
        not_good=bad or short is not None,
        kinds=kinds,
        shortfall=short,
    )


def group(asked: int, down: float = 0, short: float | None = None, day: int = 1) -> GroupParts:
    return GroupParts(
        asked=asked,
        said={DOWN: down} if down else {},
        shortfall=short,
        newest=datetime(2026, 11, day, tzinfo=UTC),
    )


ANSWERS = (
    answer("g1-a", DOWN, bad=True),
    answer("g1-b"),
    answer("g2-a", short=0.9),
    answer("g2-b", UP, short=0.5),
    answer("g3-a"),
    answer("g4-a", bad=True),
)
GROUPS = {
    "g1": group(4, down=1),
    "g2": group(1, short=0.9),
    "g3": group(9),
    "g4": group(2, day=2),
}


def test_each_order_is_told_with_what_it_finds() -> None:
    assert queue_yield(ANSWERS, GROUPS, WEIGHTS, first=2) == QueueYield(
        first=2,
        rows=4,
        answers=6,
        bad=2,
        not_good=4,
        by_priority=Order(answers=("g1-a", "g2-a"), found=Found(bad=1, not_good=2)),
        by_judge=Order(answers=("g2-a", "g4-a"), found=Found(bad=1, not_good=2)),
        at_random=Found(bad=2 / 4 * 1.5, not_good=2 / 4 * 2.5),
    )


def test_rows_of_one_place_are_the_newest_first_and_then_by_name() -> None:
    groups = {name: group(1, day=day) for name, day in (("g1", 1), ("g2", 3), ("g3", 3))}
    answers = [answer(f"{name}-{letter}") for name in groups for letter in "ab"]
    found = queue_yield(answers, groups, WEIGHTS, first=9)
    assert found.by_priority.answers == ("g3-b", "g2-b", "g1-b")
    assert found.by_judge.answers == found.by_priority.answers
    assert (found.first, found.rows) == (9, 3)


@pytest.mark.parametrize("first", [4, 50])
def test_all_rows_at_random_find_what_a_row_finds_on_average(first: int) -> None:
    found = queue_yield(ANSWERS, GROUPS, WEIGHTS, first=first)
    assert found.at_random == Found(bad=1.5, not_good=2.5)
    assert found.by_priority.found == Found(bad=2, not_good=3)


def test_nothing_judged_finds_nothing() -> None:
    found = queue_yield((), {}, WEIGHTS, first=5)
    assert (found.rows, found.answers, found.bad, found.not_good) == (0, 0, 0, 0)
    assert found.at_random == Found(bad=0, not_good=0)
    assert found.by_priority == found.by_judge == Order(answers=(), found=Found(bad=0, not_good=0))
