"""What the branch already has: change ids, and every case id that was ever used."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from curation.codec import case_id_of, case_path
from curation.golden.kinds import version_number
from curation.golden.location import Location, OpenGolden, opened
from curation.golden.reader import Refs, highest_number, read_refs

_FEW = 50  # paths that git is asked for one by one
_RELEASE = (
    "--format=%(trailers:key=Experiment,valueonly,separator=%x2C)%x00"
    "%(trailers:key=Release,valueonly,separator=%x2C)"
)
_FORMAT = "--format=%H%x00%(trailers:key=Change-Id,valueonly,separator=%x2C)"


class OnBranch(NamedTuple):
    """Where a change is on the branch; no version while none has been made from it."""

    commit: str
    version: str | None


def published_change_ids(location: Location) -> dict[str, OnBranch]:
    """Return the changes that the branch has, by change id: the truth about what is published."""
    with opened(location) as golden:
        return changes_on_branch(golden, read_refs(golden))


def changes_on_branch(golden: OpenGolden, refs: Refs) -> dict[str, OnBranch]:
    """Return the changes up to the tip, by change id."""
    if refs.tip is None:
        return {}
    paths = [golden.prefix.rstrip("/")] if golden.prefix else []
    out = golden.git.text(
        "log", "--first-parent", _FORMAT, refs.tip, "--", *paths, doing="read the history"
    )
    return dict(_by_id(out, {commit: name for name, commit in refs.versions.items()}))


def _by_id(out: str, names: dict[str, str]) -> Iterator[tuple[str, OnBranch]]:
    """Yield the changes, newest first; a change went out in the next version after it."""
    version: str | None = None
    for line in filter(None, out.split("\n")):
        commit, ids = line.split("\0")
        version = names.get(commit, version)
        for change_id in filter(None, ids.split(",")):
            yield change_id, OnBranch(commit, version)


def version_at(golden: OpenGolden, commit: str) -> int:
    """Return the number of the newest version that the history up to a commit makes; 0 for none.

    The commits say it, not the tags: a tag may be where it should not be.
    """
    paths = [golden.prefix.rstrip("/")] if golden.prefix else []
    command = ("log", "--first-parent", "--fixed-strings", "--grep=Release: golden/v", _RELEASE)
    out = b""
    for chunk in golden.git.chunks(*command, commit, "--", *paths, doing="read the history"):
        ended, _, out = (out + chunk).rpartition(b"\n")
        for line in ended.decode("utf-8", "replace").split("\n"):
            experiment, _, release = line.partition("\0")
            if not experiment and (number := version_number(release)) is not None:
                return number
    return 0


def used_ids(location: Location) -> frozenset[str]:
    """Return every case id that the history ever had a file for, retired and removed ones too."""
    with opened(location) as golden:
        tip = golden.tip()
        if tip is None:
            return frozenset()
        return frozenset(ids_at(golden, tip)) | removed_ids(golden, tip)


def ids_at(golden: OpenGolden, commit: str) -> list[str]:
    """Return the case ids of a commit."""
    where = golden.prefix + "cases/"
    out = golden.git.output(
        "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, where, doing="list the cases"
    )
    return _case_ids(golden, out)


def removed_ids(
    golden: OpenGolden, tip: str, among: Collection[str] | None = None
) -> frozenset[str]:
    """Return the ids whose file a commit took away, which none of ours does.

    Args:
        golden: the repository.
        tip: the id of the newest commit.
        among: look at these ids only, which is quick where they are few; None: at all.
    """
    few = among is not None and len(among) <= _FEW
    paths = [case_path(case_id) for case_id in among or ()] if few else ["cases"]
    if not paths:
        return frozenset()
    out = golden.git.output(
        "log",
        "--first-parent",
        "--diff-merges=first-parent",
        "--diff-filter=D",
        "--no-renames",
        "--name-only",
        "-z",
        "--format=",
        tip,
        "--",
        *(golden.prefix + path for path in paths),
        doing="read the history",
    )
    found = frozenset(_case_ids(golden, out))
    return found if among is None else found.intersection(among)


def _case_ids(golden: OpenGolden, out: bytes) -> list[str]:
    paths = (part.decode("utf-8", "replace").strip("\n") for part in out.split(b"\0"))
    found = (case_id_of(path.removeprefix(golden.prefix)) for path in paths)
    return [case_id for case_id in found if case_id is not None]


def highest_case_number(location: Location) -> int:
    """Return the highest n of any id `q-n` that was ever used; 0 without any."""
    return highest_number(used_ids(location))
