"""The table of question groups that ask nearly the same; derived, made anew by one command."""

from sqlmodel import Field

from curation.store.tables import Row


class NearGroupRow(Row, table=True):
    """A question group and the one that stands for it; groups that are alone have no row."""

    __tablename__ = "near_group"

    group_id: str = Field(primary_key=True)
    leader_id: str = Field(index=True)
