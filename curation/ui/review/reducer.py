"""What each event does to the board; nothing here reads or writes anything else."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain

from curation.domain.case import Answerable, FactKind
from curation.domain.review import Draft, FailureCategory, Verdict
from curation.metrics import same_version
from curation.ui.review import edits
from curation.ui.review.board import Board, Effect, Guard, Order
from curation.ui.review.cleaning import cleaned, redacted, stripped
from curation.ui.review.counterparts import best_sentence, counterpart_of, sentence_spans
from curation.ui.review.keymap import shown_key
from curation.ui.review.picks import (
    Context,
    Done,
    Passage,
    PickKind,
    Refused,
    Selection,
    apply_pick,
    evidence_of,
    ids_of,
)
from curation.ui.review.protocol import Acted, Event, FieldTyped, Here, Look, Picked
from curation.ui.review.undo import Step, revert

Reduced = tuple[Board, tuple[Order, ...]]
_GUARDED = frozenset({PickKind.REQUIRED, PickKind.OPTIONAL, PickKind.EVIDENCE})
_USE_EVIDENCE = "use_evidence"
ANSWERABLE_ACTS = {
    "answer_yes": Answerable.ANSWERABLE,
    "answer_no": Answerable.UNANSWERABLE,
    "answer_part": Answerable.PARTIAL,
    "answer_unclear": Answerable.UNDERSPECIFIED,
}


def reduce(board: Board, event: Event) -> Reduced:
    """Return the board after an event, and what services are to do."""
    if isinstance(event, Here):
        return board, (Order(effect=Effect.RENEW),)
    if isinstance(event, Look):
        return board, (Order(effect=Effect.LOOK),)
    if isinstance(event, FieldTyped):
        return _typed(board, event), ()
    if isinstance(event, Picked):
        return revised(board, _picked(board, event)), ()
    if isinstance(event, Acted):
        after, orders = _acted(board, event)
        return revised(board, after), orders
    return board, ()


# ---- fields


def _typed(board: Board, event: FieldTyped) -> Board:
    """Return the board with a field's text taken over."""
    seen = {**board.seen, event.field: max(event.v, board.seen.get(event.field, 0))}
    if board.desk.locked:
        return replace(board, seen=seen).says(board.desk.locked, refused=True)
    written = edits.write_field(board.draft, event.field, event.value)
    bad = {name: why for name, why in board.bad.items() if name != event.field}
    if isinstance(written, Refused):
        return replace(board, seen=seen, bad={**bad, event.field: written.why})
    after = replace(board, draft=written, seen=seen, bad=bad, guard=None)
    if event.field.startswith("fact:"):
        after = replace(after, touched=event.field.removeprefix("fact:"))
    if event.field.startswith("wording:"):
        after = replace(after, wording_for="")
    return revised(board, after, but=event.field)


def revised(before: Board, after: Board, *, but: str = "") -> Board:
    """Return the board with a new revision of every field whose text the program changed."""
    if before.draft == after.draft:
        return after
    names = set(field_names(before.draft)) | set(field_names(after.draft)) | set(after.revs)
    changed = [
        name
        for name in names
        if name != but
        and edits.read_field(before.draft, name) != edits.read_field(after.draft, name)
    ]
    revs = {**after.revs, **{name: after.revs.get(name, 0) + 1 for name in changed}}
    used = after.used | ids_of(before.draft) | ids_of(after.draft)
    return replace(after, revs=revs, used=used)


def field_names(draft: Draft) -> list[str]:
    """Return the name of every field that the draft has a text in."""
    facts = [fact for _, fact in draft.facts.each]
    wordings = chain.from_iterable(
        [f"wording:{fact.id}:{place}" for place in range(len(fact.any_of))] for fact in facts
    )
    return [
        *sorted(edits.PLAIN_FIELDS | edits.OPTIONAL_FIELDS),
        *("weight", "readings", "declines"),
        *(f"fact:{fact.id}" for fact in facts),
        *wordings,
        *(f"other:{place}" for place in range(len(draft.other_references))),
        *(f"ack:{ack.check}:{ack.item or ''}" for ack in draft.acks),
    ]


# ---- picks


