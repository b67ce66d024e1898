"""Bringing a checked-out, clean work tree along after the branch moved.

A tree with changes of its own is left alone, and the person is told, because git would show the
published cases there as being taken back.
"""

import time
from pathlib import Path
from typing import NamedTuple

from curation.golden.location import OpenGolden
from curation.golden.outcome import Worktree
from curation.golden.runner import GitRunner
from curation.golden.tree import Entry, empty_tree, tree_id

_TRIES = 4
_PAUSE_SECONDS = 0.05
_LOOK_BACK = 500


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
    # A bare repository names itself there.
    if not folder or not (Path(folder) / ".git").exists():
        return Synced(Worktree.NONE, "")
    git = GitRunner(folder)
    for _ in range(_TRIES):
        tip = golden.tip()
        base = _index_commit(golden, git, tip) if tip else None
        if tip == base:
            return Synced(Worktree.SYNCED, "")
        if tip and base and _files_are_clean(git):
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


def _index_commit(golden: OpenGolden, git: GitRunner, tip: str) -> str | None:
    """Return the newest commit of the branch that the index equals, or the empty tree."""
    index = _index_tree(git, like=tip)
    out = golden.git.text(
        "log", "--first-parent", f"-{_LOOK_BACK}", "--format=%H %T", tip, doing="read the history"
    )
    nothing = empty_tree(like=tip)
    trees = {nothing: nothing}
    for line in reversed(out.split("\n")):
        commit, tree = line.split(" ")
        trees[tree] = commit
    return trees.get(index) if index else None


def _index_tree(git: GitRunner, *, like: str) -> str | None:
    """Return the id of the tree that the index would make, which is not written.

    Nothing comes back for an index that makes none, as in the middle of a merge.
    """
    out = git.output("ls-files", "--stage", "-z", "--full-name", doing="read the index")
    entries: list[Entry] = []
    for line in filter(None, out.split(b"\0")):
        head, path = line.split(b"\t", 1)
        mode, oid, stage = head.decode().split(" ")
        if stage != "0":
            return None
        entries.append(Entry(mode, "blob", oid, path.decode("utf-8", "surrogateescape")))
    return tree_id(entries, like=like)


def _files_are_clean(git: GitRunner) -> bool:
    ran = git.run("diff", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules")
    return ran.status == 0
