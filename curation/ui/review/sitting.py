"""A reviewer's sitting in one browser session: what is open, what is saved, who holds it.

The session keeps one `Sitting`. Nothing in here talks to the browser, so an interrupted rerun
cannot leave an event half done: an event is acknowledged when it has been acted on.
"""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo

from curation.domain.answer import Answer
from curation.domain.change import Change
from curation.domain.person import Person
from curation.domain.queue import QueueFilter
from curation.domain.review import Draft
from curation.errors import CurationError
from curation.evaluation.drafting import Checked
from curation.metrics.lookup import asked_versions
from curation.services import desk, passages, review, verdicts
from curation.services.cases import draft_from_case
from curation.services.errors import FinishedError, HeldError
from curation.services.passages import Passages
from curation.services.review import Work
from curation.services.workspace import Workspace
from curation.store.errors import DraftChangedError
from curation.ui.moments import clock, day_and_clock
from curation.ui.review.board import Board
from curation.ui.review.layout import Found, Layout, lay_out
from curation.ui.review.picks import ids_of
from curation.ui.review.reducer import revised
from curation.ui.review.sight import Candidate, Notice

Acts = tuple[tuple[str, str, dict[str, str]], ...]
NEXT: tuple[str, str, dict[str, str]] = ("Next answer", "next", {})
CHANGES: tuple[str, str, dict[str, str]] = ("Changes", "go", {"page": "changes"})
TRY_AGAIN: tuple[str, str, dict[str, str]] = ("Try again", "save_again", {})
DISCARD: tuple[str, str, dict[str, str]] = ("Discard my draft", "discard", {})
COPY: tuple[str, str, dict[str, str]] = ("Copy my draft", "copy", {})


@dataclass(frozen=True, kw_only=True)
class Room:
    """What a sitting acts in: the workspace, the person, the time, the filters of the queue."""

    workspace: Workspace
    person: Person
    now: datetime
    zone: tzinfo = UTC
    filters: QueueFilter = field(default_factory=QueueFilter)
    judge_shown: bool = False

    def at(self, moment: datetime) -> str:
        """Return a moment as the reader's clock says it."""
        return clock(moment, self.zone)


@dataclass
class Opened:
    """An answer that is open: what was read when it was opened, and what is remembered of it."""

    work: Work
    passages: Passages
    answer: Answer  # with the judge's part only when that may be shown
    judge_shown: bool
    counts: desk.DeskCounts
    saved: Draft
    versions: dict[str, int]
    saved_at: datetime | None
    layout: Layout
    opened_versions: frozenset[int] = frozenset()
    found: Found | None = None
    candidates: tuple[Candidate, ...] = ()
    candidates_note: str = ""
    held_until: datetime | None = None
    held: str = ""
    not_saved: str = ""
    notice: Notice | None = None
    checked: tuple[Draft, Work, Checked] | None = None

    @property
    def answer_id(self) -> str:
        """The answer's id."""
        return self.work.answer.id


@dataclass
class Sitting:
    """What one browser session remembers of its review."""

    client: str = ""
    ack: int = 0
    serial: int = 0
    goto: tuple[int, str, int] | None = None
    board: Board = field(default_factory=Board)
    opened: Opened | None = None
    watching: bool = False
    leave_for: str = ""  # the page, and after a colon the change to open there
    leave_saying: str = ""

    @property
    def answer_id(self) -> str | None:
        """The answer on the screen."""
        return self.opened.answer_id if self.opened else None

    def say(self, text: str, *, refused: bool = False) -> None:
        """Say what was done, until the next act."""
        self.board = self.board.says(text, refused=refused)


