"""The tables of spot checks: a draw for blind labelling, its items, and what people said."""

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint, Index
from sqlmodel import Field

from curation.store.tables import Row
from curation.store.types import UtcTime


class SpotCheckRow(Row, table=True):
    """A draw over the scores of one judge for one metric; `decides` breaks ties between people."""

    __tablename__ = "spot_check"

    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    metric: str
    judge: str | None = None
    prompt_version: str | None = None
    seed: int
    wanted: int
    decides: bool = False
    person: str
    name: str
    email: str
    at: datetime = Field(sa_type=UtcTime)


class SpotItemRow(Row, table=True):
    """An answer, or one of its chunks, that was drawn, and how probable that was."""

    __tablename__ = "spot_item"
    __table_args__ = (Index("ix_spot_item_answer_id", "answer_id"),)

    check_number: int = Field(primary_key=True, foreign_key="spot_check.number")
    position: int = Field(primary_key=True)
    answer_id: str = Field(foreign_key="answer.id")
    chunk_id: str | None = None
    stratum: str
    probability: float


class SpotLabelRow(Row, table=True):
    """What one person said of one item: 0, 1 or 2."""

    __tablename__ = "spot_label"
    __table_args__ = (
        ForeignKeyConstraint(
            ["check_number", "position"],
            ["spot_item.check_number", "spot_item.position"],
            name="fk_spot_label_check_number_position",
        ),
    )

    check_number: int = Field(primary_key=True)
    position: int = Field(primary_key=True)
    person: str = Field(primary_key=True)
    name: str
    email: str
    level: int
    seconds: float | None = None
    at: datetime = Field(sa_type=UtcTime)
    blind: bool
