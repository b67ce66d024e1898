"""A field as the browser is told to draw it: text, revision, what belongs beneath it."""

from curation.domain.visible import hidden_characters, shown
from curation.ui.review.board import Board
from curation.ui.review.edits import read_field

Document = dict[str, object]


def field(
    board: Board, name: str, label: str, *, value: str | None = None, **more: object
) -> Document:
    """Return a field; `value` is shown where the draft leaves it to the answer."""
    text = read_field(board.draft, name)
    if not text and value is not None:
        text = value
    hidden = ", ".join(hidden_characters(text))
    document: Document = {
        "id": name,
        "label": label,
        "value": text,
        "rev": board.revs.get(name, 0),
        "seen": board.seen.get(name, 0),
        "hidden": f"Hidden characters: {hidden}." if hidden else "",
        "bad": name in board.bad,
        **more,
    }
    if name in board.bad:
        document["note"] = board.bad[name]
    return document


def was(before: str | None, now: str | None) -> str:
    """Return the line beneath a field that an edit changed; empty where it did not."""
    if before is None or before == (now or ""):
        return ""
    return f"was: {shown(before)}" if before else "was empty"
