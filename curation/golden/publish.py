"""Publish: approved changes become one commit each, and together one new version."""

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from curation.codec import case_id_of, case_path
from curation.codec.built import counts
from curation.domain.change import Change, ChangeKind
from curation.domain.person import Person
from curation.domain.policy import parse_policy
from curation.golden.audit import broken_rules
from curation.golden.built_set import MANIFEST_FILE
from curation.golden.chain_start import chain_of
from curation.golden.errors import (
    FrozenError,
    GoldenWriteError,
    LockedError,
    MissingTagError,
    RacedError,
    RemovedCaseError,
)
from curation.golden.experiment_record import BASELINE_FILE
from curation.golden.ids import OnBranch, changes_on_branch, ids_at, ids_of
from curation.golden.kinds import version_number
from curation.golden.location import Location, OpenGolden, opened
from curation.golden.log import require_whole_history
from curation.golden.outcome import (
    ApprovedChange,
    Conflict,
    Published,
    PublishOutcome,
    Worktree,
)
from curation.golden.parsed import PARSED, ParsedCase
from curation.golden.plan import Plan, PlannedCommit, make_plan
from curation.golden.reader import Refs, Snapshot, read_refs, snapshot
from curation.golden.release import (
    built_files,
    release_commit,
    summary,
    tree_after,
    version_of,
)
from curation.golden.state import State
from curation.golden.worktree import sync_worktree
from curation.golden.writer import Staged, staged, swap, write_tag

_TRIES = 60
_LOCKED_TRIES = 3
_PAUSE_SECONDS = 0.4


@dataclass(frozen=True, kw_only=True)
class _Batch:
    """What one call of `publish` was given."""

    changes: tuple[ApprovedChange, ...]
    publisher: Person
    now: datetime


def publish(
    location: Location, changes: Sequence[ApprovedChange], *, publisher: Person, now: datetime
) -> PublishOutcome:
    """Write approved changes as one commit each and make the next version.

    A change whose id the branch already has is not written again. One that cannot go out (the
    case changed underneath, its id is taken, too few approved, a rule is broken) comes back
    among the conflicts, and the others go out. A kill at any point leaves the old version or
    the new one.

    Args:
        location: the golden set.
        changes: each with who approved its newest patch set.
        publisher: the committer, a person with the role approver.
        now: the date of the version; the changes carry the dates of their approvals.

    Raises:
        FrozenError: an experiment is open.
        GoldenWriteError: git refused, or a lock lies there; nothing was written.
        NotAGoldenSetError, ShallowError: the location cannot be published to.
    """
    batch = _Batch(changes=tuple(changes), publisher=publisher, now=now)
    with opened(location) as golden:
        require_whole_history(golden)
        before, outcome = _until_done(golden, batch)
        if outcome.version is None:
            return outcome
        tree, note = sync_worktree(golden, old=before)
        return replace(outcome, worktree=tree, worktree_note=note)


def _until_done(golden: OpenGolden, batch: _Batch) -> tuple[str, PublishOutcome]:
    """Try again on the new tip as long as other writers are faster."""
    locked = 0
    for attempt in range(_TRIES):
        refs = read_refs(golden)
        try:
            outcome = _attempt(golden, refs, batch)
        except LockedError:
            locked += 1
            if locked == _LOCKED_TRIES:
                raise
            outcome = None
        if outcome is not None:
            return golden.or_refuse(refs.tip), outcome
        time.sleep(random.uniform(0, _PAUSE_SECONDS * min(1.0, (attempt + 1) / 8)))  # noqa: S311
    raise RacedError(_TRIES)


def _attempt(golden: OpenGolden, refs: Refs, batch: _Batch) -> PublishOutcome | None:
    """Return the outcome on this tip; None when another writer moved the branch meanwhile."""
    tip = golden.or_refuse(refs.tip)
    known = changes_on_branch(golden, refs)
    skipped = [
        Published(
            change_id=item.change.id,
            case_id=item.change.case_id,
            commit=known[item.change.id].commit,
            version=known[item.change.id].version,
        )
        for item in batch.changes
        if item.change.id in known
    ]
    fresh = list({i.change.id: i for i in batch.changes if i.change.id not in known}.values())
    if not fresh:
        return _nothing_written(tip, skipped, ())
    shot = snapshot(golden, tip)
    if shot.experiments:
        raise FrozenError(shot.experiments)
    _refuse_removed(golden, refs, shot)
    plan, parsed = _planned(golden, shot, fresh, batch.publisher, known)
    if not plan.commits:
        return _nothing_written(tip, skipped, plan.conflicts)
    return _write(golden, _Ready(refs, shot, plan, parsed, frozenset(known), tuple(skipped)), batch)


def _nothing_written(
    tip: str, skipped: Sequence[Published], conflicts: Sequence[Conflict]
) -> PublishOutcome:
    return PublishOutcome(
        version=None,
        commit=tip,
        published=(),
        conflicts=tuple(conflicts),
        skipped=tuple(skipped),
        worktree=Worktree.NONE,
        worktree_note="",
    )


@dataclass(frozen=True)
class _Ready:
    """Everything that a write needs, read from one commit."""

    refs: Refs
    shot: Snapshot
    plan: Plan
    parsed: Mapping[str, ParsedCase]
    known: frozenset[str]
    skipped: tuple[Published, ...]


