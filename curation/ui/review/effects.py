"""What services do after an event: verdicts, searches, versions, the judge, the way out."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from curation.domain.adjudication import verdict_words
from curation.domain.finding import Finding
from curation.domain.plural import plural
from curation.domain.review import Review, Verdict
from curation.services import corpus, desk, passages, review, triage, verdicts
from curation.services.adjudication import verdict_beside
from curation.services.errors import BlockedError, UnexplainedError
from curation.services.review import Proposed
from curation.services.verdicts import Dismissal
from curation.ui.review.board import Effect, Order
from curation.ui.review.counterparts import start_of, telling_sentence
from curation.ui.review.layout import Found
from curation.ui.review.pane_checks import ways_on
from curation.ui.review.reducer import revised
from curation.ui.review.sight import Candidate
from curation.ui.review.sitting import (
    Opened,
    Room,
    Sitting,
    checked,
    close,
    hold,
    lay_out_again,
    save,
    start,
    take_other,
)
from curation.ui.review.undo import Step

HITS = 8


def carry_out(sitting: Sitting, room: Room, order: Order) -> None:
    """Carry out one order; what is refused is said by the caller."""
    if order.effect in _WITHOUT_ANSWER:
        _WITHOUT_ANSWER[order.effect](sitting, room, order)
    elif sitting.opened is not None:
        _WITH_ANSWER[order.effect](sitting, room, order, sitting.opened)


def advance(sitting: Sitting, room: Room) -> bool:
    """Serve the next answer inside the filters and return whether there was one."""
    found = triage.next_or_own(room.workspace, room.person, room.filters, now=room.now)
    if found is None:
        close(sitting)
        return False
    start(sitting, room, found)
    return True


# ---- verdicts


def _propose(sitting: Sitting, room: Room, order: Order, there: Opened) -> None:
    """Propose the case on the values just saved, and move on."""
    del order
    if not _ready(sitting, room):
        return
    try:
        proposed = review.propose(
            room.workspace,
            room.person,
            there.answer_id,
            now=room.now,
            blind=not there.judge_shown,
        )
    except UnexplainedError as refusal:
        sitting.say(_unexplained_sentence(sitting, room, refusal.unexplained[0]), refused=True)
        return
    except BlockedError as refusal:
        sitting.say(str(refusal), refused=True)
        return
    advance(sitting, room)
    beside = _beside(room, there)
    sitting.say(f"{_proposed_sentence(proposed, there, differs=bool(beside))}{beside}")


def _unexplained_sentence(sitting: Sitting, room: Room, finding: Finding) -> str:
    """Return what has no word of why, and the keys that lead on."""
    found = checked(sitting, room)
    ways = ways_on(found[0].case, found[1], finding) if found else ""
    return f"Nothing was proposed: {finding.message} {ways}"


def _proposed_sentence(proposed: Proposed, there: Opened, *, differs: bool) -> str:
    """Return what is said after a proposal."""
    number = proposed.change.shown_number
    experiments = there.work.golden.open_experiments
    if differs:
        return f"Proposed as change {number}. Z: undo."
    if experiments:
        return (
            f"Proposed as change {number}. It can be approved now and can be published when "
            f"{experiments[0].id} is closed."
        )
    return f"Proposed as change {number}. It waits for a second person. Z: undo."


def _beside(room: Room, there: Opened) -> str:
    """Return what is said after the second of two verdicts that cannot both stand."""
    other = verdict_beside(room.workspace, there.answer_id, room.person)
    if other is None:
        return ""
    return (
        f" {other.review.person.name} decided otherwise on it ({verdict_words(other)}): "
        "Q, then T settles which one stands."
    )


def _ready(sitting: Sitting, room: Room) -> bool:
    """Return whether a verdict can be given: it is held, and everything is saved."""
    if sitting.board.desk.locked:
        sitting.say(sitting.board.desk.locked, refused=True)
        return False
    if sitting.board.bad:
        sitting.say(f"Nothing was done: {next(iter(sitting.board.bad.values()))}", refused=True)
        return False
    return save(sitting, room)


def _dismiss(sitting: Sitting, room: Room, order: Order, there: Opened) -> None:
    """End the review without a change, and move on."""
    if order.verdict is None or not _ready(sitting, room):
        return
    done = verdicts.dismiss(
        room.workspace,
        room.person,
        there.answer_id,
        _dismissal(sitting, room, order, order.verdict),
        now=room.now,
        blind=not there.judge_shown,
    )
    advance(sitting, room)
    sitting.say(f"{_dismissed_words(done, there)} Z: undo.{_beside(room, there)}")


def _dismissal(sitting: Sitting, room: Room, order: Order, verdict: Verdict) -> Dismissal:
    """Return the dismissal; a duplicate failed where the person says, else as it was proposed."""
    found = checked(sitting, room) if verdict is Verdict.DUPLICATE else None
    proposed = found[1].failure.category if found else None
    return Dismissal(
        verdict=verdict,
        reason=order.text,
        duplicate_of=order.case_id or None,
        failure=sitting.board.draft.failure or proposed,
        proposed_failure=proposed,
    )


def _dismissed_words(done: Review, there: Opened) -> str:
    if done.verdict is Verdict.RIGHT:
        return "Answer is right."
    waiting = {one.case_id: one.change for one in there.candidates if one.change}
    if done.duplicate_of in waiting:
        return f"Counted to change {waiting[done.duplicate_of]}."
    if done.verdict is Verdict.DUPLICATE:
        return f"Dismissed as duplicate of {done.duplicate_of}."
    return f"Dismissed as not actionable: {done.reason}"


def _skip(sitting: Sitting, room: Room, order: Order, there: Opened) -> None:
    """Give the answer back with its draft kept, and move on."""
    del order
    if not sitting.board.desk.locked and not save(sitting, room):
        return
    verdicts.skip(room.workspace, room.person, there.answer_id, now=room.now)
    advance(sitting, room)
    sitting.say("Skipped. It does not come again today; your draft is kept.")


def _next(sitting: Sitting, room: Room, order: Order) -> None:
    del order
    advance(sitting, room)


def _undo_verdict(sitting: Sitting, room: Room, order: Order) -> None:
    """Take back the last verdict; its answer is here again with its draft."""
    del order
    if sitting.opened is not None and not sitting.board.desk.locked and not save(sitting, room):
        return
    leaving = sitting.answer_id
    back = verdicts.undo(room.workspace, room.person, now=room.now)
    if leaving is not None and leaving != back.answer_id:
        verdicts.give_back(room.workspace, room.person, leaving)
    start(sitting, room, back.answer_id)
    sitting.say("Verdict taken back. The answer is here again with your draft.")


# ---- what is shown


def _show_judge(sitting: Sitting, room: Room, order: Order, there: Opened) -> None:
    """Show the judge; the review is then not blind."""
    del order
    if not there.judge_shown:
        there.answer = desk.show_judge(room.workspace, room.person, there.answer_id, now=room.now)
        there.judge_shown = True
    sitting.say("The judge is shown. Your verdict does not count when it is compared with people.")


def _search(sitting: Sitting, room: Room, order: Order, there: Opened) -> None:
    """Search the corpus and stand on the first hit; an empty search closes the block."""
    query = order.text.strip()
    if not query:
        there.found = None
        lay_out_again(sitting)
        return
    found = corpus.search_corpus(room.workspace, query, limit=HITS)
    ordered = passages.newest_first(found, there.passages.asked_for)
    there.found = Found(query=query, chunks=ordered)
    lay_out_again(sitting)
    if not sitting.board.desk.locked:
        searches = tuple(dict.fromkeys((*sitting.board.draft.searches, query)))
        draft = sitting.board.draft.model_copy(update={"searches": searches})
        sitting.board = replace(sitting.board, draft=draft)
    hits = [hit.passage for hit in there.layout.search.hits]
    place = start_of(query, "", hits, asked_for=sitting.board.desk.asked_for, pairs={})
    if place is not None:
        sitting.goto = (_after(sitting), place.block, place.sentence)
    sitting.say(there.layout.search.said)


def _after(sitting: Sitting) -> int:
    return sitting.goto[0] + 1 if sitting.goto else 1


def _versions(sitting: Sitting, room: Room, order: Order, there: Opened) -> None:
    """Show all other versions beneath a retrieved chunk, or only the one asked for again."""
    del room
    place = next(
        (
            at
            for at, chunk in enumerate(there.layout.chunks)
            if any(block.passage.key == order.block for block in chunk.each())
        ),
        None,
    )
    if place is None:
        sitting.say("V shows the other versions of a retrieved chunk. Stand on one.", refused=True)
        return
    if there.layout.chunks[place].versions == 0:
        sitting.say("The corpus has no other version of this passage.", refused=True)
        return
    opening = place not in there.opened_versions
    there.opened_versions = there.opened_versions ^ {place}
    lay_out_again(sitting)
    chunk = there.layout.chunks[place]
    if opening and chunk.under:
        first = chunk.under[0]
        sentence = telling_sentence(first.passage.text, there.layout.wanted, first.pair)
        sitting.goto = (_after(sitting), first.passage.key, sentence)
    shown = plural(chunk.versions, "other version")
    sitting.say(f"{shown} shown." if opening else "Versions closed.")


def _duplicates(sitting: Sitting, room: Room, order: Order, there: Opened) -> None:
    """Open the panel of cases that may ask the same, or close it."""
    if sitting.board.panel == "duplicate" and not order.text:
        sitting.board = replace(sitting.board, panel="")
        return
    waiting = desk.waiting_near(room.workspace, room.person, there.answer_id)
    near = desk.near_cases(there.work.golden, there.answer, order.text, waiting)
    there.candidates = tuple(_candidate(item) for item in near)
    there.candidates_note = "" if near else "No case asks something like it, published or waiting."
    sitting.board = replace(sitting.board, panel="duplicate")


def _candidate(item: desk.NearCase) -> Candidate:
    """Return a case that may ask the same as the panel offers it."""
    alike = "asks the same" if item.same else f"{item.likeness:.0f} % alike"
    waits = f"waits for approval as change {item.change} · " if item.change else ""
    return Candidate(
        case_id=item.case.id,
        question=item.case.question,
        match=waits + alike,
        change=item.change or "",
    )


def _edit_case(sitting: Sitting, room: Room, order: Order, there: Opened) -> None:
    """Make the draft an edit of an existing case: every field is filled from the case."""
    del room
    draft = desk.draft_of_case(there.work.golden, order.case_id)
    before = sitting.board
    step = Step(before=before.draft, after=draft, touched=before.touched)
    after = replace(before, draft=draft, panel="", steps=(*before.steps, step))
    sitting.board = revised(before, after)
    sitting.say(f"This is now an edit of {order.case_id}. Z: take back.")


# ---- holding and saving


def _renew(sitting: Sitting, room: Room, order: Order, there: Opened) -> None:
    del order, there
    hold(sitting, room)


def _look(sitting: Sitting, room: Room, order: Order) -> None:
    """Serve an answer as soon as one is free, where somebody asked to be told."""
    del order
    if sitting.opened is None and advance(sitting, room):
        sitting.say("One is free now: it is yours.")
    sitting.watching = sitting.opened is None


def _save_again(sitting: Sitting, room: Room, order: Order, there: Opened) -> None:
    del order, there
    save(sitting, room)


def _take_other(sitting: Sitting, room: Room, order: Order, there: Opened) -> None:
    del order, there
    take_other(sitting, room)


def _keep_mine(sitting: Sitting, room: Room, order: Order, there: Opened) -> None:
    del order, there
    save(sitting, room, over=True)


def _discard(sitting: Sitting, room: Room, order: Order, there: Opened) -> None:
    """Put the draft aside and move on."""
    del order
    review.discard_draft(room.workspace, room.person, there.answer_id)
    advance(sitting, room)
    sitting.say("Your draft is discarded.")


def _hand_over(sitting: Sitting, room: Room, order: Order, there: Opened) -> None:
    """Open the change; the browser has put the draft into its comment field."""
    del room, there
    sitting.leave_for = f"changes:{order.text}"
    sitting.leave_saying = "Your draft stands in the comment field. M sends it."


def _go(sitting: Sitting, room: Room, order: Order) -> None:
    """Leave for another page, with everything saved."""
    if sitting.opened is not None and not sitting.board.desk.locked:
        save(sitting, room)
    sitting.leave_for = order.text or "queue"


_WITHOUT_ANSWER: Mapping[Effect, Callable[[Sitting, Room, Order], None]] = {
    Effect.NEXT: _next,
    Effect.UNDO_VERDICT: _undo_verdict,
    Effect.LOOK: _look,
    Effect.GO: _go,
    Effect.GO_QUEUE: _go,
}
_WITH_ANSWER: Mapping[Effect, Callable[[Sitting, Room, Order, Opened], None]] = {
    Effect.PROPOSE: _propose,
    Effect.DISMISS: _dismiss,
    Effect.SKIP: _skip,
    Effect.SHOW_JUDGE: _show_judge,
    Effect.SEARCH: _search,
    Effect.VERSIONS: _versions,
    Effect.DUPLICATES: _duplicates,
    Effect.EDIT_CASE: _edit_case,
    Effect.RENEW: _renew,
    Effect.SAVE_AGAIN: _save_again,
    Effect.TAKE_OTHER: _take_other,
    Effect.KEEP_MINE: _keep_mine,
    Effect.DISCARD: _discard,
    Effect.HAND_OVER: _hand_over,
}
