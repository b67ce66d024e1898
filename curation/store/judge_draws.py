"""How probable it was that a judge scored an answer, where a run scored each with a chance."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlmodel import Session

from curation.domain.sample import chance_of_any
from curation.store.schema import ANSWER, JUDGE_ITEM, JUDGE_RUN
from curation.store.sql import parts

__all__ = ["scored_by_chance"]


class _Draw(NamedTuple):
    """A run that scored answers by chance, or all of them; when, and each with which chance."""

    at: datetime
    seed: int
    share: float


def scored_by_chance(
    session: Session, judge: str | None, prompt_version: str | None, answer_ids: Sequence[str]
) -> dict[str, float]:
    """Return for those of the answers that a judge scored by chance how probable that was.

    An answer was in the draw of every run of this judge that began since it was stored. What was
    chosen by a rule and not by chance (the newest so many, an import) is left out.
    """
    key = f"{judge}@{prompt_version}"
    draws = _draws(session, key)
    if all(draw.share >= 1 for draw in draws):
        return {}
    found: dict[str, float] = {}
    for ids in parts(answer_ids):
        statement = (
            select(ANSWER.c.id, ANSWER.c.stored_at)
            .join(JUDGE_ITEM, JUDGE_ITEM.c.subject == ANSWER.c.id)
            .where(JUDGE_ITEM.c.judge_key == key, JUDGE_ITEM.c.probability < 1)
            .where(ANSWER.c.id.in_(ids))
        )
        for row in session.connection().execute(statement):
            since = ((draw.seed, draw.share) for draw in draws if draw.at >= row.stored_at)
            chance = chance_of_any(since)
            if 0 < chance < 1:
                found[row.id] = chance
    return found


def _draws(session: Session, judge_key: str) -> list[_Draw]:
    """Return the runs of a judge on stored answers that took each with a chance, or all."""
    statement = select(JUDGE_RUN.c.started_at, JUDGE_RUN.c.asked_for)
    found = []
    for row in session.connection().execute(statement.where(JUDGE_RUN.c.judge_key == judge_key)):
        asked = row.asked_for
        if asked.get("what") != "answers" or asked.get("again") or asked.get("limit") is not None:
            continue
        share = 1.0 if asked.get("sample") is None else float(asked["sample"])
        found.append(_Draw(row.started_at, int(asked.get("seed") or 0), share))
    return found
