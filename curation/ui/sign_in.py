"""Signing in with the team's provider: the page that stands before every other, and the way out."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from curation.config import Settings
from curation.errors import CurationError
from curation.services.sign_in import SignInEndedError, secrets_of_signing_in
from curation.ui import bar, session
from curation.ui.actions import Action
from curation.ui.errors import NotSignedInError
from curation.ui.sign_in_http import CALLBACK, NOT_SIGNED_IN
from curation.ui.tree import node
from curation.ui.view import view

PAGE = "sign_in"
WELCOME = "Your team's account opens Curation. Its name stands on what you write and approve."
FAILED = (
    "You are not signed in: the sign-in provider or this server refused. The log of this server "
    "says why. Try again."
)
SIGN_IN = Action(
    act="sign_in", label="Sign in", keys=("Enter",), primary=True, about="Go to the provider"
)
SIGN_OUT = Action(act="sign_out", label="Sign out", keys=("o",), about="Sign out")


def streamlit_secrets(settings: Settings) -> dict[str, Mapping[str, Any]]:
    """Return what Streamlit is told of signing in; nothing where nobody does.

    Raises:
        ConfigError: a secret is not set in the environment.
        NoAuthlibError: the part of the installation that signs people in is missing.
    """
    oidc = settings.sign_in
    if oidc is None:
        return {}
    hidden = secrets_of_signing_in()
    return {
        "auth": {
            "redirect_uri": f"{oidc.public_url}{CALLBACK}",
            "cookie_secret": hidden.cookie_secret,
            "client_id": oidc.client_id,
            "client_secret": hidden.client_secret,
            "server_metadata_url": oidc.metadata_url,
            "client_kwargs": {"scope": oidc.scope, "prompt": "select_account"},
        }
    }


def stands_before() -> bool:
    """Show the sign-in page to whoever is not to see another one; return whether it did."""
    if session.nobody_signs_in():
        return False
    try:
        session.signed_in_here(session.configured())
    except NotSignedInError:
        _draw(None, SIGN_IN)
    except SignInEndedError as problem:
        _draw(problem, SIGN_IN)
    except CurationError as problem:
        _draw(problem, SIGN_OUT)
    else:
        return False
    return True


def followed(event: bar.Event) -> None:
    """Follow a key or a button that signs in or out."""
    if event.act == SIGN_IN.act:
        st.login()
    elif event.act == SIGN_OUT.act:
        st.logout()


def _draw(problem: CurationError | None, way: Action) -> None:
    """Draw why somebody is not let in, and the way on."""
    for event in bar.events(PAGE):
        followed(event)
    failed = NOT_SIGNED_IN in st.query_params
    said = str(problem) if problem else FAILED if failed else WELCOME
    role = "alert" if problem or failed else None
    with st.container(key="cur_page"):
        view([node("h1", "Sign in"), node("p", said, cls="cur-literal", role=role)], key="sign_in")
    bar.show(PAGE, (way,))
