"""Commits of a bare repository byte for byte, as an insider would forge them."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from curation.golden import Location, audit
from curation.golden.hook.receive import Update, judge_push
from curation.golden.hook.server import Server
from tests.golden.desk import git
from tests.golden.in_memory import ANA
from tests.golden.line import Line
from tests.golden.test_audit_in_full import ONE, begin, edit, text

MAIN = "refs/heads/main"
REVIEWED = f"Reviewed-by: {ANA}"
MIA = b"Mia Kim <mia@example.org>"
WHEN = b"1793620000 +0000"
Files = Mapping[str | bytes, tuple[str, bytes | None]]
"""Mode and bytes by path; of a submodule the commit's id, None takes one away."""


def begun(folder: Path) -> Line:
    """A bare repository at golden/v2, with one case."""
    line = Line(folder / "golden.git")
    begin(line)
    return line.write()


def forge(
    repository: Path,
    message: str | bytes,
    files: Files | None = None,
    *,
    author: bytes = MIA,
    when: bytes = WHEN,
    headers: bytes = b"",
    parents: tuple[str, ...] | None = None,
    ref: str = MAIN,
) -> str:
    """Put a commit with exactly these bytes on a branch; return its id."""
    first, *others = parents or (git(repository, "rev-parse", ref),)
    tree = _tree(repository, first, files or {})
    lines = [b"tree " + tree.encode()]
    lines += [b"parent " + parent.encode() for parent in (first, *others)]
    lines += [who + author + b" " + when for who in (b"author ", b"committer ")]
    data = b"\n".join(lines) + b"\n" + headers + b"\n"
    data += message if isinstance(message, bytes) else message.encode()
    made = git(
        repository, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=data
    )
    git(repository, "update-ref", ref, made)
    return made


def _tree(repository: Path, base: str, files: Files) -> str:
    """Return the tree of a commit after some files were written."""
    index = {**os.environ, "GIT_INDEX_FILE": str(repository / "forged.index")}
    rows = [_row(repository, path, mode, data) for path, (mode, data) in files.items()]

    def run(*arguments: str, stdin: bytes = b"") -> bytes:
        command = ["git", "-C", str(repository), *arguments]
        return subprocess.run(
            command, input=stdin, env=index, check=True, capture_output=True
        ).stdout

    run("read-tree", base)
    run("update-index", "-z", "--index-info", stdin=b"".join(rows))
    return run("write-tree").decode().strip()


def _row(repository: Path, path: str | bytes, mode: str, data: bytes | None) -> bytes:
    name = path if isinstance(path, bytes) else path.encode()
    if data is None:
        return b"0 " + b"0" * 40 + b"\t" + name + b"\0"
    link = mode == "160000"
    oid = data.decode() if link else git(repository, "hash-object", "-w", "--stdin", stdin=data)
    return f"{mode} {oid}\t".encode() + name + b"\0"


def one(notes: str = "n") -> Files:
    """The file of q-0001 with other notes than it has."""
    return {ONE: ("100644", text(1, notes))}


def edited(*more: str, reviewed: str = REVIEWED, change_id: str = "f") -> str:
    """The message of an edit of q-0001 as the program would write it."""
    return edit(change_id, text(1), *more, reviewed)


class Ruled(NamedTuple):
    """Which rules the hook and the audit say are broken after golden/v2."""

    hook: set[str]
    audit: set[str]


def ruled(line: Line) -> Ruled:
    """Let both judge what was done to the repository since it was written."""
    repository, base = line.path, line.ids[-1]
    tip = git(repository, "rev-parse", MAIN)
    found = {finding.rule for finding in audit(Location.at(repository)).findings}
    form = "--format=%(objectname) %(refname)"
    rows = [row.split(" ") for row in git(repository, "for-each-ref", form).splitlines()]
    known = {MAIN, "refs/tags/golden/v1", "refs/tags/golden/v2"}
    others = [(oid, ref) for oid, ref in rows if ref not in known]
    git(repository, "update-ref", MAIN, base)
    for _, ref in others:
        git(repository, "update-ref", "-d", ref)
    updates = [Update(base, tip, MAIN), *(Update(None, oid, ref) for oid, ref in others)]
    refused = {p.rule for p in judge_push(Server(folder=str(repository)), updates)}
    git(repository, "update-ref", MAIN, tip)
    for oid, ref in others:
        git(repository, "update-ref", ref, oid)
    return Ruled(refused, found)
