"""A golden set as it is at one commit: cases, policy, open experiments, any file."""

import re
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from curation.codec import case_id_of
from curation.codec.built import counts
from curation.domain.case import Case
from curation.domain.experiment import OpenExperiment
from curation.domain.person import Person
from curation.domain.policy import Policy, parse_policy
from curation.errors import NotFoundError
from curation.golden.errors import NotAGoldenSetError, UnknownVersionError
from curation.golden.experiment_record import FOLDER, experiment_id_of
from curation.golden.kinds import MAILMAP_FILE, ROOT_MAILMAP
from curation.golden.kinds import POLICY_FILE as POLICY_FILE  # noqa: PLC0414 - others read it here
from curation.golden.location import TAGS, Location, OpenGolden, is_shallow, opened
from curation.golden.mailmap import Mailmap, mapped, parse_mailmap
from curation.golden.open_experiments import open_experiment
from curation.golden.parsed import PARSED, ParsedCase
from curation.golden.record import FILE_MODE
from curation.golden.tree import Entry, empty_tree, list_tree

_VERSION = re.compile(r"(?:golden/)?v([1-9][0-9]{0,8})")
_TAG = re.compile(r"refs/tags/golden/v([1-9][0-9]{0,8})")
_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_KEPT_SETS = 4
_NUMBERED = re.compile(r"q-([0-9]{1,9})")


@dataclass(frozen=True, kw_only=True)
class GoldenSet:
    """The golden set at one commit. `version` is the newest one then, None before the first."""

    version: str | None
    commit: str
    cases_tree: str
    cases: Mapping[str, Case]
    blobs: Mapping[str, str]
    policy: Policy
    policy_blob: str | None
    mailmap: Mailmap
    open_experiments: tuple[OpenExperiment, ...]

    @property
    def active(self) -> tuple[Case, ...]:
        """The cases that count, sorted by id."""
        return tuple(case for case in self.cases.values() if counts(case))

    @property
    def highest_number(self) -> int:
        """The highest n of an id `q-n` in the set, retired ones included; 0 without any."""
        return highest_number(self.cases)


