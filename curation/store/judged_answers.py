"""What the orders of the queue know of answers that people judged."""

from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlmodel import Session

from curation.domain.answer import SignalKind
from curation.domain.priority import signal_bit
from curation.metrics.queue_yield import JudgedAnswer
from curation.store.schema import ANSWER, BODY
from curation.store.sql import parts

BAD, GOOD = 0, 2


def judged_answers(
    session: Session, levels: Mapping[str, int], tags: Sequence[str] = ()
) -> list[JudgedAnswer]:
    """Return the answers that people gave a level; with tags, only those that carry one of them."""
    found: list[JudgedAnswer] = []
    columns = (ANSWER.c.id, ANSWER.c.group_id, ANSWER.c.question, ANSWER.c.signal_mask)
    for ids in parts(sorted(levels)):
        statement = (
            select(*columns, ANSWER.c.shortfall, BODY.c.tags)
            .join(BODY, BODY.c.answer_id == ANSWER.c.id)
            .where(ANSWER.c.id.in_(ids))
        )
        for row in session.connection().execute(statement):
            if tags and not set(tags) & set(row.tags):
                continue
            found.append(
                JudgedAnswer(
                    answer_id=row.id,
                    group_id=row.group_id,
                    question=row.question,
                    bad=levels[row.id] == BAD,
                    not_good=levels[row.id] < GOOD,
                    kinds=tuple(k for k in SignalKind if row.signal_mask & signal_bit(k)),
                    shortfall=row.shortfall,
                )
            )
    return found
