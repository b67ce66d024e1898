"""Publish: approved changes become commits and one new version, always by a person."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from curation.domain.change import OPEN_STATES, Change, ChangeKind, ChangeState
from curation.domain.experiment import OpenExperiment
from curation.domain.person import Person, Role
from curation.golden import (
    ApprovedChange,
    Conflict,
    ConflictReason,
    FrozenError,
    PublishOutcome,
    highest_case_number,
    open_experiments,
    published_change_ids,
    read_version,
)
from curation.golden import publish as publish_in_git
from curation.golden import sweep as sweep_git
from curation.services import changes
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store import changes as stored
from curation.store.reviews import follow_case


@dataclass(frozen=True, kw_only=True)
class PublishReport:
    """What went out, what waits and what is in conflict.

    `version` and `commit` are None when nothing was published; `reasons` says by change id why a
    change is among the conflicts: `changed_underneath`, `id_taken`, `not_approved` or `invalid`.
    """

    version: str | None
    commit: str | None
    published: tuple[Change, ...]
    waiting: tuple[Change, ...]
    conflicts: tuple[Change, ...]
    reasons: Mapping[str, str] = field(default_factory=dict)
    frozen_by: tuple[OpenExperiment, ...] = ()
    worktree: str = "none"
    worktree_note: str = ""

    @property
    def complete(self) -> bool:
        """Whether every approved change went out."""
        return not self.waiting and not self.conflicts


def publish(workspace: Workspace, *, person: Person, now: datetime) -> PublishReport:
    """Publish every approved change that is not in conflict as one new version.

    A frozen set publishes nothing: the report names the experiments and what waits. A kill at
    any point leaves the old version or the new one; the next call finishes the job.

    Raises:
        RoleError: the person is no approver.
        GoldenWriteError: git refused the write.
    """
    workspace.require(person, Role.APPROVER, "Publishing")
    reconcile(workspace)
    approved = tuple(reversed(changes.all_changes(workspace, states=[ChangeState.APPROVED])))
    frozen = open_experiments(workspace.golden)
    if frozen or not approved:
        return _nothing(approved, frozen)
    second = changes.second_cases(read_version(workspace.golden), approved)
    going = [_approved(change) for change in approved if change.id not in second]
    try:
        outcome = publish_in_git(workspace.golden, going, publisher=person, now=now)
    except FrozenError as race:
        return _nothing(approved, race.experiments)
    held = tuple(_second(change, second) for change in approved if change.id in second)
    outcome = replace(outcome, conflicts=(*outcome.conflicts, *held))
    _note(workspace, outcome)
    return _report(workspace, outcome, approved)


def _approved(change: Change) -> ApprovedChange:
    """Return the change with those who approved its newest patch set."""
    return ApprovedChange(change=change, approvers=tuple(a.person for a in change.valid_approvals))


def _second(change: Change, second: Mapping[str, str]) -> Conflict:
    """Return the conflict of a case whose question has one by now."""
    return Conflict(
        change_id=change.id,
        case_id=change.case_id,
        reason=ConflictReason.INVALID,
        message=f"{second[change.id]} asks the same by now",
    )


def _nothing(approved: tuple[Change, ...], frozen: tuple[OpenExperiment, ...]) -> PublishReport:
    """Return the report of a publish that did not happen."""
    return PublishReport(
        version=None,
        commit=None,
        published=(),
        waiting=approved if frozen else (),
        conflicts=(),
        frozen_by=frozen,
    )


def _note(workspace: Workspace, outcome: PublishOutcome) -> None:
    """Write down in the store what git says happened."""
    highest = highest_case_number(workspace.golden)
    with workspace.store.writing() as session:
        for done in (*outcome.skipped, *outcome.published):
            stored.set_change_state(
                session,
                done.change_id,
                ChangeState.PUBLISHED,
                version=done.version,
                commit=done.commit,
            )
        for conflict in outcome.conflicts:
            taken = conflict.reason is ConflictReason.ID_TAKEN
            if taken and _renumber(session, conflict.change_id, highest=highest):
                continue
            # Approvals that lack only number stay: one more is enough.
            back = conflict.reason is ConflictReason.NOT_APPROVED
            state = ChangeState.PROPOSED if back else ChangeState.CONFLICT
            stored.set_change_state(session, conflict.change_id, state, conflict=conflict.message)


def _renumber(session: Session, change_id: str, *, highest: int) -> bool:
    """Give a new case the next number, as a patch set that needs approval again.

    Another store on the same golden repository took the number that this one had reserved.

    Returns:
        False for an import, whose ids are its own: it is withdrawn, or brought in again.
    """
    change = changes.found(session, change_id)
    old = change.latest
    case = changes.case_of(old)
    if case is None or change.kind is ChangeKind.IMPORT:
        return False
    case_id = stored.reserve_case_id(session, at_least=highest + 1)
    follow_case(session, change_id, case_id)
    renamed = case.model_copy(update={"id": case_id})
    proposal = changes.Proposal(
        kind=change.kind,
        case_id=case_id,
        files=(changes.case_file(renamed),),
        reason=old.reason,
        base_blob=None,
        base_version=old.base_version,
        findings=old.findings,
        acks=old.acks,
    )
    changes.revise(session, change, proposal, person=old.author, now=old.at)
    return True


def _report(
    workspace: Workspace, outcome: PublishOutcome, approved: tuple[Change, ...]
) -> PublishReport:
    """Return the report of a publish, with each change as it is now."""
    now = [changes.get(workspace, c.id) for c in approved]
    reasons = {c.change_id: c.reason.value for c in outcome.conflicts}
    faster = outcome.skipped[-1] if outcome.skipped and outcome.version is None else None
    return PublishReport(
        version=faster.version if faster else outcome.version,
        commit=faster.commit if faster else outcome.commit,
        published=tuple(c for c in now if c.state is ChangeState.PUBLISHED),
        waiting=tuple(c for c in now if c.state is ChangeState.APPROVED),
        conflicts=tuple(c for c in now if c.id in reasons),
        reasons=reasons,
        worktree=outcome.worktree.value,
        worktree_note=outcome.worktree_note,
    )


def reconcile(workspace: Workspace) -> int:
    """Mark as published what git already holds, sweep what a killed writer left.

    Returns:
        How many changes the store had not known to be published.
    """
    sweep_git(workspace.golden)
    open_ids = {change.id for change in changes.all_changes(workspace, states=OPEN_STATES)}
    if not open_ids:
        return 0
    known = published_change_ids(workspace.golden)
    late = {change_id: known[change_id] for change_id in open_ids & known.keys()}
    if late:
        with workspace.store.writing() as session:
            for change_id, found in late.items():
                stored.set_change_state(
                    session,
                    change_id,
                    ChangeState.PUBLISHED,
                    version=found.version,
                    commit=found.commit,
                )
    return len(late)
