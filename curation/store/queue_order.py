"""The order of the queue: of question groups, and of the answers of one group."""

from typing import Any

from sqlalchemy import Select, func

from curation.store.schema import ANSWER, QUESTION_GROUP

__all__ = ["first_answer", "places"]


def places() -> tuple[Any, ...]:
    """Return the order of groups, as their index has it: what regressed, then by priority."""
    group = QUESTION_GROUP.c
    return group.on_top.desc(), group.priority.desc(), group.newest.desc(), group.id.desc()


def first_answer(answers: Select[Any]) -> Any:  # noqa: ANN401 - an SQL expression
    """Return the id to serve first of a group: the answer that regressed, else the worst-looking.

    Two subqueries, since SQLite knows nothing of the group in the order of one.

    Args:
        answers: the statement for the ids of the group's answers that may be served.
    """
    worst = answers.order_by(
        ANSWER.c.severity.desc(), ANSWER.c.sort_at.desc(), ANSWER.c.id.desc()
    ).limit(1)
    regressed = answers.where(ANSWER.c.id == QUESTION_GROUP.c.regressed)
    return func.coalesce(regressed.scalar_subquery(), worst.scalar_subquery())