def start(sitting: Sitting, room: Room, answer_id: str) -> None:
    """Put an answer on the screen, with the person's draft, and hold it if it is free.

    Raises:
        NotFoundError: there is no such answer.
    """
    work = review.load_work(room.workspace, room.person, answer_id)
    shown = room.judge_shown or not room.workspace.settings.review.blind_to_judge
    answer = work.answer
    if shown:
        answer = desk.show_judge(room.workspace, room.person, answer_id, now=room.now)
    known = passages.read_passages(room.workspace, answer, asked_for=asked_versions(work.case))
    local = room.now.astimezone(room.zone)
    sitting.opened = Opened(
        work=work,
        passages=known,
        answer=answer,
        judge_shown=shown,
        counts=desk.read_counts(room.workspace, room.person, answer_id, now=local),
        saved=work.draft,
        versions=_versions(work),
        saved_at=work.saved.saved_at if work.saved else None,
        layout=lay_out(answer, known, known.asked_for),
    )
    used = ids_of(work.draft) | (ids_of(draft_from_case(work.base)) if work.base else frozenset())
    sitting.board = Board(
        draft=work.draft,
        used=used,
        said=sitting.board.said,
        desk=sitting.opened.layout.desk,
        touched=next((fact.id for _, fact in reversed(work.draft.facts.each)), None),
    )
    sitting.serial += 1
    sitting.watching = False
    sitting.goto = None
    hold(sitting, room)


def _versions(work: Work) -> dict[str, int]:
    """Return how often each field of the draft was saved."""
    return dict(work.saved.versions) if work.saved else {}


def close(sitting: Sitting) -> None:
    """Take the answer off the screen."""
    sitting.opened = None
    sitting.serial += 1
    sitting.board = Board(said=sitting.board.said)


def lay_out_again(sitting: Sitting) -> None:
    """Lay the passages out again, after versions or a search were opened or closed."""
    there = sitting.opened
    if there is None:
        return
    there.layout = lay_out(
        there.answer,
        there.passages,
        there.passages.asked_for,
        opened=there.opened_versions,
        found=there.found,
    )
    locked = sitting.board.desk.locked
    sitting.board = replace(sitting.board, desk=replace(there.layout.desk, locked=locked))


def hold(sitting: Sitting, room: Room) -> None:
    """Claim the answer or keep it; say why not where that fails."""
    there = sitting.opened
    if there is None:
        return
    why = desk.may_review(room.workspace, room.person)
    if why:
        _lock(sitting, why)
        return
    had = there.held_until is not None or there.saved_at is not None
    try:
        until = verdicts.renew(room.workspace, room.person, there.answer_id, now=room.now)
    except HeldError as refusal:
        _held(sitting, room, refusal, had=had)
    except FinishedError as refusal:
        _finished(sitting, room, refusal)
    else:
        there.held_until, there.held = until, ""
        if sitting.board.desk.locked:
            sitting.board = replace(sitting.board, desk=replace(sitting.board.desk, locked=""))
            there.notice = None


def _held(sitting: Sitting, room: Room, refusal: HeldError, *, had: bool) -> None:
    """Say who holds the answer; a draft is kept."""
    until = room.at(refusal.until)
    if had:
        text = f"{refusal.name} took this answer at {room.at(room.now)}. Your draft is kept."
        acts: Acts = (COPY, NEXT)
    else:
        text = (
            f"{refusal.name} holds this answer until {until}. "
            "You can read it; you cannot give a verdict."
        )
        acts = (NEXT,)
    _lock(sitting, text, held=f"Held by {refusal.name} until {until}", acts=acts)


def _finished(sitting: Sitting, room: Room, refusal: FinishedError) -> None:
    """Say who finished the answer."""
    who = "You" if refusal.person.key == room.person.key else refusal.person.name
    text = f"{who} finished this answer {_when(room, refusal.at)} ({refusal.outcome})."
    _lock(sitting, text, acts=_after_finished(sitting, room))


def _when(room: Room, moment: datetime) -> str:
    """Return a moment of today by the clock alone: `at 10:42`, else `on 26 Nov, 14:02`."""
    today = moment.astimezone(room.zone).date() == room.now.astimezone(room.zone).date()
    return f"at {room.at(moment)}" if today else f"on {day_and_clock(moment, room.zone)}"


