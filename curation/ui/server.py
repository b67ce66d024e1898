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
from curation.config import LOOPBACK, Settings, api_token, load_settings, resolve_home
from curation.errors import ConfigError
from curation.ui.errors import NotLoopbackError, PortTakenError
from curation.ui.review.served import ReviewScript
from curation.ui.security import QueueAddress, SecurityHeaders
from curation.ui.shell import PAGES
from curation.ui.sign_in import streamlit_secrets
from curation.ui.sign_in_http import USER_COOKIE, SignInRequests
from curation.ui.theme import theme_options

SCRIPT = Path(__file__).with_name("main.py")

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

    Raises:
        ConfigError: people sign in and a secret of that is not set.
        NoAuthlibError: people sign in and what they need for it is not installed.
    """
    where = resolve_home(home)
    settings = _settings_at_start(where)
    signs_in = streamlit_secrets(settings)
    for name, value in (_OPTIONS | theme_options() | _host_options(settings)).items():
        config.set_option(name, value)
    return {
        "secrets": {"curation": {"home": str(where), "auth": settings.auth}, **signs_in},
        "routes": [Mount("/api", app=api(where, api_token()))],
        "middleware": [
            Middleware(SecurityHeaders),
            Middleware(QueueAddress),
            Middleware(ReviewScript),
            *_sign_in_middleware(settings),
        ],
        "on_script_error": _tell_failure,
    }


def _settings_at_start(home: Path) -> Settings:
    """Return the settings; where they cannot be read nobody signs in, and the pages say why."""
    try:
        return load_settings(home)
    except ConfigError:
        return Settings(home=home)


def _host_options(settings: Settings) -> dict[str, object]:
    """Return which hosts the app answers to: this machine, and the one that people know."""
    hosts = LOOPBACK | {"[::1]"}
    if settings.sign_in is not None:
        hosts |= {settings.sign_in.public_host}
    return {"server.allowedHosts": sorted(hosts)}


def _sign_in_middleware(settings: Settings) -> list[Middleware]:
    """Return what signing in needs around the app; nothing where nobody does."""
    oidc = settings.sign_in
    if oidc is None:
        return []
    pages = frozenset({"/"} | {f"/{entry.slug}" for entry in PAGES})
    https = oidc.public_url.startswith("https:")
    return [Middleware(SignInRequests, pages=pages, signed=_signed_here, https=https)]


def _signed_here(cookie: str) -> bool:
    """Return whether this server signed a cookie of Streamlit's."""
    from streamlit.web.server.server_util import get_cookie_secret  # noqa: PLC0415 - private
    from streamlit.web.server.starlette.starlette_app_utils import (  # noqa: PLC0415 - private
        decode_signed_value,
    )

    return decode_signed_value(get_cookie_secret(), USER_COOKIE, cookie) is not None


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


def refuse_address(settings: Settings, host: str, port: int) -> None:
    """Find out before anything starts whether the app may and can listen there.

    Raises:
        NotLoopbackError: the host can be reached from elsewhere although nobody signs in.
        PortTakenError: the port is taken.
    """
    if settings.sign_in is None and host not in LOOPBACK:
        raise NotLoopbackError(host)
    refuse_taken_port(host, port)


def serve(settings: Settings, host: str, port: int) -> None:
    """Serve the app of a home until it is stopped.

    Raises:
        NotLoopbackError: the host can be reached from elsewhere although nobody signs in.
        PortTakenError: the port is taken.
        ConfigError: people sign in and a secret of that is not set.
        NoAuthlibError: people sign in and what they need for it is not installed.
    """
    refuse_address(settings, host, port)
    app = st.App(SCRIPT, **app_options(settings.home))
    uvicorn.run(app, host=host, port=port, log_level="warning", server_header=False)
