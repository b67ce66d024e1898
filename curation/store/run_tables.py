"""The tables of evaluation runs and their reports.

The raw outputs are kept to the byte, because gate and compare score them again.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON
from sqlmodel import Field

from curation.store.tables import Row
from curation.store.types import UtcTime


class RunRow(Row, table=True):
    """A run: which pipeline answered the cases of which version; its hash is its name."""

    __tablename__ = "run"

    sha256: str = Field(primary_key=True)
    pipeline: str | None = None
    version: str | None = Field(default=None, index=True)
    cases_tree: str | None = None
    repeats: int
    outputs: int
    stored_at: datetime = Field(sa_type=UtcTime, index=True)
    stored_by: str | None = None


class RunBodyRow(Row, table=True):
    """The text of a run, as it was given."""

    __tablename__ = "run_body"

    sha256: str = Field(primary_key=True, foreign_key="run.sha256")
    text: str


class ReportRow(Row, table=True):
    """What lists need of a report."""

    __tablename__ = "report"

    id: str = Field(primary_key=True)
    run_sha256: str = Field(foreign_key="run.sha256", index=True)
    version: str | None = Field(default=None, index=True)
    cases_tree: str | None = None
    pipeline: str | None = None
    n: int
    recall: float | None = None
    faithfulness: float | None = None
    made_at: datetime = Field(sa_type=UtcTime, index=True)


class ReportBodyRow(Row, table=True):
    """A report as its document."""

    __tablename__ = "report_body"

    report_id: str = Field(primary_key=True, foreign_key="report.id")
    document: dict[str, Any] = Field(sa_type=JSON)


class SettlementRow(Row, table=True):
    """What a judge or a person said of a fact that the matcher was unsure of in one answer."""

    __tablename__ = "settlement"

    case_id: str = Field(primary_key=True)
    fact_id: str = Field(primary_key=True)
    answer_sha256: str = Field(primary_key=True)
    presence: str
    why: str
    settled_by: str
    at: datetime = Field(sa_type=UtcTime)
