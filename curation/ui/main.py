"""The script of the app: styles, the page list, the person's name; then the page itself."""

import streamlit as st

from curation.ui import guard, shell
from curation.ui.theme import add_styles

st.set_page_config(page_title="Curation", layout="wide", initial_sidebar_state="collapsed")
add_styles()
current = shell.navigation()
shell.show_person()
with guard.opened():
    current.run()
