"""The golden repository: reading, publishing, looking back, proving. The only user of git."""

from curation.golden.create import create
from curation.golden.errors import (
    FrozenError,
    GitFailedError,
    GitMissingError,
    GoldenError,
    GoldenWriteError,
    LockedError,
    NotAGoldenSetError,
    RacedError,
    ShallowError,
    StaleCaseError,
    UnknownVersionError,
)
from curation.golden.ids import (
    OnBranch,
    highest_case_number,
    published_change_ids,
    used_ids,
)
from curation.golden.location import Location
from curation.golden.outcome import (
    ApprovedChange,
    Conflict,
    ConflictReason,
    Published,
    PublishOutcome,
    Worktree,
)
from curation.golden.publish import publish
from curation.golden.reader import (
    GoldenSet,
    blob_text,
    canonical_person,
    open_experiments,
    read_file,
    read_version,
)

__all__ = [
    "ApprovedChange",
    "Conflict",
    "ConflictReason",
    "FrozenError",
    "GitFailedError",
    "GitMissingError",
    "GoldenError",
    "GoldenSet",
    "GoldenWriteError",
    "Location",
    "LockedError",
    "NotAGoldenSetError",
    "OnBranch",
    "PublishOutcome",
    "Published",
    "RacedError",
    "ShallowError",
    "StaleCaseError",
    "UnknownVersionError",
    "Worktree",
    "blob_text",
    "canonical_person",
    "create",
    "highest_case_number",
    "open_experiments",
    "publish",
    "published_change_ids",
    "read_file",
    "read_version",
    "used_ids",
]
