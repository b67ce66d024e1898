"""What surrounds every page: the page list, the person, the way from page to page, refusals."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from curation.config import shipped
from curation.errors import CurationError
from curation.services.changes import waiting_for
from curation.services.people import role_of
from curation.ui import bar, keys, session
from curation.ui.actions import Action
from curation.ui.bar import Event
from curation.ui.tree import node
from curation.ui.view import view


@dataclass(frozen=True)
class PageEntry:
    """One page: its address, its file and its name; a hidden one is reached from another page."""

    slug: str
    title: str
    file: str
    hidden: bool = False

    @property
    def path(self) -> Path:
        """Where the page's file is."""
        return shipped("pages") / self.file


PAGES = (
    PageEntry("queue", "Queue", "queue.py"),
    PageEntry("review", "Review", "review.py"),
    PageEntry("settle", "Settle", "settle.py", hidden=True),
    PageEntry("changes", "Changes", "changes.py"),
    PageEntry("golden_set", "Golden set", "golden_set.py"),
    PageEntry("coverage", "Coverage", "coverage.py", hidden=True),
    PageEntry("evidence", "Evidence", "evidence.py", hidden=True),
    PageEntry("history", "History", "history.py"),
    PageEntry("audit", "Audit", "audit.py", hidden=True),
    PageEntry("experiments", "Experiments", "experiments.py"),
    PageEntry("judge", "Judge", "judge.py"),
    PageEntry("breaks", "Where it breaks", "where_it_breaks.py"),
    PageEntry("import", "Import", "import_data.py"),
    PageEntry("settings", "Settings", "settings.py"),
)


def _page(entry: PageEntry, waiting: int = 0) -> StreamlitPage:
    """Return the page as Streamlit knows it; the queue is the one that `/` shows."""
    first = entry.slug == "queue"
    counted = f" ({waiting})" if waiting and entry.slug == "changes" else ""
    return st.Page(
        entry.path,
        title=f"{entry.title}{counted}",
        url_path=None if first else entry.slug,
        default=first,
        visibility="hidden" if entry.hidden else "visible",
    )


def navigation() -> StreamlitPage:
    """Show the page list at the top and return the page that was asked for."""
    waiting = _waiting_for_me()
    present = [_page(entry, waiting) for entry in PAGES if entry.path.is_file()]
    current = st.navigation(present, position="top")
    st.session_state[keys.ENTERED] = st.session_state.get(keys.PAGE) != current.url_path
    st.session_state[keys.PAGE] = current.url_path
    if st.session_state[keys.ENTERED]:
        st.session_state.pop(keys.PANEL, None)
    return current


def hide_pages() -> None:
    """Keep the addresses of the pages, and show neither them nor their list."""
    st.navigation([_page(entry) for entry in PAGES if entry.path.is_file()], position="hidden")


def _waiting_for_me() -> int:
    """Return how many changes of others wait for a yes; 0 where that cannot be told."""
    try:
        return waiting_for(session.workspace(), session.person())
    except CurationError:
        return 0


def entered() -> bool:
    """Return whether this rerun came to the page from elsewhere, and not from the page itself."""
    return bool(st.session_state.get(keys.ENTERED, True))


def go(slug: str, **parameters: str) -> None:
    """Go to another page, with these parameters in its address."""
    entry = next(entry for entry in PAGES if entry.slug == slug)
    st.switch_page(_page(entry), query_params=parameters)


def show_person() -> None:
    """Show who sits here and with which role, at the right of the page list."""
    try:
        found = session.person()
        role = role_of(session.settings(), found).value if found else ""
    except CurationError:
        found, role = None, ""
    words = f"{found.name}, {role}" if found else "nobody named yet"
    with st.container(key="cur_person"):
        view([node("p", words, cls="cur-person", title=str(found) if found else None)], key="who")


def page_keys() -> tuple[Action, ...]:
    """Return the keys that mean the same on every page that has no better use for them."""
    return (Action(act="to_queue", label="Queue", keys=("q",), shown=False, about="Queue"),)


def followed(event: Event) -> None:
    """Follow a key or a button that leads to another page: `to_changes`."""
    target = event.act.removeprefix("to_")
    if target != event.act and any(entry.slug == target for entry in PAGES):
        go(target)


@contextmanager
def refusing(page: str) -> Generator[None]:
    """Show a refusal of this block as its sentence; what was drawn before it stays."""
    try:
        yield
    except CurationError as problem:
        view([node("p", str(problem), cls="cur-refused cur-literal", role="alert")], key="refusal")
        bar.show(page, page_keys())
