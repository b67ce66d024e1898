"""The stream that `git fast-import` reads, and the tag that goes with it."""

from collections.abc import Iterable
from datetime import datetime

from curation.domain.person import Person
from curation.golden.plan import PlannedCommit
from curation.golden.record import FILE_MODE


def ident(person: Person, at: datetime) -> bytes:
    """Return a person and a moment as git writes them."""
    return f"{person} {int(at.timestamp())} +0000".encode()


def commit_stream(
    commits: Iterable[PlannedCommit], *, ref: str, base: str | None, prefix: str
) -> bytes:
    """Return the stream that writes the commits, one after the other, to `ref`.

    Args:
        commits: in order.
        ref: the private reference that they are staged on.
        base: the commit that they follow; None for a first commit.
        prefix: the golden path inside the repository, with its slash.
    """
    parts = [b"feature done\n"]
    after = f"from {base}\n".encode() if base else b""
    for commit in commits:
        parts += [
            b"commit " + ref.encode() + b"\n",
            b"author " + ident(commit.author, commit.authored_at) + b"\n",
            b"committer " + ident(commit.committer, commit.committed_at) + b"\n",
            *_data(commit.message.encode()),
            after,
        ]
        after = b""
        for path, data in commit.files:
            quoted = _quoted(prefix + path)
            parts += [f"M {FILE_MODE} inline ".encode(), quoted, b"\n", *_data(data)]
        parts.append(b"\n")
    parts.append(b"done\n")
    return b"".join(parts)


def _data(data: bytes) -> tuple[bytes, bytes, bytes]:
    return b"data %d\n" % len(data), data, b"\n"


def _quoted(path: str) -> bytes:
    """Return a path in git's C quoting, so that no character of it ends the line."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'.encode("utf-8", "surrogateescape")


def tag_object(version: str, *, commit: str, tagger: Person, at: datetime) -> bytes:
    """Return the annotated tag of a version."""
    head = f"object {commit}\ntype commit\ntag {version}\ntagger ".encode()
    return head + ident(tagger, at) + f"\n\nRelease {version}\n".encode()
