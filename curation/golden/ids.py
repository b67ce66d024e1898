"""What the branch already has: change ids, and every case id that was ever used."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from curation.codec import case_id_of
from curation.golden.kinds import read_claim
from curation.golden.location import Location, OpenGolden, opened
from curation.golden.reader import Refs, highest_number, read_refs
from curation.golden.record import CLAIMS_FORMAT


class OnBranch(NamedTuple):
    """Where a change is on the branch; no version while none has been made from it."""

    commit: str
    version: str | None
    case_id: str | None = None
    """The one case that the change is about."""


def published_change_ids(location: Location) -> dict[str, OnBranch]:
    """Return the changes that the branch has, by change id: the truth about what is published."""
    with opened(location) as golden:
        return changes_on_branch(golden, read_refs(golden))


def changes_on_branch(golden: OpenGolden, refs: Refs) -> dict[str, OnBranch]:
    """Return the changes up to the tip, by change id."""
    if refs.tip is None:
        return {}
    paths = [golden.prefix.rstrip("/")] if golden.prefix else []
    form = f"--format=%H%x00{CLAIMS_FORMAT}%x00"
    out = golden.git.text(
        "log", "--first-parent", form, refs.tip, "--", *paths, doing="read the history"
    )
    return dict(_by_id(out, {commit: name for name, commit in refs.versions.items()}))


def _by_id(out: str, names: dict[str, str]) -> Iterator[tuple[str, OnBranch]]:
    """Yield the changes, newest first; a change went out in the next version after it."""
    version: str | None = None
    parts = out.split("\0")
    for commit, said in zip(parts[::2], parts[1::2], strict=False):
        version = names.get(commit.lstrip("\n"), version)
        claim = read_claim(said)
        found = OnBranch(commit.lstrip("\n"), version, claim.case_id)
        yield from ((change_id, found) for change_id in claim.change_ids)


def version_at(golden: OpenGolden, commit: str) -> int:
    """Return the number of the newest version that the history up to a commit makes; 0 for none.

    The commits say it, not the tags: a tag may be where it should not be.
    """
    paths = [golden.prefix.rstrip("/")] if golden.prefix else []
    found = ("--fixed-strings", "--regexp-ignore-case", "--grep=Release: golden/v")
    command = ("log", "--first-parent", *found, f"--format={CLAIMS_FORMAT}%x00")
    out = b""
    for chunk in golden.git.chunks(*command, commit, "--", *paths, doing="read the history"):
        ended, _, out = (out + chunk).rpartition(b"\0")
        for said in ended.decode("utf-8", "replace").split("\0"):
            if (number := read_claim(said).version) is not None:
                return number
    return 0


def used_ids(location: Location) -> frozenset[str]:
    """Return every case id that the history ever had a file for, retired and removed ones too."""
    with opened(location) as golden:
        tip = golden.tip()
        if tip is None:
            return frozenset()
        return frozenset(ids_at(golden, tip)) | frozenset(removed_ids(golden, tip))


def ids_at(golden: OpenGolden, commit: str) -> list[str]:
    """Return the case ids of a commit."""
    where = golden.prefix + "cases/"
    out = golden.git.output(
        "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, where, doing="list the cases"
    )
    return _case_ids(golden, out)


def removed_ids(golden: OpenGolden, tip: str) -> list[str]:
    """Return the ids whose file a commit took away, which none of ours does."""
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
        golden.prefix + "cases",
        doing="read the history",
    )
    return _case_ids(golden, out)


def ids_of(golden: OpenGolden, known: Mapping[str, OnBranch]) -> frozenset[str]:
    """Return the ids of the cases that changes of the branch wrote, gone ones too.

    Quick, because the trailers tell most of it, and only the few other commits are compared: what
    was written without a change is the audit's to find.
    """
    told = {change.case_id for change in known.values()}
    others = dict.fromkeys(c.commit for c in known.values() if c.case_id is None)
    options = ("--stdin", "--root", "--no-commit-id", "--no-renames", "-r", "--name-only", "-z")
    listed = "".join(f"{commit}\n" for commit in others).encode()
    out = golden.git.output("diff-tree", *options, doing="read the imports", stdin=listed)
    return frozenset(case_id for case_id in told if case_id).union(_case_ids(golden, out))


def _case_ids(golden: OpenGolden, out: bytes) -> list[str]:
    paths = (part.decode("utf-8", "replace").strip("\n") for part in out.split(b"\0"))
    found = (case_id_of(path.removeprefix(golden.prefix)) for path in paths)
    return [case_id for case_id in found if case_id is not None]


def highest_case_number(location: Location) -> int:
    """Return the highest n of any id `q-n` that was ever used; 0 without any."""
    return highest_number(used_ids(location))
