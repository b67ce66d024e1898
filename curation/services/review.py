"""One person's review of one answer: open, save, check, propose, dismiss, skip, undo."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from curation.domain.answer import Answer
from curation.domain.case import UNASSIGNED, Case, Origin, ReferenceSource
from curation.domain.change import Change, ChangeKind, ChangeState
from curation.domain.chunk import Chunk
from curation.domain.finding import Finding
from curation.domain.person import Person, Role
from curation.domain.policy import Policy
from curation.domain.review import (
    Draft,
    FailureCategory,
    Review,
    Verdict,
)
from curation.errors import NotFoundError
from curation.evaluation.drafting import Checked, OtherCase
from curation.golden import GoldenSet, read_version
from curation.services import changes, verdicts
from curation.services.cases import (
    CaseFile,
    CaseSource,
    case_from_draft,
    case_from_file,
    prefilled_reason,
)
from curation.services.drafting import CheckRequest, check
from curation.services.errors import FailureUnexplainedError, ReasonMissingError
from curation.services.waiting import others_waiting
from curation.services.workspace import Workspace
from curation.store import SavedDraft, Session
from curation.store import answers as stored_answers
from curation.store import changes as stored_changes
from curation.store import chunks as stored_chunks
from curation.store import drafts as stored_drafts
from curation.store.changes import reserve_case_id


@dataclass(frozen=True, kw_only=True)
class Work:
    """What a person has before them: the answer, their draft, and the case it would become."""

    answer: Answer
    draft: Draft
    base: Case | None
    case: Case
    golden: GoldenSet
    saved: SavedDraft | None = None
    pending: tuple[OtherCase, ...] = ()

    @property
    def policy(self) -> Policy:
        """The policy of the set."""
        return self.golden.policy


@dataclass(frozen=True, kw_only=True)
class Proposed:
    """What a proposal gave: the change, its case id and what the checks said."""

    change: Change
    case_id: str
    findings: tuple[Finding, ...]


def load_work(workspace: Workspace, person: Person, answer_id: str) -> Work:
    """Return the answer with the person's draft and the case that it would become.

    Raises:
        NotFoundError: there is no such answer, or the case that the draft edits is gone.
    """
    golden = read_version(workspace.golden)
    with workspace.store.reading() as session:
        return _work(session, golden, person, answer_id)


def with_draft(workspace: Workspace, work: Work, draft: Draft) -> Work:
    """Return the work as another draft would make it, on the same state of the set."""
    with workspace.store.reading() as session:
        base = found_case(work.golden, draft.case_id) if draft.case_id else None
        source = _source(session, work.golden, work.answer, base)
        case = case_from_draft(draft, source, failure=draft.failure)
    saved = work.saved.with_draft(draft) if work.saved is not None else None
    return replace(work, draft=draft, saved=saved, base=base, case=case)


def _work(session: Session, golden: GoldenSet, person: Person, answer_id: str) -> Work:
    """Return the work inside the caller's transaction."""
    answer = found_answer(session, answer_id)
    saved = stored_drafts.load_draft(session, answer_id, person)
    base = found_case(golden, saved.draft.case_id) if saved.draft.case_id else None
    source = _source(session, golden, answer, base)
    case = case_from_draft(saved.draft, source, failure=saved.draft.failure)
    return Work(
        answer=answer,
        draft=saved.draft,
        saved=saved,
        base=base,
        case=case,
        golden=golden,
        pending=others_waiting(session, person, but=answer_id),
    )


def _source(
    session: Session, golden: GoldenSet, answer: Answer | None, base: Case | None
) -> CaseSource:
    """Return what a case is made from besides the person's words."""
    return CaseSource(
        answer=answer,
        base=base,
        policy=golden.policy,
        find_chunk=lambda chunk_id, version: _known_chunk(session, answer, chunk_id, version),
    )


def _known_chunk(
    session: Session, answer: Answer | None, chunk_id: str, version: str | None
) -> Chunk | None:
    """Return the chunk of the corpus, else the one that the log brought."""
    return stored_chunks.find_chunk(session, chunk_id, version, logged=answer)


def found_answer(session: Session, answer_id: str) -> Answer:
    """Return the stored answer or refuse."""
    answer = stored_answers.get_answer(session, answer_id)
    if answer is None:
        raise NotFoundError("answer", answer_id, "See `curation queue list`.")
    return answer


def found_case(golden: GoldenSet, case_id: str) -> Case:
    """Return the case of the set or refuse."""
    case = golden.cases.get(case_id)
    if case is None:
        raise NotFoundError("case", case_id, "See `curation case show` and the Golden set page.")
    return case


def save_fields(
    workspace: Workspace,
    person: Person,
    answer_id: str,
    fields: Mapping[str, Any],
    *,
    now: datetime,
    seen: Mapping[str, int] | None = None,
) -> SavedDraft:
    """Save the given fields of a draft and keep the hold.

    Args:
        workspace: the store and the golden set.
        person: whose draft it is.
        answer_id: the answer.
        fields: names and JSON values of the fields that this window changed.
        now: when.
        seen: the version of each field that this window last saw; None skips the comparison.

    Raises:
        DraftChangedError: another window changed one of these fields since.
        HeldError: somebody else holds the answer.
        FinishedError: somebody else finished it.
    """
    workspace.require(person, Role.REVIEWER, "Reviewing")
    with workspace.store.writing() as session:
        verdicts.hold(session, workspace, person, answer_id, now=now)
        return stored_drafts.save_fields(session, answer_id, person, fields, now=now, seen=seen)


