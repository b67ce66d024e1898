"""How far long work is, as a bar on the page."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

import streamlit as st

PATIENCE = 0.5  # seconds: what is done by then shows no bar
_EACH = 0.1  # seconds between two drawings


@contextmanager
def telling(what: str) -> Generator[Callable[[int, int], None]]:
    """Yield what is told how many of how many are done; the bar goes when the work is done.

    Args:
        what: the work, as in `Checking the evidence`.
    """
    place = st.empty()
    began = last = time.monotonic()

    def told(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - began < PATIENCE or now - last < _EACH:
            return
        last = now
        place.progress(min(1.0, done / max(total, 1)), text=f"{what}: {done} of {total}")

    try:
        yield told
    finally:
        place.empty()
