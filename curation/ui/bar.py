"""The sticky action bar: one component that hears every key and press of a page.

It sends a numbered list that is kept until it is acknowledged; an event acts once, on the page and
in the browser session that it was made in.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import streamlit as st

from curation.domain.visible import shown as visible
from curation.ui import keys
from curation.ui.actions import LEGEND, Action, shared_keys
from curation.ui.theme import asset

_COMPONENT_KEY = "curation_bar"
_HTML = """<div class="cur-bar">
<div class="cur-legend" id="cur-legend" role="region" aria-label="Keys of this page" hidden></div>
<div class="cur-said"><div class="cur-message" role="status"></div>
<div class="cur-note"></div></div>
<div class="cur-tools" role="group" aria-label="Actions"></div>
</div>"""
_BAR = st.components.v2.component(
    "curation.bar", html=_HTML, js=asset("bar.js"), isolate_styles=False
)


@dataclass(frozen=True, kw_only=True)
class Event:
    """One key or press: the act, what it is about, the current rows, the fields' text."""

    seq: int
    act: str
    arg: str = ""
    rows: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Message:
    """What the last act said; it stays until the next one."""

    text: str
    kind: Literal["done", "refused", "asked"] = "done"


def parse_events(value: object, *, token: str, acknowledged: int) -> tuple[Event, ...]:
    """Return the events that have not been acted on, in order, each number once.

    Events of another page or session (another token) and whatever does not have the form of an
    event are left out: the list comes from a browser.
    """
    found: dict[int, Event] = {}
    for item in value if isinstance(value, list) else ():
        event = _event(item, token)
        if event is not None and event.seq > acknowledged:
            found.setdefault(event.seq, event)
    return tuple(found[seq] for seq in sorted(found))


def _event(item: object, token: str) -> Event | None:
    """Return the event that an item of the browser's list says."""
    if not isinstance(item, Mapping) or item.get("token") != token:
        return None
    seq, act = item.get("seq"), item.get("act")
    if not isinstance(seq, int) or not isinstance(act, str):
        return None
    return Event(
        seq=seq,
        act=act,
        arg=str(item.get("arg") or ""),
        rows=_texts(item.get("rows")),
        fields=_texts(item.get("fields")),
    )


def _texts(value: object) -> dict[str, str]:
    """Return the entries of a browser's object as texts."""
    if not isinstance(value, Mapping):
        return {}
    return {str(name): str(text) for name, text in value.items()}


def events(page: str) -> tuple[Event, ...]:
    """Return what was pressed on this page since the last time, and acknowledge it."""
    state = st.session_state.get(_COMPONENT_KEY) or {}
    value = state.get("events") if isinstance(state, Mapping) else None
    found = parse_events(value, token=_token(page), acknowledged=_acknowledged())
    if found:
        st.session_state[keys.ACKNOWLEDGED] = found[-1].seq
        st.session_state.pop(keys.MESSAGE, None)
        st.session_state.pop(keys.SENT, None)
    return found


def _token(page: str) -> str:
    """Return the name of this page in this session."""
    if keys.TOKEN not in st.session_state:
        st.session_state[keys.TOKEN] = secrets.token_hex(8)
    return f"{st.session_state[keys.TOKEN]}:{page}"


def _acknowledged() -> int:
    """Return the number of the last event that was acted on."""
    return int(st.session_state.get(keys.ACKNOWLEDGED, 0))


def say(text: str) -> None:
    """Show what was done, until the next act."""
    st.session_state[keys.MESSAGE] = Message(text=text)


def refuse(text: str) -> None:
    """Show what was not done and why, until the next act."""
    st.session_state[keys.MESSAGE] = Message(text=text, kind="refused")


def ask(text: str) -> None:
    """Show what is asked before something is done, until the next act."""
    st.session_state[keys.MESSAGE] = Message(text=text, kind="asked")


def sent(name: str) -> None:
    """Let the browser forget the text kept under this name: it has been sent."""
    st.session_state.setdefault(keys.SENT, []).append(name)


def show(page: str, actions: Sequence[Action], *, note: str = "") -> None:
    """Draw the bar of a page at the bottom of the window.

    Raises:
        ValueError: two of the actions answer to the same key.
    """
    twice = shared_keys((*actions, LEGEND))
    if twice:
        raise ValueError(twice)
    message: Message | None = st.session_state.get(keys.MESSAGE)
    data: dict[str, Any] = {
        "token": _token(page),
        "ack": _acknowledged(),
        "actions": [action.document() for action in (*actions, LEGEND)],
        "note": visible(note),
        "message": {"text": visible(message.text), "kind": message.kind} if message else None,
        "sent": list(st.session_state.get(keys.SENT, ())),
    }
    with st.container(key="cur_bar"):
        _BAR(key=_COMPONENT_KEY, data=data, default={"events": []}, on_events_change=_noted)


def _noted() -> None:
    """The component needs a listener for its state; the page reads the state itself."""
