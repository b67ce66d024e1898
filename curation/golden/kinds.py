"""What kind a commit of the golden path is, and what its kind may touch and must carry.

Standard library only: the audit and the server-side hook share these rules (design.md section
3, the table of commits).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple

from curation.codec.paths import case_id_of
from curation.golden.experiment_record import BASELINE_FILE, FOLDER, experiment_id_of
from curation.golden.record import FILE_MODE, Commit, Touched, parse_trailers

POLICY_FILE = "golden.toml"
MAILMAP_FILE = ".mailmap"
ROOT_MAILMAP = f"/{MAILMAP_FILE}"
BUILT_FILES = frozenset({"golden.jsonl", "MANIFEST.json"})
_BUILT_SEEN = BUILT_FILES | {name.casefold() for name in BUILT_FILES}
_POLICY_FILES = frozenset({POLICY_FILE, MAILMAP_FILE, ROOT_MAILMAP, ".gitattributes"})
_SCHEMA_FILE = re.compile(r"schema/[A-Za-z0-9_-][A-Za-z0-9._-]*")
_IMPORT = re.compile(r".+ sha256:[0-9a-f]{64}")
_VERSION = re.compile(r"golden/v([1-9][0-9]{0,8})")
_NOTHING = re.compile(r"0+")


class Kind(Enum):
    """The rows of the table, and a commit that touches only what needs no approval."""

    CHANGE = "change"
    POLICY = "policy"
    IMPORT = "import"
    RELEASE = "release"
    EXPERIMENT = "experiment"
    BASELINE = "baseline"
    ROOT = "root"
    FREE = "free"

    # There is one of each, so this is right, and a walk asks for it five times a commit.
    __hash__ = object.__hash__


CASE_CHANGES = frozenset({"add", "edit", "retire", "restore"})
_BY_CHANGE = {kind.value: kind for kind in (Kind.POLICY, Kind.IMPORT, Kind.BASELINE)}
APPROVED_KINDS = frozenset({Kind.CHANGE, Kind.POLICY, Kind.IMPORT, Kind.BASELINE})
# The trailers that say what a commit of the set does. On one of another kind they would make the
# next reader believe what did not happen. Beside the set nobody believes them, and other tools
# write some of them there, so they are free; so is a Change-Id, which counts on a change only.
_CARRIED = {
    Kind.CHANGE: {"Case", "Change", "Base-Blob"},
    Kind.POLICY: {"Change", "Base-Blob"},
    Kind.IMPORT: {"Change", "Base-Blob", "Import"},
    Kind.RELEASE: {"Release"},
    Kind.EXPERIMENT: {"Experiment", "Experiment-State"},
    Kind.BASELINE: {"Change", "Base-Blob"},
    Kind.ROOT: {"Release"},
}
_TELLING = frozenset[str]().union(*_CARRIED.values())
_FOREIGN = {kind: _TELLING - own for kind, own in _CARRIED.items()} | {Kind.FREE: frozenset()}
_ONCE = _TELLING | {"Self-approved", "Override"}


class Ruling(NamedTuple):
    """A rule that a commit breaks, and how, as a clause."""

    rule: str
    message: str


def is_policy_path(path: str) -> bool:
    """Return whether a change of kind policy may write the path."""
    return path in _POLICY_FILES or _SCHEMA_FILE.fullmatch(path) is not None


def is_import_source(text: str) -> bool:
    """Return whether a text names a file with its sha256, as the trailer Import does."""
    return _IMPORT.fullmatch(text) is not None


def is_governed(path: str) -> bool:
    """Return whether a path may change only as the table of commits says.

    So may one that some file system takes for such a path: in another case or normal form, with
    signs that nobody sees, with dots or spaces at the end of a name.
    """
    return _is_governed(path) or _is_governed(_as_file_systems_see(path))


def _as_file_systems_see(path: str) -> str:
    seen = (sign for sign in path if unicodedata.category(sign) != "Cf")
    plain = unicodedata.normalize("NFKC", "".join(seen)).casefold()
    return "/".join(name.rstrip(". ") for name in plain.split("/"))


def _is_governed(path: str) -> bool:
    return (
        path.startswith(("cases/", "schema/", f"{FOLDER}/"))
        or path in {"cases", "schema", FOLDER}
        or path in _BUILT_SEEN
        or is_policy_path(path)
    )


def version_number(name: str | None) -> int | None:
    """Return n of `golden/vn`."""
    found = _VERSION.fullmatch(name or "")
    return int(found[1]) if found else None


def kind_of(commit: Commit, *, begun: bool) -> Kind | None:
    """Return the kind that a commit claims to be; None when it fits no row.

    Args:
        commit: the commit.
        begun: whether there was a `golden.toml` before it.
    """
    if not begun and any(t.path == POLICY_FILE and t.status == "A" for t in commit.touched):
        return Kind.ROOT
    claimed = claimed_kind(commit.trailer)
    if claimed is None and not any(is_governed(touched.path) for touched in commit.touched):
        return Kind.FREE
    return claimed


def claimed_kind(trailer: Callable[[str], str | None]) -> Kind | None:
    """Return the kind that the trailers of a commit name, given the first value of each key."""
    if trailer("Experiment") is not None:
        return Kind.EXPERIMENT
    if trailer("Release") is not None:
        return Kind.RELEASE
    change = trailer("Change")
    return Kind.CHANGE if change in CASE_CHANGES else _BY_CHANGE.get(change or "")


class Claim(NamedTuple):
    """What a commit says it has done, by its trailers alone."""

    version: int | None
    """The n of the version `golden/vn` that it makes."""
    change_ids: tuple[str, ...]
    """The changes that it publishes."""
    case_id: str | None


def read_claim(said: str) -> Claim:
    """Return the claim of a commit, from what git writes of it by `CLAIMS_FORMAT`."""
    trailers = parse_trailers(said)
    first = dict(reversed(trailers)).get
    kind = claimed_kind(first)
    ids = [value for key, value in trailers if key == "Change-Id"]
    return Claim(
        version_number(first("Release")) if kind is Kind.RELEASE else None,
        tuple(ids) if kind in APPROVED_KINDS else (),
        first("Case"),
    )


def judge_kind(commit: Commit, kind: Kind) -> Iterator[Ruling]:
    """Yield what the commit touches or lacks against the rules of its kind."""
    for touched in commit.touched:
        mode = touched.new_mode
        if mode != FILE_MODE and is_governed(touched.path) and not _NOTHING.fullmatch(mode):
            yield Ruling("mode", f"{touched.path} is no ordinary file ({mode})")
    if commit.repeats or commit.has_any(_FOREIGN[kind]):
        yield from _trailer_rulings(commit, kind)
    yield from _RULES[kind](commit)


def _trailer_rulings(commit: Commit, kind: Kind) -> Iterator[Ruling]:
    """Yield which trailers a commit of this kind may not carry, and which it carries twice."""
    for key, number in sorted(Counter(key for key, _ in commit.trailers).items()):
        if key in _FOREIGN[kind]:
            yield Ruling("trailer", f"a commit of kind {kind.value} may not carry {key}")
        if number > 1 and key in _ONCE:
            yield Ruling("trailer", f"it carries {key} more than once")


def _stray(commit: Commit, allowed: Callable[[Touched], bool], kind: str) -> Iterator[Ruling]:
    for touched in commit.touched:
        if not allowed(touched):
            yield Ruling("wrong_path", f"a commit of kind {kind} may not touch {touched.path}")


def _lacks(commit: Commit) -> list[Ruling]:
    """Return what every change must have and the commit has not."""
    lacks = []
    if not commit.body.strip():
        lacks.append(Ruling("no_reason", "it gives no reason"))
    if len(commit.all_of("Change-Id")) != 1:
        lacks.append(Ruling("trailer", "it does not carry exactly one Change-Id"))
    return lacks


def _change(commit: Commit) -> Iterator[Ruling]:
    yield from _lacks(commit)
    case_id, change = commit.trailer("Case"), commit.trailer("Change")
    if case_id is None:
        yield Ruling("trailer", "it does not carry the trailer Case")
    if len(commit.touched) != 1:
        yield Ruling("wrong_path", f"a change touches one case, this touches {len(commit.touched)}")
        return
    touched = commit.touched[0]
    if case_id is None or case_id_of(touched.path) != case_id:
        yield Ruling("wrong_path", f"{touched.path} is not the file of case {case_id}")
    if touched.status != ("A" if change == "add" else "M"):
        yield Ruling("wrong_change", f"it says {change}, and the file's status is {touched.status}")
    base = "none" if change == "add" else touched.old
    if commit.trailer("Base-Blob") != base:
        yield Ruling("base_blob", "its Base-Blob is not the blob that it changes")


def _policy(commit: Commit) -> Iterator[Ruling]:
    yield from _lacks(commit)
    yield from _stray(commit, lambda t: is_policy_path(t.path), "policy")
    for touched in commit.touched:
        if touched.path == POLICY_FILE and touched.status == "D":
            yield Ruling("wrong_change", f"it takes {POLICY_FILE} away")


def _import(commit: Commit) -> Iterator[Ruling]:
    yield from _lacks(commit)
    if not is_import_source(commit.trailer("Import") or ""):
        yield Ruling("trailer", "it does not carry Import with a file and its sha256")
    yield from _stray(commit, lambda t: case_id_of(t.path) is not None, "import")
    for touched in commit.touched:
        if touched.status != "A":
            yield Ruling("wrong_change", f"an import only adds, and {touched.path} was there")


def _release(commit: Commit) -> Iterator[Ruling]:
    yield from _stray(commit, lambda t: t.path in BUILT_FILES, "release")
    if version_number(commit.trailer("Release")) is None:
        yield Ruling("trailer", f"{commit.trailer('Release')!r} names no version")


def _experiment(commit: Commit) -> Iterator[Ruling]:
    name = commit.trailer("Experiment") or ""
    own = {f"{FOLDER}/{name}.json", f"{FOLDER}/{name}.cases.jsonl", BASELINE_FILE}
    if experiment_id_of(f"{name}.json") is None:
        yield Ruling("trailer", f"{name!r} names no experiment")
    if commit.trailer("Experiment-State") not in {"open", "closed"}:
        yield Ruling("trailer", "it does not carry Experiment-State open or closed")
    yield from _stray(commit, lambda t: t.path in own, "experiment")
    for touched in commit.touched:
        if touched.status == "D":
            yield Ruling("wrong_change", f"it takes {touched.path} away")


def _baseline(commit: Commit) -> Iterator[Ruling]:
    yield from _lacks(commit)
    yield from _stray(commit, lambda t: t.path == BASELINE_FILE, "baseline")


def _root(commit: Commit) -> Iterator[Ruling]:
    if version_number(commit.trailer("Release")) != 1:
        yield Ruling("trailer", "the root does not carry Release: golden/v1")


def _free(commit: Commit) -> Iterator[Ruling]:
    del commit
    yield from ()


_RULES: dict[Kind, Callable[[Commit], Iterator[Ruling]]] = {
    Kind.CHANGE: _change,
    Kind.POLICY: _policy,
    Kind.IMPORT: _import,
    Kind.RELEASE: _release,
    Kind.EXPERIMENT: _experiment,
    Kind.BASELINE: _baseline,
    Kind.ROOT: _root,
    Kind.FREE: _free,
}
