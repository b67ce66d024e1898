"""Where a golden set is: a repository of its own, or a folder of a bigger one; bare or not."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from curation.errors import ConfigError
from curation.golden.errors import NoRepositoryError, NotAGoldenSetError
from curation.golden.gitpython import git
from curation.golden.runner import GitRunner

TAGS = "refs/tags/golden/"
STAGING = "refs/curation/staging/"
_BRANCH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._/+-]*")


@dataclass(frozen=True, kw_only=True)
class Location:
    """The path of a golden set and the branch that holds it; nothing is open.

    Of somebody's clone, which is only read, the branch may also be the one of its origin: git
    makes no branch in a clone of a tag, nor a CI in a checkout of a pull request.
    """

    path: Path
    branch: str = "main"
    clone: bool = False

    @classmethod
    def at(cls, path: Path, *, branch: str = "main", clone: bool = False) -> Self:
        """Return the location; the path need not exist yet.

        Raises:
            ConfigError: the branch cannot be the name of one.
        """
        if not _is_branch(branch):
            raise ConfigError("key golden.branch", f"{branch!r} names no branch", "Correct it.")
        return cls(path=path.expanduser().resolve(), branch=branch, clone=clone)

    @property
    def ref(self) -> str:
        """The full name of the branch; a short one could also be a tag's."""
        return f"refs/heads/{self.branch}"


def _is_branch(name: str) -> bool:
    bad = ".." in name or "//" in name or "/." in name or ".lock/" in f"{name}/"
    return _BRANCH.fullmatch(name) is not None and not bad and not name.endswith(("/", "."))


@dataclass(frozen=True, kw_only=True)
class OpenGolden:
    """A golden repository for the length of one operation."""

    location: Location
    git: GitRunner
    root: Path
    git_dir: Path
    prefix: str
    ref: str

    def tip(self) -> str | None:
        """Return the commit that the branch is at; None before the first commit."""
        return self.git.object_ids([f"{self.ref}^{{commit}}"])[0]

    def or_refuse(self, tip: str | None) -> str:
        """Return the commit that the branch is at.

        Raises:
            NotAGoldenSetError: the branch does not exist.
        """
        if tip is None:
            raise NotAGoldenSetError(
                self.location.path, f"its repository has no branch {self.location.branch!r}"
            )
        return tip

    def at(self, commit: str, path: str) -> str:
        """Return git's name for a path of the golden set in a commit."""
        return f"{commit}:{self.prefix}{path}"


def is_shallow(golden: OpenGolden) -> bool:
    """Return whether a clone lacks older history."""
    said = golden.git.text("rev-parse", "--is-shallow-repository", doing="look at the clone")
    return said == "true"


@contextmanager
def opened(location: Location) -> Generator[OpenGolden, None, None]:
    """Open the repository that holds the location, and close it afterwards.

    Raises:
        NoRepositoryError: there is none.
    """
    start = _nearest_folder(location.path)
    try:
        repo = git.Repo(start, search_parent_directories=True, expand_vars=False)
    except (git.InvalidGitRepositoryError, git.NoSuchPathError) as problem:
        raise NoRepositoryError(location.path) from problem
    try:
        git_dir = Path(repo.git_dir).resolve()
        root = Path(repo.working_tree_dir).resolve() if repo.working_tree_dir else git_dir
        runner = GitRunner(root)
        yield OpenGolden(
            location=location,
            git=runner,
            root=root,
            git_dir=Path(repo.common_dir).resolve(),
            prefix=_prefix(location.path, root),
            ref=_ref(location, runner),
        )
    finally:
        repo.close()


def _ref(location: Location, runner: GitRunner) -> str:
    """Return the full name of the branch, or of the one that a clone has it from."""
    far = f"refs/remotes/origin/{location.branch}"
    if not location.clone or runner.object_ids([location.ref])[0] is not None:
        return location.ref
    return location.ref if runner.object_ids([far])[0] is None else far


def _nearest_folder(path: Path) -> Path:
    """Return the path, or its nearest parent that is a folder."""
    return next(folder for folder in (path, *path.parents) if folder.is_dir())


def _prefix(path: Path, root: Path) -> str:
    relative = path.relative_to(root).as_posix() if path.is_relative_to(root) else "."
    return "" if relative == "." else f"{relative}/"


def is_own_repository(path: Path) -> bool:
    """Return whether the path itself is a repository, bare or not."""
    try:
        git.Repo(path, expand_vars=False).close()
    except (git.InvalidGitRepositoryError, git.NoSuchPathError):
        return False
    return True
