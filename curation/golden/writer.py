"""The only writer of the golden repository: stage, look again, swap.

Commits are written to a private reference by one `git fast-import`, read back, and become the
branch, with the tag of their version, in one `git update-ref` transaction that compares where
the branch was. Nobody's index or files are touched.
"""

import re
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from curation.domain.person import Person
from curation.golden.errors import GoldenWriteError, LockedError
from curation.golden.location import STAGING, OpenGolden
from curation.golden.log import read_log
from curation.golden.plan import PlannedCommit
from curation.golden.record import Commit
from curation.golden.stream import commit_stream, tag_object

_LOCK = re.compile(r"Unable to create '([^']+\.lock)': File exists")


@dataclass(frozen=True, kw_only=True)
class Staged:
    """Commits that are in the repository and not yet on the branch."""

    ref: str
    base: str | None
    tip: str
    commits: tuple[Commit, ...]


@contextmanager
def staged(
    golden: OpenGolden, commits: Sequence[PlannedCommit], *, base: str | None
) -> Generator[Staged, None, None]:
    """Write commits after `base` to a private reference; it is gone afterwards.

    Raises:
        GoldenWriteError: git refused them, or they read differently from what was meant.
    """
    # The age tells the sweep whether the writer can still be alive.
    ref = f"{STAGING}{int(time.time())}-{uuid4().hex}"
    stream = commit_stream(commits, ref=ref, base=base, prefix=golden.prefix)
    ran = golden.git.run("fast-import", "--quiet", "--date-format=raw", stdin=stream)
    if ran.status != 0:
        golden.git.run("update-ref", "-d", ref)
        raise GoldenWriteError(f"git fast-import failed: {ran.message}")
    try:
        tip = golden.git.text("rev-parse", "--verify", ref, doing="find what was written")
        written = read_log(golden, tip, after=base)
        _compare(commits, written)
        yield Staged(ref=ref, base=base, tip=tip, commits=tuple(written))
    finally:
        golden.git.run("update-ref", "-d", ref)


def _compare(meant: Sequence[PlannedCommit], written: Sequence[Commit]) -> None:
    """Refuse when git reads the commits differently from what was meant."""
    if len(meant) != len(written):
        raise GoldenWriteError(f"{len(written)} commits were read back instead of {len(meant)}")
    for wanted, found in zip(meant, written, strict=True):
        same = (
            found.trailers == wanted.message.trailers
            and found.subject == wanted.message.subject
            and (found.author_name, found.author_email) == (wanted.author.name, wanted.author.email)
            and {file.path for file in found.touched} <= {path for path, _ in wanted.files}
        )
        if not same:
            raise GoldenWriteError(f"git reads the commit {wanted.message.subject!r} differently")


def write_tag(
    golden: OpenGolden, version: str, *, commit: str, tagger: Person, now: datetime
) -> str:
    """Write the annotated tag of a version and return its id; no reference names it yet."""
    data = tag_object(version, commit=commit, tagger=tagger, at=now)
    doing = "write the tag"
    return golden.git.output("mktag", doing=doing, stdin=data).decode().strip()


def swap(
    golden: OpenGolden, stage: Staged, *, version: str | None = None, tag: str | None = None
) -> bool:
    """Move the branch to what is staged; return False if the race was lost.

    Args:
        golden: the repository.
        stage: the commits.
        version: the version whose tag is created in the same transaction; None: no version.
        tag: the id of its annotated tag.

    Raises:
        LockedError: a lock of somebody else lies there and the branch did not move.
        GoldenWriteError: git refused, such as a hook of the repository.
    """
    move = (
        f"update {golden.ref} {stage.tip} {stage.base}"
        if stage.base
        else f"create {golden.ref} {stage.tip}"
    )
    lines = [
        "start",
        move,
        *([f"create refs/tags/{version} {tag}"] if version else []),
        f"delete {stage.ref} {stage.tip}",
        "prepare",
        "commit",
    ]
    ran = golden.git.run("update-ref", "--stdin", stdin="".join(f"{x}\n" for x in lines).encode())
    if ran.status == 0:
        return True
    tagged = version is not None and golden.git.object_ids([f"refs/tags/{version}"])[0]
    if golden.tip() != stage.base or tagged:
        return False
    lock = _LOCK.search(ran.message)
    if lock:
        raise LockedError(Path(lock[1]), _age(Path(lock[1])))
    raise GoldenWriteError(f"git refused to move the branch: {ran.message}")


def _age(lock: Path) -> float:
    try:
        return max(0.0, time.time() - lock.stat().st_mtime)
    except OSError:
        return 0.0
