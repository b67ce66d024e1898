"""The row that leads between the pages about the golden set."""

from curation.ui.tree import Node, button, node

TABS = (
    ("golden_set", "Cases"),
    ("coverage", "Coverage"),
    ("evidence", "Evidence"),
    ("history", "History"),
    ("audit", "Audit"),
)


def draw_tabs(here: str) -> Node:
    """Return the row; the page that is open is marked."""
    return node(
        "nav",
        *(
            button(title, f"to_{slug}", aria_current="page" if slug == here else None)
            for slug, title in TABS
        ),
        cls="cur-choices cur-tabs",
        aria_label="The golden set",
    )


def draw_head(title: str, here: str) -> Node:
    """Return the page's heading with the row beside it."""
    return node(
        "div",
        node("h1", title, cls="cur-headline cur-literal"),
        draw_tabs(here),
        cls="cur-set-head",
    )
