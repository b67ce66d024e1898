"""What a sample says of the reviews of its answers: how they were drawn, which of two stands."""

from sqlalchemy import select
from sqlmodel import Session

from curation.store.schema import ADJUDICATION, REVIEW, SAMPLE_ITEM


def drawn_with(session: Session) -> dict[str, float]:
    """Return the probability with which each sampled answer was drawn, by its newest sample.

    Given the control share, whose own items are a stratum that was taken whole.
    """
    statement = select(SAMPLE_ITEM.c.answer_id, SAMPLE_ITEM.c.pi).order_by(SAMPLE_ITEM.c.sample_id)
    return {row.answer_id: float(row.pi) for row in session.connection().execute(statement)}


def doubled(session: Session) -> frozenset[str]:
    """Return the answers that two people are to look at without knowing of each other."""
    statement = select(SAMPLE_ITEM.c.answer_id).where(SAMPLE_ITEM.c.slots > 1)
    return frozenset(session.connection().execute(statement).scalars())


def let_stand(session: Session) -> dict[str, str]:
    """Return by answer the key of the person whose verdict somebody let stand."""
    statement = (
        select(ADJUDICATION.c.answer_id, REVIEW.c.person)
        .join(REVIEW, REVIEW.c.id == ADJUDICATION.c.review_id)
        .where(~REVIEW.c.void, ~ADJUDICATION.c.void)
        .order_by(ADJUDICATION.c.id)
    )
    return {row.answer_id: row.person for row in session.connection().execute(statement)}