def _after_finished(sitting: Sitting, room: Room) -> Acts:
    """Return what can be done with a draft whose answer somebody else finished."""
    there = sitting.opened
    change = review.change_of(room.workspace, there.answer_id) if there else None
    if there is None or sitting.board.draft == Draft():
        return (_opening(change), NEXT)
    if change is None:
        return (COPY, DISCARD, NEXT)
    comment = {"change": change.shown_number}
    label = f"Open {change.shown_number} with my draft as comment"
    return ((label, "hand_over", comment), DISCARD, NEXT)


def _opening(change: Change | None) -> tuple[str, str, dict[str, str]]:
    """Return the way to a change, or to all of them."""
    if change is None:
        return CHANGES
    number = change.shown_number
    return (f"Open {number}", "go", {"page": f"changes:{number}"})


def _lock(sitting: Sitting, why: str, *, held: str = "", acts: Acts = ()) -> None:
    """Make the review read-only and say why."""
    there = sitting.opened
    if there is None:
        return
    there.held_until, there.held = None, held
    there.notice = Notice(text=why, acts=acts)
    sitting.board = replace(sitting.board, desk=replace(sitting.board.desk, locked=why))


def save(sitting: Sitting, room: Room, *, over: bool = False) -> bool:
    """Save the fields that changed here, and no other; return whether everything is saved.

    Args:
        sitting: the sitting.
        room: what it acts in.
        over: save over what another window changed.
    """
    there = sitting.opened
    if there is None:
        return False
    changed = sitting.board.changed_fields(there.saved)
    if not changed:
        return not there.not_saved
    values = sitting.board.draft.model_dump(mode="json", by_alias=True)
    fields = {name: values[name] for name in changed}
    seen = None if over else there.versions
    try:
        saved = review.save_fields(
            room.workspace, room.person, there.answer_id, fields, now=room.now, seen=seen
        )
    except DraftChangedError as refusal:
        there.notice = _two_windows(room, refusal)
    except HeldError as refusal:
        _held(sitting, room, refusal, had=True)
    except FinishedError as refusal:
        _finished(sitting, room, refusal)
    except CurationError as refusal:
        there.not_saved = f"Not saved: {str(refusal).rstrip('.')}. Your text is still here."
        there.notice = Notice(text=there.not_saved, urgent=True, acts=(TRY_AGAIN, COPY))
    else:
        there.versions, there.saved_at = dict(saved.versions), room.now
        there.not_saved, there.notice = "", None
        there.saved = saved.draft
        if saved.draft != sitting.board.draft:
            sitting.board = revised(sitting.board, replace(sitting.board, draft=saved.draft))
        minutes = room.workspace.settings.review.lease_minutes
        there.held_until, there.held = room.now + timedelta(minutes=minutes), ""
        return True
    return False


def _two_windows(room: Room, refusal: DraftChangedError) -> Notice:
    """Return the question that two windows on one draft ask."""
    return Notice(
        text=f"You changed this draft in another window at {room.at(refusal.saved_at)}.",
        urgent=True,
        acts=(("Use that one", "take_other", {}), ("Keep this one", "keep_mine", {})),
    )


def take_other(sitting: Sitting, room: Room) -> None:
    """Use the draft as another window saved it."""
    there = sitting.opened
    if there is None:
        return
    work = review.load_work(room.workspace, room.person, there.answer_id)
    there.work, there.saved = work, work.draft
    there.versions = _versions(work)
    there.saved_at = work.saved.saved_at if work.saved else None
    there.notice = None
    sitting.board = revised(sitting.board, replace(sitting.board, draft=work.draft, steps=()))


def checked(sitting: Sitting, room: Room) -> tuple[Work, Checked] | None:
    """Return the case as it stands and what the checks say of it; None without an answer."""
    there = sitting.opened
    if there is None:
        return None
    draft = sitting.board.draft
    if there.checked is None or there.checked[0] != draft:
        work = review.with_draft(room.workspace, there.work, draft)
        there.checked = (draft, work, review.check_work(room.workspace, work))
    return there.checked[1], there.checked[2]
