"""The tables of the store.

Long texts stand apart from what lists sort and count by, so that a page of the queue reads none.
"""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, Index, MetaData, text
from sqlmodel import Field, SQLModel

from curation.store.types import UtcTime

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Row(SQLModel):
    """The base of every row, with its own catalogue of tables."""

    metadata: ClassVar[MetaData] = MetaData(naming_convention=NAMES)


def _clustered(*extra: Index) -> tuple[Any, ...]:
    """Return table arguments that store rows inside their primary key on SQLite."""
    return (*extra, {"sqlite_with_rowid": False})


class GroupRow(Row, table=True):
    """A question group with everything that its place in the queue is made of.

    `stale` says that answers came since the place was computed. `regressed` is its answer that
    failed again in a later version; `on_top` that it stands above all others, while that is open.
    """

    __tablename__ = "question_group"
    __table_args__ = (
        Index(
            "ix_question_group_place",
            "on_top",
            "priority",
            "newest",
            "id",
            sqlite_where=text("open_count > 0"),
            postgresql_where=text("open_count > 0"),
        ),
        Index(
            "ix_question_group_stale",
            "id",
            sqlite_where=text("stale = 1"),
            postgresql_where=text("stale"),
        ),
        Index(
            "ix_question_group_regressed",
            "regressed",
            sqlite_where=text("regressed IS NOT NULL"),
            postgresql_where=text("regressed IS NOT NULL"),
        ),
    )

    id: str = Field(primary_key=True)
    words: str
    asked: int = 1
    newest: datetime = Field(sa_type=UtcTime)
    on_top: bool = False
    regressed: str | None = None
    priority: float = 0
    shown_priority: float | None = None
    reasons: list[Any] = Field(default_factory=list, sa_type=JSON)
    judge_reasons: list[Any] = Field(default_factory=list, sa_type=JSON)
    hole: bool = False
    open_count: int = 0
    stale: bool = True


class AnswerRow(Row, table=True):
    """What lists need of an answer."""

    __tablename__ = "answer"
    __table_args__ = (
        Index(
            "ix_answer_group",
            "group_id",
            "state",
            "severity",
            "sort_at",
            "id",
            "slice",
            "pipeline_version",
            "signal_mask",
        ),
        Index(
            "ix_answer_state",
            "state",
            "group_id",
            "slice",
            "pipeline_version",
            "signal_mask",
            "id",
        ),
        Index("ix_answer_asked_at", "asked_at"),
        Index("ix_answer_session_id", "session_id"),
    )

    id: str = Field(primary_key=True)
    group_id: str = Field(foreign_key="question_group.id")
    state: str
    severity: float = 0
    shortfall: float | None = None
    worst_metric: str | None = None
    worst_value: float | None = None
    judge_failed: bool = False
    signal_mask: int = 0
    sort_at: datetime = Field(sa_type=UtcTime)
    asked_at: datetime | None = Field(default=None, sa_type=UtcTime)
    question: str
    slice: str | None = None
    pipeline_version: str | None = None
    outcome: str | None = None
    model: str | None = None
    latency_ms: float | None = None
    cost_usd: float | None = None
    session_id: str | None = None
    user_id: str | None = None
    text_sha: str
    identity_sha: str
    record_sha: str
    stored_at: datetime = Field(sa_type=UtcTime)


class BodyRow(Row, table=True):
    """The long parts of an answer."""

    __tablename__ = "answer_body"

    answer_id: str = Field(primary_key=True, foreign_key="answer.id")
    answer: str
    conversation: list[Any] = Field(sa_type=JSON)
    citations: list[Any] = Field(sa_type=JSON)
    tags: list[str] = Field(sa_type=JSON)
    extra: dict[str, Any] = Field(sa_type=JSON)


class ChunkTextRow(Row, table=True):
    """A text once, under its hash."""

    __tablename__ = "chunk_text"

    sha256: str = Field(primary_key=True)
    text: str


