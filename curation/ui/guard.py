"""The gate in front of every page.

Streamlit runs a file of a folder `pages` directly, around the script that leads to it, when such a
folder lies beside the script. Ours does not lie there; and a page that is run directly all the
same stops at its first statement.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st

_OPENED: ContextVar[bool] = ContextVar("curation_page_opened", default=False)


@contextmanager
def opened() -> Generator[None]:
    """Let pages run inside this block; only the app's script opens it."""
    token = _OPENED.set(True)
    try:
        yield
    finally:
        _OPENED.reset(token)


def enter() -> None:
    """Go on only inside the app; a page that is run directly shows nothing."""
    if not _OPENED.get():
        st.stop()
