"""The golden repository: reading, publishing, looking back, proving. The only user of git."""

from curation.golden.audit import audit
from curation.golden.audit_report import AuditFinding, AuditNotice, AuditReport
from curation.golden.condition import broken_policy, known_people, missing_tags
from curation.golden.create import create
from curation.golden.errors import (
    FrozenError,
    GitFailedError,
    GoldenWriteError,
    LockedError,
    NotAGoldenSetError,
    RacedError,
    ShallowError,
    UnknownVersionError,
)
from curation.golden.experiment_commits import (
    Closing,
    ExperimentWritten,
    Opening,
    close_experiment,
    open_experiment,
    record_experiment,
)
from curation.golden.experiment_files import value_bytes as baseline_bytes
from curation.golden.experiment_reader import (
    baseline_blob,
    list_experiments,
    read_baseline,
    read_experiment,
    read_numbers,
)
from curation.golden.fetch import fetch_golden, is_address
from curation.golden.history import CaseEvent, FactOrigin, case_blame, case_history
from curation.golden.ids import (
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
    read_version,
)
from curation.golden.sweep import maintain, sweep
from curation.golden.validate import ValidationReport, validate
from curation.golden.versions import (
    VersionDiff,
    VersionInfo,
    diff_versions,
    list_versions,
    versions_with_cases,
)

__all__ = [
    "ApprovedChange",
    "AuditFinding",
    "AuditNotice",
    "AuditReport",
    "CaseEvent",
    "Closing",
    "Conflict",
    "ConflictReason",
    "ExperimentWritten",
    "FactOrigin",
    "FrozenError",
    "GitFailedError",
    "GoldenSet",
    "GoldenWriteError",
    "Location",
    "LockedError",
    "NotAGoldenSetError",
    "Opening",
    "PublishOutcome",
    "Published",
    "RacedError",
    "ShallowError",
    "UnknownVersionError",
    "ValidationReport",
    "VersionDiff",
    "VersionInfo",
    "Worktree",
    "audit",
    "baseline_blob",
    "baseline_bytes",
    "blob_text",
    "broken_policy",
    "canonical_person",
    "case_blame",
    "case_history",
    "close_experiment",
    "create",
    "diff_versions",
    "fetch_golden",
    "highest_case_number",
    "is_address",
    "known_people",
    "list_experiments",
    "list_versions",
    "maintain",
    "missing_tags",
    "open_experiment",
    "open_experiments",
    "publish",
    "published_change_ids",
    "read_baseline",
    "read_experiment",
    "read_numbers",
    "read_version",
    "record_experiment",
    "sweep",
    "used_ids",
    "validate",
    "versions_with_cases",
]
