"""Which question groups would fill a hole of the coverage.

A group's question type is proposed from its question; its category is the one that most of the
documents have which its answers were made from, the first hits counting most.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, select, update
from sqlmodel import Session

from curation.domain.coverage import Holes
from curation.domain.review import AnswerState
from curation.metrics.question_type import propose_question_type
from curation.store.schema import ANSWER, CHUNK, QUESTION_GROUP, RETRIEVED
from curation.store.sql import parts
from curation.store.states import with_open

DEPTH = 5  # hits of an answer that say what its documents are


class GroupCell(NamedTuple):
    """A question group, the type of its question, and its documents with their weights."""

    group_id: str
    question: str
    question_type: str
    documents: dict[str, float]
    hole: bool


def group_cells(session: Session, group_ids: Sequence[str] | None = None) -> Iterator[GroupCell]:
    """Yield the groups (all, if none are named) with their type and documents."""
    if group_ids is None:
        chosen = select(QUESTION_GROUP.c.id).order_by(QUESTION_GROUP.c.id)
        group_ids = list(session.connection().execute(chosen).scalars())
    for ids in parts(group_ids):
        documents = _documents(session, ids)
        for row in session.connection().execute(_questions(ids)):
            yield GroupCell(
                group_id=row.group_id,
                question=row.question,
                question_type=propose_question_type(row.question),
                documents=documents.get(row.group_id, {}),
                hole=bool(row.hole),
            )


def mark_holes(session: Session, holes: Holes, group_ids: Sequence[str] | None = None) -> list[str]:
    """Note which groups (all, if none are named) fill a hole; return those that changed."""
    finder = holes.finder()
    now: dict[bool, list[str]] = {True: [], False: []}
    for cell in group_cells(session, group_ids):
        fills = finder.filled_by(cell.question_type, cell.documents)
        if fills is not cell.hole:
            now[fills].append(cell.group_id)
    for fills, changed in now.items():
        for ids in parts(changed):
            which = QUESTION_GROUP.c.id.in_(ids)
            session.connection().execute(update(QUESTION_GROUP).where(which).values(hole=fills))
    return [*now[True], *now[False]]


def hole_groups(session: Session, most: int) -> dict[str, float]:
    """Return the groups that fill a hole and have an open answer, with their priorities."""
    statement = (
        select(QUESTION_GROUP.c.id, QUESTION_GROUP.c.priority)
        .where(QUESTION_GROUP.c.hole, with_open())
        .order_by(QUESTION_GROUP.c.priority.desc(), QUESTION_GROUP.c.id)
        .limit(most)
    )
    return {row.id: row.priority for row in session.connection().execute(statement)}


def worst_answers(session: Session, group_ids: Sequence[str]) -> dict[str, str]:
    """Return for each group the id of its open answer that looks worst."""
    found: dict[str, str] = {}
    for ids in parts(group_ids):
        statement = (
            select(ANSWER.c.group_id, ANSWER.c.id)
            .where(ANSWER.c.group_id.in_(ids), ANSWER.c.state == AnswerState.OPEN.value)
            .order_by(ANSWER.c.severity, ANSWER.c.sort_at, ANSWER.c.id)
        )
        found |= {row.group_id: row.id for row in session.connection().execute(statement)}
    return found


def fills_a_hole(session: Session, answer_id: str) -> bool:
    """Return whether a case made from the answer would fill a hole."""
    statement = (
        select(QUESTION_GROUP.c.hole)
        .join(ANSWER, ANSWER.c.group_id == QUESTION_GROUP.c.id)
        .where(ANSWER.c.id == answer_id)
    )
    return bool(session.connection().execute(statement).scalar())


def _questions(ids: Sequence[str]) -> Any:  # noqa: ANN401 - an SQL statement
    """Return the statement for one question of each group; they differ in spelling at most."""
    return (
        select(
            ANSWER.c.group_id, func.min(ANSWER.c.question).label("question"), QUESTION_GROUP.c.hole
        )
        .join(QUESTION_GROUP, QUESTION_GROUP.c.id == ANSWER.c.group_id)
        .where(ANSWER.c.group_id.in_(ids))
        .group_by(ANSWER.c.group_id, QUESTION_GROUP.c.hole)
        .order_by(ANSWER.c.group_id)
    )


def _documents(session: Session, ids: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return for each group its documents, weighed by the ranks that they were found at."""
    doc_id = func.coalesce(RETRIEVED.c.doc_id, CHUNK.c.doc_id)
    same_chunk = (CHUNK.c.chunk_id == RETRIEVED.c.chunk_id) & (
        CHUNK.c.doc_version == func.coalesce(RETRIEVED.c.doc_version, "")
    )
    weight = func.sum(1.0 / RETRIEVED.c.rank)
    statement = (
        select(ANSWER.c.group_id, doc_id.label("doc_id"), weight.label("weight"))
        .join(RETRIEVED, RETRIEVED.c.answer_id == ANSWER.c.id)
        .outerjoin(CHUNK, same_chunk)
        .where(
            ANSWER.c.group_id.in_(ids),
            doc_id.is_not(None),
            RETRIEVED.c.rank.between(1, DEPTH),
        )
        .group_by(ANSWER.c.group_id, doc_id)
    )
    found: dict[str, dict[str, float]] = {}
    for row in session.connection().execute(statement):
        found.setdefault(row.group_id, {})[row.doc_id] = float(row.weight)
    return found
