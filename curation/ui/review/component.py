"""The component of the review screen: its parts are shipped as plain scripts and styles."""

from pathlib import Path
from typing import Any

import streamlit as st

_ASSETS = Path(__file__).with_name("assets")
SCRIPTS = (
    "dom.js",
    "text.js",
    "queue.js",
    "fields.js",
    "cursor.js",
    "keys.js",
    "panes.js",
    "case.js",
    "frame.js",
    "screen.js",
    "main.js",
)
STYLES = ("layout.css", "controls.css", "text.css")
STATE = "events"
_HTML = '<div class="cu-review" role="presentation"></div>'


def joined(names: tuple[str, ...]) -> str:
    """Return the named assets as one text, in order."""
    return "\n".join((_ASSETS / name).read_text(encoding="utf-8") for name in names)


_SCREEN = st.components.v2.component(
    "curation.review",
    html=_HTML,
    css=joined(STYLES),
    js=joined(SCRIPTS),
    isolate_styles=False,
)


def mount(data: dict[str, Any], *, key: str, on_events: Any) -> None:  # noqa: ANN401 - a callback
    """Draw the screen; `on_events` is called when the browser sends its list."""
    _SCREEN(key=key, data=data, default={STATE: None}, on_events_change=on_events)


def letter_in(key: str) -> object:
    """Return what the browser sent last."""
    state = st.session_state.get(key)
    return state.get(STATE) if state is not None else None
