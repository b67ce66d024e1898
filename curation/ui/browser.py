"""Opening the person's browser as soon as the server answers."""

import threading
import time
import webbrowser
from urllib.error import URLError
from urllib.request import urlopen


def open_when_ready(address: str, *, patience: float = 30.0) -> None:
    """Open a browser at the address once it answers, without holding up the server.

    Args:
        address: a local http address.
        patience: how many seconds to wait for the server.
    """
    threading.Thread(target=_open, args=(address, patience), daemon=True).start()


def _open(address: str, patience: float) -> None:
    """Wait for the server, then open the browser; a machine without one is no failure."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        try:
            with urlopen(f"{address}/_stcore/health", timeout=1):  # noqa: S310 - our own address
                webbrowser.open(address)
                return
        except (URLError, OSError):
            time.sleep(0.2)
