"""Letters in, drawings out: one turn of a sitting."""

from dataclasses import replace

from curation.domain.plural import plural
from curation.domain.priority import FILLS_A_HOLE, signal_words
from curation.domain.queue import QueueFilter
from curation.errors import CurationError
from curation.services import desk
from curation.services.cases import prefilled_reason
from curation.services.priority import priority_weights
from curation.ui.holders import holders_until
from curation.ui.review.effects import advance, carry_out
from curation.ui.review.fields import Document
from curation.ui.review.protocol import Acted, Event, Here, Letter, Look, Picked
from curation.ui.review.reducer import reduce
from curation.ui.review.screen_view import Envelope, Nothing, nothing_document, review_document
from curation.ui.review.sight import Header, Sight
from curation.ui.review.sitting import Opened, Room, Sitting, checked, save, start


def receive(sitting: Sitting, room: Room, letter: Letter) -> None:
    """Act on the events of a message that were not acted on yet, then save."""
    if letter.client != sitting.client:
        sitting.client, sitting.ack = letter.client, 0
    for event in letter.after(sitting.ack):
        sitting.ack = event.seq
        if event.serial == sitting.serial or isinstance(event, Here | Look):
            _act_on(sitting, room, event)
    sitting.ack = max(sitting.ack, letter.last)
    if sitting.opened is not None and not sitting.board.desk.locked:
        save(sitting, room)


def _act_on(sitting: Sitting, room: Room, event: Event) -> None:
    """Act on one event; a refusal is said, and the next event still acts."""
    if isinstance(event, Acted | Picked) and sitting.board.said.text:
        sitting.board = replace(sitting.board, said=replace(sitting.board.said, text=""))
    try:
        sitting.board, orders = reduce(sitting.board, event)
        for order in orders:
            carry_out(sitting, room, order)
    except CurationError as refusal:
        sitting.say(str(refusal), refused=True)


def show_answer(
    sitting: Sitting, room: Room, answer_id: str | None, *, again: bool = False
) -> None:
    """Put the answer of the address on the screen; without one the open one, else the next.

    Args:
        sitting: the sitting.
        room: what it acts in.
        answer_id: the answer that the address names.
        again: read it again although it is open: the page was entered anew.
    """
    wanted = answer_id or sitting.answer_id
    if wanted is None:
        advance(sitting, room)
    elif again or wanted != sitting.answer_id:
        start(sitting, room, wanted)


def document(sitting: Sitting, room: Room, letter: Letter) -> Document:
    """Return the message that draws the sitting as it stands."""
    envelope = Envelope(
        client=sitting.client,
        ack=sitting.ack,
        serial=sitting.serial,
        now=room.now,
        answer_id=sitting.answer_id,
        have=letter.have if letter.client == sitting.client else frozenset(),
        goto=sitting.goto,
    )
    found = checked(sitting, room)
    if sitting.opened is None or found is None:
        return nothing_document(nothing_to_review(sitting, room), sitting.board, envelope)
    return review_document(sight_of(sitting, room, sitting.opened), sitting.board, envelope)


def sight_of(sitting: Sitting, room: Room, there: Opened) -> Sight:
    """Return everything that the screen shows besides the board."""
    found = checked(sitting, room)
    assert found is not None  # noqa: S101 - an answer is open
    work, says = found
    layout = there.layout
    category = sitting.board.draft.failure or says.failure.category
    return Sight(
        answer=there.answer,
        case=work.case,
        policy=work.policy,
        checked=says,
        base=work.base,
        judge=there.answer.scores if there.judge_shown else None,
        asked_for=layout.asked_for,
        chunks=layout.chunks,
        chunks_note=layout.note,
        search=layout.search,
        candidates=there.candidates,
        candidates_note=there.candidates_note,
        start=layout.start,
        header=_header(sitting, room, there),
        notice=there.notice,
        prefilled_reason=prefilled_reason(there.work.answer, category),
        zone=room.zone,
        categories=_categories(there),
        wanted=layout.wanted,
    )


