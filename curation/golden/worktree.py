"""Bringing a checked-out, clean work tree along after the branch moved.

A tree with changes of its own is left alone, and the person is told, because git would show the
published cases there as being taken back.
"""

import time
from typing import NamedTuple

from curation.golden.location import OpenGolden
from curation.golden.outcome import Worktree
from curation.golden.runner import GitRunner
from curation.golden.tree import empty_tree

_TRIES = 4
_PAUSE_SECONDS = 0.05
_LOOK_BACK = "200"


class Synced(NamedTuple):
    """What became of the work tree, in a sentence."""

    worktree: Worktree
    note: str


def sync_worktree(golden: OpenGolden, *, old: str | None = None) -> Synced:
    """Bring the work tree that has the branch checked out to the branch's commit.

    Args:
        golden: the repository.
        old: where the branch was before, for the sentence about a tree that is left alone.
    """
    form = "--format=%(worktreepath)"
    folder = golden.git.text("for-each-ref", form, golden.ref, doing="find the work tree")
    if not folder:
        return Synced(Worktree.NONE, "")
    git = GitRunner(folder)
    for _ in range(_TRIES):
        tip = golden.tip()
        if tip is None or _index_is(git, tip):
            return Synced(Worktree.SYNCED, "")
        base = _index_commit(golden, git, tip)
        if base is not None and _files_are_clean(git):
            git.run("read-tree", "-m", "-u", base, tip)
        else:
            # Perhaps another publisher is at it right now: look again.
            time.sleep(_PAUSE_SECONDS)
    return Synced(Worktree.LEFT_ALONE, _left_alone(folder, old))


def _left_alone(folder: str, old: str | None) -> str:
    catch_up = f" `git read-tree -m -u {old} HEAD` there catches up and keeps them." if old else ""
    return (
        f"The files in {folder} have changes of their own, so they were left as they are and are "
        f"behind the branch. Do not use `git commit -a` there before they have caught up.{catch_up}"
    )


def _index_is(git: GitRunner, tree: str) -> bool:
    ran = git.run("diff-index", "--cached", "--quiet", "--ignore-submodules", tree, "--")
    return ran.status == 0


def _index_commit(golden: OpenGolden, git: GitRunner, tip: str) -> str | None:
    """Return the commit that the index equals: an earlier one of the branch, or nothing."""
    out = golden.git.text(
        "rev-list", "--first-parent", f"--max-count={_LOOK_BACK}", tip, doing="read the history"
    )
    earlier = out.split("\n")[1:]
    candidates = [*earlier, empty_tree(like=tip)]
    return next((commit for commit in candidates if _index_is(git, commit)), None)


def _files_are_clean(git: GitRunner) -> bool:
    ran = git.run("diff", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules")
    return ran.status == 0
