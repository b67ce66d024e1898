"""The whole screen as one message to the browser; what it says is all decided here.

The browser draws it and keeps of its own only the cursor, folds, open menus and unsent typing.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from curation.domain.review import Draft
from curation.domain.visible import shown
from curation.ui.moments import clock
from curation.ui.review.board import Board
from curation.ui.review.fields import Document
from curation.ui.review.keymap import KEYS, key_line
from curation.ui.review.pane_answer import answer_pane
from curation.ui.review.pane_case import case_pane
from curation.ui.review.pane_checks import action_bar, checks_pane
from curation.ui.review.pane_chunks import chunks_pane
from curation.ui.review.sight import Candidate, Notice, Sight
from curation.ui.review.texts import Texts, text_id

WARN_BEFORE_MS = 120_000
WATCH_EVERY_MS = 15_000
NOT_ACTIONABLE = (
    "Not a question.",
    "Not about our documents.",
    "Test traffic.",
    "Only personal data.",
)
_PICKS = (
    ("required", "✓", "required", "1"),
    ("optional", "○", "optional", "2"),
    ("forbidden", "✕", "forbidden", "3"),
    ("evidence", "❝", "evidence", "E"),
    ("reference", "→", "into reference", "I"),
)


@dataclass(frozen=True, kw_only=True)
class Envelope:
    """What every message carries: to whom, what is acknowledged, which answer, when."""

    client: str
    ack: int
    serial: int
    now: datetime
    answer_id: str | None = None
    have: Collection[str] = ()
    goto: tuple[int, str, int] | None = None  # number, block, sentence


@dataclass(frozen=True, kw_only=True)
class Nothing:
    """There is nothing to review here: what is so, and where to go."""

    text: str
    acts: tuple[tuple[str, str, dict[str, str]], ...] = ()  # label, act, arguments
    watching: bool = False


def review_document(sight: Sight, board: Board, envelope: Envelope) -> Document:
    """Return the message that draws a review."""
    texts = Texts(envelope.have)
    document = {
        **_common(board, envelope),
        "kind": "review",
        "locked": bool(board.desk.locked),
        "header": _header(sight),
        "notice": _notice(sight.notice),
        "hold": _hold(sight),
        "lost": _lost(sight),
        "place": text_id(sight.answer.id),
        "copy": _copied(board.draft) if sight.notice else "",
        "answer": answer_pane(sight, texts),
        "chunks": chunks_pane(sight, board, texts),
        "case": case_pane(sight, board, texts),
        "checks": checks_pane(sight, board),
        "bar": action_bar(sight, board),
        "panel": _panel(sight, board, texts),
        "cursor": sight.start._asdict() if sight.start else None,
        "goto": _goto(envelope),
        "picks": [{"act": a, "glyph": g, "label": label, "key": k} for a, g, label, k in _PICKS],
    }
    document["texts"] = texts.missing()
    return document


def nothing_document(nothing: Nothing, board: Board, envelope: Envelope) -> Document:
    """Return the message that says that there is nothing to review."""
    acts = [
        {"label": label, "act": act, "args": args, "primary": i == 0}
        for i, (label, act, args) in enumerate(nothing.acts)
    ]
    return {
        **_common(board, envelope),
        "kind": "nothing",
        "locked": False,
        "nothing": {"text": nothing.text, "acts": acts},
        "watch": WATCH_EVERY_MS if nothing.watching else 0,
        "notice": None,
        "hold": None,
        "lost": "Not connected. The page connects again by itself.",
        "texts": {},
    }


def _common(board: Board, envelope: Envelope) -> Document:
    said = board.said
    message = {"text": shown(said.text), "kind": said.kind} if said.text else None
    return {
        "client": envelope.client,
        "ack": envelope.ack,
        "serial": envelope.serial,
        "address": envelope.answer_id,
        "now": int(envelope.now.timestamp() * 1000),
        "keys": [key.document() for key in KEYS],
        "keyline": key_line(),
        "message": message,
        "say": {
            "n": said.n,
            "polite": "" if said.urgent else shown(said.text),
            "urgent": shown(said.text) if said.urgent else "",
        },
    }


def _header(sight: Sight) -> Document:
    header = sight.header
    right: list[Document] = []
    if header.held_until is not None:
        until = clock(header.held_until, sight.zone)
        right.append({"text": f"Held by you until {until}", "kind": "hold"})
    if header.held:
        right.append({"text": header.held, "kind": "hold"})
    if header.not_saved:
        right.append({"text": header.not_saved, "kind": "bad"})
    elif header.saved:
        right.append({"text": f"Saved {header.saved}", "kind": "saved"})
    left = [{"text": shown(text), "strong": i == 0} for i, text in enumerate(header.left)]
    return {"left": left, "right": right, "frozen": header.frozen}


def _notice(notice: Notice | None) -> Document | None:
    if notice is None:
        return None
    acts = [{"label": label, "act": act, "args": dict(args)} for label, act, args in notice.acts]
    return {"text": shown(notice.text), "urgent": notice.urgent, "acts": acts}


def _hold(sight: Sight) -> Document | None:
    until = sight.header.held_until
    if until is None:
        return None
    return {
        "until": int(until.timestamp() * 1000),
        "warn": WARN_BEFORE_MS,
        "ending": "Your hold ends in 2 minutes. Any key keeps it.",
    }


def _lost(sight: Sight) -> str:
    saved = sight.header.saved
    last = f"Your last saved change is from {saved}." if saved else "Nothing was changed yet."
    return f"Not connected. {last}"


def _copied(draft: Draft) -> str:
    """Return a draft as plain text, for the clipboard."""
    parts = [draft.reference, *draft.other_references]
    parts += [f"{kind.value}: {fact.text}" for kind, fact in draft.facts.each]
    parts += [f"{item.chunk_id} {item.doc_version or ''}: {item.quote}" for item in draft.evidence]
    parts += [line.text for line in draft.declines] + [*draft.readings, draft.missing]
    return "\n".join(part for part in (*parts, draft.reason or "", draft.notes) if part)


def _goto(envelope: Envelope) -> Document | None:
    if envelope.goto is None:
        return None
    number, block, sentence = envelope.goto
    return {"n": number, "block": block, "sentence": sentence}


def _counted(candidate: Candidate) -> str:
    """Return what the button says that counts the answer to a case, or to one that waits."""
    if candidate.change:
        return f"Count it to change {candidate.change}"
    return f"Dismiss as duplicate of {candidate.case_id}"


def _failed(sight: Sight, board: Board) -> str:
    """Return where the answer failed, as dismissing it as a duplicate will say, or the question."""
    mine, proposed = board.draft.failure, sight.checked.failure.category
    if mine is None and proposed is None:
        return "Where did it fail? F chooses; a duplicate is counted there too."
    said = (mine or proposed or "").replace("_", " ")
    return f"Where it failed: {said}{'' if mine else ' (proposed)'}. F changes it."


def _panel(sight: Sight, board: Board, texts: Texts) -> Document | None:
    """Return the open panel: duplicates, or why it is not actionable."""
    if board.panel == "not_actionable":
        return {"kind": "not_actionable", "title": "Not actionable", "offers": list(NOT_ACTIONABLE)}
    if board.panel == "duplicate":
        return {
            "kind": "duplicate",
            "title": "Duplicate",
            "failed": _failed(sight, board),
            "note": sight.candidates_note,
            "cases": [
                {
                    "id": c.case_id,
                    "change": c.change,
                    "label": _counted(c),
                    "match": c.match,
                    "question": {
                        "key": f"candidate-{c.case_id}",
                        "text": texts.add(c.question),
                        "marks": [],
                        "fold": None,
                    },
                }
                for c in sight.candidates
            ],
        }
    return None
