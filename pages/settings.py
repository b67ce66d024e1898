"""Settings: who sits here, where everything is, who may do what."""

import streamlit as st

from curation.config import Settings
from curation.domain.person import Person
from curation.errors import CurationError
from curation.services.home import set_me
from curation.ui import bar, guard, moments, session, shell, sign_in
from curation.ui.settings_view import draw_settings
from curation.ui.tree import node
from curation.ui.view import view
from curation.ui.what_if import show_what_if

guard.enter()

PAGE = "settings"


def save_name(settings: Settings) -> None:
    """Write the typed name and address into the home's configuration."""
    text = f"{st.session_state['me_name'].strip()} <{st.session_state['me_email'].strip()}>"
    try:
        named = Person.parse(text)
        set_me(settings.home, named)
        bar.say(f"Saved. You are {named}.")
    except (CurationError, OSError) as problem:
        bar.refuse(f"Not saved: {problem}")


def ask_name(settings: Settings, person: Person | None) -> None:
    """Ask who sits here; changes and approvals carry this name."""
    view([node("h2", "Who you are")], key="who_you_are")
    name, email, save = st.columns([3, 3, 1], vertical_alignment="bottom")
    name.text_input("Your name", value=person.name if person else "", key="me_name")
    email.text_input("Your e-mail", value=person.email if person else "", key="me_email")
    save.button("Save name", key="me_save", on_click=save_name, args=(settings,))


def tell_name(settings: Settings) -> None:
    """Tell who signed in, with which role and until when."""
    who = session.signed_in_here(settings)
    until = moments.day_and_clock(who.until, session.zone())
    said = f"{who.person}, {who.role.value}. Your sign-in counts until {until}."
    view([node("h2", "Who you are"), node("p", said, cls="cur-literal")], key="who_you_are")


def show() -> None:
    """Draw the page."""
    for event in bar.events(PAGE):
        sign_in.followed(event)
        shell.followed(event)
    with st.container(key="cur_page"):
        view([node("h1", "Settings")], key="title")
        settings = session.settings()
        if session.nobody_signs_in():
            ask_name(settings, session.person())
        else:
            tell_name(settings)
        view(draw_settings(settings), key="configured")
        show_what_if(session.workspace(), settings)
    out = () if session.nobody_signs_in() else (sign_in.SIGN_OUT,)
    bar.show(PAGE, (*out, *shell.page_keys()))


with shell.refusing(PAGE):
    show()
