"""Proposed changes: propose, revise, comment, ask for changes, approve, withdraw."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from curation.checks import first_secret
from curation.codec import case_path, dumps, loads
from curation.domain.case import Case
from curation.domain.change import (
    OPEN_STATES,
    Approval,
    Change,
    ChangeKind,
    ChangeState,
    Comment,
    FileContent,
    PatchSet,
)
from curation.domain.finding import Finding, Level, blocking
from curation.domain.person import Person, Role
from curation.domain.policy import Policy
from curation.domain.review import Acknowledgement, FailureCategory
from curation.errors import NotFoundError
from curation.golden import GoldenSet, canonical_person, published_change_ids, read_version
from curation.services.asked_once import asked_again
from curation.services.errors import (
    BlockedError,
    ChangeClosedError,
    NotApprovableError,
    ReasonMissingError,
    SecretError,
    UnexplainedError,
    VerdictsDifferError,
)
from curation.services.people import role_of
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store import changes as stored
from curation.store.adjudication import read_contest, why_held_up
from curation.store.doubles import sealed_changes
from curation.store.reviews import reopen_answers

_RECENT = 20
_BRINGS_A_CASE = frozenset({ChangeKind.ADD, ChangeKind.RESTORE})


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """Everything that a new change or patch set says, before it has an id."""

    kind: ChangeKind
    case_id: str | None
    files: tuple[FileContent, ...]
    reason: str
    base_blob: str | None
    base_version: str | None
    findings: tuple[Finding, ...] = ()
    acks: tuple[Acknowledgement, ...] = ()
    answer_id: str | None = None
    failure: FailureCategory | None = None
    import_source: str | None = None


@dataclass(frozen=True, kw_only=True)
class ChangeLists:
    """The changes as the page groups them for one person."""

    waiting_for_you: tuple[Change, ...]
    came_back_to_you: tuple[Change, ...]
    yours_with_others: tuple[Change, ...]
    approved: tuple[Change, ...]
    published: tuple[Change, ...]


def case_file(case: Case) -> FileContent:
    """Return the file that a case is written to, exactly."""
    return FileContent(path=case_path(case.id), text=dumps(case).decode("utf-8"))


def case_of(patch_set: PatchSet) -> Case | None:
    """Return the case that a patch set writes; None for a policy or an import."""
    if len(patch_set.files) != 1 or not patch_set.files[0].path.startswith("cases/"):
        return None
    file = patch_set.files[0]
    return loads(file.text.encode("utf-8"), file.path)


def acknowledged(
    findings: Sequence[Finding],
    acks: Sequence[Acknowledgement],
    *,
    reason: str,
    policy: Policy,
) -> tuple[Acknowledgement, ...]:
    """Return an acknowledgement for every warning.

    A reason that the person wrote covers all warnings unless the policy is strict; a prefilled
    reason must be passed as "" and acknowledges nothing.

    Raises:
        BlockedError: there is something to fix.
        UnexplainedError: a warning has no word of why.
    """
    if blocking(tuple(findings)):
        raise BlockedError(tuple(findings))
    general = "" if policy.strict_warnings else reason.strip()
    given: list[Acknowledgement] = []
    unexplained: list[Finding] = []
    for finding in findings:
        if finding.level is not Level.WARNING:
            continue
        why = _why(finding, acks) or general
        if why:
            given.append(Acknowledgement(check=finding.check.value, why=why, item=finding.item))
        else:
            unexplained.append(finding)
    if unexplained:
        raise UnexplainedError(tuple(findings), tuple(unexplained))
    return tuple(given)


def _why(finding: Finding, acks: Sequence[Acknowledgement]) -> str:
    """Return the word of why for a finding, the one for its very item first."""
    about = [a for a in acks if a.check == finding.check.value]
    exact = [a.why for a in about if a.item == finding.item]
    loose = [a.why for a in about if a.item is None]
    return next((why.strip() for why in [*exact, *loose] if why.strip()), "")


def insert(session: Session, proposal: Proposal, *, person: Person, now: datetime) -> Change:
    """Store a proposal as a new change with its first patch set, in the caller's transaction.

    Raises:
        SecretError: a word of why, or a file of the policy, holds a secret.
    """
    _refuse_secrets(proposal)
    change = Change(
        id=str(uuid4()),
        number=stored.next_change_number(session),
        kind=proposal.kind,
        state=ChangeState.PROPOSED,
        case_id=proposal.case_id,
        created_at=now,
        answer_id=proposal.answer_id,
        failure=proposal.failure,
        import_source=proposal.import_source,
        patch_sets=(_patch_set(1, proposal, person=person, now=now),),
    )
    stored.insert_change(session, change)
    return change


def _refuse_secrets(proposal: Proposal) -> None:
    """Refuse what git would keep for good; the texts of a case have checks of their own."""
    written = [(proposal.reason, "the reason")]
    written += [(ack.why, "a word of why") for ack in proposal.acks]
    if proposal.kind is ChangeKind.POLICY:
        written += [(file.text, file.path) for file in proposal.files]
    for text, where in written:
        kind = first_secret([text])
        if kind is not None:
            raise SecretError(kind.value, where)


def _patch_set(number: int, proposal: Proposal, *, person: Person, now: datetime) -> PatchSet:
    """Return the patch set that a proposal makes."""
    return PatchSet(
        number=number,
        author=person,
        at=now,
        reason=proposal.reason,
        base_blob=proposal.base_blob,
        base_version=proposal.base_version,
        files=proposal.files,
        findings=proposal.findings,
        acks=proposal.acks,
    )


def revise(
    session: Session, change: Change, proposal: Proposal, *, person: Person, now: datetime
) -> Change:
    """Store the next patch set of a change; approvals of earlier ones are void from then on."""
    _refuse_closed(change)
    _refuse_secrets(proposal)
    patch_set = _patch_set(change.latest.number + 1, proposal, person=person, now=now)
    stored.add_patch_set(session, change.id, patch_set)
    stored.set_change_state(session, change.id, ChangeState.PROPOSED, case_id=proposal.case_id)
    return found(session, change.id)


def get(workspace: Workspace, change_id: str, *, viewer: Person | None = None) -> Change:
    """Return the change with this uuid or number.

    Raises:
        NotFoundError: there is no such change, or it is hidden until the viewer's own verdict.
    """
    with workspace.store.reading() as session:
        return seen_by(session, change_id, viewer)


def seen_by(session: Session, change_id: str, viewer: Person | None) -> Change:
    """Return the stored change, or refuse where it is hidden until the viewer's own verdict."""
    change = found(session, change_id)
    if change.id in sealed_changes(session, viewer):
        raise NotFoundError("change", change_id, "See `curation change list`.")
    return change