def _picked(board: Board, event: Picked) -> Board:
    """Return the board after a pick, or with the reason or question that it met."""
    passage = board.desk.passages.get(event.block)
    if passage is None:
        return board
    selection = Selection(passage=passage, start=event.start, end=event.end)
    kind = PickKind(event.kind)
    return _pick(board, kind, selection, press=event.kind, caret=event.caret)


def _pick(
    board: Board, kind: PickKind, selection: Selection, *, press: str, caret: int | None = None
) -> Board:
    """Return the board after picking a selection."""
    if board.desk.locked:
        return board.says(board.desk.locked, refused=True)
    asked = _asked_first(board, kind, selection.passage, press)
    if asked is not None:
        return asked
    context = Context(
        asked_for=board.desk.asked_for,
        touched=board.touched,
        used=board.used,
        counterpart=_counterpart(board, kind, selection),
        caret=caret,
    )
    outcome = apply_pick(board.draft, kind, selection, context)
    return _settled(replace(board, guard=None), outcome)


def _settled(board: Board, outcome: Done | Refused) -> Board:
    """Return the board after an act that may be refused; what it did can be undone."""
    if isinstance(outcome, Refused):
        return board.says(outcome.why, refused=True)
    touched = outcome.touched if outcome.touched is not None else board.touched
    return _stepped(board, outcome.draft, said=outcome.said, touched=touched)


def _stepped(board: Board, draft: Draft, *, said: str = "", touched: str | None = None) -> Board:
    """Return the board with another draft, and the step that undo takes back."""
    if draft == board.draft:
        return board
    step = Step(before=board.draft, after=draft, touched=board.touched)
    after = replace(
        board,
        draft=draft,
        steps=(*board.steps, step),
        touched=touched if touched is not None else board.touched,
        guard=None,
    )
    return after.says(said) if said else after


def _asked_first(board: Board, kind: PickKind, passage: Passage, press: str) -> Board | None:
    """Return the board with the question that a chunk of another version asks; None to go on."""
    asked = board.desk.asked_for
    if kind not in _GUARDED or not passage.proves or asked is None:
        return None
    if same_version(passage.doc_version, asked):
        return None
    if board.guard is not None and (board.guard.block, board.guard.press) == (passage.key, press):
        return None
    pressed = shown_key(press) or "The same button"
    text = (
        f"This chunk is {passage.doc_version or 'of no version'}, not the version asked for. "
        f"{pressed} again: use it anyway · 3: forbid it · V: other versions"
    )
    guard = Guard(block=passage.key, press=press, text=text)
    return replace(board, guard=guard).says(text, refused=True, urgent=True)


def _counterpart(board: Board, kind: PickKind, selection: Selection) -> Selection | None:
    """Return the same words in the retrieved version, where they are needed."""
    other = board.desk.passages.get(board.desk.pairs.get(selection.passage.key, ""))
    if kind is not PickKind.REQUIRED_AND_FORBID or other is None:
        return None
    return counterpart_of(selection, other)


# ---- acts


def _acted(board: Board, event: Acted) -> Reduced:
    """Return the board after a key or button that is no pick."""
    if event.act in ORDERS:
        return replace(board, guard=None), (ORDERS[event.act](event),)
    if event.act == "undo":
        return _undone(board)
    if event.act in _WHILE_LOCKED:
        return _WHILE_LOCKED[event.act](board, event), ()
    if board.desk.locked:
        return board.says(board.desk.locked, refused=True), ()
    if event.act in ANSWERABLE_ACTS:
        return _answerable(board, ANSWERABLE_ACTS[event.act]), ()
    handler = EDITS.get(event.act)
    return (handler(board, event), ()) if handler else (board, ())


def _undone(board: Board) -> Reduced:
    """Return the board without the last step; without one, the last verdict is taken back."""
    if not board.steps or board.desk.locked:
        return board, (Order(effect=Effect.UNDO_VERDICT),)
    step = board.steps[-1]
    draft = revert(step, board.draft)
    after = replace(board, draft=draft, steps=board.steps[:-1], touched=step.touched, guard=None)
    return after.says("Taken back."), ()


