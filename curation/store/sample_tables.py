"""The tables of samples: what was drawn with which probability, and who settled disagreements."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON
from sqlmodel import Field

from curation.store.tables import Row
from curation.store.types import UtcTime


class SampleRow(Row, table=True):
    """A sample of the queue: how it was drawn, and from how many answers."""

    __tablename__ = "sample"

    id: int | None = Field(default=None, primary_key=True)
    drawn_at: datetime = Field(sa_type=UtcTime)
    name: str
    email: str
    asked_for: int
    seed: int
    control_share: float
    double_share: float
    since: datetime | None = Field(default=None, sa_type=UtcTime)
    until: datetime | None = Field(default=None, sa_type=UtcTime)
    frame: int
    control: int
    targeted: int


class SampleItemRow(Row, table=True):
    """A sampled answer; `position` is its place in the served order, random over both arms."""

    __tablename__ = "sample_item"

    sample_id: int = Field(primary_key=True, foreign_key="sample.id")
    answer_id: str = Field(primary_key=True, foreign_key="answer.id", index=True)
    position: int
    arm: str
    pi: float
    slots: int = Field(index=True)


class AdjudicationRow(Row, table=True):
    """Somebody said which of several verdicts on an answer stands; `void`: and took it back.

    `withdrawn` are the changes that did not stand, each with the state that it had before.
    """

    __tablename__ = "adjudication"

    id: int | None = Field(default=None, primary_key=True)
    answer_id: str = Field(foreign_key="answer.id", index=True)
    review_id: int = Field(foreign_key="review.id")
    name: str
    email: str
    at: datetime = Field(sa_type=UtcTime)
    reason: str
    void: bool = False
    withdrawn: list[Any] = Field(default_factory=list, sa_type=JSON)
