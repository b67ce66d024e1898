"""What a reviewer's desk shows beside the answer: counts, the hold, nearby cases, an empty desk."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from rapidfuzz import fuzz, process

from curation.domain.answer import Answer
from curation.domain.case import Case
from curation.domain.change import ChangeState
from curation.domain.person import Person, Role
from curation.domain.queue import HeldAnswer, QueueCounts, QueueFilter
from curation.domain.review import Draft
from curation.golden import GoldenSet
from curation.metrics import same_question_key
from curation.services import changes, triage
from curation.services.cases import draft_from_case
from curation.services.people import role_of
from curation.services.review import found_answer, found_case
from curation.services.waiting import WaitingCase, waiting_cases
from curation.services.workspace import Workspace
from curation.store import answers as stored_answers
from curation.store import holes as stored_holes
from curation.store import queue as stored_queue
from curation.store import reviews as stored_reviews

NEAR = 60.0
MOST_CANDIDATES = 5


@dataclass(frozen=True, kw_only=True)
class DeskCounts:
    """What is done today, what waits, how often this question was asked, and what it would fill."""

    done_today: int
    to_review: int
    asked: int
    fills_a_hole: bool


@dataclass(frozen=True, kw_only=True)
class NearCase:
    """A case that may ask the same, and how alike the questions are, 0 to 100.

    `change` is the number of the change that a case waits in which the set does not have yet.
    """

    case: Case
    likeness: float
    same: bool
    change: str | None = None


@dataclass(frozen=True, kw_only=True)
class EmptyDesk:
    """Why nothing can be served: the counts, inside the filters and without, and the holds."""

    counts: QueueCounts
    waiting_without_filters: int
    held: tuple[HeldAnswer, ...]
    changes_waiting: int


def read_counts(
    workspace: Workspace, person: Person, answer_id: str, *, now: datetime
) -> DeskCounts:
    """Return the counts of the header; `now` is in the reader's own time zone."""
    with workspace.store.reading() as session:
        return DeskCounts(
            done_today=stored_reviews.done_today(session, person, now),
            to_review=stored_queue.count_queue(session, QueueFilter(), now, person).open,
            asked=stored_answers.times_asked(session, answer_id),
            fills_a_hole=stored_holes.fills_a_hole(session, answer_id),
        )


def show_judge(workspace: Workspace, person: Person, answer_id: str, *, now: datetime) -> Answer:
    """Return the answer with its scores; the person's review of it is not blind from then on."""
    with workspace.store.writing() as session:
        answer = found_answer(session, answer_id)
        stored_reviews.mark_not_blind(session, answer_id, person, now=now)
    return answer


def near_cases(
    golden: GoldenSet, answer: Answer, words: str = "", waiting: Sequence[WaitingCase] = ()
) -> tuple[NearCase, ...]:
    """Return the active and waiting cases whose question is most like the answer's, or the words.

    What asks the same comes first, and of what is equally alike the cases of the set.
    """
    wanted = words.strip() or answer.question
    known: list[tuple[Case, str | None]] = [(case, None) for case in golden.active]
    known += [(one.case, one.change) for one in waiting]
    found = process.extract(
        wanted.casefold(),
        [case.question.casefold() for case, _ in known],
        scorer=fuzz.token_set_ratio,
        limit=MOST_CANDIDATES,
        score_cutoff=0.0 if words.strip() else NEAR,
    )
    key = same_question_key(answer.question)
    near = (
        NearCase(
            case=known[at][0],
            likeness=likeness,
            same=same_question_key(known[at][0].question) == key,
            change=known[at][1],
        )
        for _, likeness, at in found
    )
    return tuple(sorted(near, key=lambda one: not one.same))


def waiting_near(workspace: Workspace, person: Person, answer_id: str) -> tuple[WaitingCase, ...]:
    """Return the cases that wait for approval, as far as the person may know of them."""
    with workspace.store.reading() as session:
        return waiting_cases(session, person, but=answer_id)


def draft_of_case(golden: GoldenSet, case_id: str) -> Draft:
    """Return the draft that edits an existing case.

    Raises:
        NotFoundError: there is no such case.
    """
    return draft_from_case(found_case(golden, case_id))


def empty_desk(
    workspace: Workspace, person: Person, filters: QueueFilter, *, now: datetime
) -> EmptyDesk:
    """Return why nothing can be served now."""
    page = triage.list_queue(workspace, person, filters, now=now, size=1)
    free = triage.list_queue(workspace, person, QueueFilter(), now=now, size=1)
    waiting = changes.all_changes(workspace, states=[ChangeState.PROPOSED], viewer=person)
    return EmptyDesk(
        counts=page.counts,
        waiting_without_filters=free.counts.open,
        held=page.leases,
        changes_waiting=len(waiting),
    )


def may_review(workspace: Workspace, person: Person) -> str:
    """Return why the person may not review; empty when they may."""
    role = role_of(workspace.settings, person)
    if role.covers(Role.REVIEWER):
        return ""
    return f"Reviewing needs the role reviewer. Yours is {role.value}."
