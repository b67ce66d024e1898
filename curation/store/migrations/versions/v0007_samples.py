"""Samples of the queue, who settled a disagreement, and holds that two people can have at once."""

import sqlalchemy as sa
from alembic import op

from curation.store.types import UtcTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, and give holds a slot."""
    _samples()
    _adjudications()
    _slots()


def _samples() -> None:
    """Make the tables sample and sample_item."""
    op.create_table(
        "sample",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("drawn_at", UtcTime(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("asked_for", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("control_share", sa.Float(), nullable=False),
        sa.Column("double_share", sa.Float(), nullable=False),
        sa.Column("since", UtcTime(), nullable=True),
        sa.Column("until", UtcTime(), nullable=True),
        sa.Column("frame", sa.Integer(), nullable=False),
        sa.Column("control", sa.Integer(), nullable=False),
        sa.Column("targeted", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sample"),
    )
    op.create_table(
        "sample_item",
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("arm", sa.String(), nullable=False),
        sa.Column("pi", sa.Float(), nullable=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["sample_id"], ["sample.id"], name="fk_sample_item_sample_id"),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name="fk_sample_item_answer_id"),
        sa.PrimaryKeyConstraint("sample_id", "answer_id", name="pk_sample_item"),
    )
    op.create_index("ix_sample_item_answer_id", "sample_item", ["answer_id"], unique=False)
    op.create_index("ix_sample_item_slots", "sample_item", ["slots"], unique=False)


def _adjudications() -> None:
    """Make the table adjudication."""
    op.create_table(
        "adjudication",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("review_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name="fk_adjudication_answer_id"),
        sa.ForeignKeyConstraint(["review_id"], ["review.id"], name="fk_adjudication_review_id"),
        sa.PrimaryKeyConstraint("id", name="pk_adjudication"),
    )
    op.create_index("ix_adjudication_answer_id", "adjudication", ["answer_id"], unique=False)


def _slots() -> None:
    """Make the table lease anew with a slot in its key; the holds that last are kept."""
    op.drop_index("ix_lease_person", "lease")
    op.drop_index("ix_lease_until", "lease")
    op.rename_table("lease", "lease_before")
    op.create_table(
        "lease",
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("slot", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("until", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name="fk_lease_answer_id_slot"),
        sa.PrimaryKeyConstraint("answer_id", "slot", name="pk_lease_slot"),
    )
    op.execute(
        "INSERT INTO lease (answer_id, slot, person, name, email, until) "
        "SELECT answer_id, '', person, name, email, until FROM lease_before"
    )
    op.drop_table("lease_before")
    op.create_index("ix_lease_person", "lease", ["person"], unique=False)
    op.create_index("ix_lease_until", "lease", ["until"], unique=False)


def downgrade() -> None:
    """Remove the tables and the slots; of two holds on an answer one is kept."""
    op.execute("DELETE FROM lease WHERE slot <> ''")
    with op.batch_alter_table("lease") as table:
        table.drop_column("slot")
    op.drop_table("adjudication")
    op.drop_table("sample_item")
    op.drop_table("sample")