def _answerable(board: Board, choice: Answerable) -> Board:
    """Return the board with another answer to whether the corpus can answer."""
    draft = board.draft.model_copy(update={"answerable": choice})
    return _stepped(board, draft, said=f"The corpus can answer it: {ANSWERABLE_WORDS[choice]}.")


ANSWERABLE_WORDS = {
    Answerable.ANSWERABLE: "yes",
    Answerable.UNANSWERABLE: "no",
    Answerable.PARTIAL: "in part",
    Answerable.UNDERSPECIFIED: "unclear",
}


def _choose_answerable(board: Board, event: Acted) -> Board:
    value = event.text("value")
    return _answerable(board, Answerable(value)) if value in set(Answerable) else board


def _use_evidence(board: Board, event: Acted) -> Board:
    """Return the board with a chunk as evidence, or no longer.

    The quote is where the cursor stands in the chunk, else its most telling sentence.
    """
    passage = board.desk.passages.get(event.text("block"))
    if passage is None:
        return board
    there = evidence_of(board.draft, passage)
    if there:
        draft = board.draft
        for item in there:
            draft = edits.remove_evidence(draft, item.id)
        return _stepped(board, draft, said="This chunk is no evidence any more.")
    start, end = event.number("start"), event.number("end")
    if start is None or end is None:
        best = best_sentence(passage.text, board.desk.wanted)
        start, end = sentence_spans(passage.text)[best] if best is not None else (0, 0)
    selection = Selection(passage=passage, start=start, end=end)
    return _pick(board, PickKind.EVIDENCE, selection, press=_USE_EVIDENCE)


def _fact_add(board: Board, event: Acted) -> Board:
    return _settled(board, edits.add_fact(board.draft, event.text("text"), used=board.used))


def _fact_move(board: Board, event: Acted) -> Board:
    kind = event.text("kind")
    if kind not in set(FactKind):
        return board
    draft = edits.move_fact(board.draft, event.text("id"), FactKind(kind))
    return _stepped(board, draft, said="Moved.", touched=event.text("id"))


def _to_may(board: Board, event: Acted) -> Board:
    """Return the board with the marked fact among those that an answer may hold."""
    fact_id = event.text("id") or board.touched or ""
    if edits.find_fact(board.draft, fact_id) is None:
        return board.says("No fact is marked. Pick one, or use its menu.", refused=True)
    draft = edits.move_fact(board.draft, fact_id, FactKind.OPTIONAL)
    return _stepped(board, draft, said="○ Moved to may.", touched=fact_id)


def _fact_remove(board: Board, event: Acted) -> Board:
    return _stepped(board, edits.remove_fact(board.draft, event.text("id")), said="Removed.")


def _fact_from(board: Board, event: Acted) -> Board:
    draft = edits.toggle_conclusion(board.draft, event.text("id"), event.text("from"))
    return _stepped(board, draft, touched=event.text("id"))


def _fact_mention(board: Board, event: Acted) -> Board:
    return _stepped(board, edits.toggle_mention(board.draft, event.text("id")))


def _wording_open(board: Board, event: Acted) -> Board:
    return replace(board, wording_for=event.text("id"), touched=event.text("id"))


def _wording_add(board: Board, event: Acted) -> Board:
    """Return the board with the reference's own wording accepted for a fact."""
    added = edits.add_wording(board.draft, event.text("id"), event.text("text"))
    if isinstance(added, Refused):
        return board.says(added.why, refused=True)
    said = f"Also accepted: {event.text('text')}"
    return _stepped(board, added, said=said, touched=event.text("id"))


def _wording_remove(board: Board, event: Acted) -> Board:
    place = event.number("place")
    if place is None:
        return board
    return _stepped(board, edits.remove_wording(board.draft, event.text("id"), place))


def _evidence_remove(board: Board, event: Acted) -> Board:
    draft = edits.remove_evidence(board.draft, event.text("id"))
    return _stepped(board, draft, said="Evidence removed.")


def _evidence_group(board: Board, event: Acted) -> Board:
    draft = edits.toggle_alternative(board.draft, event.text("id"), event.text("other"))
    return _stepped(board, draft)


def _evidence_near(board: Board, event: Acted) -> Board:
    return _stepped(board, edits.toggle_near_miss(board.draft, event.text("id")))