def _categories(there: Opened) -> tuple[str, ...]:
    """Return the categories: of the evidence for most cases, all known ones for a "no"."""
    known = {item.chunk.category for item in there.passages.retrieved if item.chunk is not None}
    ruled = {rule.category for rule in there.work.policy.documents}
    return tuple(sorted(name for name in known | ruled if name))


def _header(sitting: Sitting, room: Room, there: Opened) -> Header:
    """Return the header line: signals, frequency and a hole that the question itself would fill.

    Nothing in it gives a sample away: all three are the same for whatever reason it is served.
    """
    del sitting
    counts = there.counts
    experiments = there.work.golden.open_experiments
    return Header(
        left=(
            f"{counts.done_today} done today",
            f"{counts.to_review} to review",
            *_signals(room, there),
            *((FILLS_A_HOLE,) if counts.fills_a_hole else ()),
            f"asked {plural(counts.asked, 'time')}",
        ),
        held_until=there.held_until,
        held=there.held,
        saved=f"{there.saved_at.astimezone(room.zone):%H:%M:%S}" if there.saved_at else "",
        not_saved="Not saved" if there.not_saved else "",
        frozen=f"Frozen by {experiments[0].id}: proposing is fine" if experiments else "",
    )


def _signals(room: Room, there: Opened) -> list[str]:
    """Return what the user did in words, what weighs most first, as the queue says it."""
    weights = priority_weights(room.workspace.settings.priority).signals
    kinds = dict.fromkeys(signal.kind for signal in there.answer.signals)
    return [signal_words(k) for k in sorted(kinds, key=lambda kind: -weights[kind])]


# ---- the empty desk


_CHANGES: tuple[str, str, dict[str, str]] = ("Changes", "go", {"page": "changes"})
_QUEUE: tuple[str, str, dict[str, str]] = ("Queue", "go", {"page": "queue"})


def nothing_to_review(sitting: Sitting, room: Room) -> Nothing:
    """Return why nothing is on the screen; held or filtered out is never called reviewed."""
    try:
        empty = desk.empty_desk(room.workspace, room.person, room.filters, now=room.now)
    except CurationError as problem:
        reason = str(problem).rstrip(".")
        text = f"The queue could not be read ({reason}). Nothing is lost."
        return Nothing(text=text, acts=(("Try again", "next", {}),))
    counts = empty.counts
    if counts.all == 0 and empty.waiting_without_filters == 0 and room.filters == QueueFilter():
        text = "No answers yet. Bring in a log to begin."
        return Nothing(text=text, acts=(("Import", "go", {"page": "import"}),))
    if room.filters != QueueFilter() and not counts.open and empty.waiting_without_filters:
        waiting = plural(empty.waiting_without_filters, "answer is", "answers are")
        text = f"Nothing matches these filters. {waiting} waiting without them."
        return Nothing(text=text, acts=(("Clear filters", "go", {"page": "queue"}),))
    if counts.held and not counts.open:
        return _all_held(sitting, room, empty)
    if counts.open:
        left = plural(counts.open, "answer is", "answers are")
        text = f"{left} left, which you skipped today."
        return Nothing(text=text, acts=(_QUEUE,))
    text = (
        f"All {plural(counts.all, 'answer is', 'answers are')} reviewed. "
        f"{plural(empty.changes_waiting, 'change waits', 'changes wait')} for approval."
    )
    return Nothing(text=text, acts=(_CHANGES, _QUEUE))


def _all_held(sitting: Sitting, room: Room, empty: desk.EmptyDesk) -> Nothing:
    """Return who holds what is left, until when."""
    held = empty.counts.held
    text = (
        f"Nothing is free right now: {plural(held, 'answer is', 'answers are')} held. "
        f"{holders_until(empty.held, room.zone)}"
    )
    tell: tuple[str, str, dict[str, str]] = ("Tell me when one is free", "look", {})
    acts = (_CHANGES,) if sitting.watching else (tell, _CHANGES)
    return Nothing(text=text, acts=acts, watching=sitting.watching)
