"""The versions of a set, and what changed from one to another."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curation.codec.built import counts
from curation.domain.case import Case
from curation.domain.diff import CaseDiff, diff_cases
from curation.domain.person import Person
from curation.domain.policy import Policy, parse_policy
from curation.golden.built_set import MANIFEST_FILE
from curation.golden.location import Location, OpenGolden, opened
from curation.golden.log import read_log
from curation.golden.parsed import PARSED, ParsedCase
from curation.golden.reader import Snapshot, commit_of, read_refs, snapshot
from curation.golden.record import Commit, moment_of
from curation.golden.tree import empty_tree


@dataclass(frozen=True, kw_only=True)
class VersionInfo:
    """One version; `cases` counts the active ones, `changes` the commits since the one before.

    `date` is None where the commit's is no date.
    """

    version: str
    commit: str
    date: datetime | None
    cases: int | None
    changes: int
    released_by: Person

    def to_document(self) -> dict[str, Any]:
        """Return the version as a JSON object."""
        return {
            "version": self.version,
            "commit": self.commit,
            "date": self.date.isoformat() if self.date else None,
            "cases": self.cases,
            "changes": self.changes,
            "released_by": str(self.released_by),
        }


@dataclass(frozen=True, kw_only=True)
class PolicyLine:
    """A key of the policy with its value before and after."""

    key: str
    old: Any
    new: Any

    def __str__(self) -> str:
        return f"{self.key}: {json.dumps(self.old)} → {json.dumps(self.new)}"


@dataclass(frozen=True, kw_only=True)
class VersionDiff:
    """What changed from version `a` to version `b`.

    `removed` has cases whose file is gone, which no write of this program does.
    """

    a: str
    b: str
    added: tuple[CaseDiff, ...]
    retired: tuple[CaseDiff, ...]
    restored: tuple[CaseDiff, ...]
    edited: tuple[CaseDiff, ...]
    removed: tuple[CaseDiff, ...]
    policy: tuple[PolicyLine, ...]

    def to_document(self) -> dict[str, Any]:
        """Return the diff as a JSON object."""
        return {
            "added": [diff.case_id for diff in self.added],
            "retired": [diff.case_id for diff in self.retired],
            "restored": [diff.case_id for diff in self.restored],
            "edited": [
                {"case_id": diff.case_id, "fields": list(diff.names)} for diff in self.edited
            ],
            "removed": [diff.case_id for diff in self.removed],
            "policy": [str(line) for line in self.policy],
        }


def list_versions(location: Location) -> tuple[VersionInfo, ...]:
    """Return the versions, oldest first."""
    with opened(location) as golden:
        refs = read_refs(golden)
        tip = golden.or_refuse(refs.tip)
        names = {commit: name for name, commit in refs.versions.items()}
        manifests = golden.git.objects([golden.at(commit, MANIFEST_FILE) for commit in names])
        counted = dict(zip(names, map(_active_cases, manifests), strict=True))
        history = read_log(golden, tip)
    return tuple(_infos(history, names, counted))


def _active_cases(data: bytes | None) -> int | None:
    """Return the number that a manifest says; None when it cannot be read."""
    try:
        number = json.loads(data or b"")["cases"]
    except (ValueError, LookupError, TypeError):
        return None
    return number if isinstance(number, int) else None


def _infos(
    history: Sequence[Commit], names: Mapping[str, str], counted: Mapping[str, int | None]
) -> Iterator[VersionInfo]:
    changes = 0
    for commit in history:
        changes += commit.trailer("Change") is not None
        if commit.oid in names:
            yield VersionInfo(
                version=names[commit.oid],
                commit=commit.oid,
                date=moment_of(commit.committer_date),
                cases=counted[commit.oid],
                changes=changes,
                released_by=Person(name=commit.committer_name, email=commit.committer_email),
            )
            changes = 0


def diff_versions(location: Location, a: str, b: str) -> VersionDiff:
    """Return what changed from version `a` to version `b`.

    Raises:
        UnknownVersionError: one of them does not exist.
    """
    with opened(location) as golden:
        refs = read_refs(golden)
        old = snapshot(golden, commit_of(golden, a, refs))
        new = snapshot(golden, commit_of(golden, b, refs))
        pairs = _changed_cases(golden, old, new)
    diffs = [(before, after, diff_cases(before, after)) for before, after in pairs]
    return VersionDiff(
        a=a,
        b=b,
        added=tuple(diff for before, _, diff in diffs if before is None),
        retired=tuple(d for x, y, d in diffs if x and y and counts(x) and not counts(y)),
        restored=tuple(d for x, y, d in diffs if x and y and counts(y) and not counts(x)),
        edited=tuple(d for x, y, d in diffs if x and y and counts(x) is counts(y)),
        removed=tuple(diff for _, after, diff in diffs if after is None),
        policy=tuple(policy_lines(parse_policy(old.policy_text), parse_policy(new.policy_text))),
    )


def _changed_cases(
    golden: OpenGolden, old: Snapshot, new: Snapshot
) -> list[tuple[Case | None, Case | None]]:
    """Return the cases whose bytes differ, before and after, sorted by id; only they are read."""
    before = {entry.path: entry for entry in old.cases}
    after = {entry.path: entry for entry in new.cases}
    paths = [
        path
        for path in before.keys() | after.keys()
        if path not in before or path not in after or before[path].oid != after[path].oid
    ]
    a = PARSED.read(golden.git, [before[path] for path in paths if path in before])
    b = PARSED.read(golden.git, [after[path] for path in paths if path in after])
    pairs = [(_case(a.get(path)), _case(b.get(path))) for path in paths]
    return sorted(pairs, key=lambda pair: next(case.id for case in pair if case))


def _case(parsed: ParsedCase | None) -> Case | None:
    return parsed.case if parsed else None


def policy_lines(old: Policy, new: Policy) -> Iterator[PolicyLine]:
    """Yield the keys of the policy that have another value, in their order."""
    before, after = old.model_dump(mode="json"), new.model_dump(mode="json")
    for key in after:
        if before[key] != after[key]:
            yield PolicyLine(key=key, old=before[key], new=after[key])


def versions_with_cases(location: Location, cases_tree: str) -> frozenset[str]:
    """Return the versions whose `cases/` is this tree: what was measured on one holds for all."""
    with opened(location) as golden:
        versions = read_refs(golden).versions
        trees = golden.git.object_ids([golden.at(commit, "cases") for commit in versions.values()])
    return frozenset(
        name
        for (name, commit), tree in zip(versions.items(), trees, strict=True)
        if (tree or empty_tree(like=commit)) == cases_tree
    )
