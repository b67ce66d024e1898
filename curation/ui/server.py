"""The app as a server: its options, its middleware, and how it is started."""

import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypedDict

import streamlit as st
import uvicorn
from starlette.middleware import Middleware
from starlette.routing import Mount
from streamlit import config

from curation.api.app import api
from curation.config import Settings, api_token, resolve_home
from curation.ui.errors import NotLoopbackError, PortTakenError
from curation.ui.review.served import ReviewScript
from curation.ui.security import QueueAddress, SecurityHeaders
from curation.ui.theme import theme_options

SCRIPT = Path(__file__).with_name("main.py")
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

_OPTIONS: dict[str, object] = {
    "browser.gatherUsageStats": False,
    "client.showErrorDetails": "none",
    "client.showErrorLinks": False,
    "client.toolbarMode": "minimal",
    "client.disableDataExport": True,
    "client.allowedOrigins": [],
    "logger.enableRich": False,
    "logger.hideWelcomeMessage": True,
    "runner.magicEnabled": False,
    "server.fileWatcherType": "none",
    "server.headless": True,
    "server.showEmailPrompt": False,
    "server.runOnSave": False,
    "server.enableStaticServing": False,
    "server.maxUploadSize": 1024,
    "server.address": "127.0.0.1",
    "server.allowedHosts": sorted(LOOPBACK | {"[::1]"}),
}


class AppOptions(TypedDict):
    """The keyword arguments of `st.App`."""

    secrets: Mapping[str, Any]  # Streamlit's own type of secrets is private
    routes: list[Mount]
    middleware: list[Middleware]
    on_script_error: Callable[[Exception], bool | None]


def app_options(home: Path | None = None) -> AppOptions:
    """Set Streamlit's options in code and return what `st.App` takes.

    In code, because a launcher that is not `streamlit run` does not read the file beside `app.py`,
    and then reports usage to others and shows tracebacks to users.
    """
    for name, value in (_OPTIONS | theme_options()).items():
        config.set_option(name, value)
    return {
        "secrets": {"curation": {"home": str(resolve_home(home))}},
        "routes": [Mount("/api", app=api(resolve_home(home), api_token()))],
        "middleware": [
            Middleware(SecurityHeaders),
            Middleware(QueueAddress),
            Middleware(ReviewScript),
        ],
        "on_script_error": _tell_failure,
    }


def _tell_failure(problem: Exception) -> bool:  # noqa: ARG001 - Streamlit logs it already
    """Tell the reader of an unexpected failure in one sentence; the log has the rest."""
    st.error("This page could not be shown. Nothing is lost. The log of the server says why.")
    return True


def refuse_taken_port(host: str, port: int) -> None:
    """Find out before anything starts whether the port is free.

    Raises:
        PortTakenError: somebody listens there.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as problem:
            raise PortTakenError(host, port) from problem


def refuse_address(host: str, port: int) -> None:
    """Find out before anything starts whether the app may and can listen there.

    With `auth = "local"`, the only way there is yet, nobody signs in.

    Raises:
        NotLoopbackError: the host can be reached from elsewhere although nobody signs in.
        PortTakenError: the port is taken.
    """
    if host not in LOOPBACK:
        raise NotLoopbackError(host)
    refuse_taken_port(host, port)


def serve(settings: Settings, host: str, port: int) -> None:
    """Serve the app of a home until it is stopped.

    Raises:
        NotLoopbackError: the host can be reached from elsewhere although nobody signs in.
        PortTakenError: the port is taken.
    """
    refuse_address(host, port)
    app = st.App(SCRIPT, **app_options(settings.home))
    uvicorn.run(app, host=host, port=port, log_level="warning", server_header=False)
