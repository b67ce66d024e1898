"""Answers, their judges and signals, and the corpus."""

import sqlalchemy as sa
from alembic import op

from curation.store.types import UtcTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _chunk_text() -> None:
    """Make the table chunk_text."""
    op.create_table(
        "chunk_text",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_chunk_text"),
    )


def _counter() -> None:
    """Make the table counter."""
    op.create_table(
        "counter",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_counter"),
    )


def _facet() -> None:
    """Make the table facet."""
    op.create_table(
        "facet",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("first_seen", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "value", name="pk_facet"),
        sqlite_with_rowid=False,
    )


def _note() -> None:
    """Make the table note."""
    op.create_table(
        "note",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_note"),
    )


def _question_group() -> None:
    """Make the table question_group."""
    op.create_table(
        "question_group",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("newest", UtcTime(), nullable=False),
        sa.Column("priority", sa.Float(), nullable=False),
        sa.Column("shown_priority", sa.Float(), nullable=True),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("judge_reasons", sa.JSON(), nullable=False),
        sa.Column("hole", sa.Boolean(), nullable=False),
        sa.Column("open_count", sa.Integer(), nullable=False),
        sa.Column("stale", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_question_group"),
    )
    op.create_index(
        "ix_question_group_place",
        "question_group",
        ["priority", "newest", "id"],
        unique=False,
        sqlite_where=sa.text("open_count > 0"),
        postgresql_where=sa.text("open_count > 0"),
    )
    op.create_index(
        "ix_question_group_stale",
        "question_group",
        ["id"],
        unique=False,
        sqlite_where=sa.text("stale = 1"),
        postgresql_where=sa.text("stale"),
    )


def _answer() -> None:
    """Make the table answer."""
    op.create_table(
        "answer",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("group_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("severity", sa.Float(), nullable=False),
        sa.Column("shortfall", sa.Float(), nullable=True),
        sa.Column("worst_metric", sa.String(), nullable=True),
        sa.Column("worst_value", sa.Float(), nullable=True),
        sa.Column("judge_failed", sa.Boolean(), nullable=False),
        sa.Column("signal_mask", sa.Integer(), nullable=False),
        sa.Column("sort_at", UtcTime(), nullable=False),
        sa.Column("asked_at", UtcTime(), nullable=True),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("slice", sa.String(), nullable=True),
        sa.Column("pipeline_version", sa.String(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("latency_ms", sa.Float(), nullable=True),
        sa.Column("cost_usd", sa.Float(), nullable=True),
        sa.Column("session_id", sa.String(), nullable=True),
        sa.Column("user_id", sa.String(), nullable=True),
        sa.Column("text_sha", sa.String(), nullable=False),
        sa.Column("identity_sha", sa.String(), nullable=False),
        sa.Column("record_sha", sa.String(), nullable=False),
        sa.Column("stored_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["question_group.id"], name="fk_answer_group_id"),
        sa.PrimaryKeyConstraint("id", name="pk_answer"),
    )


def _answer_indexes() -> None:
    """Make the indexes of the table answer."""
    op.create_index("ix_answer_asked_at", "answer", ["asked_at"], unique=False)
    op.create_index(
        "ix_answer_group",
        "answer",
        [
            "group_id",
            "state",
            "severity",
            "sort_at",
            "id",
            "slice",
            "pipeline_version",
            "signal_mask",
        ],
        unique=False,
    )
    op.create_index("ix_answer_session_id", "answer", ["session_id"], unique=False)
    op.create_index(
        "ix_answer_state",
        "answer",
        ["state", "group_id", "slice", "pipeline_version", "signal_mask", "id"],
        unique=False,
    )


def _chunk() -> None:
    """Make the table chunk."""
    op.create_table(
        "chunk",
        sa.Column("chunk_id", sa.String(), nullable=False),
        sa.Column("doc_version", sa.String(), nullable=False),
        sa.Column("doc_id", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=True),
        sa.Column("text_sha", sa.String(), nullable=False),
        sa.Column("category", sa.String(), nullable=True),
        sa.Column("doc_family", sa.String(), nullable=True),
        sa.Column("passage_key", sa.String(), nullable=False),
        sa.Column("document_key", sa.String(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["text_sha"], ["chunk_text.sha256"], name="fk_chunk_text_sha"),
        sa.PrimaryKeyConstraint("chunk_id", "doc_version", name="pk_chunk"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_chunk_doc_id", "chunk", ["doc_id"], unique=False)
    op.create_index("ix_chunk_document_key", "chunk", ["document_key"], unique=False)
    op.create_index("ix_chunk_passage_key", "chunk", ["passage_key"], unique=False)
    op.create_index("ix_chunk_step", "chunk", ["step"], unique=False)


def _answer_body() -> None:
    """Make the table answer_body."""
    op.create_table(
        "answer_body",
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("conversation", sa.JSON(), nullable=False),
        sa.Column("citations", sa.JSON(), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("extra", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name="fk_answer_body_answer_id"),
        sa.PrimaryKeyConstraint("answer_id", name="pk_answer_body"),
    )


def _label() -> None:
    """Make the table label."""
    op.create_table(
        "label",
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("metric", sa.String(), nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("worst", sa.Float(), nullable=True),
        sa.Column("best", sa.Float(), nullable=True),
        sa.Column("label", sa.String(), nullable=True),
        sa.Column("person", sa.String(), nullable=True),
        sa.Column("at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name="fk_label_answer_id"),
        sa.PrimaryKeyConstraint("answer_id", "position", name="pk_label"),
        sqlite_with_rowid=False,
    )


def _retrieved() -> None:
    """Make the table retrieved."""
    op.create_table(
        "retrieved",
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("chunk_id", sa.String(), nullable=False),
        sa.Column("doc_id", sa.String(), nullable=True),
        sa.Column("doc_version", sa.String(), nullable=True),
        sa.Column("text_sha", sa.String(), nullable=True),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("used", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name="fk_retrieved_answer_id"),
        sa.ForeignKeyConstraint(["text_sha"], ["chunk_text.sha256"], name="fk_retrieved_text_sha"),
        sa.PrimaryKeyConstraint("answer_id", "position", name="pk_retrieved"),
        sqlite_with_rowid=False,
    )


def _score() -> None:
    """Make the table score."""
    op.create_table(
        "score",
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("metric", sa.String(), nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("worst", sa.Float(), nullable=True),
        sa.Column("best", sa.Float(), nullable=True),
        sa.Column("inverted", sa.Boolean(), nullable=False),
        sa.Column("judge", sa.String(), nullable=True),
        sa.Column("prompt_version", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("error_kind", sa.String(), nullable=True),
        sa.Column("chunk_id", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name="fk_score_answer_id"),
        sa.PrimaryKeyConstraint("answer_id", "position", name="pk_score"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_score_metric",
        "score",
        ["metric", "answer_id", "inverted", "value", "chunk_id"],
        unique=False,
        sqlite_where=sa.text("chunk_id IS NULL"),
        postgresql_where=sa.text("chunk_id IS NULL"),
    )


def _signal() -> None:
    """Make the table signal."""
    op.create_table(
        "signal",
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.String(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("comment", sa.String(), nullable=True),
        sa.Column("at", UtcTime(), nullable=True),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("rule", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name="fk_signal_answer_id"),
        sa.PrimaryKeyConstraint("answer_id", "position", name="pk_signal"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_signal_group_id", "signal", ["group_id", "kind"], unique=False)


def upgrade() -> None:
    """Make the tables."""
    _chunk_text()
    _counter()
    _facet()
    _note()
    _question_group()
    _answer()
    _answer_indexes()
    _chunk()
    _answer_body()
    _label()
    _retrieved()
    _score()
    _signal()


def downgrade() -> None:
    """Drop the tables."""
    for table in [
        "signal",
        "score",
        "retrieved",
        "label",
        "answer_body",
        "chunk",
        "answer",
        "question_group",
        "note",
        "facet",
        "counter",
        "chunk_text",
    ]:
        op.drop_table(table)
