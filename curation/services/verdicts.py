"""The hold on an answer and the verdicts that end it."""

from dataclasses import dataclass
from datetime import datetime

from curation.domain.person import Person, Role
from curation.domain.review import AnswerState, FailureCategory, Review, Verdict
from curation.errors import NotFoundError
from curation.golden import read_version
from curation.services.errors import (
    FinishedError,
    HeldError,
    NothingToUndoError,
    ReasonMissingError,
)
from curation.services.waiting import waiting_change
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store import answers as stored_answers
from curation.store import changes as stored_changes
from curation.store import claims as stored_claims
from curation.store import drafts as stored_drafts
from curation.store import reviews as stored_reviews
from curation.store.doubles import doubles_among, own_verdicts

RIGHT_REASON = "Right as it stands."
UNDO_DEPTH = 10


def hold(
    session: Session, workspace: Workspace, person: Person, answer_id: str, *, now: datetime
) -> None:
    """Claim the answer for the person, or renew their hold.

    Raises:
        HeldError: somebody else holds it. FinishedError: it has its verdict already.
    """
    minutes = workspace.settings.review.lease_minutes
    claimed = stored_claims.claim(session, answer_id, person, now=now, minutes=minutes)
    if not claimed.mine:
        raise HeldError(claimed.lease.person.name, claimed.lease.until)
    refuse_finished(session, answer_id)  # only who holds it knows that no verdict comes between
    refuse_own(session, person, answer_id)


def refuse_finished(session: Session, answer_id: str) -> None:
    """Refuse when the answer has a verdict."""
    state = stored_answers.answer_state(session, answer_id)
    if state in {None, AnswerState.OPEN, AnswerState.HELD, AnswerState.COVERED}:
        return
    decided = stored_reviews.deciding(session, answer_id)
    last = decided or stored_reviews.get_reviews(session, answer_id)[-1]
    raise FinishedError(last.person, last.at, outcome_of(session, last))


def refuse_own(session: Session, person: Person, answer_id: str) -> None:
    """Refuse when the person gave their verdict on an answer that waits for another one."""
    if answer_id not in own_verdicts(session, person):
        return
    mine = [r for r in stored_reviews.get_reviews(session, answer_id) if r.person.key == person.key]
    raise FinishedError(person, mine[-1].at, outcome_of(session, mine[-1]))


def outcome_of(session: Session, review: Review) -> str:
    """Return how a review ended, in words: `proposed as 0149`."""
    own = _own_change(review)
    change = stored_changes.get_change(session, own) if own is not None else None
    return review.outcome(change.shown_number if change is not None else None)


def _own_change(review: Review) -> str | None:
    """Return the change that the review proposed; a duplicate names somebody else's at most."""
    return None if review.verdict is Verdict.DUPLICATE else review.change_id


def renew(workspace: Workspace, person: Person, answer_id: str, *, now: datetime) -> datetime:
    """Keep the person's hold (or take a free answer) and return until when.

    Raises:
        HeldError: somebody else holds it. FinishedError: it has its verdict already.
    """
    with workspace.store.writing() as session:
        hold(session, workspace, person, answer_id, now=now)
        lease = stored_claims.holder(session, answer_id, now, person)
    return now if lease is None else lease.until


@dataclass(frozen=True, kw_only=True)
class Dismissal:
    """A verdict without a change: right, duplicate of a case, or not actionable; and why.

    A duplicate is an answer that failed too, so it says where it failed (measures.md section 9);
    `proposed_failure` is what was proposed to the person.
    """

    verdict: Verdict
    reason: str = ""
    duplicate_of: str | None = None
    failure: FailureCategory | None = None
    proposed_failure: FailureCategory | None = None

    @property
    def failed(self) -> dict[str, FailureCategory | None]:
        """Where a duplicate failed; the other verdicts say nothing of that."""
        if self.verdict is not Verdict.DUPLICATE:
            return {}
        return {"failure": self.failure, "proposed_failure": self.proposed_failure}

    def stored_reason(self) -> str:
        """Return the reason to store.

        Raises:
            ReasonMissingError: not actionable needs a word of why, a duplicate its case.
        """
        if self.reason.strip():
            return self.reason.strip()
        if self.verdict is Verdict.RIGHT:
            return RIGHT_REASON
        if self.duplicate_of:
            return f"Duplicate of {self.duplicate_of}."
        raise ReasonMissingError("This verdict")


