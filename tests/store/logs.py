"""People, answers and weights that the tests of the store share."""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlalchemy import table as sql_table

from curation.config import PrioritySettings
from curation.domain.answer import Answer
from curation.domain.person import Person
from curation.domain.review import FailureCategory, Review, Verdict
from curation.services.priority import priority_weights
from curation.store import Session, Store
from curation.store.intake import add_answers
from curation.store.priority import settle
from curation.store.reviews import cover_group, record_review

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
MIA = Person(name="Mia Kim", email="Mia@example.org")
ROB = Person(name="Rob Oduya", email="rob@example.org")
WEIGHTS = priority_weights(PrioritySettings())


def answer(name: str, **fields: Any) -> Answer:
    """An answer, its question its own unless one is given."""
    given: dict[str, Any] = {"question": f"What is {name}?", "answer": f"It is {name}."}
    return Answer.model_validate({"id": name, **given, **fields})


def signal(kind: str, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, **fields}


def score(metric: str, value: float | None, **fields: Any) -> dict[str, Any]:
    return {"metric": metric, "value": value, "scale": (0, 1), **fields}


def put(store: Store, *answers: Answer) -> None:
    """Store the answers and compute their places."""
    with store.writing() as session:
        add_answers(session, answers, WEIGHTS, now=NOW)
        settle(session, WEIGHTS)


def how_many(session: Session, table: str) -> int:
    """Count the rows of a table."""
    found = session.connection().execute(select(func.count()).select_from(sql_table(table)))
    return int(found.scalar_one())


def finish(
    store: Store,
    answer_id: str,
    verdict: Verdict = Verdict.PROPOSED,
    *,
    person: Person = MIA,
    failure: FailureCategory | None = None,
    change_id: str | None = None,
    later: timedelta = timedelta(),
) -> Review:
    """Store a review and what it covers."""
    review = Review(
        answer_id=answer_id,
        person=person,
        verdict=verdict,
        reason="because",
        at=NOW + later,
        blind=True,
        failure=failure,
        change_id=change_id,
    )
    with store.writing() as session:
        record_review(session, review)
        cover_group(session, review)
    return review