def _planned(
    golden: OpenGolden,
    shot: Snapshot,
    fresh: Sequence[ApprovedChange],
    publisher: Person,
    known: Mapping[str, OnBranch],
) -> tuple[Plan, dict[str, ParsedCase]]:
    """Return the plan and the parsed cases as they will be, by id."""
    entries = shot.cases
    parsed = PARSED.read(golden.git, entries)
    by_id = {parsed[entry.path].case.id: parsed[entry.path] for entry in entries}
    added = _added_ids(fresh) - by_id.keys()
    baseline = golden.git.object_ids([golden.at(shot.commit, BASELINE_FILE)])[0]
    state = State(
        cases={case_id: item.case for case_id, item in by_id.items()},
        blobs={parsed[entry.path].case.id: entry.oid for entry in entries},
        files={name: entry.oid for name, entry in shot.top.items()}
        | ({BASELINE_FILE: baseline} if baseline else {}),
        policy=parse_policy(shot.policy_text),
        mailmaps=dict(shot.mailmaps),
        removed=added & ids_of(golden, known) if added else frozenset(),
    )
    plan = make_plan(state, fresh, publisher=publisher, like=shot.commit)
    changed = {
        case_id: ParsedCase(case)
        for case_id, case in state.cases.items()
        if case_id not in by_id or by_id[case_id].case is not case
    }
    return plan, by_id | changed


def _added_ids(changes: Sequence[ApprovedChange]) -> frozenset[str]:
    """Return the ids of the cases that changes would bring."""
    bringing = {ChangeKind.ADD, ChangeKind.IMPORT}
    files = [f for i in changes if i.change.kind in bringing for f in i.change.latest.files]
    return frozenset(filter(None, (case_id_of(file.path) for file in files)))


def _refuse_removed(golden: OpenGolden, refs: Refs, shot: Snapshot) -> None:
    """Refuse to go on from a branch that lost a case of the newest version.

    Raises:
        RemovedCaseError: it did.
    """
    if refs.newest is None:
        return
    released = refs.versions[refs.newest]
    if golden.git.object_ids([golden.at(released, "cases")])[0] in {shot.cases_tree, None}:
        return
    here = {case_id_of(entry.path) for entry in shot.cases}
    lost = sorted(case_id for case_id in ids_at(golden, released) if case_id not in here)
    if lost:
        where = golden.prefix + case_path(lost[0])
        command = ("log", "-1", "--first-parent", "--diff-filter=D", "--no-renames", "--format=%H")
        commit = golden.git.text(*command, shot.commit, "--", where, doing="read the history")
        raise RemovedCaseError(lost, refs.newest, commit)


def _write(golden: OpenGolden, ready: _Ready, batch: _Batch) -> PublishOutcome | None:
    """Stage, look again, swap; return None when the race was lost."""
    number = _next_number(golden, ready)
    version = f"golden/v{number}"
    commits = [*ready.plan.commits, _release(version, ready, batch)]
    with staged(golden, commits, base=ready.shot.commit) as stage:
        chain = chain_of(golden, ready.shot, ready.known)
        chain.version = number - 1
        if broken := broken_rules(golden, chain, stage.commits):
            raise GoldenWriteError(f"the audit refuses what was staged ({'; '.join(broken)})")
        tag = write_tag(golden, version, commit=stage.tip, tagger=batch.publisher, now=batch.now)
        if not swap(golden, stage, version=version, tag=tag):
            return None
        return _written(version, stage, ready)


def _next_number(golden: OpenGolden, ready: _Ready) -> int:
    """Return the number of the next version.

    Raises:
        MissingTagError: the branch has released a version whose tag this clone lacks; its number
            would be given twice.
    """
    listing = ready.shot.top.get(MANIFEST_FILE)
    data = golden.git.objects([listing.oid])[0] if listing else None
    released = version_of(data)
    if released is not None and released not in ready.refs.versions:
        raise MissingTagError(golden.location.path, released)
    return (version_number(ready.refs.newest) or 0) + 1


def _release(version: str, ready: _Ready, batch: _Batch) -> PlannedCommit:
    state, like = ready.plan.state, ready.shot.commit
    tree = tree_after(ready.shot.case_files, ready.plan.commits, blobs=state.blobs, like=like)
    files = built_files(version, ready.parsed, cases_tree=tree)
    kinds = _kinds(ready.plan, [item.change for item in batch.changes])
    active = sum(counts(case) for case in state.cases.values())
    said = summary(kinds, active)
    return release_commit(version, files, publisher=batch.publisher, now=batch.now, said=said)


def _kinds(plan: Plan, changes: Sequence[Change]) -> list[tuple[ChangeKind, int]]:
    by_id = {change.id: change for change in changes}
    written = [by_id[commit.change_id] for commit in plan.commits]
    return [
        (change.kind, len(change.latest.files) if change.kind is ChangeKind.IMPORT else 1)
        for change in written
    ]


def _written(version: str, stage: Staged, ready: _Ready) -> PublishOutcome:
    published = tuple(
        Published(
            change_id=meant.change_id, case_id=meant.case_id, commit=found.oid, version=version
        )
        for meant, found in zip(ready.plan.commits, stage.commits, strict=False)
    )
    return PublishOutcome(
        version=version,
        commit=stage.tip,
        published=published,
        conflicts=tuple(ready.plan.conflicts),
        skipped=ready.skipped,
        worktree=Worktree.NONE,
        worktree_note="",
    )
