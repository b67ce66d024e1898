"""The app for an ASGI server: `uvicorn app:app`. `curation serve` needs no such file."""

import streamlit as st

from curation.ui.server import SCRIPT, app_options

app = st.App(SCRIPT, **app_options())