def discard_draft(workspace: Workspace, person: Person, answer_id: str) -> None:
    """Put the person's draft aside; undoing a verdict of theirs would bring it back."""
    workspace.require(person, Role.REVIEWER, "Reviewing")
    with workspace.store.writing() as session:
        stored_drafts.archive_draft(session, answer_id, person)


def change_of(workspace: Workspace, answer_id: str) -> Change | None:
    """Return the open or published change that came from an answer; None where there is none."""
    with workspace.store.reading() as session:
        found = stored_changes.changes_of_answer(session, answer_id)
    return next((one for one in found if one.state is not ChangeState.WITHDRAWN), None)


def check_work(workspace: Workspace, work: Work) -> Checked:
    """Return what the checks say of the case as it is saved."""
    with workspace.store.reading() as session:
        return check(session, work.golden, _request(workspace, work))


def _request(workspace: Workspace, work: Work) -> CheckRequest:
    """Return the check request of saved work."""
    draft = work.draft
    return CheckRequest(
        case=work.case,
        answer=work.answer,
        base=work.base,
        failure=draft.failure,
        searches=draft.searches,
        missing=draft.missing,
        reason=draft.reason or "",
        acks=draft.acks,
        pending=work.pending,
        answer_index=workspace.answer_index,
    )


def propose(
    workspace: Workspace,
    person: Person,
    answer_id: str,
    *,
    now: datetime,
    blind: bool = True,
) -> Proposed:
    """Propose the saved draft as a change; checks run again on what is committed.

    The reason that was written, not a prefilled one, explains warnings.

    Raises:
        BlockedError: something is to fix. UnexplainedError: a warning has no word of why.
        ReasonMissingError: an edit, or that nothing failed, has no word of why.
        HeldError, FinishedError: the answer is not this person's to finish.
    """
    workspace.require(person, Role.REVIEWER, "Proposing")
    golden = read_version(workspace.golden)
    with workspace.store.writing() as session:
        verdicts.hold(session, workspace, person, answer_id, now=now)
        work = _work(session, golden, person, answer_id)
        finished = _finish(session, workspace, work, person=person, now=now, blind=blind)
        stored_drafts.archive_draft(session, answer_id, person)
        return finished


def finish_with_file(
    workspace: Workspace,
    person: Person,
    answer_id: str,
    file: CaseFile,
    *,
    now: datetime,
) -> Proposed:
    """Propose the case that a file holds as the verdict on an answer.

    Raises:
        CaseFormError: the file is no case. Otherwise as `propose`.
    """
    workspace.require(person, Role.REVIEWER, "Proposing")
    golden = read_version(workspace.golden)
    with workspace.store.writing() as session:
        verdicts.hold(session, workspace, person, answer_id, now=now)
        answer = found_answer(session, answer_id)
        named = file.document.get("id")
        base = golden.cases.get(named) if isinstance(named, str) else None
        case = case_from_file(file, _source(session, golden, answer, base))
        draft = Draft(
            failure=file.failure,
            failure_why=file.reason,
            missing=case.notes,
            reason=file.reason,
            acks=file.acks,
        )
        work = Work(answer=answer, draft=draft, base=base, case=case, golden=golden)
        return _finish(session, workspace, work, person=person, now=now, blind=True)


def _finish(
    session: Session,
    workspace: Workspace,
    work: Work,
    *,
    person: Person,
    now: datetime,
    blind: bool,
) -> Proposed:
    """Store the change, the review and what it covers, all in the caller's transaction."""
    written = work.draft.reason or ""
    checked = check(session, work.golden, _request(workspace, work))
    failure = work.draft.failure or checked.failure.category
    if work.base is not None and not written.strip():
        raise ReasonMissingError("An edit of a case")
    if failure is FailureCategory.NONE and not work.draft.failure_why.strip():
        raise FailureUnexplainedError
    accepted = changes.acknowledged(
        checked.findings, work.draft.acks, reason=written, policy=work.policy
    )
    case = _named(session, work, failure, checked.reference_source)
    proposal = changes.Proposal(
        kind=ChangeKind.EDIT if work.base else ChangeKind.ADD,
        case_id=case.id,
        files=(changes.case_file(case),),
        reason=written.strip() or prefilled_reason(work.answer, failure),
        base_blob=work.golden.blobs.get(case.id),
        base_version=work.golden.version,
        findings=checked.findings,
        acks=accepted,
        answer_id=work.answer.id,
        failure=failure,
    )
    change = changes.insert(session, proposal, person=person, now=now)
    review = Review(
        answer_id=work.answer.id,
        person=person,
        verdict=Verdict.EDITED if work.base else Verdict.PROPOSED,
        reason=proposal.reason,
        at=now,
        blind=blind,
        proposed_failure=checked.failure.category,
        failure=failure,
        change_id=change.id,
    )
    verdicts.record(session, review)
    return Proposed(change=change, case_id=case.id, findings=checked.findings)


def _named(
    session: Session, work: Work, failure: FailureCategory | None, source: ReferenceSource
) -> Case:
    """Return the case with its id, where its reference is from, and the confirmed failure."""
    case = work.case.model_copy(update={"reference_source": source})
    if work.base is None:
        origin = case.provenance.origin
        if origin is Origin.PRODUCTION_FAILURE and failure is FailureCategory.NONE:
            origin = Origin.KNOWN_GOOD
        provenance = case.provenance.model_copy(
            update={"failure": failure.value if failure else None, "origin": origin}
        )
        case = case.model_copy(update={"provenance": provenance})
    if case.id != UNASSIGNED:
        return case
    case_id = reserve_case_id(session, at_least=work.golden.highest_number + 1)
    return case.model_copy(update={"id": case_id})