def found(session: Session, change_id: str) -> Change:
    """Return the stored change or refuse."""
    change = stored.get_change(session, change_id)
    if change is None:
        raise NotFoundError("change", change_id, "See `curation change list`.")
    return change


def all_changes(
    workspace: Workspace,
    *,
    states: Sequence[ChangeState] = (),
    case_id: str | None = None,
    limit: int | None = None,
    viewer: Person | None = None,
) -> tuple[Change, ...]:
    """Return the changes in these states (all states when none is given), newest first.

    What another person proposed for an answer that two are to look at is left out until the
    viewer gave their own verdict.
    """
    with workspace.store.reading() as session:
        every = stored.list_changes(session, states=states, case_id=case_id, limit=limit)
        sealed = sealed_changes(session, viewer)
    return tuple(change for change in every if change.id not in sealed)


def waiting_for(workspace: Workspace, person: Person | None) -> int:
    """Return how many proposed changes of others wait for this person's yes."""
    me = person.key if person else ""
    with workspace.store.reading() as session:
        authors = stored.authors_by_change(session, ChangeState.PROPOSED)
        sealed = sealed_changes(session, person)
    return sum(
        all(author.key != me for author in people)
        for change_id, people in authors.items()
        if change_id not in sealed
    )


def list_for(workspace: Workspace, person: Person) -> ChangeLists:
    """Return the changes grouped for one person's page."""
    changes = all_changes(workspace, states=OPEN_STATES, viewer=person)
    published = all_changes(workspace, states=[ChangeState.PUBLISHED], limit=_RECENT)
    mine = [c for c in changes if _has_part(c, person)]
    others = [c for c in changes if not _has_part(c, person)]
    back = (ChangeState.CHANGES_ASKED, ChangeState.CONFLICT)
    return ChangeLists(
        waiting_for_you=tuple(c for c in others if c.state is ChangeState.PROPOSED),
        came_back_to_you=tuple(c for c in mine if c.state in back),
        yours_with_others=tuple(c for c in mine if c.state is ChangeState.PROPOSED)
        + tuple(c for c in others if c.state in back),
        approved=tuple(c for c in changes if c.state is ChangeState.APPROVED),
        published=published,
    )


