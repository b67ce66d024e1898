"""What letting one of several verdicts stand withdrew, and whether that was taken back."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns to the table adjudication."""
    op.add_column(
        "adjudication",
        sa.Column("void", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.add_column(
        "adjudication", sa.Column("withdrawn", sa.JSON(), nullable=False, server_default="[]")
    )


def downgrade() -> None:
    """Remove the columns."""
    with op.batch_alter_table("adjudication") as table:
        table.drop_column("withdrawn")
        table.drop_column("void")
