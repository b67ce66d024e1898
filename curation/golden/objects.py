"""Many objects of a repository through one `git cat-file`, for as long as they are asked for."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from threading import Timer
from typing import IO, TYPE_CHECKING, NamedTuple

from curation.golden.errors import GitFailedError
from curation.golden.runner import TIMEOUT_SECONDS, GitRunner, end, is_found

if TYPE_CHECKING:
    import subprocess

_AT_ONCE = 200  # so many names fit a pipe, and git never waits for us while we wait for it
_DOING = "read objects"


class _Object(NamedTuple):
    """An object: its id and what it holds."""

    oid: str
    data: bytes


class ObjectReader:
    """What a repository answers to names of objects."""

    def __init__(self, process: "subprocess.Popen[bytes]", timeout: float) -> None:
        self._process = process
        self._timeout = timeout

    def contents(self, names: Sequence[str]) -> dict[str, bytes | None]:
        """Return the contents of the named objects; None where there is none."""
        found = zip(names, self._found(names), strict=True)
        return {name: each.data if each else None for name, each in found}

    def ids(self, names: Sequence[str]) -> dict[str, str | None]:
        """Return the ids that the names resolve to; None where there is nothing."""
        found = zip(names, self._found(names), strict=True)
        return {name: each.oid if each else None for name, each in found}

    def _found(self, names: Sequence[str]) -> list[_Object | None]:
        found: list[_Object | None] = []
        for start in range(0, len(names), _AT_ONCE):
            found += self._answers(names[start : start + _AT_ONCE])
        return found

    def _answers(self, names: Sequence[str]) -> list[_Object | None]:
        """Return what git answers to a few names; it is ended when that takes too long."""
        too_long = Timer(self._timeout, self._process.kill)
        too_long.start()
        try:
            asking, answers = self._process.stdin, self._process.stdout
            if asking is None or answers is None:
                raise GitFailedError(_DOING, "it did not start")
            asking.write("".join(f"{name}\n" for name in names).encode())
            asking.flush()
            return [self._answer(answers) for _ in names]
        except BrokenPipeError as problem:
            raise self._failed() from problem
        finally:
            too_long.cancel()

    def _answer(self, answers: IO[bytes]) -> _Object | None:
        head = answers.readline()
        if not head:
            raise self._failed()
        words = head.rstrip(b"\n").rsplit(b" ", 2)
        if not is_found(words):
            return None
        data = answers.read(int(words[2]) + 1)
        return _Object(words[0].decode(), data[:-1])

    def _failed(self) -> GitFailedError:
        """Return what ended git."""
        self._process.kill()
        said = self._process.stderr.read() if self._process.stderr else b""
        return GitFailedError(_DOING, said.decode("utf-8", "replace").strip())


@contextmanager
def object_reader(
    git: GitRunner, *, timeout: float = TIMEOUT_SECONDS
) -> Generator[ObjectReader, None, None]:
    """Give a reader of the objects of a repository, and end its git afterwards.

    Args:
        git: where the repository is.
        timeout: how many seconds an answer may take.

    Raises:
        GitMissingError: there is no git.
        GitFailedError: git ended, as it does at an object that is broken.
    """
    process = git.started("cat-file", "--batch")
    try:
        yield ObjectReader(process, timeout)
    finally:
        end(process)
