"""Files as a whole: read as text or refused, and written so that nobody sees half of one."""

from collections.abc import Callable
from pathlib import Path

from curation.errors import CurationError


def read_whole(
    path: Path, refusal: Callable[[str], CurationError], *, encoding: str = "utf-8-sig"
) -> str:
    """Return the text of a UTF-8 file.

    Args:
        path: The file.
        refusal: Makes of what is wrong with the file the error to raise.
        encoding: How it is read; `utf-8` keeps a byte order mark.

    Raises:
        CurationError: that of `refusal`, where the file cannot be read or is not UTF-8.
    """
    try:
        return path.read_bytes().decode(encoding)
    except OSError as problem:
        raise refusal(problem.strerror or str(problem)) from problem
    except UnicodeDecodeError as problem:
        raise refusal(f"byte {problem.start} is not UTF-8") from problem


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside its place and move it there at once.

    Raises:
        OSError: it could not be written; an older file stands as it was.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as problem:
        if part.is_file():
            part.unlink()
        # A full disk names no file of its own accord.
        raise OSError(problem.errno, problem.strerror, str(path)) from problem
