"""The tables of reviews and changes."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index
from sqlmodel import Field

from curation.store.tables import Row
from curation.store.types import UtcTime


class LeaseRow(Row, table=True):
    """Who holds an answer until when; one that is over counts for nothing.

    The slot is empty, so that one person holds an answer; where two people are to look without
    knowing of each other, it is the person's key.
    """

    __tablename__ = "lease"

    answer_id: str = Field(primary_key=True, foreign_key="answer.id")
    slot: str = Field(primary_key=True)
    person: str = Field(index=True)
    name: str
    email: str
    until: datetime = Field(sa_type=UtcTime, index=True)


class SkipRow(Row, table=True):
    """An answer that a person does not want to see again on that day."""

    __tablename__ = "skip"

    answer_id: str = Field(primary_key=True, foreign_key="answer.id")
    person: str = Field(primary_key=True)
    day: str = Field(primary_key=True)


class JudgeSeenRow(Row, table=True):
    """A person saw the judge's part of an answer before their verdict."""

    __tablename__ = "judge_seen"

    answer_id: str = Field(primary_key=True, foreign_key="answer.id")
    person: str = Field(primary_key=True)
    at: datetime = Field(sa_type=UtcTime)


class DraftFieldRow(Row, table=True):
    """One field of one person's draft; `version` counts its saves."""

    __tablename__ = "draft_field"

    answer_id: str = Field(primary_key=True, foreign_key="answer.id")
    person: str = Field(primary_key=True)
    field: str = Field(primary_key=True)
    value: Any = Field(sa_type=JSON)
    version: int
    saved_at: datetime = Field(sa_type=UtcTime)
    archived: bool = False


class ReviewRow(Row, table=True):
    """A finished review; one that was taken back, or whose change was withdrawn, is void."""

    __tablename__ = "review"
    __table_args__ = (
        Index("ix_review_answer_id", "answer_id"),
        Index("ix_review_person_at", "person", "at"),
        Index("ix_review_change_id", "change_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    answer_id: str = Field(foreign_key="answer.id")
    person: str
    name: str
    email: str
    verdict: str
    reason: str
    at: datetime = Field(sa_type=UtcTime)
    blind: bool
    proposed_failure: str | None = None
    failure: str | None = None
    change_id: str | None = None
    duplicate_of: str | None = None
    void: bool = False


class CoverageRow(Row, table=True):
    """An answer that another answer's review answers for."""

    __tablename__ = "coverage"
    __table_args__ = (Index("ix_coverage_by_answer", "by_answer"),)

    answer_id: str = Field(primary_key=True, foreign_key="answer.id")
    by_answer: str = Field(foreign_key="answer.id")
    change_id: str | None = None
    case_id: str | None = None


class ChangeRow(Row, table=True):
    """A proposed change."""

    __tablename__ = "change"
    __table_args__ = (
        Index("ix_change_state", "state"),
        Index("ix_change_case_id", "case_id"),
        Index("ix_change_answer_id", "answer_id"),
    )

    id: str = Field(primary_key=True)
    number: int = Field(unique=True)
    kind: str
    state: str
    case_id: str | None = None
    created_at: datetime = Field(sa_type=UtcTime)
    answer_id: str | None = None
    failure: str | None = None
    import_source: str | None = None
    conflict: str | None = None
    version: str | None = None
    commit_id: str | None = None


class PatchSetRow(Row, table=True):
    """One version of a change."""

    __tablename__ = "patch_set"

    change_id: str = Field(primary_key=True, foreign_key="change.id")
    number: int = Field(primary_key=True)
    name: str
    email: str
    at: datetime = Field(sa_type=UtcTime)
    reason: str
    base_blob: str | None = None
    base_version: str | None = None
    files: list[Any] = Field(sa_type=JSON)
    findings: list[Any] = Field(sa_type=JSON)
    acks: list[Any] = Field(sa_type=JSON)


class ApprovalRow(Row, table=True):
    """A person's yes to one patch set."""

    __tablename__ = "approval"

    change_id: str = Field(primary_key=True, foreign_key="change.id")
    patch_set: int = Field(primary_key=True)
    person: str = Field(primary_key=True)
    name: str
    email: str
    at: datetime = Field(sa_type=UtcTime)


class CommentRow(Row, table=True):
    """A remark on a change."""

    __tablename__ = "comment"
    __table_args__ = (Index("ix_comment_change_id", "change_id"),)

    id: int | None = Field(default=None, primary_key=True)
    change_id: str = Field(foreign_key="change.id")
    patch_set: int
    name: str
    email: str
    at: datetime = Field(sa_type=UtcTime)
    text: str
    field: str | None = None
