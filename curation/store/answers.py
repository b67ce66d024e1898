"""Reading answers."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, func, select
from sqlmodel import Session

from curation.domain.answer import Answer
from curation.domain.review import AnswerState
from curation.store.answer_rows import answer_from_rows
from curation.store.schema import (
    ANSWER,
    BODY,
    CHUNK,
    CHUNK_TEXT,
    LABEL,
    QUESTION_GROUP,
    RETRIEVED,
    SCORE,
    SIGNAL,
)
from curation.store.sql import parts


def get_answer(session: Session, answer_id: str) -> Answer | None:
    """Return the answer; texts that the log lacks come from the corpus at that version."""
    return load_answers(session, [answer_id], fill=True).get(answer_id)


def load_answers(
    session: Session, answer_ids: Sequence[str], *, fill: bool = False
) -> dict[str, Answer]:
    """Return the answers by id.

    Args:
        session: a session.
        answer_ids: which; unknown ones are left out.
        fill: take texts that the log lacks from the corpus.
    """
    found: dict[str, Answer] = {}
    for ids in parts(answer_ids):
        found |= _load(session, ids, fill=fill)
    return found


def _load(session: Session, ids: Sequence[str], *, fill: bool) -> dict[str, Answer]:
    """Return the answers of one IN list."""
    connection = session.connection()
    statement = select(ANSWER, BODY).join(BODY, BODY.c.answer_id == ANSWER.c.id)
    rows = connection.execute(statement.where(ANSWER.c.id.in_(ids))).mappings().all()
    children = {
        "retrieved": _by_answer(session, _retrieved(ids, fill=fill)),
        "score": _by_answer(session, _ordered(SCORE, ids)),
        "signal": _by_answer(session, _ordered(SIGNAL, ids)),
        "label": _by_answer(session, _ordered(LABEL, ids)),
    }
    return {
        row["id"]: answer_from_rows(row, {k: v.get(row["id"], ()) for k, v in children.items()})
        for row in rows
    }


def _ordered(table: Any, ids: Sequence[str]) -> Select[Any]:  # noqa: ANN401 - a table
    """Return the rows of a child table in order."""
    return select(table).where(table.c.answer_id.in_(ids)).order_by(table.c.position)


def _retrieved(ids: Sequence[str], *, fill: bool) -> Select[Any]:
    """Return the retrieved chunks with their texts."""
    logged = CHUNK_TEXT.alias("logged")
    text: Any = logged.c.text
    source: Any = RETRIEVED.outerjoin(logged, logged.c.sha256 == RETRIEVED.c.text_sha)
    if fill:
        known = CHUNK_TEXT.alias("known")
        here = and_(
            RETRIEVED.c.text_sha.is_(None),
            CHUNK.c.chunk_id == RETRIEVED.c.chunk_id,
            CHUNK.c.doc_version == func.coalesce(RETRIEVED.c.doc_version, ""),
        )
        source = source.outerjoin(CHUNK, here).outerjoin(known, known.c.sha256 == CHUNK.c.text_sha)
        text = func.coalesce(logged.c.text, known.c.text)
    statement = select(RETRIEVED, text.label("text")).select_from(source)
    return statement.where(RETRIEVED.c.answer_id.in_(ids)).order_by(RETRIEVED.c.position)


def _by_answer(session: Session, statement: Select[Any]) -> dict[str, list[Any]]:
    """Return the rows by answer."""
    found: dict[str, list[Any]] = defaultdict(list)
    for row in session.connection().execute(statement):
        found[row.answer_id].append(row)
    return found


class LoggedText(NamedTuple):
    """An answer's text, and the group that it answers."""

    answer_id: str
    group_id: str
    text: str


def texts_since(
    session: Session, moment: datetime | None, *, size: int = 1000
) -> Iterator[list[LoggedText]]:
    """Yield the texts of the answers that were stored at a moment or later, in parts."""
    last = ""
    chosen = select(ANSWER.c.id, ANSWER.c.group_id, BODY.c.answer).join(
        BODY, BODY.c.answer_id == ANSWER.c.id
    )
    if moment is not None:
        chosen = chosen.where(ANSWER.c.stored_at >= moment)
    while True:
        statement = chosen.where(ANSWER.c.id > last).order_by(ANSWER.c.id).limit(size)
        rows = session.connection().execute(statement).all()
        if not rows:
            return
        yield [LoggedText(*row) for row in rows]
        last = rows[-1].id


def newest_stored(session: Session) -> datetime | None:
    """Return when the last answer was stored."""
    statement = select(func.max(ANSWER.c.stored_at))
    found: datetime | None = session.connection().execute(statement).scalar()
    return found


def answer_texts(session: Session, answer_ids: Sequence[str]) -> dict[str, str]:
    """Return the texts of answers."""
    found: dict[str, str] = {}
    for ids in parts(answer_ids):
        statement = select(BODY.c.answer_id, BODY.c.answer).where(BODY.c.answer_id.in_(ids))
        found |= {row.answer_id: row.answer for row in session.connection().execute(statement)}
    return found


def group_of(session: Session, answer_id: str) -> str | None:
    """Return the question group of an answer."""
    statement = select(ANSWER.c.group_id).where(ANSWER.c.id == answer_id)
    found: str | None = session.connection().execute(statement).scalar()
    return found


def answer_state(session: Session, answer_id: str) -> AnswerState | None:
    """Return the stored state (never `held`, which is a lease); None for an unknown answer."""
    statement = select(ANSWER.c.state).where(ANSWER.c.id == answer_id)
    found = session.connection().execute(statement).scalar()
    return None if found is None else AnswerState(found)


def times_asked(session: Session, answer_id: str) -> int:
    """Return how often an answer's question was asked, as the queue counts it."""
    group = select(ANSWER.c.group_id).where(ANSWER.c.id == answer_id).scalar_subquery()
    statement = select(QUESTION_GROUP.c.asked).where(QUESTION_GROUP.c.id == group)
    return int(session.connection().execute(statement).scalar_one())
