"""Fields of a form about a case, each kept in the browser under its own name until it is sent."""

from collections.abc import Sequence

from curation.ui.tree import Child, node

PREFIX = "edit."
REMOVED = "removed"


def slot_of(form: str, name: str) -> str:
    """Return the name under which the browser keeps what was typed in a field of a form."""
    return f"{form}-{name}"


def text_field(form: str, name: str, label: str, value: str, rows: int = 2) -> list[Child]:
    """Return a field for text."""
    slot = slot_of(form, name)
    return [
        node("label", label, for_=slot),
        node("textarea", value, id=slot, rows=rows, data_field=name, data_keep=slot),
    ]


def line_field(
    form: str, name: str, label: str, value: str, *, enter: str | None = None
) -> list[Child]:
    """Return a field for one line; `enter` is the act that Enter in it does."""
    slot = slot_of(form, name)
    made = node(
        "input",
        id=slot,
        type="text",
        value=value,
        data_field=name,
        data_keep=slot,
        data_enter=enter,
    )
    return [node("label", label, for_=slot), made]


def choice(
    form: str, name: str, label: str, options: Sequence[tuple[str, str]], chosen: str
) -> list[Child]:
    """Return a list to choose from."""
    slot = slot_of(form, name)
    drawn = [
        node("option", words, value=value, selected=True if value == chosen else None)
        for value, words in options
    ]
    made = node("select", *drawn, id=slot, data_field=name, data_keep=slot)
    return [node("label", label, for_=slot), made]


def first_field(parts: list[Child]) -> list[Child]:
    """Return a field that takes the focus when it is drawn first."""
    made = parts[-1]
    if isinstance(made, dict):
        given = made.get("a")
        made["a"] = {**(given if isinstance(given, dict) else {}), "data-focus": True}
    return parts
