"""Two people's verdicts on one answer that cannot both stand: which there are, and settling them.

An approver who gave none of them says which stands, and why. The other's change is withdrawn, but
the verdict is kept: how far people agree with each other is counted on both.
"""

from datetime import datetime

from curation.domain.adjudication import (
    Contest,
    Given,
    Settlement,
    lost_to,
    published_against,
    settled_alike,
    verdict_words,
)
from curation.domain.person import Person, Role
from curation.errors import CurationError
from curation.golden import read_version
from curation.services import changes
from curation.services.change_view import ChangeView, view_change
from curation.services.errors import ReasonMissingError
from curation.services.people import role_of
from curation.services.review import found_answer
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store import adjudication as stored
from curation.store import changes as stored_changes

__all__ = [
    "NotSettledError",
    "contests",
    "let_stand",
    "proposals",
    "settled_words",
    "take_back",
    "verdict_beside",
    "why_not_settled_by",
]


class NotSettledError(CurationError):
    """None of the verdicts on an answer was let stand, or taken back."""

    def __init__(self, why: str) -> None:
        super().__init__(f"Nothing was settled: {why}")


def contests(workspace: Workspace, viewer: Person | None) -> tuple[Contest, ...]:
    """Return the answers of which one verdict is to stand, or was let stand; the open ones first.

    An approver sees all of them, others those that they gave a verdict on themselves: the rest
    may still be theirs to look at.
    """
    with workspace.store.reading() as session:
        found = stored.read_contests(session)
    every = viewer is not None and _may_settle(workspace, viewer)
    shown = [
        one
        for one in found
        if (one.is_open or one.settled) and (every or (viewer and one.of(viewer)))
    ]
    return tuple(sorted(shown, key=lambda one: not one.is_open))


def verdict_beside(workspace: Workspace, answer_id: str, person: Person) -> Given | None:
    """Return the other person's verdict of which only one can stand with this person's, if any.

    Who gave none is told of none.
    """
    with workspace.store.reading() as session:
        contest = stored.read_contest(session, answer_id)
    if contest is None or not contest.is_open or contest.of(person) is None:
        return None
    others = (one for one in reversed(contest.given) if one.review.person.key != person.key)
    return next(others, None)


def proposals(workspace: Workspace, contest: Contest) -> dict[int, ChangeView]:
    """Return what each verdict proposed, by its review; a hidden change is open to who settles."""
    ids = {
        one.review_id: one.review.change_id
        for one in contest.given
        if one.review.change_id is not None
    }
    with workspace.store.reading() as session:
        found = {number: changes.found(session, change_id) for number, change_id in ids.items()}
    return {number: view_change(workspace, change) for number, change in found.items()}


def _may_settle(workspace: Workspace, person: Person) -> bool:
    """Return whether the person's role lets them settle."""
    return role_of(workspace.settings, person).covers(Role.APPROVER)


def why_not_settled_by(workspace: Workspace, contest: Contest, person: Person) -> str | None:
    """Return in words why this person cannot say which verdict stands; None when they can."""
    role = role_of(workspace.settings, person)
    if not role.covers(Role.APPROVER):
        return f"Letting a verdict stand needs the role approver. Yours is {role.value}."
    golden = read_version(workspace.golden)
    people = [one.review.person for one in contest.given]
    if not golden.policy.self_approval and changes.is_among(workspace, golden, people, person):
        return "One of these verdicts is yours, so someone else says which stands."
    return None


def let_stand(
    workspace: Workspace,
    answer_id: str,
    whose: str,
    *,
    person: Person,
    reason: str,
    now: datetime,
) -> Contest:
    """Let the verdict of one person stand and withdraw what another one proposed.

    Saying the same again changes nothing.

    Args:
        workspace: the store and the golden set.
        answer_id: the answer.
        whose: the e-mail of the person whose verdict stands.
        person: who says so.
        reason: why.
        now: when.

    Raises:
        RoleError: the person is no approver.
        ReasonMissingError: there is no reason.
        NotSettledError: there is nothing to settle, one of the verdicts is the person's own,
            somebody else settled it, or a case of another verdict is published already.
    """
    workspace.require(person, Role.APPROVER, "Letting a verdict stand")
    with workspace.store.reading() as session:
        seen = _found(session, answer_id)
    why = why_not_settled_by(workspace, seen, person)
    if why is not None:
        raise NotSettledError(why)
    with workspace.store.writing() as session:
        contest = _locked(session, answer_id)
        stands = _chosen(contest, whose)
        if settled_alike(contest, stands, person):
            return contest
        _refuse(contest, stands)
        if not reason.strip():
            raise ReasonMissingError("Letting a verdict stand")
        settlement = Settlement(
            review_id=stands.review_id,
            person=person,
            at=now,
            reason=reason.strip(),
            withdrawn=lost_to(contest, stands),
        )
        stored.settle(session, answer_id, settlement)
        return _locked(session, answer_id)


