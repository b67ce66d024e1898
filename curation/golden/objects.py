"""Many objects of a repository through one `git cat-file`, for as long as they are asked for."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from curation.golden.runner import TIMEOUT_SECONDS, GitRunner, is_found
from curation.golden.running import Running

_AT_ONCE = 200  # so many names fit a pipe, and git never waits for us while we wait for it


class _Object(NamedTuple):
    """An object: its id and what it holds."""

    oid: str
    data: bytes


class ObjectReader:
    """What a repository answers to names of objects."""

    def __init__(self, running: Running) -> None:
        self._running = running

    def content(self, name: str) -> bytes | None:
        """Return the content of the named object; None where there is none."""
        (found,) = self._found([name])
        return found.data if found else None

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
            some = names[start : start + _AT_ONCE]
            self._running.ask("".join(f"{name}\n" for name in some).encode())
            found += [self._answer() for _ in some]
        return found

    def _answer(self) -> _Object | None:
        head = self._running.line()
        if not head:
            raise self._running.failed()
        words = head.rstrip(b"\n").rsplit(b" ", 2)
        if not is_found(words):
            return None
        data = self._running.exactly(int(words[2]) + 1)
        return _Object(words[0].decode(), data[:-1])


@contextmanager
def object_reader(
    git: GitRunner, *, timeout: float = TIMEOUT_SECONDS
) -> Generator[ObjectReader, None, None]:
    """Give a reader of the objects of a repository.

    Args:
        git: where the repository is.
        timeout: how many seconds an answer may take.

    Raises:
        GitMissingError: there is no git.
        GitFailedError: git ended, as it does at an object that is broken.
    """
    with git.running("cat-file", "--batch", doing="read objects", timeout=timeout) as running:
        yield ObjectReader(running)
