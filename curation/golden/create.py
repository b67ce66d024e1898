"""Making a golden repository: the starter becomes its root commit and `golden/v1`."""

import hashlib
from datetime import datetime
from pathlib import Path

from curation.codec import manifest
from curation.config import shipped
from curation.domain.person import Person
from curation.golden.built_set import GOLDEN_FILE, MANIFEST_FILE
from curation.golden.errors import (
    GoldenWriteError,
    NoRepositoryError,
    NotAGoldenSetError,
    RacedError,
)
from curation.golden.kinds import POLICY_FILE
from curation.golden.location import Location, OpenGolden, is_own_repository, opened
from curation.golden.message import Message, indented
from curation.golden.plan import PlannedCommit
from curation.golden.reader import read_refs
from curation.golden.runner import GitRunner
from curation.golden.tree import empty_tree
from curation.golden.worktree import sync_worktree
from curation.golden.writer import staged, swap, write_tag

FIRST_VERSION = "golden/v1"
_BUILT = frozenset({GOLDEN_FILE, MANIFEST_FILE})
_TRIES = 5


def create(location: Location, *, person: Person, now: datetime, inside: bool = False) -> str:
    """Make the golden set where there is none; return its newest version.

    Args:
        location: where; a set that is there already is left as it is.
        person: author of the root commit.
        now: its date.
        inside: make it a folder of the repository that encloses the path, if one does,
            instead of a repository of its own.

    Raises:
        GoldenWriteError: git refused.
    """
    if not is_own_repository(location.path):
        enclosed, version = _enclosing(location)
        if version is not None:
            return version
        if not (enclosed and inside):
            _initialise(location)
    with opened(location) as golden:
        for _ in range(_TRIES):
            version = _existing(golden) or _written(golden, person, now)
            if version is not None:
                return version
    raise RacedError(_TRIES)


def _enclosing(location: Location) -> tuple[bool, str | None]:
    """Return whether a repository encloses the path, and the version of the set it has there."""
    try:
        with opened(location) as golden:
            return True, _existing(golden)
    except NoRepositoryError:
        return False, None


def _initialise(location: Location) -> None:
    """Make an empty repository; no template, so that nobody's hooks come along."""
    try:
        location.path.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise GoldenWriteError(
            f"the folder {location.path} cannot be made ({problem})"
        ) from problem
    GitRunner(location.path).output(
        "init",
        "--quiet",
        "--template=",
        f"--initial-branch={location.branch}",
        ".",
        doing=f"make a repository in {location.path}",
    )


def _existing(golden: OpenGolden) -> str | None:
    """Return the newest version of the set that is there; None where there is no set."""
    refs = read_refs(golden)
    if refs.tip is None or golden.git.object_ids([golden.at(refs.tip, POLICY_FILE)])[0] is None:
        return None
    if refs.newest is None:
        raise NotAGoldenSetError(golden.location.path, f"it has a {POLICY_FILE} and no version")
    return refs.newest


def _written(golden: OpenGolden, person: Person, now: datetime) -> str | None:
    """Return the first version; None when another writer was faster."""
    base = golden.tip()
    like = base or _any_id(golden)
    root = PlannedCommit(
        change_id="",
        case_id=None,
        message=Message(
            subject="Begin the golden set",
            body=indented("The starter: the policy, the schema and how to read the set."),
            trailers=(("Release", FIRST_VERSION),),
        ),
        author=person,
        authored_at=now,
        committer=person,
        committed_at=now,
        files=starter_files(like=like),
    )
    with staged(golden, [root], base=base) as stage:
        tag = write_tag(golden, FIRST_VERSION, commit=stage.tip, tagger=person, now=now)
        if not swap(golden, stage, version=FIRST_VERSION, tag=tag):
            return None
    sync_worktree(golden, old=base)
    return FIRST_VERSION


def _any_id(golden: OpenGolden) -> str:
    """Return some object id of the repository, for its algorithm."""
    doing = "learn the repository's algorithm"
    return golden.git.output("hash-object", "--stdin", doing=doing).decode().strip()


def starter_files(*, like: str) -> tuple[tuple[str, bytes], ...]:
    """Return the files of the starter with the built files of a set without cases."""
    folder = shipped("golden_repo")
    copied = [
        (file.relative_to(folder).as_posix(), file.read_bytes())
        for file in sorted(folder.rglob("*"))
        if file.is_file() and _belongs(file.relative_to(folder))
    ]
    return (*copied, (GOLDEN_FILE, b""), (MANIFEST_FILE, empty_manifest(like=like)))


def _belongs(path: Path) -> bool:
    return path.as_posix() not in _BUILT and "__pycache__" not in path.parts


def empty_manifest(*, like: str) -> bytes:
    """Return the `MANIFEST.json` of the first version."""
    return manifest(
        version=FIRST_VERSION,
        cases=(),
        golden_sha256=hashlib.sha256(b"").hexdigest(),
        cases_tree=empty_tree(like=like),
    )
