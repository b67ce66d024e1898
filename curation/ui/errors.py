"""Refusals of the app itself: what did not happen, why, and what to do."""

from curation.errors import CurationError


class PortTakenError(CurationError):
    """Another program listens on the port already."""

    exit_status = 2

    def __init__(self, host: str, port: int) -> None:
        super().__init__(
            f"Nothing was started: port {port} on {host} is taken. Choose another with --port."
        )


class NotLoopbackError(CurationError):
    """A home whose people are only named, not signed in, is for one machine."""

    exit_status = 2

    def __init__(self, host: str) -> None:
        super().__init__(
            f"Nothing was started: {host} can be reached from other machines, and with "
            'auth = "local" nobody signs in. Use --host 127.0.0.1, or set auth = "oidc".'
        )


class NobodyNamedError(CurationError):
    """An act needs a person and this machine names none."""

    def __init__(self) -> None:
        super().__init__("Nothing was done: nobody is named here. Write your name in Settings.")


class NotSignedInError(CurationError):
    """An act needs a person and nobody is signed in here, or not any more."""

    def __init__(self) -> None:
        super().__init__("Nothing was done: you are not signed in. Load the page again to sign in.")


class ChangedAuthError(CurationError):
    """The way of signing in is settled when the server starts."""

    def __init__(self, was: str, now: str) -> None:
        super().__init__(
            f'Nobody is let in: auth is "{now}" in curation.toml and was "{was}" when this server '
            "started. Start it again."
        )
