"""Files that cannot be read at all."""

from pathlib import Path

from curation.errors import CurationError


class UnreadableFileError(CurationError):
    """A file that was named cannot be opened."""

    exit_status = 2

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path} was not read: {problem}. Check the name and try again.")


class UnknownFormatError(CurationError):
    """The format that was asked for does not exist, or a file fits none."""

    exit_status = 2

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"There is no format {name!r}. Choose one of {', '.join(known)}.")