def dismiss(
    workspace: Workspace,
    person: Person,
    answer_id: str,
    dismissal: Dismissal,
    *,
    now: datetime,
    blind: bool = True,
) -> Review:
    """End a review without a change: right, duplicate of a case, or not actionable.

    Raises:
        ReasonMissingError: not actionable needs a word of why, a duplicate its case.
        NotFoundError: the case that it duplicates is neither in the set nor waits for approval.
        HeldError, FinishedError: the answer is not this person's to finish.
    """
    workspace.require(person, Role.REVIEWER, "Reviewing")
    known = read_version(workspace.golden).cases if dismissal.duplicate_of else {}
    review = Review(
        answer_id=answer_id,
        person=person,
        verdict=dismissal.verdict,
        reason=dismissal.stored_reason(),
        at=now,
        blind=blind,
        duplicate_of=dismissal.duplicate_of,
        **dismissal.failed,
    )
    with workspace.store.writing() as session:
        if dismissal.duplicate_of and dismissal.duplicate_of not in known:
            review = _counted_to_change(session, review, dismissal.duplicate_of)
        hold(session, workspace, person, answer_id, now=now)
        record(session, review)
    return review


def _counted_to_change(session: Session, review: Review, case_id: str) -> Review:
    """Return the review of an answer whose case waits: it opens again if that is withdrawn.

    Where two people look at the answer it names the case only: a change that a review of such an
    answer names is hidden and held up until the other verdict is in, and this one is not its own.

    Raises:
        NotFoundError: no change that the person may know of adds such a case.
    """
    seen = waiting_change(session, review.person, case_id)
    change = stored_changes.get_change(session, seen.id) if seen is not None else None
    if change is None or change.state.closed:
        raise NotFoundError("case", case_id, "See the Golden set page.")
    if doubles_among(session, [review.answer_id]):
        return review
    return review.model_copy(update={"change_id": change.id})


def record(session: Session, review: Review) -> None:
    """Store a verdict: the review, the answer's state, what it covers, and the hold's end."""
    stored_drafts.forget_archived(session, review.answer_id, review.person)
    stored_reviews.record_review(session, review)
    stored_reviews.cover_group(session, review)
    stored_claims.release(session, review.answer_id, review.person)


def skip(workspace: Workspace, person: Person, answer_id: str, *, now: datetime) -> None:
    """Give the answer back, keep the draft, and do not serve it to this person again today."""
    with workspace.store.writing() as session:
        stored_claims.record_skip(session, answer_id, person, now=now)
        stored_claims.release(session, answer_id, person)


def give_back(workspace: Workspace, person: Person, answer_id: str) -> None:
    """End the person's hold on an answer; somebody else's is left alone."""
    with workspace.store.writing() as session:
        stored_claims.release(session, answer_id, person)


def undo(workspace: Workspace, person: Person, *, now: datetime) -> Review:
    """Take back the person's last verdict; its answer is held by them again, with the draft.

    Raises:
        NothingToUndoError: there is none, ten were taken back, or someone already approved or
            commented on its change.
    """
    with workspace.store.writing() as session:
        last = stored_reviews.last_reviews(session, person, limit=1)
        if not last:
            raise NothingToUndoError("There is no verdict of yours to take back.")
        review = last[0]
        if stored_reviews.verdicts_since(session, review) >= UNDO_DEPTH:
            raise NothingToUndoError(
                "The last ten verdicts were taken back, so the one before stays. "
                "Withdraw its change, or open its answer in the queue."
            )
        _refuse_after_another(session, review)
        own = _own_change(review)
        if own is not None:
            _refuse_touched(session, own)
            stored_changes.set_change_state(session, own, stored_changes.ChangeState.WITHDRAWN)
        stored_reviews.undo_review(session, review.answer_id, person)
        if own is not None:
            stored_reviews.reopen_answers(session, own)
        minutes = workspace.settings.review.lease_minutes
        stored_claims.claim(session, review.answer_id, person, now=now, minutes=minutes)
    return review


def _refuse_after_another(session: Session, review: Review) -> None:
    """Refuse to take back one of two verdicts once both are in: its author may know the other."""
    if not doubles_among(session, [review.answer_id]):
        return
    given = stored_reviews.get_reviews(session, review.answer_id)
    if any(other.person.key != review.person.key for other in given):
        raise NothingToUndoError(
            "Another verdict on this answer is in, so yours stays. Settle them instead."
        )


def _refuse_touched(session: Session, change_id: str) -> None:
    """Refuse to take back a change that somebody already looked at."""
    change = stored_changes.get_change(session, change_id)
    if change is not None and (change.approvals or change.comments or change.state.closed):
        raise NothingToUndoError(
            f"Change {change.shown_number} was already looked at, so the verdict stays. "
            "Withdraw the change instead."
        )
