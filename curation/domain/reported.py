"""What another program reports of a user."""

from typing import Annotated

from pydantic import Field, StringConstraints

from curation.domain.answer import Moment, SignalKind
from curation.domain.base import Value

LONGEST = 20_000  # characters of a comment or correction
_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
_Words = Annotated[str, StringConstraints(max_length=LONGEST)]


class ReportedSignal(Value):
    """One signal of one answer; a correction carries the right words as its value."""

    answer_id: _Name
    kind: SignalKind
    value: float | bool | _Words | None = Field(default=None, union_mode="smart")
    comment: _Words | None = None
    at: Moment | None = None
    user: _Name | None = None
