"""What a publish will write, decided before anything is written."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from curation.checks import first_secret
from curation.codec import case_path, content_problems, form_problems, loads, read_case
from curation.domain.case import Case, CaseStatus
from curation.domain.change import Change, ChangeKind, FileContent
from curation.domain.person import Person
from curation.domain.policy import Policy, parse_policy
from curation.errors import CaseFormError, PersonError, PolicyError
from curation.golden.approvals import Approvals, judge_approvals
from curation.golden.experiment_record import BASELINE_FILE
from curation.golden.kinds import (
    MAILMAP_FILE,
    POLICY_FILE,
    ROOT_MAILMAP,
    is_import_source,
    is_policy_path,
)
from curation.golden.mailmap import person_key
from curation.golden.message import Marks, Message, change_message, indented, one_line
from curation.golden.outcome import ApprovedChange, Conflict, ConflictReason
from curation.golden.state import State, names_of, policy_problem
from curation.golden.tree import blob_id

# What later changes may need goes first; what takes away goes last.
_CHANGE_ID = re.compile(r"[A-Za-z0-9-]{1,100}")
_USED = "was used before, by a case whose file was removed, and no id is used twice"
_ORDER = (
    ChangeKind.POLICY,
    ChangeKind.IMPORT,
    ChangeKind.ADD,
    ChangeKind.EDIT,
    ChangeKind.RESTORE,
    ChangeKind.RETIRE,
    ChangeKind.BASELINE,
)


@dataclass(frozen=True, kw_only=True)
class PlannedCommit:
    """One commit that will be written; dates make a retry write the same bytes."""

    change_id: str
    case_id: str | None
    message: Message
    author: Person
    authored_at: datetime
    committer: Person
    committed_at: datetime
    files: tuple[tuple[str, bytes], ...]


@dataclass(kw_only=True)
class Plan:
    """The commits of a batch in order, the changes that cannot go out, the set afterwards."""

    state: State
    commits: list[PlannedCommit] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)


class _ConflictFoundError(Exception):
    """Why the change at hand cannot go out."""

    def __init__(self, reason: ConflictReason, message: str, theirs: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.theirs = theirs


def make_plan(
    state: State, changes: Iterable[ApprovedChange], *, publisher: Person, like: str
) -> Plan:
    """Return the plan; `state` is moved along.

    Args:
        state: the set at the tip.
        changes: none of them is on the branch yet.
        publisher: the committer.
        like: any object id, for the algorithm of the repository.
    """
    plan = Plan(state=state)
    for item in sorted(changes, key=lambda item: _ORDER.index(item.change.kind)):
        try:
            plan.commits.append(_planned(state, item, publisher=publisher, like=like))
        except _ConflictFoundError as found:
            plan.conflicts.append(
                Conflict(
                    change_id=item.change.id,
                    case_id=item.change.case_id,
                    reason=found.reason,
                    message=found.message,
                    theirs=found.theirs,
                )
            )
    return plan


def _planned(state: State, item: ApprovedChange, *, publisher: Person, like: str) -> PlannedCommit:
    """Return the commit of one change and move the state along; nothing moves on a conflict."""
    change = item.change
    _check_words(change)
    _check_secrets(change)
    _check_people(change, item.approvers)
    approvals = _approvals(state, item)
    writes = [(file.path, file.text.encode("utf-8", "surrogatepass")) for file in _files(change)]
    blobs = {path: blob_id(data, like=like) for path, data in writes}
    cases = _applied(state, change, blobs)
    marks = Marks(
        approvers=_reviewers(state, item.approvers, approvals),
        self_approved=approvals.self_approved,
        reworded=cases.reworded,
        baseline_fails=item.baseline_fails,
    )
    return PlannedCommit(
        change_id=change.id,
        case_id=change.case_id,
        message=change_message(change, cases.written, marks),
        author=change.latest.author,
        authored_at=change.latest.at,
        committer=publisher,
        committed_at=_approved_at(change),
        files=tuple(writes),
    )


def _check_words(change: Change) -> None:
    """Refuse what would make a commit that the audit refuses."""
    if _CHANGE_ID.fullmatch(change.id) is None:
        raise _ConflictFoundError(ConflictReason.INVALID, f"{change.id!r} is no id of a change")
    if not any(indented(change.latest.reason)):
        raise _ConflictFoundError(ConflictReason.INVALID, "it gives no reason")
    source = one_line(change.import_source or "")
    if change.kind is ChangeKind.IMPORT and not is_import_source(source):
        raise _ConflictFoundError(
            ConflictReason.INVALID, "it does not say its source as a file and its sha256"
        )


def _check_secrets(change: Change) -> None:
    """Refuse a secret in the message or in where a case comes from: git keeps both for good."""
    latest = change.latest
    message = (latest.reason, *(ack.why for ack in latest.acks), change.import_source or "")
    kind = first_secret((*message, change.answer_id or ""))
    if kind is not None:
        raise _ConflictFoundError(ConflictReason.INVALID, f"{kind.value} is in its message")
    for file in latest.files:
        kind = first_secret(_provenance(file))
        if kind is not None:
            said = f"{kind.value} is in the provenance of {file.path}"
            raise _ConflictFoundError(ConflictReason.INVALID, said)


def _provenance(file: FileContent) -> Iterator[str]:
    """Yield the texts that say where a case comes from, if anything in its file is a secret."""
    if not file.path.startswith("cases/") or first_secret([file.text]) is None:
        return
    try:
        whence = loads(file.text.encode("utf-8", "surrogatepass"), file.path).provenance
    except CaseFormError:  # told when it is applied
        return
    yield from (whence.answer_id or "", whence.external_id or "", *whence.signals)


def _files(change: Change) -> tuple[FileContent, ...]:
    files = change.latest.files
    if not files:
        raise _ConflictFoundError(ConflictReason.INVALID, "it writes no file")
    if len({file.path for file in files}) < len(files):
        raise _ConflictFoundError(ConflictReason.INVALID, "it writes one file twice")
    return files


def _approved_at(change: Change) -> datetime:
    return max((a.at for a in change.valid_approvals), default=change.latest.at)


def _check_people(change: Change, approvers: Sequence[Person]) -> None:
    for person in (*change.authors, *approvers):
        try:
            same = Person.parse(str(person)) == person
        except PersonError as problem:
            raise _ConflictFoundError(ConflictReason.INVALID, str(problem)) from problem
        if not same:
            raise _ConflictFoundError(ConflictReason.INVALID, str(PersonError(str(person))))


def _key(state: State, person: Person) -> str:
    return person_key(state.mailmap, person.name, person.email)


def _approvals(state: State, item: ApprovedChange) -> Approvals:
    policy = state.policy
    needed = 1 if item.change.kind is ChangeKind.IMPORT else policy.approvals
    found = judge_approvals(
        authors=[_key(state, person) for person in item.change.authors],
        approvers=[_key(state, person) for person in item.approvers],
        needed=needed,
        self_allowed=policy.self_approval,
    )
    if not found.enough:
        noun = "person who did not write it" if needed == 1 else "people who did not write it"
        raise _ConflictFoundError(
            ConflictReason.NOT_APPROVED,
            f"it needs the approval of {needed} {noun} and has {len(found.reviewers)}",
        )
    return found


def _reviewers(
    state: State, approvers: Sequence[Person], approvals: Approvals
) -> tuple[Person, ...]:
    by_key = {_key(state, person): person for person in reversed(approvers)}
    return tuple(by_key[key] for key in approvals.reviewers)


@dataclass(frozen=True)
class _Applied:
    written: tuple[Case, ...] = ()
    reworded: bool = False


def _applied(state: State, change: Change, blobs: dict[str, str]) -> _Applied:
    if change.kind is ChangeKind.POLICY:
        return _apply_policy(state, change, blobs)
    if change.kind is ChangeKind.BASELINE:
        return _apply_baseline(state, change, blobs)
    if change.kind is ChangeKind.IMPORT:
        return _apply_import(state, change, blobs)
    return _apply_case(state, change, blobs)


def _apply_policy(state: State, change: Change, blobs: dict[str, str]) -> _Applied:
    files = {file.path: file.text for file in change.latest.files}
    strange = [path for path in files if not is_policy_path(path) or path == ROOT_MAILMAP]
    if strange:
        raise _ConflictFoundError(
            ConflictReason.INVALID, f"{strange[0]} is not a file of the policy"
        )
    first = change.latest.files[0].path
    now = state.files.get(first)
    if now != change.latest.base_blob:
        raise _ConflictFoundError(
            ConflictReason.CHANGED_UNDERNEATH, f"{first} changed since this was proposed", now
        )
    policy = _new_policy(state, files.get(POLICY_FILE))
    state.policy = policy
    state.files.update(blobs)
    if MAILMAP_FILE in files:
        state.mailmaps[MAILMAP_FILE] = files[MAILMAP_FILE]
    return _Applied()


def _new_policy(state: State, text: str | None) -> Policy:
    if text is None:
        return state.policy
    try:
        policy = parse_policy(text)
    except PolicyError as problem:
        raise _ConflictFoundError(ConflictReason.INVALID, str(problem)) from problem
    problem_found = policy_problem(state.cases, policy)
    if problem_found:
        raise _ConflictFoundError(ConflictReason.INVALID, problem_found)
    return policy


def _apply_baseline(state: State, change: Change, blobs: dict[str, str]) -> _Applied:
    paths = [file.path for file in change.latest.files]
    if paths != [BASELINE_FILE]:
        raise _ConflictFoundError(ConflictReason.INVALID, f"it may write {BASELINE_FILE} only")
    now = state.files.get(BASELINE_FILE)
    if now != change.latest.base_blob:
        raise _ConflictFoundError(
            ConflictReason.CHANGED_UNDERNEATH,
            "another baseline was set since this was proposed",
            now,
        )
    state.files.update(blobs)
    return _Applied()


def _apply_import(state: State, change: Change, blobs: dict[str, str]) -> _Applied:
    cases = [_read(file) for file in change.latest.files]
    taken = [case.id for case in cases if case.id in state.cases]
    if taken:
        exist = "exists" if len(taken) == 1 else "exist"
        raise _ConflictFoundError(ConflictReason.ID_TAKEN, f"{names_of(taken)} {exist} already")
    used = [case.id for case in cases if case.id in state.removed]
    if used:
        raise _ConflictFoundError(ConflictReason.ID_TAKEN, f"{names_of(used)} {_USED}")
    for case in cases:
        _check_case(state, ChangeKind.ADD, None, case)
    for case in cases:
        state.put(case, blobs[case_path(case.id)])
    return _Applied(tuple(cases))


def _apply_case(state: State, change: Change, blobs: dict[str, str]) -> _Applied:
    if len(change.latest.files) != 1:
        raise _ConflictFoundError(ConflictReason.INVALID, "it writes more than one case")
    case = _read(change.latest.files[0])
    if case.id != change.case_id:
        raise _ConflictFoundError(ConflictReason.INVALID, f"it writes the case {case.id}")
    old = state.cases.get(case.id)
    _check_base(state, change, case)
    _check_case(state, change.kind, old, case)
    state.put(case, blobs[case_path(case.id)])
    return _Applied((case,), reworded=old is not None and _asks(old) != _asks(case))


def _asks(case: Case) -> tuple[object, ...]:
    return case.question, case.conversation


def _read(file: FileContent) -> Case:
    try:
        case, canonical = read_case(file.text.encode(), file.path)
    except CaseFormError as problem:
        raise _ConflictFoundError(ConflictReason.INVALID, str(problem)) from problem
    except UnicodeEncodeError as problem:
        message = f"{file.path} holds half of a surrogate pair"
        raise _ConflictFoundError(ConflictReason.INVALID, message) from problem
    if file.path != case_path(case.id):
        raise _ConflictFoundError(ConflictReason.INVALID, f"{file.path} is not its place")
    if not canonical:
        raise _ConflictFoundError(ConflictReason.INVALID, f"{file.path} is not in canonical form")
    return case


def _check_base(state: State, change: Change, case: Case) -> None:
    now, base = state.blobs.get(case.id), change.latest.base_blob
    if change.kind is ChangeKind.ADD:
        if now is not None:
            raise _ConflictFoundError(ConflictReason.ID_TAKEN, f"{case.id} exists already", now)
        if case.id in state.removed:
            raise _ConflictFoundError(ConflictReason.ID_TAKEN, f"{case.id} {_USED}")
    elif now is None:
        raise _ConflictFoundError(
            ConflictReason.CHANGED_UNDERNEATH, f"there is no case {case.id} any more"
        )
    elif now != base:
        raise _ConflictFoundError(
            ConflictReason.CHANGED_UNDERNEATH, f"{case.id} changed since this was proposed", now
        )


def _check_case(state: State, kind: ChangeKind, old: Case | None, case: Case) -> None:
    problems = [
        *form_problems(case),
        *content_problems(case, state.policy),
        *kind_problems(kind, old, case),
    ]
    if guard := state.last_guard(old, case):
        problems.append(guard)
    if problem := _successor_problem(state, kind, case):
        problems.append(problem)
    if problems:
        raise _ConflictFoundError(ConflictReason.INVALID, f"{case.id}: {'; '.join(problems)}")


def kind_problems(kind: ChangeKind, old: Case | None, new: Case) -> tuple[str, ...]:
    """Return how the case contradicts what its change says it does."""
    if kind is ChangeKind.RETIRE and new.status is not CaseStatus.RETIRED:
        return ("a retirement leaves it active",)
    if kind is ChangeKind.RESTORE and new.status is not CaseStatus.ACTIVE:
        return ("a restoration leaves it retired",)
    if old is None:
        return ()
    if kind is ChangeKind.EDIT:
        return () if old.status is new.status else ("an edit changes its status",)
    if old.status is new.status:
        return (f"it is {old.status} already",)
    kept = {"status", "retired", "notes"}
    before, after = old.model_dump(exclude=kept), new.model_dump(exclude=kept)
    changed = [name for name in before if before[name] != after[name]]
    return (f"it changes {', '.join(changed)} as well",) if changed else ()


def _successor_problem(state: State, kind: ChangeKind, case: Case) -> str | None:
    successor = case.retired.superseded_by if case.retired else None
    if kind is not ChangeKind.RETIRE or successor is None:
        return None
    found = state.cases.get(successor)
    if found is None or found.status is not CaseStatus.ACTIVE:
        return f"it is superseded by {successor}, which is no active case"
    return None
