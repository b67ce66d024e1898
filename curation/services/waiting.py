"""New cases that wait for approval: one question has one case, so other answers count to it."""

from dataclasses import dataclass

from curation.codec import loads
from curation.domain.case import Case
from curation.domain.change import OPEN_STATES, Change, ChangeKind
from curation.domain.person import Person
from curation.evaluation.drafting import OtherCase
from curation.services.changes import all_changes, case_of
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store import changes as stored_changes
from curation.store.doubles import sealed_changes


@dataclass(frozen=True, kw_only=True)
class WaitingCase:
    """A case that the set does not have yet, and the number of its change."""

    case: Case
    change: str


def waiting_cases(
    session: Session, person: Person, *, but: str | None = None
) -> tuple[WaitingCase, ...]:
    """Return the new cases that wait, newest first, but for what the person may not know of yet.

    What another person made of an answer that two people look at is hidden until the person's own
    verdict on it, so that no check can tell of it either.

    Args:
        session: the caller's transaction.
        person: who looks.
        but: an answer; what came of it is left out.
    """
    sealed, changes = sealed_changes(session, person), _added(session)
    known = [
        one for one in changes if one.id not in sealed and (but is None or one.answer_id != but)
    ]
    found = ((case_of(one.latest), one.shown_number) for one in known)
    return tuple(WaitingCase(case=case, change=number) for case, number in found if case)


def others_waiting(
    session: Session, person: Person, *, but: str | None = None
) -> tuple[OtherCase, ...]:
    """Return the new cases that wait, as the checks of another case need them."""
    waiting = waiting_cases(session, person, but=but)
    return tuple(OtherCase.of(one.case, one.change) for one in waiting)


def waiting_change(session: Session, person: Person, case_id: str) -> Change | None:
    """Return the change that a new case waits in, as far as the person may know of it."""
    sealed = sealed_changes(session, person)
    changes = (one for one in _added(session) if one.case_id == case_id and one.id not in sealed)
    return next(changes, None)


def ids_that_wait(workspace: Workspace, person: Person) -> dict[str, str]:
    """Return the ids of new cases in open changes, each with which change it is in.

    A case that had another id where it was imported from is known by that one.
    """
    found: dict[str, str] = {}
    for change in all_changes(workspace, states=OPEN_STATES, viewer=person):
        if change.kind not in {ChangeKind.ADD, ChangeKind.IMPORT}:
            continue
        for file in change.latest.files:
            case = loads(file.text.encode("utf-8"), file.path)
            found[case.provenance.external_id or case.id] = f" in change {change.shown_number}"
    return found


def _added(session: Session) -> tuple[Change, ...]:
    """Return the waiting changes that add a case, newest first."""
    waiting = stored_changes.list_changes(session, states=OPEN_STATES)
    return tuple(one for one in waiting if one.kind is ChangeKind.ADD)
