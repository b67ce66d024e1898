"""A proposed change of the golden set, its patch sets, comments and approvals."""

from datetime import datetime
from enum import StrEnum

from curation.domain.base import Value
from curation.domain.finding import Finding
from curation.domain.person import Person
from curation.domain.review import Acknowledgement, FailureCategory


class ChangeKind(StrEnum):
    """What a change does; the first four touch one case."""

    ADD = "add"
    EDIT = "edit"
    RETIRE = "retire"
    RESTORE = "restore"
    POLICY = "policy"
    BASELINE = "baseline"
    IMPORT = "import"


class ChangeState(StrEnum):
    """Where a change stands."""

    PROPOSED = "proposed"
    CHANGES_ASKED = "changes_asked"
    APPROVED = "approved"
    CONFLICT = "conflict"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"

    @property
    def closed(self) -> bool:
        """Whether nothing more can happen to the change."""
        return self in {ChangeState.PUBLISHED, ChangeState.WITHDRAWN}


OPEN_STATES = tuple(state for state in ChangeState if not state.closed)


class FileContent(Value):
    """The exact text of one file of the golden set, path relative to the golden path."""

    path: str
    text: str


class PatchSet(Value):
    """One version of a change: the exact files it would write, on the exact state it was based on.

    `base_blob` is the git blob id of the case file that the author saw; None for an addition.
    `base_version` is the newest version at that time, for people.
    """

    number: int
    author: Person
    at: datetime
    reason: str
    base_blob: str | None
    base_version: str | None
    files: tuple[FileContent, ...]
    findings: tuple[Finding, ...] = ()
    acks: tuple[Acknowledgement, ...] = ()


class Approval(Value):
    """A person's yes to the exact bytes of one patch set."""

    patch_set: int
    person: Person
    at: datetime


class Comment(Value):
    """A remark on a field, a fact or the whole change, made on one patch set."""

    patch_set: int
    person: Person
    at: datetime
    text: str
    field: str | None = None


class Change(Value):
    """A proposed change. `id` is the uuid of the trailer `Change-Id`, `number` is for people."""

    id: str
    number: int
    kind: ChangeKind
    state: ChangeState
    case_id: str | None
    created_at: datetime
    answer_id: str | None = None
    failure: FailureCategory | None = None
    import_source: str | None = None  # "<file name> sha256:<hex>"
    patch_sets: tuple[PatchSet, ...] = ()
    approvals: tuple[Approval, ...] = ()
    comments: tuple[Comment, ...] = ()
    conflict: str | None = None
    version: str | None = None
    commit: str | None = None

    @property
    def latest(self) -> PatchSet:
        """The newest patch set."""
        return self.patch_sets[-1]

    @property
    def authors(self) -> tuple[Person, ...]:
        """Everyone who uploaded a patch set, first first, each once."""
        seen: dict[str, Person] = {}
        for patch_set in self.patch_sets:
            seen.setdefault(patch_set.author.key, patch_set.author)
        return tuple(seen.values())

    @property
    def valid_approvals(self) -> tuple[Approval, ...]:
        """The approvals of the newest patch set."""
        return tuple(a for a in self.approvals if a.patch_set == self.latest.number)

    @property
    def shown_number(self) -> str:
        """The number as people read it: `0148`."""
        return f"{self.number:04d}"
