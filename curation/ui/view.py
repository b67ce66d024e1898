"""The component that draws trees of literal text."""

from collections.abc import Sequence

import streamlit as st

from curation.ui.theme import asset
from curation.ui.tree import Child

_VIEW = st.components.v2.component(
    "curation.view", html='<div class="cur-view"></div>', js=asset("view.js"), isolate_styles=False
)


def view(tree: Sequence[Child], *, key: str, place: str = "") -> None:
    """Draw a tree; while `place` stays the same, its panes keep where they were scrolled to."""
    _VIEW(key=key, data={"tree": list(tree), "place": place})