def _has_part(change: Change, person: Person) -> bool:
    """Return whether the person uploaded a patch set of the change."""
    return any(author.key == person.key for author in change.authors)


def why_not_approvable(workspace: Workspace, change: Change, person: Person) -> str | None:
    """Return in words why this person cannot approve the change now; None when they can."""
    role = role_of(workspace.settings, person)
    if not role.covers(Role.APPROVER):
        return f"Approving needs the role approver. Yours is {role.value}."
    if change.state.closed:
        return f"This change is {change.state.value}."
    if change.state is ChangeState.CONFLICT:
        return "This change is in conflict. Its author resolves it first."
    if change.answer_id is not None:
        with workspace.store.reading() as session:
            held_up = why_held_up(session, change)
        if held_up is not None:
            return held_up
    golden = read_version(workspace.golden)
    own = is_among(workspace, golden, change.authors, person)
    if own and not golden.policy.self_approval:
        return "You wrote this change, so someone else approves it."
    return _to_fix(golden, change)


def _to_fix(golden: GoldenSet, change: Change) -> str | None:
    """Return what is to fix first: what its author was told, or a case that came since."""
    first = next(iter(blocking(change.latest.findings)), None)
    if first is not None:
        return f"Something is to fix: {first.message}"
    other = second_cases(golden, [change]).get(change.id)
    return f"Something is to fix: {other} asks the same by now." if other else None


def is_among(
    workspace: Workspace, golden: GoldenSet, people: Sequence[Person], person: Person
) -> bool:
    """Return whether the person is one of these, by e-mail after the set's `.mailmap`."""
    me = canonical_person(workspace.golden, golden.commit, person).key
    keys = {canonical_person(workspace.golden, golden.commit, one).key for one in people}
    return me in keys


def approve(
    workspace: Workspace,
    change_id: str,
    *,
    person: Person,
    now: datetime,
    patch_set: int | None = None,
) -> Change:
    """Record a person's yes to the exact bytes of the newest patch set.

    Args:
        workspace: the store and the golden set.
        change_id: uuid or number.
        person: the approver.
        now: when.
        patch_set: the number of the patch set that the person looked at; None means the newest.

    Raises:
        NotFoundError: there is no such change.
        NotApprovableError: own change, role too low, conflict, something to fix, or a newer
            patch set replaced the one looked at.
    """
    seen = get(workspace, change_id, viewer=person)
    why = why_not_approvable(workspace, seen, person)
    if why is not None:
        raise NotApprovableError(why)
    needed = read_version(workspace.golden).policy.approvals
    with workspace.store.writing() as session:
        change = found(session, seen.id)
        _refuse_closed(change)
        latest = change.latest.number
        if latest != (seen.latest.number if patch_set is None else patch_set):
            raise NotApprovableError(f"Patch set {latest} replaced what you approved. Look again.")
        if all(a.person.key != person.key for a in change.valid_approvals):
            stored.add_approval(
                session, change.id, Approval(patch_set=latest, person=person, at=now)
            )
        change = found(session, change.id)
        if change.state is not ChangeState.APPROVED and len(change.valid_approvals) >= needed:
            stored.set_change_state(session, change.id, ChangeState.APPROVED)
        return found(session, change.id)


