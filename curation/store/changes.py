"""Changes with their patch sets, approvals and comments; numbers and case ids."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select, update
from sqlmodel import Session

from curation.domain.change import Approval, Change, ChangeState, Comment, PatchSet
from curation.domain.person import Person
from curation.store.schema import APPROVAL, CHANGE, COMMENT, PATCH_SET
from curation.store.sql import count_up, insert_many, parts, writes

__all__ = [
    "ChangeState",
    "add_approval",
    "add_comment",
    "add_patch_set",
    "authors_by_change",
    "changes_of_answer",
    "get_change",
    "insert_change",
    "list_changes",
    "next_change_number",
    "reserve_case_id",
    "set_change_state",
]


def next_change_number(session: Session) -> int:
    """Return the next number for people, given once only."""
    return count_up(session, "change")


def reserve_case_id(session: Session, at_least: int) -> str:
    """Return a case id (`q-0041`) that is never given again, its number at least `at_least`."""
    return f"q-{count_up(session, 'case', at_least=max(at_least, 1)):04d}"


def insert_change(session: Session, change: Change) -> None:
    """Store a new change with all its parts."""
    session.connection().execute(
        CHANGE.insert().values(
            id=change.id,
            number=change.number,
            kind=change.kind.value,
            state=change.state.value,
            case_id=change.case_id,
            created_at=change.created_at,
            answer_id=change.answer_id,
            failure=change.failure,
            import_source=change.import_source,
            conflict=change.conflict,
            version=change.version,
            commit_id=change.commit,
        )
    )
    for patch_set in change.patch_sets:
        add_patch_set(session, change.id, patch_set)
    for approval in change.approvals:
        add_approval(session, change.id, approval)
    for comment in change.comments:
        add_comment(session, change.id, comment)


def add_patch_set(session: Session, change_id: str, patch_set: PatchSet) -> None:
    """Store the next patch set of a change."""
    whole = patch_set.model_dump(mode="json")
    row = {
        "change_id": change_id,
        "number": patch_set.number,
        "name": patch_set.author.name,
        "email": patch_set.author.email,
        "at": patch_set.at,
        "reason": patch_set.reason,
        "base_blob": patch_set.base_blob,
        "base_version": patch_set.base_version,
        "files": whole["files"],
        "findings": whole["findings"],
        "acks": whole["acks"],
    }
    insert_many(session, PATCH_SET, [row])


def add_approval(session: Session, change_id: str, approval: Approval) -> None:
    """Store a person's yes to one patch set."""
    row = {
        "change_id": change_id,
        "patch_set": approval.patch_set,
        "person": approval.person.key,
        "name": approval.person.name,
        "email": approval.person.email,
        "at": approval.at,
    }
    insert_many(session, APPROVAL, [row])


def add_comment(session: Session, change_id: str, comment: Comment) -> None:
    """Store a remark."""
    row = {
        "change_id": change_id,
        "patch_set": comment.patch_set,
        "name": comment.person.name,
        "email": comment.person.email,
        "at": comment.at,
        "text": comment.text,
        "field": comment.field,
    }
    insert_many(session, COMMENT, [row])


def set_change_state(
    session: Session,
    change_id: str,
    state: ChangeState,
    *,
    conflict: str | None = None,
    version: str | None = None,
    commit: str | None = None,
    case_id: str | None = None,
) -> None:
    """Set where a change stands; the conflict is forgotten unless there is one.

    Version, commit and case id are kept where none is given.
    """
    values: dict[str, Any] = {"state": state.value, "conflict": conflict}
    given = {"version": version, "commit_id": commit, "case_id": case_id}
    values |= {name: value for name, value in given.items() if value is not None}
    session.connection().execute(update(CHANGE).where(CHANGE.c.id == change_id).values(**values))


def get_change(session: Session, id_or_number: str | int) -> Change | None:
    """Return the change with this uuid, or with this number (`148`, `0148`).

    In a writing session nobody else changes it until the end: what follows rests on its state.
    """
    text = str(id_or_number)
    which = CHANGE.c.id == text
    if text.isascii() and text.isdigit() and len(text) < 10:
        which = CHANGE.c.number == int(text)
    if writes(session):
        session.connection().execute(select(CHANGE.c.id).where(which).with_for_update())
    found = _changes(session, which)
    return found[0] if found else None


