"""Answers to rows and back."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import RowMapping

from curation.domain.answer import (
    Answer,
    Citation,
    Label,
    RetrievedChunk,
    Score,
    Signal,
)
from curation.domain.case import Turn
from curation.domain.chunk import text_sha256
from curation.domain.priority import judged, severity, signal_mask
from curation.domain.queue import PriorityWeights
from curation.domain.review import AnswerState
from curation.domain.same_answer import identity_sha, record_sha
from curation.metrics.normalise import same_question_key

NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)
TURNS_IN_KEY = 2


def group_row(answer: Answer) -> dict[str, Any]:
    """Return the row of the question group that an answer belongs to."""
    turns = [turn.text for turn in answer.conversation[-TURNS_IN_KEY:]]
    key = same_question_key(answer.question, turns)
    return {
        "id": group_id_of(key),
        "words": key.rsplit("\n", 1)[-1],
        "asked": 1,
        "newest": answer.asked_at or NO_DATE,
        "priority": 0.0,
        "place": 0.0,
        "shown_priority": None,
        "reasons": [],
        "judge_reasons": [],
        "hole": False,
        "open_count": 0,
        "stale": True,
    }


def group_id_of(key: str) -> str:
    """Return the id of the question group with that key."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def answer_row(
    answer: Answer, group_id: str, weights: PriorityWeights, *, now: datetime
) -> dict[str, Any]:
    """Return the row that lists need."""
    worst = judged(answer)
    kinds = [signal.kind for signal in answer.signals]
    return {
        "id": answer.id,
        "group_id": group_id,
        "state": AnswerState.OPEN.value,
        "severity": severity(kinds, worst.shortfall, weights),
        "shortfall": worst.shortfall,
        "worst_metric": worst.metric,
        "worst_value": worst.value,
        "judge_failed": worst.failed,
        "signal_mask": signal_mask(answer.signals),
        "sort_at": answer.asked_at or NO_DATE,
        "asked_at": answer.asked_at,
        "question": answer.question,
        "slice": answer.slice,
        "pipeline_version": answer.pipeline_version,
        "outcome": answer.outcome.value if answer.outcome else None,
        "model": answer.model,
        "latency_ms": answer.latency_ms,
        "cost_usd": answer.cost_usd,
        "session_id": answer.session_id,
        "user_id": answer.user_id,
        "text_sha": text_sha256(answer.answer)[:32],
        "identity_sha": identity_sha(answer),
        "record_sha": record_sha(answer),
        "stored_at": now,
    }


def body_row(answer: Answer) -> dict[str, Any]:
    """Return the row of the long parts."""
    return {
        "answer_id": answer.id,
        "answer": answer.answer,
        "conversation": [turn.model_dump() for turn in answer.conversation],
        "citations": [c.model_dump(exclude_none=True) for c in answer.citations],
        "tags": list(answer.tags),
        "extra": answer.metadata,
    }