class ChunkRow(Row, table=True):
    """A passage of the corpus; no version is the empty one.

    `step` counts the writes of the corpus, so that the search index knows what it lacks. The keys
    are the chunk's and document's id without the version, so that versions find each other.
    """

    __tablename__ = "chunk"
    __table_args__ = _clustered(
        Index("ix_chunk_step", "step"),
        Index("ix_chunk_passage_key", "passage_key"),
        Index("ix_chunk_document_key", "document_key"),
        Index("ix_chunk_doc_id", "doc_id"),
    )

    chunk_id: str = Field(primary_key=True)
    doc_version: str = Field(primary_key=True)
    doc_id: str
    title: str | None = None
    text_sha: str = Field(foreign_key="chunk_text.sha256")
    category: str | None = None
    doc_family: str | None = None
    passage_key: str
    document_key: str
    step: int


class RetrievedRow(Row, table=True):
    """A chunk as an answer's pipeline retrieved it."""

    __tablename__ = "retrieved"
    __table_args__ = _clustered()

    answer_id: str = Field(primary_key=True, foreign_key="answer.id")
    position: int = Field(primary_key=True)
    rank: int
    chunk_id: str
    doc_id: str | None = None
    doc_version: str | None = None
    text_sha: str | None = Field(default=None, foreign_key="chunk_text.sha256")
    score: float | None = None
    used: bool = True


class ScoreRow(Row, table=True):
    """A judge's number; `inverted` says that the scale's best end is the smaller one."""

    __tablename__ = "score"
    __table_args__ = _clustered(
        Index(
            "ix_score_metric",
            "metric",
            "answer_id",
            "inverted",
            "value",
            "chunk_id",
            sqlite_where=text("chunk_id IS NULL"),
            postgresql_where=text("chunk_id IS NULL"),
        ),
    )

    answer_id: str = Field(primary_key=True, foreign_key="answer.id")
    position: int = Field(primary_key=True)
    metric: str
    value: float | None = None
    worst: float | None = None
    best: float | None = None
    inverted: bool = False
    judge: str | None = None
    prompt_version: str | None = None
    reason: str | None = None
    status: str
    error_kind: str | None = None
    chunk_id: str | None = None
    at: datetime | None = Field(default=None, sa_type=UtcTime)


class SignalRow(Row, table=True):
    """What a user did; `who` is the user, the session or the answer, the first that is known."""

    __tablename__ = "signal"
    __table_args__ = _clustered(Index("ix_signal_group_id", "group_id", "kind"))

    answer_id: str = Field(primary_key=True, foreign_key="answer.id")
    position: int = Field(primary_key=True)
    group_id: str
    who: str
    kind: str
    value: Any = Field(default=None, sa_type=JSON)
    comment: str | None = None
    at: datetime | None = Field(default=None, sa_type=UtcTime)
    confidence: float = 1
    rule: str | None = None


class LabelRow(Row, table=True):
    """One person's number for one metric of an answer."""

    __tablename__ = "label"
    __table_args__ = _clustered()

    answer_id: str = Field(primary_key=True, foreign_key="answer.id")
    position: int = Field(primary_key=True)
    metric: str
    value: float | None = None
    worst: float | None = None
    best: float | None = None
    label: str | None = None
    person: str | None = None
    at: datetime | None = Field(default=None, sa_type=UtcTime)


class FacetRow(Row, table=True):
    """A value that a filter can choose, and when the store first saw it."""

    __tablename__ = "facet"
    __table_args__ = _clustered()

    kind: str = Field(primary_key=True)
    value: str = Field(primary_key=True)
    first_seen: datetime = Field(sa_type=UtcTime)


class CounterRow(Row, table=True):
    """A number that only grows: changes, case ids, writes of the corpus."""

    __tablename__ = "counter"

    name: str = Field(primary_key=True)
    value: int


class NoteRow(Row, table=True):
    """What the store remembers about itself."""

    __tablename__ = "note"

    name: str = Field(primary_key=True)
    value: Any = Field(sa_type=JSON)
