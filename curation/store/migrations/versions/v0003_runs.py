"""Evaluation runs, their reports, and settled facts."""

import sqlalchemy as sa
from alembic import op

from curation.store.types import UtcTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def _run() -> None:
    """Make the tables run and run_body."""
    op.create_table(
        "run",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("pipeline", sa.String(), nullable=True),
        sa.Column("version", sa.String(), nullable=True),
        sa.Column("cases_tree", sa.String(), nullable=True),
        sa.Column("repeats", sa.Integer(), nullable=False),
        sa.Column("outputs", sa.Integer(), nullable=False),
        sa.Column("stored_at", UtcTime(), nullable=False),
        sa.Column("stored_by", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("sha256", name="pk_run"),
    )
    op.create_index("ix_run_stored_at", "run", ["stored_at"], unique=False)
    op.create_index("ix_run_version", "run", ["version"], unique=False)
    op.create_table(
        "run_body",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["sha256"], ["run.sha256"], name="fk_run_body_sha256"),
        sa.PrimaryKeyConstraint("sha256", name="pk_run_body"),
    )


def _report() -> None:
    """Make the tables report and report_body."""
    op.create_table(
        "report",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("run_sha256", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=True),
        sa.Column("cases_tree", sa.String(), nullable=True),
        sa.Column("pipeline", sa.String(), nullable=True),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("recall", sa.Float(), nullable=True),
        sa.Column("faithfulness", sa.Float(), nullable=True),
        sa.Column("made_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["run_sha256"], ["run.sha256"], name="fk_report_run_sha256"),
        sa.PrimaryKeyConstraint("id", name="pk_report"),
    )
    op.create_index("ix_report_made_at", "report", ["made_at"], unique=False)
    op.create_index("ix_report_run_sha256", "report", ["run_sha256"], unique=False)
    op.create_index("ix_report_version", "report", ["version"], unique=False)
    op.create_table(
        "report_body",
        sa.Column("report_id", sa.String(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name="fk_report_body_report_id"),
        sa.PrimaryKeyConstraint("report_id", name="pk_report_body"),
    )


def _settlement() -> None:
    """Make the table settlement."""
    op.create_table(
        "settlement",
        sa.Column("case_id", sa.String(), nullable=False),
        sa.Column("fact_id", sa.String(), nullable=False),
        sa.Column("answer_sha256", sa.String(), nullable=False),
        sa.Column("presence", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("settled_by", sa.String(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("case_id", "fact_id", "answer_sha256", name="pk_settlement"),
    )


def upgrade() -> None:
    """Make the tables."""
    _run()
    _report()
    _settlement()


def downgrade() -> None:
    """Drop the tables."""
    for table in ["settlement", "report_body", "report", "run_body", "run"]:
        op.drop_table(table)
