"""Writing what an import brings."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, func, select, update
from sqlmodel import Session

from curation.domain.answer import Answer
from curation.domain.queue import PriorityWeights
from curation.store import answer_rows as rows
from curation.store.coverage import cover_by_reviews
from curation.store.priority import mark_stale
from curation.store.schema import (
    ANSWER,
    BODY,
    CHUNK_TEXT,
    FACET,
    LABEL,
    QUESTION_GROUP,
    RETRIEVED,
    SCORE,
    SIGNAL,
)
from curation.store.sql import insert_many, insert_missing, parts

_IMPORT_LOCK = 0x696D_706F
_CHILDREN = (RETRIEVED, SCORE, SIGNAL, LABEL)
_KEPT = ("state", "stored_at", "identity_sha", "text_sha", "question")


def begin_import(session: Session) -> None:
    """Let whoever writes scores and signals do so one after the other, until the transaction ends.

    Else none would see what another one just stored, and an update would delete it.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.connection().execute(select(func.pg_advisory_xact_lock(_IMPORT_LOCK)))


def known_records(session: Session, answer_ids: Sequence[str]) -> dict[str, str]:
    """Return the digest of the last record that was read of each of these answers."""
    found: dict[str, str] = {}
    for ids in parts(answer_ids):
        statement = select(ANSWER.c.id, ANSWER.c.record_sha).where(ANSWER.c.id.in_(ids))
        found |= {row.id: row.record_sha for row in session.connection().execute(statement)}
    return found


def add_answers(
    session: Session, answers: Sequence[Answer], weights: PriorityWeights, *, now: datetime
) -> None:
    """Store answers that the store does not have."""
    groups = [rows.group_row(answer) for answer in answers]
    insert_missing(session, QUESTION_GROUP, groups)
    pairs = list(zip(answers, [group["id"] for group in groups], strict=True))
    insert_many(session, ANSWER, [rows.answer_row(a, g, weights, now=now) for a, g in pairs])
    insert_many(session, BODY, [rows.body_row(answer) for answer in answers])
    _add_children(session, pairs)
    add_facets(session, answers, now)
    cover_by_reviews(session, [answer.id for answer in answers])
    mark_stale(session, sorted({group for _, group in pairs}))


def update_answers(
    session: Session,
    answers: Sequence[tuple[Answer, str]],
    weights: PriorityWeights,
    *,
    now: datetime,
) -> None:
    """Replace what the store holds of answers that stayed the same answers.

    Args:
        session: a writing session.
        answers: each with the digest of the record that brought the news.
        weights: the weights of the priority.
        now: when.
    """
    if not answers:
        return
    connection = session.connection()
    pairs = [(answer, rows.group_row(answer)["id"]) for answer, _ in answers]
    changed: list[dict[str, Any]] = []
    for (answer, group_id), (_, digest) in zip(pairs, answers, strict=True):
        row = rows.answer_row(answer, group_id, weights, now=now) | {"record_sha": digest}
        kept = {name: value for name, value in row.items() if name not in _KEPT and name != "id"}
        changed.append(kept | {"b_id": answer.id})
    connection.execute(update(ANSWER).where(ANSWER.c.id == bindparam("b_id")), changed)
    bodies = [rows.body_row(answer) for answer, _ in answers]
    connection.execute(
        update(BODY).where(BODY.c.answer_id == bindparam("b_id")),
        [
            {
                "b_id": b["answer_id"],
                "citations": b["citations"],
                "tags": b["tags"],
                "extra": b["extra"],
            }
            for b in bodies
        ],
    )
    for ids in parts([answer.id for answer, _ in answers]):
        for table in _CHILDREN:
            connection.execute(delete(table).where(table.c.answer_id.in_(ids)))
    _add_children(session, pairs)
    add_facets(session, [answer for answer, _ in answers], now)
    mark_stale(session, sorted({group for _, group in pairs}))


def note_records(session: Session, records: Sequence[tuple[str, str]]) -> None:
    """Remember the digest of the last record of answers in which nothing changed."""
    if records:
        session.connection().execute(
            update(ANSWER).where(ANSWER.c.id == bindparam("b_id")),
            [{"b_id": answer_id, "record_sha": digest} for answer_id, digest in records],
        )


def _add_children(session: Session, pairs: Sequence[tuple[Answer, str]]) -> None:
    """Insert retrieved chunks, scores, signals and labels."""
    retrieved: list[dict[str, Any]] = []
    texts: dict[str, str] = {}
    for answer, _ in pairs:
        chunks, found = rows.retrieved_rows(answer)
        retrieved += chunks
        texts |= found
    insert_missing(session, CHUNK_TEXT, [{"sha256": s, "text": t} for s, t in texts.items()])
    insert_many(session, RETRIEVED, retrieved)
    insert_many(session, SCORE, [row for answer, _ in pairs for row in rows.score_rows(answer)])
    insert_many(session, SIGNAL, [row for a, group in pairs for row in rows.signal_rows(a, group)])
    insert_many(session, LABEL, [row for answer, _ in pairs for row in rows.label_rows(answer)])


def add_facets(session: Session, answers: Sequence[Answer], now: datetime) -> None:
    """Remember the values that filters can choose."""
    seen: set[tuple[str, str]] = set()
    for answer in answers:
        if answer.slice is not None:
            seen.add(("slice", answer.slice))
        if answer.pipeline_version is not None:
            seen.add(("pipeline_version", answer.pipeline_version))
        seen |= {("signal", signal.kind.value) for signal in answer.signals}
        seen |= {("metric", score.metric) for score in answer.scores if score.chunk_id is None}
    found = [{"kind": kind, "value": value, "first_seen": now} for kind, value in sorted(seen)]
    insert_missing(session, FACET, found)
