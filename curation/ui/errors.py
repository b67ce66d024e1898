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
            'auth = "local" nobody signs in. Use --host 127.0.0.1.'
        )


class NobodyNamedError(CurationError):
    """An act needs a person and this machine names none."""

    def __init__(self) -> None:
        super().__init__("Nothing was done: nobody is named here. Write your name in Settings.")
