"""Files that a reader never sees half of, and that leave nothing behind where they fail."""

from pathlib import Path


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