def comment(
    workspace: Workspace,
    change_id: str,
    *,
    person: Person,
    text: str,
    now: datetime,
    field: str | None = None,
) -> Change:
    """Store a comment on a field, a fact (`facts.f1`) or the whole change.

    Raises:
        NotFoundError: there is no such change.
        ReasonMissingError: the comment is empty.
    """
    workspace.require(person, Role.REVIEWER, "Commenting")
    if not text.strip():
        raise ReasonMissingError("A comment")
    with workspace.store.writing() as session:
        change = seen_by(session, change_id, person)
        note = Comment(
            patch_set=change.latest.number, person=person, at=now, text=text, field=field
        )
        stored.add_comment(session, change.id, note)
        return found(session, change.id)


def ask(
    workspace: Workspace,
    change_id: str,
    *,
    person: Person,
    text: str,
    now: datetime,
    field: str | None = None,
) -> Change:
    """Ask the author for changes, with a comment that says which.

    Raises:
        NotFoundError: there is no such change.
        ReasonMissingError: the comment is empty.
        ChangeClosedError: the change is published or withdrawn.
    """
    workspace.require(person, Role.APPROVER, "Asking for changes")
    _refuse_closed(get(workspace, change_id, viewer=person))
    change = comment(workspace, change_id, person=person, text=text, now=now, field=field)
    with workspace.store.writing() as session:
        _refuse_closed(found(session, change.id))
        stored.set_change_state(session, change.id, ChangeState.CHANGES_ASKED)
        return found(session, change.id)


def withdraw(workspace: Workspace, change_id: str, *, person: Person) -> Change:
    """Withdraw a change; its answer and what that covered are open again.

    Raises:
        NotFoundError: there is no such change.
        ChangeClosedError: it is published or withdrawn already.
        RoleError: it is somebody else's and the person is no admin.
        VerdictsDifferError: it came of one of two verdicts that differ.
    """
    seen = get(workspace, change_id, viewer=person)
    refuse_published(workspace, seen)
    needed = Role.REVIEWER if _has_part(seen, person) else Role.ADMIN
    workspace.require(person, needed, "Withdrawing somebody else's change")
    with workspace.store.writing() as session:
        change = found(session, seen.id)
        _refuse_closed(change)
        contest = read_contest(session, change.answer_id) if change.answer_id else None
        if contest is not None and contest.differs:
            raise VerdictsDifferError(change.shown_number)
        stored.set_change_state(session, change.id, ChangeState.WITHDRAWN)
        reopen_answers(session, change.id)
        return found(session, change.id)


def second_cases(golden: GoldenSet, approved: Iterable[Change]) -> dict[str, str]:
    """Return by change id which case asks the same already: of the set, or of an earlier change.

    The checks told each author of the cases that there were then; others came since. An import
    tells of its own, and an edit asks what its case asked before.
    """
    brings = (change for change in approved if change.kind in _BRINGS_A_CASE)
    brought = {one.id: case for one in brings if (case := case_of(one.latest)) is not None}
    again = asked_again(list(brought.values()), golden.active)
    return {name: again[case.id] for name, case in brought.items() if case.id in again}


def refuse_published(workspace: Workspace, change: Change) -> None:
    """Refuse when git has an approved change already; a killed publisher did not note it down.

    Raises:
        ChangeClosedError: it is published.
    """
    approved = change.state is ChangeState.APPROVED
    if approved and change.id in published_change_ids(workspace.golden):
        raise ChangeClosedError(change.shown_number, ChangeState.PUBLISHED.value)


def _refuse_closed(change: Change) -> None:
    """Refuse when nothing more can happen to the change."""
    if change.state.closed:
        raise ChangeClosedError(change.shown_number, change.state.value)