def retrieved_rows(answer: Answer) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the rows of the retrieved chunks, and their texts by hash."""
    rows: list[dict[str, Any]] = []
    texts: dict[str, str] = {}
    for position, chunk in enumerate(answer.retrieved):
        sha = None
        if chunk.text is not None:
            sha = text_sha256(chunk.text)
            texts[sha] = chunk.text
        rows.append(
            {
                "answer_id": answer.id,
                "position": position,
                "rank": chunk.rank,
                "chunk_id": chunk.chunk_id,
                "doc_id": chunk.doc_id,
                "doc_version": chunk.doc_version,
                "text_sha": sha,
                "score": chunk.score,
                "used": chunk.used,
            }
        )
    return rows, texts


def score_rows(answer: Answer) -> list[dict[str, Any]]:
    """Return the rows of the scores."""
    return [
        {
            "answer_id": answer.id,
            "position": position,
            "metric": score.metric,
            "value": score.value,
            "worst": score.scale[0] if score.scale else None,
            "best": score.scale[1] if score.scale else None,
            "inverted": bool(score.scale and score.scale[1] < score.scale[0]),
            "judge": score.judge,
            "prompt_version": score.prompt_version,
            "reason": score.reason,
            "status": score.status.value,
            "error_kind": score.error_kind,
            "chunk_id": score.chunk_id,
            "at": score.at,
        }
        for position, score in enumerate(answer.scores)
    ]


def signal_rows(answer: Answer, group_id: str) -> list[dict[str, Any]]:
    """Return the rows of the signals."""
    return [
        signal_row(answer, signal, group_id=group_id, position=position)
        for position, signal in enumerate(answer.signals)
    ]


def signal_row(
    answer: Any,  # noqa: ANN401 - an answer, or a row that has its id, user and session
    signal: Signal,
    *,
    group_id: str,
    position: int,
) -> dict[str, Any]:
    """Return the row of a signal."""
    return {
        "answer_id": answer.id,
        "position": position,
        "group_id": group_id,
        "who": answer.user_id or answer.session_id or answer.id,
        "kind": signal.kind.value,
        "value": signal.value,
        "comment": signal.comment,
        "at": signal.at,
        "confidence": signal.confidence,
        "rule": signal.rule,
    }


def label_rows(answer: Answer) -> list[dict[str, Any]]:
    """Return the rows of the labels."""
    return [
        {
            "answer_id": answer.id,
            "position": position,
            "metric": label.metric,
            "value": label.value,
            "worst": label.scale[0] if label.scale else None,
            "best": label.scale[1] if label.scale else None,
            "label": label.label,
            "person": label.person,
            "at": label.at,
        }
        for position, label in enumerate(answer.labels)
    ]


def answer_from_rows(row: RowMapping, children: Mapping[str, Sequence[Any]]) -> Answer:
    """Return the answer that the rows hold."""
    return Answer(
        id=row["id"],
        asked_at=row["asked_at"],
        question=row["question"],
        conversation=tuple(Turn.model_validate(turn) for turn in row["conversation"]),
        answer=row["answer"],
        retrieved=tuple(_retrieved(r) for r in children["retrieved"]),
        citations=tuple(Citation.model_validate(c) for c in row["citations"]),
        outcome=row["outcome"],
        pipeline_version=row["pipeline_version"],
        model=row["model"],
        latency_ms=row["latency_ms"],
        cost_usd=row["cost_usd"],
        session_id=row["session_id"],
        user_id=row["user_id"],
        tags=tuple(row["tags"]),
        slice=row["slice"],
        scores=tuple(score_of(r) for r in children["score"]),
        signals=tuple(_signal(r) for r in children["signal"]),
        labels=tuple(_label(r) for r in children["label"]),
        metadata=row["extra"],
    )


def _retrieved(row: Any) -> RetrievedChunk:  # noqa: ANN401 - a row of the database
    return RetrievedChunk(
        rank=row.rank,
        chunk_id=row.chunk_id,
        doc_id=row.doc_id,
        doc_version=row.doc_version,
        text=row.text,
        score=row.score,
        used=row.used,
    )


def _scale(row: Any) -> tuple[float, float] | None:  # noqa: ANN401 - a row of the database
    return None if row.worst is None or row.best is None else (row.worst, row.best)


def score_of(row: Any) -> Score:  # noqa: ANN401 - a row of the database
    """Return the score that a row holds."""
    return Score(
        metric=row.metric,
        value=row.value,
        scale=_scale(row),
        judge=row.judge,
        prompt_version=row.prompt_version,
        reason=row.reason,
        status=row.status,
        error_kind=row.error_kind,
        chunk_id=row.chunk_id,
        at=row.at,
    )


def _signal(row: Any) -> Signal:  # noqa: ANN401 - a row of the database
    return Signal(
        kind=row.kind,
        value=row.value,
        comment=row.comment,
        at=row.at,
        confidence=row.confidence,
        rule=row.rule,
    )


def _label(row: Any) -> Label:  # noqa: ANN401 - a row of the database
    return Label(
        metric=row.metric,
        value=row.value,
        scale=_scale(row),
        label=row.label,
        person=row.person,
        at=row.at,
    )
