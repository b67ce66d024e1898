"""What can go wrong with the store, in sentences for people."""

from datetime import datetime

from curation.errors import CurationError


class StoreUnavailableError(CurationError):
    """The database cannot be opened, read or written."""

    exit_status = 2

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(
            f"The store {where} could not be used: {problem}. Nothing is lost. "
            "Check the database and the room on its disk, and try again."
        )


class UnstorableError(CurationError):
    """A value that no database takes, such as half of a surrogate pair or the character NUL."""

    exit_status = 2

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"Nothing was done, because the store cannot hold what was given: {problem}. "
            "Write it in other signs and try again."
        )


class StoreTooNewError(CurationError):
    """The database was made by a newer version of the program."""

    exit_status = 2

    def __init__(self, where: str, revision: str) -> None:
        super().__init__(
            f"The store {where} was not opened: a newer curation made it (revision {revision}). "
            "Install that version."
        )


class DraftChangedError(CurationError):
    """A draft's field was saved by another window since this one last saw it."""

    def __init__(self, field: str, saved_at: datetime) -> None:
        self.field = field
        self.saved_at = saved_at
        super().__init__(
            f"You changed this draft in another window at {saved_at:%H:%M} (field {field}). "
            "Use that one or keep this one."
        )


class UnknownFieldError(CurationError):
    """A draft has no field of that name."""

    exit_status = 2

    def __init__(self, field: str) -> None:
        super().__init__(f"A draft has no field {field!r}. Nothing was saved.")
