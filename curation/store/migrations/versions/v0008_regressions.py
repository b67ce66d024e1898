"""What regressed: the answer by its question group, and its place on top as a column of its own."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_NOTE = "regressions"
_PLACE = "ix_question_group_place"


def upgrade() -> None:
    """Take out of the priority what put a group on top; the noted answers move to their groups."""
    op.add_column(
        "question_group",
        sa.Column("on_top", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.add_column("question_group", sa.Column("regressed", sa.String(), nullable=True))
    op.execute(
        "UPDATE question_group SET on_top = true, stale = true, priority = priority - 1e9 "
        "WHERE priority >= 1e9"
    )
    _move_the_note()
    op.drop_index(_PLACE, "question_group")
    _place(["on_top", "priority", "newest", "id"])
    op.create_index(
        "ix_question_group_regressed",
        "question_group",
        ["regressed"],
        unique=False,
        sqlite_where=sa.text("regressed IS NOT NULL"),
        postgresql_where=sa.text("regressed IS NOT NULL"),
    )


def _move_the_note() -> None:
    """Write the answers that regressed to their groups."""
    connection = op.get_bind()
    note = sa.table("note", sa.column("name", sa.String), sa.column("value", sa.JSON))
    group = sa.table(
        "question_group", sa.column("id", sa.String), sa.column("regressed", sa.String)
    )
    noted = connection.execute(sa.select(note.c.value).where(note.c.name == _NOTE)).scalar()
    for group_id, answer_id in (noted or {}).items():
        which = group.c.id == group_id
        connection.execute(sa.update(group).where(which).values(regressed=answer_id))
    connection.execute(sa.delete(note).where(note.c.name == _NOTE))


def _place(columns: list[str]) -> None:
    """Make the index that the queue is read by."""
    op.create_index(
        _PLACE,
        "question_group",
        columns,
        unique=False,
        sqlite_where=sa.text("open_count > 0"),
        postgresql_where=sa.text("open_count > 0"),
    )


def downgrade() -> None:
    """Take the columns out again; what regressed is found again by the next import."""
    op.drop_index("ix_question_group_regressed", "question_group")
    op.drop_index(_PLACE, "question_group")
    with op.batch_alter_table("question_group") as table:
        table.drop_column("regressed")
        table.drop_column("on_top")
    _place(["priority", "newest", "id"])
