"""Many edits proposed at once, each a change of its own, and approved by one act."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import uuid4

from curation.domain.base import Value
from curation.domain.case import Case
from curation.domain.change import OPEN_STATES, Change, ChangeState
from curation.domain.person import Person, Role
from curation.errors import CurationError, NotFoundError
from curation.golden import read_version
from curation.services import changes, golden_set
from curation.services.cases import CaseFile
from curation.services.errors import ReasonMissingError
from curation.services.living import (
    EvidenceItem,
    Progress,
    check_evidence,
    find_outdated,
    reanchored,
)
from curation.services.workspace import Workspace
from curation.store import notes
from curation.store.changes import list_changes
from curation.store.doubles import sealed_changes

_NOTE = "batch:"


class Batch(Value):
    """What was proposed together.

    Attributes:
        batch_id: its name; None where nothing was proposed.
        changes: the changes, in the order of their cases.
        refused: by case, why nothing was proposed for it.
    """

    batch_id: str | None
    changes: tuple[Change, ...]
    refused: Mapping[str, str]


class OpenBatch(Value):
    """A batch with a change that still waits for somebody; `changes` are all of them."""

    batch_id: str
    changes: tuple[Change, ...]

    @property
    def proposed(self) -> tuple[Change, ...]:
        """The changes that one act would approve."""
        return tuple(
            c for c in self.changes if c.state is ChangeState.PROPOSED and c.latest.number == 1
        )


class BatchApproval(Value):
    """What came of approving a batch."""

    batch_id: str
    approved: tuple[Change, ...]
    refused: Mapping[str, str]


def propose_reanchoring(
    workspace: Workspace,
    *,
    person: Person,
    reason: str,
    now: datetime,
    progress: Progress | None = None,
) -> Batch:
    """Propose the new chunk of every piece of evidence that moved, one change a case."""
    cases = read_version(workspace.golden).cases
    by_case: defaultdict[str, list[EvidenceItem]] = defaultdict(list)
    for item in check_evidence(workspace).items:
        by_case[item.case_id].append(item)
    moved = (reanchored(cases[case_id], items) for case_id, items in by_case.items())
    edited = [case for case in moved if case is not None]
    return propose_batch(
        workspace, edited, person=person, reason=reason, now=now, progress=progress
    )


def propose_renewal(
    workspace: Workspace,
    *,
    person: Person,
    reason: str,
    now: datetime,
    progress: Progress | None = None,
) -> Batch:
    """Propose the edit of every case whose facts a newer version made wrong."""
    found = find_outdated(workspace).items
    edited = [one.proposed for one in found if one.proposed is not None]
    batch = propose_batch(
        workspace, edited, person=person, reason=reason, now=now, progress=progress
    )
    unwritten = {one.case_id: one.why_not for one in found if one.why_not is not None}
    return batch.model_copy(update={"refused": {**batch.refused, **unwritten}})


def propose_batch(
    workspace: Workspace,
    cases: Sequence[Case],
    *,
    person: Person,
    reason: str,
    now: datetime,
    progress: Progress | None = None,
) -> Batch:
    """Propose edited cases together; a case with an open change is left alone.

    A change that the person may not know of yet leaves no trace here: which of the two edits
    comes first shows when they are published.

    Raises:
        RoleError: the person may not propose.
        ReasonMissingError: there is no reason.
    """
    workspace.require(person, Role.REVIEWER, "Proposing")
    if not reason.strip():
        raise ReasonMissingError("A batch of edits")
    golden = golden_set.browse(workspace)
    made: list[Change] = []
    refused: dict[str, str] = {}
    with workspace.store.writing() as session:
        sealed = sealed_changes(session, person)
        waiting = list_changes(session, states=OPEN_STATES)
        busy = {change.case_id: change for change in waiting if change.id not in sealed}
        for at, case in enumerate(cases, start=1):
            if progress is not None:
                progress(at, len(cases))
            if case.id in busy:
                refused[case.id] = f"Change {busy[case.id].shown_number} of it is open."
                continue
            try:
                made.append(
                    golden_set.propose_edit(
                        session, golden, _file(case, reason), person=person, now=now
                    )
                )
            except CurationError as problem:
                refused[case.id] = str(problem)
        batch_id = str(uuid4()) if made else None
        if batch_id is not None:
            notes.write_note(session, _NOTE + batch_id, [change.id for change in made])
    return Batch(batch_id=batch_id, changes=tuple(made), refused=refused)


def _file(case: Case, reason: str) -> CaseFile:
    """Return the case as if somebody had handed it in."""
    document = case.model_dump(mode="json", by_alias=True)
    return CaseFile(document=document, where=case.id, reason=reason)


def batch_changes(workspace: Workspace, batch_id: str) -> tuple[Change, ...]:
    """Return the changes of a batch.

    Raises:
        NotFoundError: there is no such batch.
    """
    with workspace.store.reading() as session:
        ids = notes.read_note(session, _NOTE + batch_id)
        if ids is None:
            raise NotFoundError("batch", batch_id)
        return tuple(changes.found(session, change_id) for change_id in ids)


def open_batches(workspace: Workspace) -> tuple[OpenBatch, ...]:
    """Return the batches with a change that is neither published nor withdrawn, newest first."""
    with workspace.store.reading() as session:
        waiting = {change.id for change in list_changes(session, states=OPEN_STATES)}
        found = [
            OpenBatch(batch_id=name, changes=tuple(changes.found(session, one) for one in ids))
            for name, ids in notes.named_notes(session, _NOTE).items()
            if waiting & set(ids)
        ]
    return tuple(sorted(found, key=lambda batch: -batch.changes[0].number))


def approve_batch(
    workspace: Workspace,
    batch_id: str,
    *,
    person: Person,
    now: datetime,
    progress: Progress | None = None,
) -> BatchApproval:
    """Approve every change of a batch that was only proposed; each keeps its own approval.

    A change that got another patch set since, or was withdrawn, is not part of the batch any more.
    """
    approved: list[Change] = []
    refused: dict[str, str] = {}
    members = batch_changes(workspace, batch_id)
    for at, change in enumerate(members, start=1):
        if progress is not None:
            progress(at, len(members))
        try:
            approved.append(
                changes.approve(workspace, change.id, person=person, now=now, patch_set=1)
            )
        except CurationError as problem:
            refused[change.id] = str(problem)
    return BatchApproval(batch_id=batch_id, approved=tuple(approved), refused=refused)
