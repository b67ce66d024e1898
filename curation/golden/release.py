"""The commit that makes a version: the built files and their counts."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from curation.codec import case_id_of, case_path
from curation.codec.paths import CASES
from curation.domain.change import ChangeKind
from curation.domain.person import Person
from curation.domain.plural import plural
from curation.golden.built_set import BuiltSet
from curation.golden.message import release_message
from curation.golden.parsed import ParsedCase
from curation.golden.plan import PlannedCommit
from curation.golden.tree import Entry, tree_id, with_files

_DONE = {
    ChangeKind.ADD: "added",
    ChangeKind.IMPORT: "imported",
    ChangeKind.EDIT: "edited",
    ChangeKind.RETIRE: "retired",
    ChangeKind.RESTORE: "restored",
}


def version_of(data: bytes | None) -> str | None:
    """Return the version that a `MANIFEST.json` names; None when it cannot be read."""
    try:
        name = json.loads(data or b"")["version"]
    except (ValueError, LookupError, TypeError):
        return None
    return name if isinstance(name, str) else None


def built_files(
    version: str, cases: Mapping[str, ParsedCase], *, cases_tree: str
) -> tuple[tuple[str, bytes], ...]:
    """Return `golden.jsonl` and `MANIFEST.json` of a version, by path."""
    return BuiltSet(cases).files(version, cases_tree=cases_tree)


def release_commit(
    version: str,
    files: Sequence[tuple[str, bytes]],
    *,
    publisher: Person,
    now: datetime,
    said: Sequence[str],
) -> PlannedCommit:
    """Return the commit that makes a version; `said` is what it brings, for people."""
    return PlannedCommit(
        change_id="",
        case_id=None,
        message=release_message(version, said),
        author=publisher,
        authored_at=now,
        committer=publisher,
        committed_at=now,
        files=tuple(files),
    )


def tree_after(
    case_files: Sequence[Entry],
    commits: Sequence[PlannedCommit],
    *,
    blobs: Mapping[str, str],
    like: str,
) -> str:
    """Return the id that the tree `cases` will have after the commits.

    Args:
        case_files: the files of the tree now, with paths relative to it.
        commits: what will be written.
        blobs: the blob id of each case afterwards, by case id.
        like: any object id, for the algorithm of the repository.
    """
    ids = (case_id_of(path) for commit in commits for path, _ in commit.files)
    written = {
        case_path(case_id).removeprefix(f"{CASES}/"): blobs[case_id]
        for case_id in ids
        if case_id is not None
    }
    return tree_id(with_files(case_files, written), like=like)


def summary(kinds: Sequence[tuple[ChangeKind, int]], active: int) -> list[str]:
    """Return what a release brings: `2 added, 1 retired, 126 cases count`."""
    numbers: dict[str, int] = {}
    for kind, number in kinds:
        word = _DONE.get(kind, "change of the policy")
        numbers[word] = numbers.get(word, 0) + number
    said = [f"{number} {word}" for word, number in numbers.items()]
    return [*said, plural(active, "case counts", "cases count")]
