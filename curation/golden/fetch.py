"""A golden set fetched from a git server into a folder, for one evaluation."""

import re
from pathlib import Path

from curation.golden.errors import GitFailedError, GoldenError
from curation.golden.location import Location
from curation.golden.runner import GitRunner

_URL = re.compile(r"(?:https|ssh|file)://[^\s\x00-\x1f-][^\s\x00-\x1f]*")
_SCP = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:[^\s\x00-\x1f]+")
_TAG = re.compile(r"golden/v[1-9][0-9]{0,8}")


class RepositoryAddressError(GoldenError):
    """An address is none of a git server."""

    exit_status = 2

    def __init__(self, url: str) -> None:
        super().__init__(
            f"{url!r} was not fetched: it is no address of a git repository. "
            "Name one that begins with https:// or ssh://."
        )


def is_address(text: str) -> bool:
    """Return whether a text is meant as the address of a git repository."""
    return "://" in text or _SCP.fullmatch(text) is not None


def fetch_golden(
    url: str, into: Path, *, version: str | None = None, path: str = "", branch: str = "main"
) -> Location:
    """Return the location of a set that was cloned into an empty folder.

    Args:
        url: the repository.
        into: an existing folder.
        version: the only version that is needed; None fetches the whole history.
        path: the golden path inside the repository.
        branch: the branch that holds the set.

    Raises:
        RepositoryAddressError: the address is none.
        GitFailedError: git could not clone it.
    """
    if _URL.fullmatch(url) is None and _SCP.fullmatch(url) is None:
        raise RepositoryAddressError(url)
    only: tuple[str, ...] = ()
    if version is not None and _TAG.fullmatch(version):
        only = ("--depth=1", "--single-branch", f"--branch={version}")
    folder = into / "golden"
    ran = GitRunner(into).run(
        "clone", "--quiet", "--bare", "--template=", *only, "--", url, str(folder)
    )
    if ran.status != 0:
        raise GitFailedError(f"fetch {url}", ran.message)
    return Location.at(folder / path if path else folder, branch=branch)
