"""The golden set that a run is measured on: a version in git, near or far, or a plain file."""

import hashlib
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from curation.domain.policy import Policy
from curation.errors import CurationError, NotFoundError
from curation.evaluation.cases import ScoringCase, parse_golden, scoring_cases
from curation.evaluation.errors import GoldenFileError, naming
from curation.evaluation.report import Pins
from curation.evaluation.run import Run
from curation.golden import (
    Location,
    fetch_golden,
    is_address,
    read_version,
    versions_with_cases,
)
from curation.services.policy_file import read_policy

POLICY_FILE = "golden.toml"
GOLDEN_FILE = "golden.jsonl"


class NoVersionError(CurationError):
    """A golden set has no version yet, so nothing can be measured on it."""

    exit_status = 2

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"Nothing was measured: the golden set {path} has no version. Publish one first."
        )


class NoCasesError(CurationError):
    """A version has no active case."""

    exit_status = 2

    def __init__(self, version: str | None) -> None:
        super().__init__(
            f"Nothing was measured: {version or 'the golden set'} has no active case. "
            "Publish cases first, or name another version."
        )


@dataclass(frozen=True, kw_only=True)
class Yardstick:
    """The cases of one version with what names it. `policy` is the one of that version.

    `same` are the versions that hold the same cases, itself included.
    """

    cases: tuple[ScoringCase, ...]
    pins: Pins
    policy: Policy
    same: frozenset[str] = frozenset()

    @property
    def version(self) -> str:
        """What scores name: `golden/vN`, or `unpinned:` and a hash."""
        return self.pins.version or ""

    def fitted(self, run: Run) -> Run:
        """Return the run as one on this version, where it was made on the same cases.

        A run on a version is also one on the plain file that was exported of it.
        """
        made_on = run.header.version
        if made_on not in self.same and not (made_on and self.pins.unpinned):
            return run
        return replace(run, header=run.header.model_copy(update={"version": self.version}))


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where yardsticks come from; exactly one of the two is there."""

    location: Location | None = None
    file: Path | None = None

    def yardstick(self, version: str | None = None) -> Yardstick:
        """Return the yardstick of a version; the newest one for None.

        Raises:
            UnknownVersionError: there is no such version.
            NoVersionError: none was published yet.
            NoCasesError: it has no active case.
        """
        if self.location is not None:
            return of_version(self.location, version)
        return of_file(self.file or Path(GOLDEN_FILE))


@contextmanager
def open_source(
    home: Location, named: str | None = None, *, version: str | None = None, branch: str = "main"
) -> Generator[Source, None, None]:
    """Give the source that a text names; a fetched one is gone afterwards.

    Args:
        home: the golden set of the home, which None names.
        named: a folder, a `golden.jsonl`, or the address of a git repository; `#path` behind an
            address is the golden path inside it.
        version: the only version that will be asked for, where that is known.
        branch: the branch that holds the set.

    Raises:
        NotFoundError: there is no such file or folder.
        GitFailedError: the repository could not be fetched.
    """
    if named is None:
        yield Source(location=home)
    elif is_address(named):
        url, _, path = named.partition("#")
        with TemporaryDirectory(prefix="curation-golden-") as folder:
            location = fetch_golden(url, Path(folder), version=version, path=path, branch=branch)
            yield Source(location=location)
    else:
        yield _local(Path(named).expanduser(), branch)


def _local(path: Path, branch: str) -> Source:
    if path.is_file():
        return Source(file=path)
    if not path.is_dir():
        raise NotFoundError("golden set", str(path), "Name a folder, a file or a git address.")
    plain = path / GOLDEN_FILE
    inside_git = any(
        (folder / ".git").exists() for folder in (path.resolve(), *path.resolve().parents)
    )
    bare = (path / "HEAD").is_file() and (path / "objects").is_dir()
    if plain.is_file() and not inside_git and not bare:
        return Source(file=plain)
    return Source(location=Location.at(path, branch=branch, clone=True))


def of_version(location: Location, version: str | None = None) -> Yardstick:
    """Return the yardstick of a version of a repository."""
    golden = read_version(location, version)
    if version is None:
        if golden.version is None:
            raise NoVersionError(location.path)
        golden = read_version(location, golden.version)
    name = golden.version or f"unpinned:{golden.commit}"
    pins = Pins(
        version=name,
        commit=golden.commit,
        cases_tree=golden.cases_tree,
        policy_blob=golden.policy_blob,
        k=golden.policy.k,
    )
    cases = scoring_cases(golden.cases.values(), golden.policy)
    if not cases:
        raise NoCasesError(name)
    same = versions_with_cases(location, golden.cases_tree)
    return Yardstick(cases=cases, pins=pins, policy=golden.policy, same=same)


def _text(data: bytes) -> str:
    """Return the text of a `golden.jsonl`; a sign that is none would be another question."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise GoldenFileError(line, f"byte {problem.start} is not UTF-8") from problem


def of_file(file: Path) -> Yardstick:
    """Return the yardstick of a plain `golden.jsonl`; the policy is that of a file beside it."""
    data = file.read_bytes()
    beside = file.with_name(POLICY_FILE)
    policy = read_policy(beside) if beside.is_file() else Policy()
    pins = Pins(version=f"unpinned:{hashlib.sha256(data).hexdigest()}", k=policy.k)
    with naming(file):
        cases = scoring_cases(parse_golden(_text(data)), policy)
    if not cases:
        raise NoCasesError(str(file))
    return Yardstick(cases=cases, pins=pins, policy=policy)
