"""Commits as the history pass reads them: one `git log` for people, trailers and files.

Standard library only: the server-side hook carries this module.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import MAXYEAR, MINYEAR, datetime
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

FILE_MODE = "100644"  # of an ordinary file
_FIELDS = ("%H", "%P", "%an", "%ae", "%aI", "%cn", "%ce", "%cI", "%B", "%(trailers:only,unfold)")
_WIDTH = len(_FIELDS)
_FILE = (":", "\n:")  # how the token before a file's path begins
_WALK = (
    "--first-parent",
    "--diff-merges=first-parent",
    "--raw",
    "--no-abbrev",
    "--no-renames",
    "--no-ext-diff",
    "--ignore-submodules=none",  # else a .gitmodules in a work tree takes one out of sight
    "-z",
)
# Nobody's settings change the form of what is read here or by the hook.
PLAIN_OPTIONS = (
    "--no-pager",
    "--literal-pathspecs",
    "-c",
    "core.quotePath=false",
    "-c",
    "i18n.logOutputEncoding=UTF-8",
    "-c",
    "log.showSignature=false",
    "-c",
    "log.showRoot=true",
    "-c",
    "log.mailmap=false",
    "-c",
    "log.follow=false",
    "-c",
    "trailer.separators=:",
)
LOG_OPTIONS = (*_WALK, "--format=" + "%x00".join(_FIELDS))
# Dates and committers cost git time, and the walk along a long history reads none of them.
_UNREAD = frozenset({"%aI", "%cn", "%ce", "%cI"})
WALK_OPTIONS = (
    *_WALK,
    "--reverse",
    "--format=" + "%x00".join("" if name in _UNREAD else name for name in _FIELDS),
)
# Git reads the key of a trailer in any case; so do we, and write it as it is written here.
_KEYS = (
    "Case",
    "Change",
    "Change-Id",
    "Base-Blob",
    "Import",
    "Release",
    "Experiment",
    "Experiment-State",
    "Override",
    "Reviewed-by",
    "Co-authored-by",
    "Self-approved",
    "Baseline-Fails",
    "Question-Reworded",
    "Source-Answer",
    "Failure",
)
_SPELLED = {key.lower(): key for key in _KEYS} | {key: key for key in _KEYS}
# What tells of a commit, without its files, what it claims to be and to have done.
CLAIMS_FORMAT = "%(trailers:unfold,key=Change-Id,key=Change,key=Case,key=Experiment,key=Release)"


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


class _Fields(NamedTuple):
    """What git says of a commit."""

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


class Commit(_Fields):
    """One commit of the first-parent line."""

    @cached_property
    def _first(self) -> dict[str, str]:
        """The value of the first trailer with each key."""
        return dict(reversed(self.trailers))

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.split("\n", 1)[0]

    @property
    def body(self) -> str:
        """The message without its subject and its trailers."""
        message = self.message.strip("\n")
        start = message.find("\n\n")
        if start < 0:
            return ""
        end = message.rfind("\n\n") if self.trailers else len(message)
        return message[start + 2 : end]

    def trailer(self, key: str) -> str | None:
        """Return the value of the first trailer with this key."""
        return self._first.get(key)

    def has_any(self, keys: frozenset[str]) -> bool:
        """Return whether there is a trailer with one of these keys."""
        return not keys.isdisjoint(self._first)

    @property
    def repeats(self) -> bool:
        """Whether two trailers have the same key."""
        return len(self._first) < len(self.trailers)

    def all_of(self, key: str) -> tuple[str, ...]:
        """Return the values of the trailers with this key."""
        first = self._first.get(key)
        if first is None:
            return ()
        if len(self._first) == len(self.trailers):
            return (first,)
        return tuple([value for name, value in self.trailers if name == key])


def moment_of(date: str) -> datetime | None:
    """Return when a commit says that it was written; None where no calendar has such a day.

    Git keeps any number of seconds and any zone. The first and the last year are left out as well:
    in another zone they may end up outside the calendar.
    """
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        return None
    return moment if MINYEAR < moment.year < MAXYEAR else None


def parse_log(out: bytes, prefix: str = "") -> list[Commit]:
    """Return the commits that `git log` with `LOG_OPTIONS` wrote, in its order."""
    return list(parse_stream([out], prefix))


def parse_stream(chunks: Iterable[bytes], prefix: str = "") -> Iterator[Commit]:
    """Yield the commits of `git log` with `LOG_OPTIONS` while it writes them, in its order."""
    tokens: list[str] = []
    rest = b""
    for chunk in chunks:
        ended, _, rest = (rest + chunk).rpartition(b"\0")
        tokens += _tokens(ended)
        # The last one may go on: only the next one's beginning tells that its files are all there.
        starts = _starts(tokens)
        for start, end in pairwise(starts):
            yield _commit(tokens, start, end, prefix)
        del tokens[: starts[-1]]
    if len(tokens) >= _WIDTH:
        yield _commit(tokens, 0, len(tokens), prefix)


def _tokens(ended: bytes) -> list[str]:
    return ended.decode("utf-8", "surrogateescape").split("\0") if ended else []


def _starts(tokens: Sequence[str]) -> list[int]:
    """Return where commits begin; where nothing follows, the last is not known to be whole."""
    starts, at, known = [0], _WIDTH, len(tokens)
    while at < known:
        if tokens[at].startswith(_FILE):
            at += 2
            continue
        starts.append(at)
        at += _WIDTH
    return starts


def _commit(tokens: Sequence[str], start: int, end: int, prefix: str) -> Commit:
    """Return the commit of the tokens from `start` to `end`: its fields, then two a file."""
    oid, parents, name, email, date, by_name, by_email, by_date, message, trailers = tokens[
        start : start + _WIDTH
    ]
    touched = [
        _touched(tokens[at], tokens[at + 1], prefix) for at in range(start + _WIDTH, end - 1, 2)
    ]
    made = Commit(
        oid,
        tuple(parents.split()),
        name,
        email,
        date,
        by_name,
        by_email,
        by_date,
        message,
        parse_trailers(trailers),
        tuple(touched),
    )
    vars(made)["_first"] = dict(reversed(made.trailers))  # every reader asks for it
    return made


def parse_trailers(text: str) -> tuple[tuple[str, str], ...]:
    """Return the trailers that git wrote one a line, keys as they are spelled here."""
    lines = [line.partition(":") for line in text.split("\n") if line]
    return tuple([(_SPELLED.get(key) or _spelled(key), value.strip()) for key, _, value in lines])


def _spelled(key: str) -> str:
    return _SPELLED.get(key.lower(), key)


def _touched(head: str, path: str, prefix: str) -> Touched:
    old_mode, new_mode, old, new, status = head.lstrip("\n")[1:].split(" ")
    if prefix:
        path = path.removeprefix(prefix) if path.startswith(prefix) else f"/{path}"
    return Touched(status, old_mode, new_mode, old, new, path)
