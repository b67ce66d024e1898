"""Listings of git trees, and the id of a tree that is not written yet."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from curation.golden.record import FILE_MODE
from curation.golden.runner import GitRunner


class Entry(NamedTuple):
    """One line of a tree."""

    mode: str
    kind: str
    oid: str
    path: str


def list_tree(git: GitRunner, tree: str, *, deep: bool) -> list[Entry]:
    """Return what a tree holds; with `deep` all files below it, else its own entries."""
    options = ("-r",) if deep else ()
    out = git.output("ls-tree", "-z", "--full-tree", *options, tree, doing="list a tree")
    return [_entry(line) for line in out.split(b"\0") if line]


def _entry(line: bytes) -> Entry:
    head, path = line.split(b"\t", 1)
    mode, kind, oid = head.decode().split(" ")
    return Entry(mode, kind, oid, path.decode("utf-8", "surrogateescape"))


def blob_id(data: bytes, *, like: str) -> str:
    """Return the id that git gives a blob, by the algorithm of the id `like`."""
    return _object_id("blob", data, like)


def empty_tree(*, like: str) -> str:
    """Return the id of a tree without entries, by the algorithm of the id `like`."""
    return _object_id("tree", b"", like)


def _object_id(kind: str, data: bytes, like: str) -> str:
    digest = hashlib.sha256() if len(like) == 64 else hashlib.sha1(usedforsecurity=False)
    digest.update(f"{kind} {len(data)}\0".encode())
    digest.update(data)
    return digest.hexdigest()


def tree_id(files: Iterable[Entry], *, like: str) -> str:
    """Return the id of the tree that holds these files (paths from the tree down)."""
    below: dict[str, list[Entry]] = {}
    entries: list[Entry] = []
    for file in files:
        folder, slash, rest = file.path.partition("/")
        if slash:
            below.setdefault(folder, []).append(file._replace(path=rest))
        else:
            entries.append(file)
    entries += [
        Entry("40000", "tree", tree_id(inside, like=like), folder)
        for folder, inside in below.items()
    ]
    entries.sort(key=_git_order)
    data = b"".join(
        f"{entry.mode} ".encode() + _raw(entry.path) + b"\0" + bytes.fromhex(entry.oid)
        for entry in entries
    )
    return _object_id("tree", data, like)


def _git_order(entry: Entry) -> bytes:
    return _raw(entry.path) + (b"/" if entry.kind == "tree" else b"")


def _raw(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def with_files(files: Iterable[Entry], written: Mapping[str, str]) -> list[Entry]:
    """Return the files after some were written (path to blob id)."""
    kept = [entry for entry in files if entry.path not in written]
    return kept + [Entry(FILE_MODE, "blob", oid, path) for path, oid in written.items()]
