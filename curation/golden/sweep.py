"""Clearing away what a writer that was killed left behind; its commits are on no branch."""

import re
import time
from pathlib import Path
from typing import NamedTuple

from curation.golden.errors import NotAGoldenSetError
from curation.golden.location import STAGING, Location, OpenGolden, opened
from curation.golden.worktree import sync_worktree

# Longer than any command of a living writer may take.
_OLD_SECONDS = 900.0
_STAGED = re.compile(r"(\d+)-[0-9a-f]+")


class Swept(NamedTuple):
    """What was cleared away."""

    references: tuple[str, ...]
    files: tuple[Path, ...]


def sweep(
    location: Location, *, now: float | None = None, older_than: float = _OLD_SECONDS
) -> Swept:
    """Clear away what killed writers left and let a clean work tree catch up.

    Nothing that a living writer needs is touched: only what is older than it can be.

    Args:
        location: the golden set; where there is none yet, nothing happens.
        now: seconds since 1970; None reads the clock.
        older_than: seconds.
    """
    before = (time.time() if now is None else now) - older_than
    try:
        with opened(location) as golden:
            references = _sweep_references(golden, before)
            files = _sweep_files(golden, before)
            if golden.tip() is not None:
                sync_worktree(golden)
    except NotAGoldenSetError:
        return Swept((), ())
    return Swept(references, files)


def _sweep_references(golden: OpenGolden, before: float) -> tuple[str, ...]:
    out = golden.git.text(
        "for-each-ref", "--format=%(refname)", STAGING, doing="list what is staged"
    )
    stale = []
    for name in filter(None, out.split("\n")):
        found = _STAGED.fullmatch(name.removeprefix(STAGING))
        if found is None or int(found[1]) < before:
            golden.git.run("update-ref", "-d", name)
            stale.append(name)
    return tuple(stale)


def _sweep_files(golden: OpenGolden, before: float) -> tuple[Path, ...]:
    """Remove unfinished packs and the crash reports of `git fast-import`."""
    packs = golden.git_dir / "objects" / "pack"
    left = [*packs.glob("tmp_pack_*"), *packs.glob("tmp_idx_*")]
    left += golden.git_dir.glob("fast_import_crash_*")
    stale = []
    for file in left:
        try:
            if file.stat().st_mtime < before:
                file.unlink()
                stale.append(file)
        except OSError:
            continue
    return tuple(stale)


def maintain(location: Location) -> None:
    """Keep a set with a long history quick: pack what is loose, index which commit touches what.

    Takes seconds on 20,000 commits, so it belongs off the path of a request. Nothing that is
    reachable, or younger than two weeks, is removed.
    """
    with opened(location) as golden:
        golden.git.output("gc", "--auto", "--quiet", doing="pack the repository")
        golden.git.output(
            "commit-graph", "write", "--reachable", "--changed-paths", doing="index the history"
        )
