"""What is given to the publisher and what comes back."""

from dataclasses import dataclass
from enum import StrEnum

from curation.domain.change import Change
from curation.domain.person import Person


@dataclass(frozen=True, kw_only=True)
class ApprovedChange:
    """A change and who approved its newest patch set.

    `baseline_fails` says that the case it retires, or whose weight, slice or answerability it
    edits, fails on the current baseline; the commit then says so too.
    """

    change: Change
    approvers: tuple[Person, ...]
    baseline_fails: bool = False


@dataclass(frozen=True, kw_only=True)
class Published:
    """A change that is on the branch. `case_id` is None unless it is about one case."""

    change_id: str
    case_id: str | None
    commit: str
    version: str | None


class ConflictReason(StrEnum):
    """Why a change could not go out."""

    CHANGED_UNDERNEATH = "changed_underneath"
    ID_TAKEN = "id_taken"
    NOT_APPROVED = "not_approved"
    INVALID = "invalid"


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """A change that could not go out, and why.

    `theirs` is the blob that the case (or policy) has now, None when it is gone.
    """

    change_id: str
    case_id: str | None
    reason: ConflictReason
    message: str
    theirs: str | None = None


class Worktree(StrEnum):
    """What became of the checked-out files."""

    SYNCED = "synced"
    LEFT_ALONE = "left_alone"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class PublishOutcome:
    """What a publish did.

    `version` is None when there was nothing to write; `commit` is where the branch is then.
    `published` has what this call wrote, `skipped` what the branch already had.
    """

    version: str | None
    commit: str
    published: tuple[Published, ...]
    conflicts: tuple[Conflict, ...]
    skipped: tuple[Published, ...]
    worktree: Worktree
    worktree_note: str
