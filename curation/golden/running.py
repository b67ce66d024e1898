"""A git command that runs beside us: heard on both its outputs, ended when it falls silent."""

import os
from contextlib import suppress
from threading import Event, Thread
from types import TracebackType
from typing import IO, TYPE_CHECKING, Self

from curation.golden.errors import GitFailedError

if TYPE_CHECKING:
    import subprocess


class Running:
    """A git command that is read from piece by piece, as a context manager that ends it.

    What it writes to its standard error is listened to all the while: a command that nobody
    listens to there waits for ever as soon as that pipe is full.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", *, doing: str, timeout: float) -> None:
        self._process = process
        self._doing = doing
        self._timeout = timeout
        self._said = b""
        self._waiting = False
        self._heard = 0
        self._silent = False
        self._over = Event()
        # They never keep the program from ending.
        self._threads = tuple(Thread(target=t, daemon=True) for t in (self._listen, self._look))

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._ended()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(BrokenPipeError):
                _there(pipe).close()

    def ask(self, data: bytes) -> None:
        """Write to its standard input.

        Raises:
            GitFailedError: it is not there any more.
        """
        try:
            _there(self._process.stdin).write(data)
            _there(self._process.stdin).flush()
        except BrokenPipeError as problem:
            raise self.failed() from problem

    def some(self, size: int) -> bytes:
        """Return what it has written since, at most so many bytes; nothing at its end."""
        self._waiting = True
        return self._took(os.read(_there(self._process.stdout).fileno(), size))

    def line(self) -> bytes:
        """Return the next line that it writes; nothing at its end."""
        self._waiting = True
        return self._took(_there(self._process.stdout).readline())

    def exactly(self, size: int) -> bytes:
        """Return the next so many bytes that it writes.

        Raises:
            GitFailedError: it ended before.
        """
        self._waiting = True
        data = self._took(_there(self._process.stdout).read(size))
        if len(data) < size:
            raise self.failed()
        return data

    def _took(self, data: bytes) -> bytes:
        self._heard += 1
        self._waiting = False
        return data

    def require_success(self) -> None:
        """Wait for its end.

        Raises:
            GitFailedError: it ended with another status than 0.
        """
        if self._ended() != 0:
            raise self.failed()

    def failed(self) -> GitFailedError:
        """Return what ended it, in its own words; it is over then."""
        self._process.kill()
        self._ended()
        silent = f"it wrote nothing for {self._timeout:.0f} seconds"
        said = self._said.decode("utf-8", "replace").strip()
        return GitFailedError(self._doing, silent if self._silent else said)

    def _ended(self) -> int:
        self._over.set()
        for thread in self._threads:
            thread.join()
        return self._process.wait()

    def _listen(self) -> None:
        self._said = _there(self._process.stderr).read()

    def _look(self) -> None:
        """End it when it was waited for and wrote nothing from one look to the next."""
        before = -1
        while not self._over.wait(self._timeout):
            if self._waiting and before == self._heard:
                self._silent = True
                self._process.kill()
            before = self._heard


def _there(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # noqa: S101 - all three were asked for
    return pipe