def _failure(board: Board, event: Acted) -> Board:
    """Return the board with the failure category as a person chose it; "" follows the proposal."""
    value = event.text("value")
    category = FailureCategory(value) if value in set(FailureCategory) else None
    draft = board.draft.model_copy(update={"failure": category})
    said = f"Where it failed: {value}." if category else "Where it failed follows the proposal."
    return _stepped(board, draft, said=said)


def _redact(board: Board, event: Acted) -> Board:
    draft = cleaned(board.draft, event.text("field"), event.text("item"), redacted)
    return _stepped(board, draft, said="Redacted.")


def _strip(board: Board, event: Acted) -> Board:
    draft = cleaned(board.draft, event.text("field"), event.text("item"), stripped)
    return _stepped(board, draft, said="Stripped of what nobody sees.")


def _nothing_to_pick(board: Board, event: Acted) -> Board:
    del event
    said = "There are no words to pick here. / searches the corpus, A types a fact."
    return board.says(said, refused=True)


def _panel(board: Board, event: Acted) -> Board:
    """Return the board with a panel open, or closed when it was open."""
    return replace(board, panel="" if board.panel == event.act else event.act, guard=None)


def _close_panel(board: Board, event: Acted) -> Board:
    del event
    return replace(board, panel="")


def _clear_message(board: Board, event: Acted) -> Board:
    del event
    return replace(board, said=replace(board.said, text=""), guard=None)


EDITS: Mapping[str, Callable[[Board, Acted], Board]] = {
    "answerable": _choose_answerable,
    _USE_EVIDENCE: _use_evidence,
    "fact_add": _fact_add,
    "fact_move": _fact_move,
    "to_may": _to_may,
    "fact_remove": _fact_remove,
    "fact_from": _fact_from,
    "fact_mention": _fact_mention,
    "wording_open": _wording_open,
    "wording_add": _wording_add,
    "wording_remove": _wording_remove,
    "evidence_remove": _evidence_remove,
    "evidence_group": _evidence_group,
    "evidence_near": _evidence_near,
    "failure": _failure,
    "redact": _redact,
    "strip": _strip,
    "not_actionable": _panel,
    "nothing_to_pick": _nothing_to_pick,
}
_WHILE_LOCKED: Mapping[str, Callable[[Board, Acted], Board]] = {
    "close_panel": _close_panel,
    "clear_message": _clear_message,
}


def _dismiss(verdict: Verdict) -> Callable[[Acted], Order]:
    """Return the order that ends the review with a verdict."""
    return lambda event: Order(
        effect=Effect.DISMISS, verdict=verdict, text=event.text("reason"), case_id=event.text("id")
    )


def _plain(effect: Effect) -> Callable[[Acted], Order]:
    """Return an order that needs no more than its name, a text and a block."""
    return lambda event: Order(
        effect=effect,
        text=event.text("query") or event.text("page") or event.text("change"),
        case_id=event.text("id"),
        block=event.text("block"),
    )


ORDERS: Mapping[str, Callable[[Acted], Order]] = {
    "propose": _plain(Effect.PROPOSE),
    "right": _dismiss(Verdict.RIGHT),
    "duplicate_of": _dismiss(Verdict.DUPLICATE),
    "dismiss_not_actionable": _dismiss(Verdict.NOT_ACTIONABLE),
    "skip": _plain(Effect.SKIP),
    "judge": _plain(Effect.SHOW_JUDGE),
    "search": _plain(Effect.SEARCH),
    "close_search": _plain(Effect.SEARCH),
    "versions": _plain(Effect.VERSIONS),
    "duplicate": _plain(Effect.DUPLICATES),
    "duplicate_search": _plain(Effect.DUPLICATES),
    "edit_case": _plain(Effect.EDIT_CASE),
    "queue": _plain(Effect.GO_QUEUE),
    "go": _plain(Effect.GO),
    "next": _plain(Effect.NEXT),
    "look": _plain(Effect.LOOK),
    "save_again": _plain(Effect.SAVE_AGAIN),
    "take_other": _plain(Effect.TAKE_OTHER),
    "keep_mine": _plain(Effect.KEEP_MINE),
    "discard": _plain(Effect.DISCARD),
    "hand_over": _plain(Effect.HAND_OVER),
}
