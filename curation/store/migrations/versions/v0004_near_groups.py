"""Question groups that ask nearly the same."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table near_group; it is empty until the next rebuild."""
    op.create_table(
        "near_group",
        sa.Column("group_id", sa.String(), nullable=False),
        sa.Column("leader_id", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("group_id", name="pk_near_group"),
    )
    op.create_index("ix_near_group_leader_id", "near_group", ["leader_id"], unique=False)


def downgrade() -> None:
    """Remove the table."""
    op.drop_table("near_group")
