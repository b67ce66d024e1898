"""What a form about a case has searched for and taken as evidence, kept until it is sent."""

from collections.abc import Iterable

import streamlit as st

from curation.services.corpus import search_corpus
from curation.services.workspace import Workspace
from curation.ui import bar, keys
from curation.ui.bar import Event
from curation.ui.case_form import REASON
from curation.ui.evidence_form import DROP, HITS, SEARCH, SEARCH_FIELD, TAKE, Picking
from curation.ui.form_fields import PREFIX, slot_of


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


def form_sent(form: str, fields: Iterable[str]) -> None:
    """Forget what was typed, chosen and taken in a form: it is proposed."""
    for name in fields:
        if name.startswith((PREFIX, REASON)):
            bar.sent(slot_of(form, name))
    st.session_state.get(keys.EVIDENCE, {}).pop(form, None)
