"""The script of the app: styles, the page list, the person's name; then the page itself."""

import streamlit as st

from curation.ui import guard, shell, sign_in
from curation.ui.theme import add_styles

st.set_page_config(page_title="Curation", layout="wide", initial_sidebar_state="collapsed")
add_styles()
if sign_in.stands_before():
    shell.hide_pages()
    st.stop()
current = shell.navigation()
shell.show_person()
with guard.opened():
    current.run()
