"""What a judge works through, its calls and budget, scores of outputs, and when scores came."""

import sqlalchemy as sa
from alembic import op

from curation.store.types import UtcTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def _run() -> None:
    """Make the table judge_run."""
    op.create_table(
        "judge_run",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("judge_key", sa.String(), nullable=False),
        sa.Column("judge", sa.String(), nullable=False),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("asked_for", sa.JSON(), nullable=False),
        sa.Column("asked_for_sha", sa.String(), nullable=False),
        sa.Column("started_at", UtcTime(), nullable=False),
        sa.Column("ended_at", UtcTime(), nullable=True),
        sa.Column("ended_by", sa.String(), nullable=True),
        sa.Column("max_calls", sa.Integer(), nullable=True),
        sa.Column("max_cost", sa.Float(), nullable=True),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=True),
        sa.Column("held_back", sa.Float(), nullable=False),
        sa.Column("late", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_judge_run"),
    )
    op.create_index("ix_judge_run_judge_key", "judge_run", ["judge_key", "ended_at"], unique=False)
    op.create_index("ix_judge_run_started_at", "judge_run", ["started_at"], unique=False)


def _item() -> None:
    """Make the table judge_item."""
    op.create_table(
        "judge_item",
        sa.Column("judge_key", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("probability", sa.Float(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("worker", sa.String(), nullable=True),
        sa.Column("until", UtcTime(), nullable=True),
        sa.Column("taken", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("ok", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("done_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["judge_run.id"], name="fk_judge_item_run_id"),
        sa.PrimaryKeyConstraint("judge_key", "subject", name="pk_judge_item"),
    )
    op.create_index("ix_judge_item_run", "judge_item", ["run_id", "state", "place"], unique=False)


def _call() -> None:
    """Make the table judge_call."""
    op.create_table(
        "judge_call",
        sa.Column("judge_key", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("ask", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("metric", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("held_back", sa.Float(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=True),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("error_kind", sa.String(), nullable=True),
        sa.Column("latency_ms", sa.Float(), nullable=True),
        sa.Column("done_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["judge_run.id"], name="fk_judge_call_run_id"),
        sa.PrimaryKeyConstraint("judge_key", "subject", "round", "ask", name="pk_judge_call"),
    )
    op.create_index("ix_judge_call_done_at", "judge_call", ["done_at"], unique=False)


def _run_score() -> None:
    """Make the table run_score."""
    op.create_table(
        "run_score",
        sa.Column("run_sha256", sa.String(), nullable=False),
        sa.Column("case_id", sa.String(), nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("judge", sa.String(), nullable=False),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("metric", sa.String(), nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("worst", sa.Float(), nullable=True),
        sa.Column("best", sa.Float(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("error_kind", sa.String(), nullable=True),
        sa.Column("chunk_id", sa.String(), nullable=True),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["run_sha256"], ["run.sha256"], name="fk_run_score_run_sha256"),
        sa.PrimaryKeyConstraint(
            "run_sha256",
            "case_id",
            "repeat",
            "judge",
            "prompt_version",
            "position",
            name="pk_run_score",
        ),
    )


def upgrade() -> None:
    """Make the tables and the column."""
    op.add_column("score", sa.Column("at", UtcTime(), nullable=True))
    _run()
    _item()
    _call()
    _run_score()


def downgrade() -> None:
    """Drop the tables and the column."""
    for table in ["run_score", "judge_call", "judge_item", "judge_run"]:
        op.drop_table(table)
    with op.batch_alter_table("score") as batch:
        batch.drop_column("at")