def list_changes(
    session: Session,
    *,
    states: Sequence[ChangeState] = (),
    case_id: str | None = None,
    limit: int | None = None,
) -> tuple[Change, ...]:
    """Return the changes in these states (all without any), newest first, at most so many."""
    which: list[Any] = []
    if states:
        which.append(CHANGE.c.state.in_([state.value for state in states]))
    if case_id is not None:
        which.append(CHANGE.c.case_id == case_id)
    return _changes(session, *which, limit=limit)


def authors_by_change(session: Session, state: ChangeState) -> dict[str, tuple[Person, ...]]:
    """Return who uploaded the patch sets of every change in a state; nothing else is read."""
    statement = (
        select(PATCH_SET.c.change_id, PATCH_SET.c.name, PATCH_SET.c.email)
        .join(CHANGE, CHANGE.c.id == PATCH_SET.c.change_id)
        .where(CHANGE.c.state == state.value)
    )
    found: defaultdict[str, list[Person]] = defaultdict(list)
    for row in session.connection().execute(statement):
        found[row.change_id].append(_person(row))
    return {change_id: tuple(people) for change_id, people in found.items()}


def changes_of_answer(session: Session, answer_id: str) -> tuple[Change, ...]:
    """Return the changes that came from an answer, newest first."""
    return _changes(session, CHANGE.c.answer_id == answer_id)


def _changes(
    session: Session,
    *which: Any,  # noqa: ANN401 - SQL conditions
    limit: int | None = None,
) -> tuple[Change, ...]:
    """Return the changes with all their parts."""
    statement = select(CHANGE).where(*which).order_by(CHANGE.c.number.desc()).limit(limit)
    rows = list(session.connection().execute(statement))
    ids = [row.id for row in rows]
    patch_sets = _children(session, PATCH_SET, ids, PATCH_SET.c.number)
    approvals = _children(session, APPROVAL, ids, APPROVAL.c.at)
    comments = _children(session, COMMENT, ids, COMMENT.c.id)
    return tuple(
        _change(row, patch_sets[row.id], approvals[row.id], comments[row.id]) for row in rows
    )


def _children(
    session: Session,
    table: Any,  # noqa: ANN401 - a table
    ids: Sequence[str],
    order: Any,  # noqa: ANN401 - a column
) -> defaultdict[str, list[Any]]:
    """Return the rows of a child table by change, in order."""
    found: defaultdict[str, list[Any]] = defaultdict(list)
    for some in parts(ids):
        statement = select(table).where(table.c.change_id.in_(some)).order_by(order)
        for row in session.connection().execute(statement):
            found[row.change_id].append(row)
    return found


def _change(
    row: Any,  # noqa: ANN401 - a row of the database
    patch_sets: Sequence[Any],
    approvals: Sequence[Any],
    comments: Sequence[Any],
) -> Change:
    return Change(
        id=row.id,
        number=row.number,
        kind=row.kind,
        state=row.state,
        case_id=row.case_id,
        created_at=row.created_at,
        answer_id=row.answer_id,
        failure=row.failure,
        import_source=row.import_source,
        patch_sets=tuple(_patch_set(item) for item in patch_sets),
        approvals=tuple(
            Approval(patch_set=a.patch_set, person=_person(a), at=a.at) for a in approvals
        ),
        comments=tuple(
            Comment(patch_set=c.patch_set, person=_person(c), at=c.at, text=c.text, field=c.field)
            for c in comments
        ),
        conflict=row.conflict,
        version=row.version,
        commit=row.commit_id,
    )


def _patch_set(row: Any) -> PatchSet:  # noqa: ANN401 - a row of the database
    return PatchSet(
        number=row.number,
        author=_person(row),
        at=row.at,
        reason=row.reason,
        base_blob=row.base_blob,
        base_version=row.base_version,
        files=row.files,
        findings=row.findings,
        acks=row.acks,
    )


def _person(row: Any) -> Person:  # noqa: ANN401 - a row of the database
    return Person(name=row.name, email=row.email)
