"""What a form about a case has searched for and taken as evidence, kept until it is sent."""

import streamlit as st

from curation.services.corpus import search_corpus
from curation.services.workspace import Workspace
from curation.ui import keys
from curation.ui.bar import Event
from curation.ui.evidence_form import DROP, HITS, SEARCH, SEARCH_FIELD, TAKE, Picking


def picking(form: str) -> Picking:
    """Return what was searched for and taken in this form."""
    kept = st.session_state.get(keys.EVIDENCE, {}).get(form)
    return kept if isinstance(kept, Picking) else Picking()


def act(event: Event, workspace: Workspace, form: str) -> None:
    """Search the corpus, take a hit as evidence, or take it out again.

    Raises:
        SearchEngineError: a team's own engine did not answer as it should.
    """
    now = picking(form)
    if event.act == SEARCH:
        words = event.fields.get(SEARCH_FIELD, "").strip()
        hits = search_corpus(workspace, words, limit=HITS) if words else ()
        now = now.model_copy(update={"words": words, "hits": hits})
    elif event.act == TAKE:
        now = now.with_taken(event.arg)
    elif event.act == DROP:
        now = now.without(event.arg)
    st.session_state[keys.EVIDENCE] = {**st.session_state.get(keys.EVIDENCE, {}), form: now}


def forget(form: str) -> None:
    """Forget what was taken: the form was sent."""
    st.session_state.get(keys.EVIDENCE, {}).pop(form, None)
