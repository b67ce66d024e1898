"""The review page: one turn of a sitting in the browser session, drawn by the component."""

from contextlib import suppress

import streamlit as st

from curation.domain.queue import QueueFilter
from curation.errors import CurationError
from curation.ui import bar, keys, session, shell
from curation.ui.review import component
from curation.ui.review.protocol import read_letter
from curation.ui.review.session import document, receive, show_answer
from curation.ui.review.sitting import Room, Sitting

KEY = "curation_review"
PAGE = "review"
PARAMETER = "answer"


def show() -> None:
    """Show the review page."""
    with shell.refusing(PAGE):
        sitting = _sitting()
        wanted = st.query_params.get(PARAMETER)
        room = _room()
        if shell.entered() or wanted != st.session_state.get(keys.REVIEW_ADDRESS):
            st.session_state[keys.REVIEW_ADDRESS] = wanted
            show_answer(sitting, room, wanted, again=shell.entered())
        _screen()


@st.fragment
def _screen() -> None:
    """Take in what the browser sent, and draw; only this part of the page runs at a key."""
    with shell.refusing(PAGE):
        sitting, room = _sitting(), _room()
        letter = read_letter(component.letter_in(KEY))
        receive(sitting, room, letter)
        if sitting.leave_for:
            _leave(sitting)
        drawn = document(sitting, _room(), letter)
        component.mount(drawn, key=KEY, on_events=_noted)


def _leave(sitting: Sitting) -> None:
    """Go where the sitting wants to go, and say there what it has to say."""
    slug, _, change = sitting.leave_for.partition(":")
    said, sitting.leave_for, sitting.leave_saying = sitting.leave_saying, "", ""
    if said:
        bar.say(said)
    shell.go(slug, **({"change": change} if change else {}))


def _noted() -> None:
    """Take in what the browser sent also when the person is leaving for another page."""
    with suppress(CurationError):  # the page itself says what is wrong
        receive(_sitting(), _room(), read_letter(component.letter_in(KEY)))


def _sitting() -> Sitting:
    """Return the sitting of this browser session."""
    if keys.SITTING not in st.session_state:
        st.session_state[keys.SITTING] = Sitting()
    found: Sitting = st.session_state[keys.SITTING]
    return found


def _room() -> Room:
    """Return what the sitting acts in now."""
    view = st.session_state.get(keys.QUEUE_VIEW)
    return Room(
        workspace=session.workspace(),
        person=session.acting_person(),
        now=session.now(),
        zone=session.zone(),
        filters=view.filters if view is not None else QueueFilter(),
        judge_shown=bool(st.session_state.get(keys.JUDGE_SHOWN)),
    )