def highest_number(ids: Mapping[str, object] | frozenset[str]) -> int:
    """Return the highest n of the ids `q-n`; 0 without any.

    A number of ten digits or more was chosen by a person and is never reached by counting.
    """
    found = (_NUMBERED.fullmatch(case_id) for case_id in ids)
    return max((int(hit[1]) for hit in found if hit), default=0)


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The files of a golden set at one commit, read but not judged."""

    commit: str
    cases_tree: str
    case_files: tuple[Entry, ...]
    top: Mapping[str, Entry]
    policy_text: str
    mailmaps: Mapping[str, str]
    experiments: tuple[OpenExperiment, ...]

    @property
    def mailmap(self) -> Mailmap:
        """Who is who; the set's own file has the last word over the repository's."""
        return parse_mailmap("\n".join(self.mailmaps.values()))

    @cached_property
    def cases(self) -> tuple[Entry, ...]:
        """The files of cases, with paths relative to the golden path."""
        entries = (entry._replace(path=f"cases/{entry.path}") for entry in self.case_files)
        return tuple(e for e in entries if e.kind == "blob" and case_id_of(e.path))

    @property
    def policy_blob(self) -> str | None:
        """The blob of `golden.toml`."""
        entry = self.top.get(POLICY_FILE)
        return entry.oid if entry else None


def read_version(location: Location, version: str | None = None) -> GoldenSet:
    """Return the set at a version (`golden/v3`, `v3` or a commit's id); None is the tip.

    Raises:
        NotAGoldenSetError: there is no golden set at the location.
        UnknownVersionError: it has no such version.
        CaseFormError, PolicyError: a file of it cannot be read.
    """
    with opened(location) as golden:
        refs = read_refs(golden)
        commit = commit_of(golden, version, refs)
        named = next((name for name, at in refs.versions.items() if at == commit), None)
        found = golden_set_at(golden, commit)
    return replace(found, version=refs.newest if version is None else named)


_sets: OrderedDict[tuple[str, str], GoldenSet] = OrderedDict()
_sets_lock = threading.Lock()


def forget() -> None:
    """Forget what is kept between calls, as a new process would have it."""
    PARSED.forget()
    with _sets_lock:
        _sets.clear()


def golden_set_at(golden: OpenGolden, commit: str) -> GoldenSet:
    """Return the set at a commit, without a version; kept, because a commit never changes."""
    key = (commit, golden.prefix)
    with _sets_lock:
        if key in _sets:
            _sets.move_to_end(key)
            return _sets[key]
    shot = snapshot(golden, commit)
    found = _golden_set(shot, shot.cases, PARSED.read(golden.git, shot.cases))
    with _sets_lock:
        _sets[key] = found
        while len(_sets) > _KEPT_SETS:
            _sets.popitem(last=False)
    return found


def _golden_set(
    shot: Snapshot, entries: Sequence[Entry], parsed: Mapping[str, ParsedCase]
) -> GoldenSet:
    by_id = {parsed[entry.path].case.id: entry for entry in entries}
    cases = {case_id: parsed[by_id[case_id].path].case for case_id in sorted(by_id)}
    return GoldenSet(
        version=None,
        commit=shot.commit,
        cases_tree=shot.cases_tree,
        cases=MappingProxyType(cases),
        blobs=MappingProxyType({case_id: entry.oid for case_id, entry in by_id.items()}),
        policy=parse_policy(shot.policy_text),
        policy_blob=shot.policy_blob,
        mailmap=shot.mailmap,
        open_experiments=shot.experiments,
    )


@dataclass(frozen=True, kw_only=True)
class Refs:
    """Where the branch is (None before its first commit) and the commit of each version."""

    tip: str | None
    versions: dict[str, str]

    @property
    def newest(self) -> str | None:
        """The name of the newest version."""
        return next(reversed(self.versions), None)


def read_refs(golden: OpenGolden) -> Refs:
    """Return the branch and the versions, by number."""
    form = "--format=%(refname)%00%(objectname)%00%(*objectname)"
    out = golden.git.text("for-each-ref", form, golden.ref, TAGS, doing="list the versions")
    tip: str | None = None
    found: dict[int, tuple[str, str]] = {}
    for line in filter(None, out.split("\n")):
        name, direct, peeled = line.split("\0")
        if name == golden.ref:
            tip = direct
        elif hit := _TAG.fullmatch(name):
            found[int(hit[1])] = (name.removeprefix("refs/tags/"), peeled or direct)
    return Refs(tip=tip, versions=dict(pair for _, pair in sorted(found.items())))


def commit_of(golden: OpenGolden, version: str | None, refs: Refs) -> str:
    """Return the commit of a version; the tip of the branch for None.

    Raises:
        NotAGoldenSetError: the branch has no commit.
        UnknownVersionError: there is no such version.
    """
    if version is None:
        return golden.or_refuse(refs.tip)
    hit = _VERSION.fullmatch(version)
    commit = refs.versions.get(f"golden/v{hit[1]}") if hit else None
    if commit is None and _COMMIT.fullmatch(version):
        commit = golden.git.object_ids([f"{version}^{{commit}}"])[0]
    if commit is None:
        raise UnknownVersionError(version, refs.newest, shallow=is_shallow(golden))
    return commit


def snapshot(golden: OpenGolden, commit: str) -> Snapshot:
    """Return the files of the set at a commit.

    Raises:
        NotAGoldenSetError: there is no `golden.toml` under the path.
    """
    git, where = golden.git, golden.at(commit, "")
    if golden.prefix and git.object_ids([golden.at(commit, POLICY_FILE)])[0] is None:
        raise NotAGoldenSetError(golden.location.path, f"it has no {POLICY_FILE}")
    top = {entry.path: entry for entry in list_tree(git, where, deep=False)}
    if POLICY_FILE not in top:
        raise NotAGoldenSetError(golden.location.path, f"it has no {POLICY_FILE}")
    cases = top.get("cases")
    files = list_tree(git, cases.oid, deep=True) if cases and cases.kind == "tree" else []
    policy = git.objects([top[POLICY_FILE].oid])[0]
    return Snapshot(
        commit=commit,
        cases_tree=cases.oid if cases else empty_tree(like=commit),
        case_files=tuple(files),
        top=MappingProxyType(top),
        policy_text=(policy or b"").decode("utf-8", "replace"),
        mailmaps=MappingProxyType(mailmaps_at(golden, commit)),
        experiments=_open_experiments(golden, top.get(FOLDER)),
    )


def _open_experiments(golden: OpenGolden, folder: Entry | None) -> tuple[OpenExperiment, ...]:
    if folder is None or folder.kind != "tree":
        return ()
    entries = {experiment_id_of(e.path): e for e in list_tree(golden.git, folder.oid, deep=False)}
    named = {name: entry for name, entry in entries.items() if name is not None}
    contents = golden.git.objects([entry.oid for entry in named.values()])
    found = [
        open_experiment(name, data if entry.mode == FILE_MODE else None)
        for (name, entry), data in zip(named.items(), contents, strict=True)
    ]
    return tuple(experiment for experiment in found if experiment is not None)


def open_experiments(location: Location) -> tuple[OpenExperiment, ...]:
    """Return the experiments that freeze the set at the tip of its branch."""
    with opened(location) as golden:
        commit = golden.or_refuse(golden.tip())
        folder = golden.git.object_ids([golden.at(commit, FOLDER)])[0]
        entry = Entry("040000", "tree", folder, FOLDER) if folder else None
        return _open_experiments(golden, entry)


def blob_text(location: Location, blob: str) -> str:
    """Return the text of a blob by its id.

    Raises:
        NotFoundError: the repository does not have it.
    """
    with opened(location) as golden:
        data = golden.git.objects([blob])[0] if _COMMIT.fullmatch(blob) else None
    if data is None:
        raise NotFoundError("blob", blob, "Fetch the golden repository.")
    return data.decode("utf-8", "replace")


def mailmaps_at(golden: OpenGolden, commit: str) -> dict[str, str]:
    """Return the repository's `.mailmap` and the set's own, where they are two files."""
    names = {ROOT_MAILMAP: f"{commit}:{MAILMAP_FILE}"} if golden.prefix else {}
    names[MAILMAP_FILE] = golden.at(commit, MAILMAP_FILE)
    contents = golden.git.objects(list(names.values()))
    return {
        name: (data or b"").decode("utf-8", "replace")
        for name, data in zip(names, contents, strict=True)
    }


def canonical_person(location: Location, commit: str, person: Person) -> Person:
    """Return the person as the `.mailmap` of a commit names them."""
    with opened(location) as golden:
        maps = mailmaps_at(golden, commit)
    entries = parse_mailmap("\n".join(maps.values()))
    name, email = mapped(entries, person.name, person.email)
    return Person(name=name, email=email)
