"""The history pass: the first-parent commits that touch the golden set, oldest first."""

from collections.abc import Iterator

from curation.golden.errors import ShallowError
from curation.golden.kinds import MAILMAP_FILE
from curation.golden.location import OpenGolden, is_shallow
from curation.golden.record import LOG_OPTIONS, WALK_OPTIONS, Commit, parse_log, parse_stream


def read_log(
    golden: OpenGolden, tip: str, *, after: str | None = None, path: str | None = None
) -> list[Commit]:
    """Return the commits up to `tip` that touch the golden set, oldest first.

    Args:
        golden: the repository.
        tip: the id of the newest commit.
        after: the id of the commit after which to begin; None: the beginning.
        path: only those that touch this file of the set.
    """
    out = golden.git.output(
        "log", *LOG_OPTIONS, *_which(golden, tip, after, path), doing="read the history"
    )
    return parse_log(out, golden.prefix)[::-1]


def stream_log(golden: OpenGolden, tip: str, *, after: str | None = None) -> Iterator[Commit]:
    """Yield the commits up to `tip` that touch the golden set, oldest first, while git reads on.

    They come without dates and committer.

    Args:
        golden: the repository.
        tip: the id of the newest commit.
        after: the id of the commit after which to begin; None: the beginning.
    """
    command = ["log", *WALK_OPTIONS, *_which(golden, tip, after, None)]
    yield from parse_stream(golden.git.chunks(*command, doing="read the history"), golden.prefix)


def _which(golden: OpenGolden, tip: str, after: str | None, path: str | None) -> list[str]:
    revisions = [tip] if after is None else [tip, f"^{after}"]
    return [*revisions, "--", *_paths(golden, path)]


def _paths(golden: OpenGolden, path: str | None) -> list[str]:
    if path is not None:
        return [golden.prefix + path]
    return [golden.prefix.rstrip("/"), MAILMAP_FILE] if golden.prefix else []


def require_whole_history(golden: OpenGolden) -> None:
    """Refuse a clone that lacks older history.

    Raises:
        ShallowError: it does.
    """
    if is_shallow(golden):
        raise ShallowError(golden.location.path)
