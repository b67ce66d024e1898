"""Trees of literal text: what a page draws, decided in Python, drawn by one component.

A node is a tag of a closed list, classes, a few attributes and children; every text becomes a text
node in the browser, so nothing that a person, a model or a document wrote is ever markup.
"""

from collections.abc import Iterable
from typing import TypeAlias

from curation.domain.visible import shown as visible

Node: TypeAlias = dict[str, object]
Child: TypeAlias = Node | str

TAGS = frozenset(
    [
        "a",
        "article",
        "aside",
        "button",
        "dd",
        "del",
        "details",
        "div",
        "dl",
        "dt",
        "em",
        "fieldset",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "header",
        "input",
        "ins",
        "kbd",
        "label",
        "legend",
        "li",
        "mark",
        "nav",
        "ol",
        "option",
        "p",
        "pre",
        "section",
        "select",
        "small",
        "span",
        "strong",
        "summary",
        "table",
        "tbody",
        "td",
        "textarea",
        "th",
        "thead",
        "time",
        "tr",
        "ul",
    ]
)
_SHOWN = frozenset({"title", "aria-label", "placeholder"})  # attributes that a person reads


def node(
    tag: str, *children: Child | None, cls: str = "", **attributes: str | int | bool | None
) -> Node:
    """Return a node; `aria_label=` becomes `aria-label`, a None child or attribute is left out."""
    if tag not in TAGS:
        raise ValueError(tag)
    made: Node = {"t": tag}
    if cls:
        made["c"] = cls
    kept = {_name(key): value for key, value in attributes.items() if value is not None}
    if kept:
        made["a"] = {
            key: visible(value) if key in _SHOWN and isinstance(value, str) else value
            for key, value in kept.items()
        }
    written = tag == "textarea"  # a field holds what is stored, or saving would change it
    shown = [
        visible(child) if isinstance(child, str) and not written else child
        for child in children
        if child
    ]
    if shown:
        made["x"] = shown
    return made


def _name(key: str) -> str:
    """Return the attribute's name as the browser knows it."""
    return key.rstrip("_").replace("_", "-")


def button(
    label: str, act: str, *, arg: str = "", key: str = "", cls: str = "", **attributes: str | None
) -> Node:
    """Return a button that sends an action when it is pressed; its key stands in it as text."""
    hint = node("kbd", key) if key else None
    return node(
        "button",
        node("span", label),
        hint,
        cls=cls or "cur-button",
        type="button",
        data_act=act,
        data_arg=arg or None,
        **attributes,
    )


def words(node_or_text: Child) -> str:
    """Return the text of a tree, as a reader meets it."""
    if isinstance(node_or_text, str):
        return node_or_text
    children = node_or_text.get("x")
    return "".join(words(child) for child in children) if isinstance(children, list) else ""


def join(parts: Iterable[Child], separator: str = " · ") -> list[Child]:
    """Return the parts with a separator between them."""
    joined: list[Child] = []
    for part in parts:
        if joined:
            joined.append(separator)
        joined.append(part)
    return joined


def pane(name: str, label: str, children: Iterable[Child], *, focus: bool = False) -> Node:
    """Return a pane that scrolls on its own; a labelled region that the keyboard can reach.

    With `focus` it takes the focus when it is drawn first.
    """
    return node(
        "section",
        *children,
        cls="cur-pane cur-scroll",
        id=name,
        aria_label=label,
        tabindex=0,
        data_focus=focus or None,
    )
