"""The golden set as people look at it, and changes that start from a case, a file or a policy."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from curation.domain.answer import Answer
from curation.domain.case import (
    UNASSIGNED,
    Case,
    CaseStatus,
    Origin,
    Retired,
    RetireReason,
)
from curation.domain.change import Change, ChangeKind, FileContent
from curation.domain.experiment import OpenExperiment
from curation.domain.finding import Check, Finding, Level
from curation.domain.guard import guards_alone
from curation.domain.person import Person, Role
from curation.domain.policy import parse_policy
from curation.errors import NotFoundError
from curation.evaluation.drafting import OtherCase
from curation.golden import (
    CaseEvent,
    FactOrigin,
    GoldenSet,
    VersionDiff,
    VersionInfo,
    case_blame,
    case_history,
    diff_versions,
    list_versions,
    open_experiments,
    read_version,
)
from curation.services import changes
from curation.services.cases import CaseFile, CaseSource, case_from_file
from curation.services.drafting import CheckRequest, check
from curation.services.errors import (
    BlockedError,
    OtherChangeError,
    ReasonMissingError,
    SupersededByItselfError,
)
from curation.services.policy_file import policy_text
from curation.services.review import found_case
from curation.services.waiting import others_waiting
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store import answers as stored_answers
from curation.store import chunks as stored_chunks
from curation.store.changes import reserve_case_id


def browse(workspace: Workspace, version: str | None = None) -> GoldenSet:
    """Return the set at a version; at the tip of its branch when none is named."""
    return read_version(workspace.golden, version)


def freeze(workspace: Workspace) -> tuple[OpenExperiment, ...]:
    """Return the experiments that freeze the set now."""
    return open_experiments(workspace.golden)


def versions(workspace: Workspace) -> tuple[VersionInfo, ...]:
    """Return every version, oldest first."""
    return list_versions(workspace.golden)


def compare(workspace: Workspace, a: str, b: str) -> VersionDiff:
    """Return what changed from version `a` to version `b`."""
    return diff_versions(workspace.golden, a, b)


def history(workspace: Workspace, case_id: str) -> tuple[CaseEvent, ...]:
    """Return what happened to a case, newest first."""
    return case_history(workspace.golden, case_id)


def blame(workspace: Workspace, case_id: str) -> tuple[FactOrigin, ...]:
    """Return for each fact of a case who wrote it, who approved it and which answer it is from."""
    return case_blame(workspace.golden, case_id)


def show_case(workspace: Workspace, case_id: str, version: str | None = None) -> Case:
    """Return one case of the set.

    Raises:
        NotFoundError: the set has no such case at that version.
    """
    return found_case(browse(workspace, version), case_id)


def propose_case(
    workspace: Workspace,
    file: CaseFile,
    *,
    person: Person,
    now: datetime,
    change_id: str | None = None,
    base_blob: str | None = None,
) -> tuple[Change, tuple[Finding, ...]]:
    """Propose a case file as a change, or as the next patch set of `change_id`.

    An id that the set has makes it an edit on the blob at the tip (or on `base_blob`).

    Raises:
        CaseFormError: the file is no case.
        BlockedError, UnexplainedError: the checks found something.
        ReasonMissingError: an edit has no reason.
    """
    workspace.require(person, Role.REVIEWER, "Proposing")
    golden = browse(workspace)
    if change_id is not None:
        changes.refuse_published(workspace, changes.get(workspace, change_id, viewer=person))
    with workspace.store.writing() as session:
        old = changes.seen_by(session, change_id, person) if change_id else None
        _refuse_other(old, file)
        case_id = str(file.document.get("id") or (old.case_id if old else None) or "")
        base = golden.cases.get(case_id)
        case = _case_of(session, golden, file, base, old)
        waiting = others_waiting(session, person)
        proposal = _proposal(session, golden, file, case, old, waiting)
        if base_blob is not None:
            proposal = replace(proposal, base_blob=base_blob)
        if old is not None:
            change = changes.revise(session, old, proposal, person=person, now=now)
        else:
            change = changes.insert(session, proposal, person=person, now=now)
        return change, proposal.findings


def _refuse_other(old: Change | None, file: CaseFile) -> None:
    """Refuse a patch set that would make another change of this one."""
    if old is None:
        return
    if old.kind not in {ChangeKind.ADD, ChangeKind.EDIT}:
        raise OtherChangeError(old.shown_number, f"of kind {old.kind.value}")
    if file.document.get("id", old.case_id) != old.case_id:
        raise OtherChangeError(old.shown_number, f"about {old.case_id}")


def propose_edit(
    session: Session, golden: GoldenSet, file: CaseFile, *, person: Person, now: datetime
) -> Change:
    """Propose an edit of a case in the caller's transaction, on a set that was read before.

    Raises:
        BlockedError, UnexplainedError: the checks found something; nothing was written.
    """
    base = golden.cases.get(str(file.document.get("id")))
    case = _case_of(session, golden, file, base, None)
    proposal = _proposal(session, golden, file, case, None)
    return changes.insert(session, proposal, person=person, now=now)


def _proposal(
    session: Session,
    golden: GoldenSet,
    file: CaseFile,
    case: Case,
    old: Change | None,
    waiting: tuple[OtherCase, ...] = (),
) -> changes.Proposal:
    """Return the proposal of a checked case; refuse what is to fix or not explained."""
    base = golden.cases.get(case.id)
    request = CheckRequest(
        case=case,
        answer=_answer_of(session, case),
        base=base,
        failure=old.failure if old else None,
        reason=file.reason,
        missing=file.missing or case.notes,
        pending=waiting,
    )
    checked = check(session, golden, request)
    if base is not None and not file.reason.strip():
        raise ReasonMissingError("An edit of a case")
    accepted = changes.acknowledged(
        checked.findings, file.acks, reason=file.reason, policy=golden.policy
    )
    case = case.model_copy(update={"reference_source": checked.reference_source})
    return changes.Proposal(
        kind=ChangeKind.EDIT if base else ChangeKind.ADD,
        case_id=case.id,
        files=(changes.case_file(case),),
        reason=file.reason.strip() or "Written as a new case.",
        base_blob=golden.blobs.get(case.id),
        base_version=golden.version,
        findings=checked.findings,
        acks=accepted,
        answer_id=old.answer_id if old else case.provenance.answer_id,
        failure=request.failure,
    )


def _answer_of(session: Session, case: Case) -> Answer | None:
    """Return the logged answer that a production failure came from, if the store has it."""
    if case.provenance.origin is not Origin.PRODUCTION_FAILURE or not case.provenance.answer_id:
        return None
    return stored_answers.get_answer(session, case.provenance.answer_id)


def _case_of(
    session: Session, golden: GoldenSet, file: CaseFile, base: Case | None, old: Change | None
) -> Case:
    """Return the case that the file means, with an id."""
    source = CaseSource(
        answer=None,
        base=base or (changes.case_of(old.latest) if old else None),
        policy=golden.policy,
        find_chunk=lambda chunk_id, version: stored_chunks.find_chunk(session, chunk_id, version),
    )
    case = case_from_file(file, source)
    if case.id != UNASSIGNED:
        return case
    case_id = reserve_case_id(session, at_least=golden.highest_number + 1)
    return case.model_copy(update={"id": case_id})


def propose_retire(
    workspace: Workspace,
    case_id: str,
    *,
    why: RetireReason,
    person: Person,
    reason: str,
    now: datetime,
    superseded_by: str | None = None,
) -> Change:
    """Propose to retire a case; it stays readable with its reason and successor.

    Raises:
        NotFoundError: the set has no such active case, or no active successor of that name.
        BlockedError: it guards something alone (the last of a protected slice, the last
            unanswerable one).
    """
    golden = browse(workspace)
    case = _with_status(golden, case_id, CaseStatus.ACTIVE)
    if superseded_by == case_id:
        raise SupersededByItselfError(case_id)
    if superseded_by is not None:
        _with_status(golden, superseded_by, CaseStatus.ACTIVE)
    guard = last_guard(golden, case)
    if guard is not None:
        raise BlockedError((guard,))
    retired = case.model_copy(
        update={
            "status": CaseStatus.RETIRED,
            "retired": Retired(reason=why, superseded_by=superseded_by),
        }
    )
    return _propose(
        workspace, golden, retired, ChangeKind.RETIRE, person=person, reason=reason, now=now
    )


def propose_restore(
    workspace: Workspace, case_id: str, *, person: Person, reason: str, now: datetime
) -> Change:
    """Propose to make a retired case count again.

    Raises:
        NotFoundError: the set has no such retired case.
    """
    golden = browse(workspace)
    case = _with_status(golden, case_id, CaseStatus.RETIRED)
    restored = case.model_copy(update={"status": CaseStatus.ACTIVE, "retired": None})
    return _propose(
        workspace, golden, restored, ChangeKind.RESTORE, person=person, reason=reason, now=now
    )


def _propose(
    workspace: Workspace,
    golden: GoldenSet,
    case: Case,
    kind: ChangeKind,
    *,
    person: Person,
    reason: str,
    now: datetime,
) -> Change:
    """Store a change of a case's status."""
    workspace.require(person, Role.REVIEWER, "Proposing")
    if not reason.strip():
        raise ReasonMissingError(f"To {kind.value} a case")
    proposal = changes.Proposal(
        kind=kind,
        case_id=case.id,
        files=(changes.case_file(case),),
        reason=reason.strip(),
        base_blob=golden.blobs[case.id],
        base_version=golden.version,
    )
    with workspace.store.writing() as session:
        return changes.insert(session, proposal, person=person, now=now)


