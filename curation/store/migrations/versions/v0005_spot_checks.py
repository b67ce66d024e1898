"""Spot checks: what was drawn for blind labelling, and what each person said of it."""

import sqlalchemy as sa
from alembic import op

from curation.store.types import UtcTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def _check() -> None:
    """Make the table spot_check."""
    op.create_table(
        "spot_check",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("metric", sa.String(), nullable=False),
        sa.Column("judge", sa.String(), nullable=True),
        sa.Column("prompt_version", sa.String(), nullable=True),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("decides", sa.Boolean(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_spot_check"),
    )


def _item() -> None:
    """Make the table spot_item."""
    op.create_table(
        "spot_item",
        sa.Column("check_number", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("chunk_id", sa.String(), nullable=True),
        sa.Column("stratum", sa.String(), nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["check_number"], ["spot_check.number"], name="fk_spot_item_check_number"
        ),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name="fk_spot_item_answer_id"),
        sa.PrimaryKeyConstraint("check_number", "position", name="pk_spot_item"),
    )
    op.create_index("ix_spot_item_answer_id", "spot_item", ["answer_id"], unique=False)


def _label() -> None:
    """Make the table spot_label."""
    op.create_table(
        "spot_label",
        sa.Column("check_number", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("blind", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["check_number", "position"],
            ["spot_item.check_number", "spot_item.position"],
            name="fk_spot_label_check_number_position",
        ),
        sa.PrimaryKeyConstraint("check_number", "position", "person", name="pk_spot_label"),
    )


def upgrade() -> None:
    """Make the tables."""
    _check()
    _item()
    _label()


def downgrade() -> None:
    """Drop the tables."""
    for table in ["spot_label", "spot_item", "spot_check"]:
        op.drop_table(table)
