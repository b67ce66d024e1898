"""Commits as the history pass reads them: one `git log` for people, trailers and files.

Standard library only: the server-side hook carries this module.
"""

from typing import NamedTuple

_FIELDS = ("%H", "%P", "%an", "%ae", "%aI", "%cn", "%ce", "%cI", "%B", "%(trailers:only,unfold)")
LOG_OPTIONS = (
    "--first-parent",
    "--diff-merges=first-parent",
    "--raw",
    "--no-abbrev",
    "--no-renames",
    "--no-ext-diff",
    "-z",
    "--format=" + "%x00".join(_FIELDS),
)


class Touched(NamedTuple):
    """One file that a commit changed; `path` is relative to the golden path.

    A file outside the golden path begins with a slash. `old` and `new` are blob ids of zeros
    where there is none.
    """

    status: str
    old_mode: str
    new_mode: str
    old: str
    new: str
    path: str


class Commit(NamedTuple):
    """One commit of the first-parent line."""

    oid: str
    parents: tuple[str, ...]
    author_name: str
    author_email: str
    author_date: str
    committer_name: str
    committer_email: str
    committer_date: str
    message: str
    trailers: tuple[tuple[str, str], ...]
    touched: tuple[Touched, ...]

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.split("\n", 1)[0]

    @property
    def body(self) -> str:
        """The message without its subject and its trailers."""
        paragraphs = self.message.strip("\n").split("\n\n")[1:]
        if self.trailers and paragraphs:
            paragraphs.pop()
        return "\n\n".join(paragraphs)

    def trailer(self, key: str) -> str | None:
        """Return the value of the first trailer with this key."""
        return next((value for name, value in self.trailers if name == key), None)

    def all_of(self, key: str) -> tuple[str, ...]:
        """Return the values of the trailers with this key."""
        return tuple(value for name, value in self.trailers if name == key)


def parse_log(out: bytes, prefix: str = "") -> list[Commit]:
    """Return the commits that `git log` with `LOG_OPTIONS` wrote, in its order."""
    tokens = out.decode("utf-8", "surrogateescape").split("\0")
    commits: list[Commit] = []
    at, width = 0, len(_FIELDS)
    while at + width <= len(tokens):
        fields = tokens[at : at + width]
        at += width
        touched: list[Touched] = []
        while at + 1 < len(tokens) and tokens[at].lstrip("\n").startswith(":"):
            touched.append(_touched(tokens[at], tokens[at + 1], prefix))
            at += 2
        commits.append(_commit(fields, tuple(touched)))
    return commits


def _commit(fields: list[str], touched: tuple[Touched, ...]) -> Commit:
    return Commit(
        oid=fields[0],
        parents=tuple(fields[1].split()),
        author_name=fields[2],
        author_email=fields[3],
        author_date=fields[4],
        committer_name=fields[5],
        committer_email=fields[6],
        committer_date=fields[7],
        message=fields[8],
        trailers=tuple(_trailer(line) for line in fields[9].split("\n") if line),
        touched=touched,
    )


def _trailer(line: str) -> tuple[str, str]:
    key, _, value = line.partition(":")
    return key, value.strip()


def _touched(head: str, path: str, prefix: str) -> Touched:
    old_mode, new_mode, old, new, status = head.lstrip("\n").removeprefix(":").split(" ")
    relative = path.removeprefix(prefix) if path.startswith(prefix) else f"/{path}"
    return Touched(status, old_mode, new_mode, old, new, relative)
