"""Holds, drafts, reviews and changes."""

import sqlalchemy as sa
from alembic import op

from curation.store.types import UtcTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def _change() -> None:
    """Make the table change."""
    op.create_table(
        "change",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("case_id", sa.String(), nullable=True),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("answer_id", sa.String(), nullable=True),
        sa.Column("failure", sa.String(), nullable=True),
        sa.Column("import_source", sa.String(), nullable=True),
        sa.Column("conflict", sa.String(), nullable=True),
        sa.Column("version", sa.String(), nullable=True),
        sa.Column("commit_id", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_change"),
        sa.UniqueConstraint("number", name="uq_change_number"),
    )
    op.create_index("ix_change_answer_id", "change", ["answer_id"], unique=False)
    op.create_index("ix_change_case_id", "change", ["case_id"], unique=False)
    op.create_index("ix_change_state", "change", ["state"], unique=False)


def _approval() -> None:
    """Make the table approval."""
    op.create_table(
        "approval",
        sa.Column("change_id", sa.String(), nullable=False),
        sa.Column("patch_set", sa.Integer(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["change_id"], ["change.id"], name="fk_approval_change_id"),
        sa.PrimaryKeyConstraint("change_id", "patch_set", "person", name="pk_approval"),
    )


def _comment() -> None:
    """Make the table comment."""
    op.create_table(
        "comment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("change_id", sa.String(), nullable=False),
        sa.Column("patch_set", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("field", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["change_id"], ["change.id"], name="fk_comment_change_id"),
        sa.PrimaryKeyConstraint("id", name="pk_comment"),
    )
    op.create_index("ix_comment_change_id", "comment", ["change_id"], unique=False)


def _patch_set() -> None:
    """Make the table patch_set."""
    op.create_table(
        "patch_set",
        sa.Column("change_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("base_blob", sa.String(), nullable=True),
        sa.Column("base_version", sa.String(), nullable=True),
        sa.Column("files", sa.JSON(), nullable=False),
        sa.Column("findings", sa.JSON(), nullable=False),
        sa.Column("acks", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["change_id"], ["change.id"], name="fk_patch_set_change_id"),
        sa.PrimaryKeyConstraint("change_id", "number", name="pk_patch_set"),
    )


def _coverage() -> None:
    """Make the table coverage."""
    op.create_table(
        "coverage",
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("by_answer", sa.String(), nullable=False),
        sa.Column("change_id", sa.String(), nullable=True),
        sa.Column("case_id", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name="fk_coverage_answer_id"),
        sa.ForeignKeyConstraint(["by_answer"], ["answer.id"], name="fk_coverage_by_answer"),
        sa.PrimaryKeyConstraint("answer_id", name="pk_coverage"),
    )
    op.create_index("ix_coverage_by_answer", "coverage", ["by_answer"], unique=False)


def _draft_field() -> None:
    """Make the table draft_field."""
    op.create_table(
        "draft_field",
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("field", sa.String(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("saved_at", UtcTime(), nullable=False),
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name="fk_draft_field_answer_id"),
        sa.PrimaryKeyConstraint("answer_id", "person", "field", name="pk_draft_field"),
    )


def _judge_seen() -> None:
    """Make the table judge_seen."""
    op.create_table(
        "judge_seen",
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name="fk_judge_seen_answer_id"),
        sa.PrimaryKeyConstraint("answer_id", "person", name="pk_judge_seen"),
    )


def _lease() -> None:
    """Make the table lease."""
    op.create_table(
        "lease",
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("until", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name="fk_lease_answer_id"),
        sa.PrimaryKeyConstraint("answer_id", name="pk_lease"),
    )
    op.create_index("ix_lease_person", "lease", ["person"], unique=False)
    op.create_index("ix_lease_until", "lease", ["until"], unique=False)


def _review() -> None:
    """Make the table review."""
    op.create_table(
        "review",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("blind", sa.Boolean(), nullable=False),
        sa.Column("proposed_failure", sa.String(), nullable=True),
        sa.Column("failure", sa.String(), nullable=True),
        sa.Column("change_id", sa.String(), nullable=True),
        sa.Column("duplicate_of", sa.String(), nullable=True),
        sa.Column("void", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name="fk_review_answer_id"),
        sa.PrimaryKeyConstraint("id", name="pk_review"),
    )
    op.create_index("ix_review_answer_id", "review", ["answer_id"], unique=False)
    op.create_index("ix_review_change_id", "review", ["change_id"], unique=False)
    op.create_index("ix_review_person_at", "review", ["person", "at"], unique=False)


def _skip() -> None:
    """Make the table skip."""
    op.create_table(
        "skip",
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("day", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name="fk_skip_answer_id"),
        sa.PrimaryKeyConstraint("answer_id", "person", "day", name="pk_skip"),
    )


def upgrade() -> None:
    """Make the tables."""
    _change()
    _approval()
    _comment()
    _patch_set()
    _coverage()
    _draft_field()
    _judge_seen()
    _lease()
    _review()
    _skip()


def downgrade() -> None:
    """Drop the tables."""
    for table in [
        "skip",
        "review",
        "lease",
        "judge_seen",
        "draft_field",
        "coverage",
        "patch_set",
        "comment",
        "approval",
        "change",
    ]:
        op.drop_table(table)
