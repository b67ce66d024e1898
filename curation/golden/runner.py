"""Git commands through GitPython's runner: scrubbed environment, argument lists, time-outs.

The index, the object database and the reference classes of GitPython are not used: each was
measured to lose or to corrupt something under concurrency (`docs/architecture.md`).
"""

import os
import subprocess
from collections.abc import Generator, Sequence
from typing import NamedTuple

from curation.config import git_environment, git_leftovers
from curation.golden.errors import GitFailedError, GitMissingError
from curation.golden.gitpython import git
from curation.golden.record import PLAIN_OPTIONS
from curation.golden.running import Running

TIMEOUT_SECONDS = 300.0
_CHUNK = 1 << 14
_ALWAYS = ("--no-optional-locks", "-c", "core.fsmonitor=false", *PLAIN_OPTIONS)


class Ran(NamedTuple):
    """How a git command ended."""

    status: int
    out: bytes
    err: bytes

    @property
    def message(self) -> str:
        """What git wrote to its standard error, but for its hints about other things."""
        lines = self.err.decode("utf-8", "replace").strip().split("\n")
        return "\n".join(line for line in lines if not line.startswith("hint:"))


class GitRunner:
    """Runs git in one folder."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        # Given to git itself as well: GitPython runs a command elsewhere if the folder is gone.
        self._folder = os.fspath(folder)
        self._git = git.Git(folder)

    def run(self, *arguments: str, stdin: bytes = b"", timeout: float = TIMEOUT_SECONDS) -> Ran:
        """Return how a git command ended; a status that is not 0 is the caller's to judge.

        Raises:
            GitMissingError: there is no git.
            GitFailedError: git did not end in time.
        """
        process = self._started(arguments)
        try:
            out, err = process.communicate(stdin, timeout=timeout)
        except subprocess.TimeoutExpired as problem:
            process.kill()
            process.communicate()
            doing = f"finish `git {arguments[0]}`"
            raise GitFailedError(doing, f"it took more than {timeout:.0f} seconds") from problem
        return Ran(process.returncode, out, err)

    def chunks(
        self, *arguments: str, doing: str, timeout: float = TIMEOUT_SECONDS
    ) -> Generator[bytes, None, None]:
        """Yield what a git command writes, while it writes it.

        Args:
            arguments: the command; it is given no input.
            doing: what it is for, in words.
            timeout: how many seconds it may write nothing.

        Raises:
            GitMissingError: there is no git.
            GitFailedError: it ended with another status than 0, or fell silent.
        """
        with self.running(*arguments, doing=doing, timeout=timeout) as running:
            while data := running.some(_CHUNK):
                yield data
            running.require_success()

    def running(self, *arguments: str, doing: str, timeout: float = TIMEOUT_SECONDS) -> Running:
        """Return a git command that runs beside us, to be used as a context manager.

        Raises:
            GitMissingError: there is no git.
        """
        return Running(self._started(arguments), doing=doing, timeout=timeout)

    def _started(self, arguments: Sequence[str]) -> "subprocess.Popen[bytes]":
        executable = git.Git.GIT_PYTHON_GIT_EXECUTABLE or "git"
        try:
            running = self._git.execute(
                [*_without_leftovers(), executable, "-C", self._folder, *_ALWAYS, *arguments],
                istream=subprocess.PIPE,
                as_process=True,
                env=git_environment(),
            )
        except git.GitCommandNotFound as problem:
            raise GitMissingError from problem
        process = running.proc
        if process is None:
            raise GitFailedError(f"start `git {arguments[0]}`", "it did not start")
        # The wrapper kills its process when it is collected; from here on it is ours.
        running.proc = None
        return process

    def output(self, *arguments: str, doing: str, stdin: bytes = b"") -> bytes:
        """Return what a git command wrote.

        Raises:
            GitFailedError: it ended with another status than 0.
        """
        ran = self.run(*arguments, stdin=stdin)
        if ran.status != 0:
            raise GitFailedError(doing, ran.message)
        return ran.out

    def text(self, *arguments: str, doing: str) -> str:
        """Return what a git command wrote, as a text without the last newline."""
        return self.output(*arguments, doing=doing).decode("utf-8", "replace").removesuffix("\n")

    def objects(self, names: Sequence[str]) -> list[bytes | None]:
        """Return the contents of the named objects in order; None where there is none."""
        if not names:
            return []
        wanted = "".join(f"{name}\n" for name in names).encode()
        return _contents(self.output("cat-file", "--batch", doing="read objects", stdin=wanted))

    def object_ids(self, names: Sequence[str]) -> list[str | None]:
        """Return the ids that the names resolve to, in order; None where there is nothing."""
        if not names:
            return []
        wanted = "".join(f"{name}\n" for name in names).encode()
        out = self.output("cat-file", "--batch-check", doing="find objects", stdin=wanted)
        heads = (line.split(b" ") for line in out.split(b"\n")[:-1])
        return [head[0].decode() if is_found(head) else None for head in heads]


def is_found(head: Sequence[bytes]) -> bool:
    """Return whether the head of an answer of `git cat-file` is of an object that is there."""
    return len(head) == 3 and head[2].isdigit()


def _contents(out: bytes) -> list[bytes | None]:
    """Return what `cat-file --batch` wrote, object by object."""
    found: list[bytes | None] = []
    at = 0
    while at < len(out):
        end = out.index(b"\n", at)
        head = out[at:end].rsplit(b" ", 2)
        at = end + 1
        if not is_found(head):
            found.append(None)
            continue
        size = int(head[2])
        found.append(out[at : at + size])
        at += size + 1
    return found


def _without_leftovers() -> tuple[str, ...]:
    """Return the command that takes away `GIT_*` variables which GitPython would pass on."""
    leftovers = git_leftovers()
    if not leftovers:
        return ()
    return ("env", *(part for name in leftovers for part in ("-u", name)))