def propose_policy(
    workspace: Workspace, file: Path, *, person: Person, reason: str, now: datetime
) -> Change:
    """Propose a new golden.toml.

    Raises:
        PolicyError: the file is not a policy.
        ReasonMissingError: there is no reason.
    """
    workspace.require(person, Role.REVIEWER, "Proposing")
    if not reason.strip():
        raise ReasonMissingError("A change of the policy")
    text = policy_text(file)
    parse_policy(text, str(file))
    golden = browse(workspace)
    proposal = changes.Proposal(
        kind=ChangeKind.POLICY,
        case_id=None,
        files=(FileContent(path="golden.toml", text=text),),
        reason=reason.strip(),
        base_blob=golden.policy_blob,
        base_version=golden.version,
    )
    with workspace.store.writing() as session:
        return changes.insert(session, proposal, person=person, now=now)


def last_guard(golden: GoldenSet, case: Case) -> Finding | None:
    """Return why the case may not go: the last of a protected slice, or the last unanswerable."""
    others = ((c.slice, c.answerable) for c in golden.active if c.id != case.id)
    what = guards_alone(case.slice, case.answerable, others, golden.policy.protected)
    if what is None:
        return None
    message = f"{case.id} is {what}. Add another one first."
    return Finding(check=Check.LAST_GUARD, level=Level.ERROR, message=message)


def _with_status(golden: GoldenSet, case_id: str, status: CaseStatus) -> Case:
    """Return the case with that status or refuse."""
    case = golden.cases.get(case_id)
    if case is None or case.status is not status:
        raise NotFoundError(f"{status.value} case", case_id)
    return case


def check_case_in_set(workspace: Workspace, case_id: str) -> tuple[Finding, ...]:
    """Return what the checks say of a case as it stands in the set.

    Raises:
        NotFoundError: the set has no such case.
    """
    golden = browse(workspace)
    case = found_case(golden, case_id)
    with workspace.store.reading() as session:
        request = CheckRequest(case=case, answer=_answer_of(session, case), base=case)
        return check(session, golden, request).findings
