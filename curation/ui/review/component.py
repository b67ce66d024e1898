"""The component of the review screen: its scripts and styles are a file that the browser keeps."""

from typing import Any

import streamlit as st

from curation.ui.review.served import LOADER

STATE = "events"
_HTML = '<div class="cu-review" role="presentation"></div>'

_SCREEN = st.components.v2.component("curation.review", html=_HTML, js=LOADER, isolate_styles=False)


def mount(data: dict[str, Any], *, key: str, on_events: Any) -> None:  # noqa: ANN401 - a callback
    """Draw the screen; `on_events` is called when the browser sends its list."""
    _SCREEN(key=key, data=data, default={STATE: None}, on_events_change=on_events)


def letter_in(key: str) -> object:
    """Return what the browser sent last."""
    state = st.session_state.get(key)
    return state.get(STATE) if state is not None else None
