"""Import: bring in logged answers and the corpus, from files of the browser or of this machine."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from curation.errors import CurationError
from curation.services.intake import IntakeSummary
from curation.services.workspace import Workspace
from curation.ui import bar, guard, keys, session, shell
from curation.ui.import_view import KINDS, ImportKind, done_words, draw_summary, progress_words
from curation.ui.tree import node
from curation.ui.view import view

guard.enter()

PAGE = "import"


def bring_in(workspace: Workspace, kind: ImportKind, files: Sequence[Path]) -> None:
    """Bring the files in, saying how far it is, and keep the summary for the page."""
    with st.status(f"Bringing in {kind.noun} …", expanded=True) as status:
        said = st.empty()

        def tell(file: Path, so_far: IntakeSummary) -> None:
            said.text(progress_words(file.name, so_far))

        try:
            summary = kind.run(workspace, files, now=session.now(), progress=tell)
        except CurationError as problem:
            status.update(label="Nothing more was brought in.", state="error")
            bar.refuse(str(problem))
            return
        status.update(label=f"Brought in {kind.noun}.", state="complete", expanded=False)
    st.session_state[keys.IMPORTED] = (kind.noun, summary)
    bar.say(done_words(summary))


def ask(workspace: Workspace, kind: ImportKind) -> None:
    """Ask for files of one kind and bring them in."""
    view([node("h2", kind.title), node("p", kind.about)], key=f"about_{kind.noun}")
    uploads = st.file_uploader(
        f"Files of {kind.noun}", accept_multiple_files=True, key=f"upload_{kind.noun}"
    )
    path = st.text_input(
        f"Or paths on this machine, one or more with ; between ({kind.noun})",
        key=f"path_{kind.noun}",
        autocomplete="off",
    )
    if not st.button(f"Bring in {kind.noun}", key=f"go_{kind.noun}"):
        return
    named = [Path(one.strip()).expanduser() for one in path.split(";") if one.strip()]
    if not uploads and not named:
        bar.refuse("Nothing was brought in: no file is chosen.")
        return
    with TemporaryDirectory() as folder:
        written = []
        for number, upload in enumerate(uploads or ()):
            file = Path(folder) / str(number) / Path(upload.name).name
            file.parent.mkdir()
            file.write_bytes(upload.getbuffer())
            written.append(file)
        bring_in(workspace, kind, [*written, *named])


def show() -> None:
    """Draw the page."""
    for event in bar.events(PAGE):
        shell.followed(event)
    with st.container(key="cur_page"):
        view([node("h1", "Import")], key="title")
        workspace = session.workspace()
        for kind in KINDS:
            ask(workspace, kind)
        if keys.IMPORTED in st.session_state:
            noun, summary = st.session_state[keys.IMPORTED]
            view(draw_summary(noun, summary), key="summary")
    bar.show(PAGE, shell.page_keys())


with shell.refusing(PAGE):
    show()