def _locked(session: Session, answer_id: str) -> Contest:
    """Return the verdicts as they are while nobody else can give or settle one."""
    stored.lock(session, answer_id)
    return _found(session, answer_id)


def _found(session: Session, answer_id: str) -> Contest:
    """Return the verdicts on an answer, or refuse; a first one is not told of."""
    found_answer(session, answer_id)
    contest = stored.read_contest(session, answer_id)
    if contest is None:
        raise NotSettledError("fewer than two people gave a verdict on this answer.")
    return contest


def _chosen(contest: Contest, whose: str) -> Given:
    """Return the verdict of the person with this e-mail."""
    wanted = whose.strip().casefold()
    for one in contest.given:
        if wanted in {one.review.person.key, str(one.review.person).casefold()}:
            return one
    names = " and ".join(str(one.review.person) for one in contest.given)
    raise NotSettledError(f"no verdict is by {whose.strip()}. Those on this answer are by {names}.")


def _refuse(contest: Contest, stands: Given) -> None:
    """Refuse where there is nothing to settle any more."""
    if not contest.is_open:
        raise NotSettledError(_why_closed(contest))
    other = published_against(contest, stands)
    if other is not None:
        raise NotSettledError(
            f"change {other.change_number:04d} of {other.review.person.name} is published. "
            "Let that verdict stand, or retire its case."
        )


def _why_closed(contest: Contest) -> str:
    """Return why there is nothing to settle any more."""
    said, stays = contest.settled, contest.stays()
    if said is None or stays is None:
        return "the verdicts on this answer agree."
    return (
        f"{said.person.name} let the verdict of {stays.review.person.name} stand at "
        f"{said.at:%H:%M}. Take that back first."
    )


def take_back(workspace: Workspace, answer_id: str, *, person: Person) -> Contest:
    """Take back that a verdict stands; the verdicts are open again, with what was withdrawn.

    Raises:
        RoleError: the person is no approver.
        NotSettledError: nothing was settled, somebody else settled it, or the change of the
            verdict that stands was looked at since.
    """
    workspace.require(person, Role.APPROVER, "Taking a settlement back")
    with workspace.store.writing() as session:
        contest = _locked(session, answer_id)
        why = _why_kept(session, contest, person)
        if why is not None or contest.settled is None:
            raise NotSettledError(why or "")
        stored.take_back(session, answer_id, contest.settled)
        return _locked(session, answer_id)


def _why_kept(session: Session, contest: Contest, person: Person) -> str | None:
    """Return why a settlement stays; None when the person may take it back."""
    said, stays = contest.settled, contest.stays()
    if said is None or stays is None:
        return "no verdict on this answer was let stand, so there is nothing to take back."
    if said.person.key != person.key:
        return f"{said.person.name} let this verdict stand, so they take it back."
    if stays.review.change_id is None:
        return None
    change = stored_changes.get_change(session, stays.review.change_id)
    if change is not None and (change.approvals or change.comments or change.state.closed):
        return (
            f"change {change.shown_number} was looked at since, so the settlement stays. "
            "Withdraw the change instead."
        )
    return None


def settled_words(contest: Contest) -> str:
    """Return what was settled, in a sentence or two."""
    said, stays = contest.settled, contest.stays()
    if said is None or stays is None:
        return ""
    gone = ", ".join(
        f"{one.change_number:04d} of {one.review.person.name}"
        for one in contest.given
        if one.review.change_id in {w.change_id for w in said.withdrawn} and one.change_number
    )
    withdrawn = f" Withdrawn: {gone}." if gone else ""
    return f"The verdict of {stays.review.person.name} stands: {verdict_words(stays)}.{withdrawn}"
