"""The order of the queue: of question groups, and of the answers of one group."""

from typing import Any

from sqlalchemy import case

from curation.store.schema import ANSWER, QUESTION_GROUP

__all__ = ["looks", "places"]


def places() -> tuple[Any, ...]:
    """Return the order of groups, as their index has it: what regressed, then by priority."""
    group = QUESTION_GROUP.c
    return group.on_top.desc(), group.priority.desc(), group.newest.desc(), group.id.desc()


def looks() -> tuple[Any, ...]:
    """Return the order of a group's answers: the one that regressed, then the worst-looking."""
    regressed = case((ANSWER.c.id == QUESTION_GROUP.c.regressed, 0), else_=1)
    return regressed, ANSWER.c.severity.desc(), ANSWER.c.sort_at.desc(), ANSWER.c.id.desc()
