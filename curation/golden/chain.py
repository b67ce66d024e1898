"""The walk along the first-parent line: each commit judged under what its parent says.

Standard library only: the audit, the look at staged commits and the server-side hook share it.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from curation.codec.paths import case_id_of
from curation.golden.approvals import judge_approvals
from curation.golden.experiment_record import (
    BASELINE_FILE,
    FOLDER,
    PINNED,
    experiment_id_of,
    experiment_number,
    is_open,
    read_record,
)
from curation.golden.kinds import (
    APPROVED_KINDS,
    MAILMAP_FILE,
    POLICY_FILE,
    ROOT_MAILMAP,
    Kind,
    Ruling,
    judge_kind,
    kind_of,
    version_number,
)
from curation.golden.look_alike import look_alikes
from curation.golden.mailmap import People, is_somebody, parse_mailmap
from curation.golden.record import FILE_MODE, Commit, Touched

Blobs = Callable[[str], bytes | None]
Records = tuple[tuple[str, dict[str, Any]], ...]
_BELOW = f"{FOLDER}/"
_DECISIONS = ("promote", "reject", "void")
_NOTICED = frozenset({"Self-approved", "Baseline-Fails", "Override"})
_READ = frozenset({POLICY_FILE, MAILMAP_FILE, ROOT_MAILMAP})


class Rulebook(NamedTuple):
    """What a policy says about approvals."""

    approvals: int = 1
    self_approval: bool = False


def read_rulebook(text: str) -> Rulebook | None:
    """Return what a golden.toml says about approvals; None when it cannot be read."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError):  # no TOML, a number too long for Python, too deep
        return None
    approvals, own = table.get("approvals", 1), table.get("self_approval", False)
    if not isinstance(approvals, int) or approvals < 1 or not isinstance(own, bool):
        return None
    return Rulebook(approvals, own)


class Notice(NamedTuple):
    """Something that is allowed and worth knowing."""

    kind: str
    message: str


class Judged(NamedTuple):
    """What the walk says of a commit: its kind, the rules that it breaks, what is worth knowing.

    `frozen` says that an experiment was open before it.
    """

    kind: Kind | None
    rulings: tuple[Ruling, ...]
    notices: tuple[Notice, ...]
    frozen: bool


class _Eyes(NamedTuple):
    """What is to be said of those who wrote and approved a change."""

    rulings: tuple[Ruling, ...] = ()
    notices: tuple[Notice, ...] = ()


_NO_EYES = _Eyes()


@dataclass(kw_only=True)
class Chain:
    """What is known of the set before the next commit; it changes by `take` only."""

    rulebook: Rulebook = field(default_factory=Rulebook)
    mailmaps: dict[str, str] = field(default_factory=dict)
    experiments: dict[str, dict[str, Any]] = field(default_factory=dict)
    used_ids: set[str] = field(default_factory=set)
    change_ids: set[str] = field(default_factory=set)
    version: int = 0
    begun: bool = False
    linear: bool = True
    unjudged: set[str] = field(default_factory=set, compare=False)
    """The cases that were there before there was a set."""
    _seen: dict[tuple[object, ...], _Eyes] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _people: People | None = field(default=None, init=False, repr=False, compare=False)
    _open: tuple[str, ...] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def people(self) -> People:
        """Who is who; the set's own file has the last word."""
        if self._people is None:
            texts = [self.mailmaps.get(name, "") for name in (ROOT_MAILMAP, MAILMAP_FILE)]
            self._people = People(parse_mailmap("\n".join(texts)))
        return self._people

    @property
    def open(self) -> tuple[str, ...]:
        """The ids of the experiments that freeze the set, sorted."""
        if self._open is None:
            names = (name for name, record in self.experiments.items() if is_open(record))
            self._open = tuple(sorted(names))
        return self._open

    def take(self, commit: Commit, blobs: Blobs) -> Judged | None:
        """Judge a commit by what its parent says and take it in; None before there is a set."""
        kind = kind_of(commit, begun=self.begun)
        if not self.begun and kind is not Kind.ROOT:
            self._before_the_set(commit)
            return None
        records, eyes = _records(commit, blobs), self._eyes(commit, kind)
        judged = Judged(
            kind,
            tuple(self._rulings(commit, kind, records, eyes)),
            (*_notices(commit, kind, records), *eyes.notices),
            bool(self.open),
        )
        self._advance(commit, kind, records, blobs)
        return judged

    def _before_the_set(self, commit: Commit) -> None:
        """Keep which cases are there although nobody judged how they came."""
        for touched in commit.touched:
            case_id = case_id_of(touched.path)
            if case_id is not None and touched.status == "D":
                self.unjudged.discard(case_id)
            elif case_id is not None:
                self.unjudged.add(case_id)

    def _rulings(
        self, commit: Commit, kind: Kind | None, records: Records, eyes: _Eyes
    ) -> Iterator[Ruling]:
        if len(commit.parents) > 1 and (self.linear or kind is not Kind.FREE):
            yield Ruling("merge", "a merge brought changes past the line of commits")
        if kind is None:
            yield Ruling("unknown_kind", "it is of no kind that the golden set knows")
        else:
            yield from judge_kind(commit, kind)
        yield from eyes.rulings
        yield from self._identity_rulings(commit, kind)
        yield from self._freeze_rulings(commit, kind, records)
        if kind is Kind.EXPERIMENT:
            yield from self._experiment_rulings(commit, records)

    def _eyes(self, commit: Commit, kind: Kind | None) -> _Eyes:
        """Return what the approvals lack; the same people in the same parts are judged once."""
        if kind is None or kind not in APPROVED_KINDS:
            return _NO_EYES
        asked = (
            commit.author_name,
            commit.author_email,
            commit.all_of("Co-authored-by"),
            commit.all_of("Reviewed-by"),
            commit.trailer("Self-approved"),
            kind is Kind.IMPORT,
            self.rulebook,
        )
        found = self._seen.get(asked)
        if found is None:
            rulings = tuple(self._approval_rulings(commit, kind))
            found = self._seen[asked] = _Eyes(rulings, tuple(_look_alike_notices(commit)))
        return found

    def _approval_rulings(self, commit: Commit, kind: Kind) -> Iterator[Ruling]:
        people, named = self.people, commit.all_of("Reviewed-by")
        authors = {people.key(commit.author_name, commit.author_email)}
        if also := commit.all_of("Co-authored-by"):
            authors.update(people.keys(also))
        approvers = people.keys(named)
        own = commit.trailer("Self-approved") == "yes"
        if not is_somebody(commit.author_name, commit.author_email):
            yield Ruling("author", f"its author's address <{commit.author_email}> is nobody's")
        if len(approvers) < len(named):
            yield Ruling("trailer", "a Reviewed-by names nobody")
        if not authors.isdisjoint(approvers):
            for key in sorted(authors.intersection(approvers)):
                yield Ruling("own_approval", f"{key} wrote it and is named as its reviewer")
        if own and not self.rulebook.self_approval:
            yield Ruling("self_approval", "it was self-approved, which the policy does not allow")
        needed = 1 if kind is Kind.IMPORT else self.rulebook.approvals
        found = judge_approvals(
            authors=authors,
            approvers=[*approvers, *authors] if own else approvers,
            needed=needed,
            self_allowed=self.rulebook.self_approval,
        )
        if not found.enough:
            yield Ruling(
                "approvals",
                f"{len(found.reviewers)} who did not write it approved it, {needed} are needed",
            )

    def _identity_rulings(self, commit: Commit, kind: Kind | None) -> Iterator[Ruling]:
        for change_id in commit.all_of("Change-Id"):
            if change_id in self.change_ids:
                yield Ruling("change_id", f"the change {change_id} is on the branch twice")
        for touched in commit.touched:
            case_id = case_id_of(touched.path)
            if case_id and touched.status == "A" and case_id in self.used_ids:
                yield Ruling("id_reused", f"the id {case_id} was used before")
            if case_id and touched.status == "D":
                yield Ruling("case_removed", f"it takes the case {case_id} away")
        if kind is Kind.ROOT and self.unjudged:
            message = "the set begins with cases that were there before it, such as"
            yield Ruling("case_place", f"{message} {min(self.unjudged)}")
        number = version_number(commit.trailer("Release")) if kind is Kind.RELEASE else None
        if number is not None and number != self.version + 1:
            yield Ruling("version_order", f"it releases v{number} after v{self.version}")

    def _freeze_rulings(
        self, commit: Commit, kind: Kind | None, records: Records
    ) -> Iterator[Ruling]:
        opened = [name for name, record in records if is_open(record)]
        if not opened and not self.open:
            return
        names = ", ".join(sorted({*self.open, *opened}))
        frozen = [t.path for t in commit.touched if not t.path.startswith(f"{FOLDER}/")]
        if frozen and kind is not Kind.ROOT:
            yield Ruling("frozen", f"{frozen[0]} changed while {names} was open")
        if kind is Kind.BASELINE:
            yield Ruling("frozen", f"{BASELINE_FILE} changed while {names} was open")

    def _experiment_rulings(self, commit: Commit, records: Records) -> Iterator[Ruling]:
        name = commit.trailer("Experiment") or ""
        before = self.experiments.get(name)
        after = dict(records).get(name, before or {})
        if before is None:
            number, highest = experiment_number(name), self._highest_experiment()
            if number != highest + 1:
                yield Ruling("experiment_order", _order_message(name, highest))
            if not is_open(after):
                yield Ruling("experiment_closed", f"{name} was closed and had never been open")
        elif not is_open(before):
            yield Ruling("experiment_closed", f"{name} was closed and changed")
        else:
            for key in _rewritten(before, after):
                yield Ruling("experiment_pinned", f"{key} of {name} changed after it was opened")
        if not is_open(after) and after.get("decision") not in _DECISIONS:
            yield Ruling("experiment_closed", f"{name} was closed without a decision")
        state = "open" if is_open(after) else "closed"
        if commit.trailer("Experiment-State") != state:
            yield Ruling("trailer", f"its Experiment-State is not {state}, as {name} says")
        if after.get("decision") == "promote":
            yield from _promote_rulings(commit, name, after)
        elif any(t.path == BASELINE_FILE for t in commit.touched):
            yield Ruling("wrong_path", f"it touches {BASELINE_FILE} without promoting")

    def _highest_experiment(self) -> int:
        return max((experiment_number(name) or 0 for name in self.experiments), default=0)

    def _advance(self, commit: Commit, kind: Kind | None, records: Records, blobs: Blobs) -> None:
        self.begun = True
        if kind in APPROVED_KINDS:
            self.change_ids.update(commit.all_of("Change-Id"))
        for touched in commit.touched:
            self._take(touched, blobs)
        if records:
            self.experiments.update(records)
            self._open = None
        if kind is Kind.RELEASE or kind is Kind.ROOT:
            self.version = max(self.version, version_number(commit.trailer("Release")) or 0)

    def _take(self, touched: Touched, blobs: Blobs) -> None:
        case_id = case_id_of(touched.path)
        if case_id is not None:
            self.used_ids.add(case_id)
        elif touched.path == POLICY_FILE:
            text = (blobs(touched.new) or b"").decode("utf-8", "replace")
            self.rulebook = read_rulebook(text) or self.rulebook
        elif touched.path in {MAILMAP_FILE, ROOT_MAILMAP}:
            text = (blobs(touched.new) or b"").decode("utf-8", "replace")
            self.mailmaps[touched.path] = text
            self._people = None
            self._seen.clear()


def _notices(commit: Commit, kind: Kind | None, records: Records) -> Iterator[Notice]:
    if kind is Kind.ROOT:
        number = sum(case_id_of(touched.path) is not None for touched in commit.touched)
        cases = f"; case files in it: {number}" if number else ""
        yield Notice("root", f"the first commit of the set has no approvers{cases}")
    if kind is Kind.IMPORT:
        number = len(commit.touched)
        yield Notice("import", f"{number} cases came in one import: {commit.trailer('Import')}")
    if not records and not commit.has_any(_NOTICED):
        return
    if commit.trailer("Self-approved") == "yes":
        yield Notice("self_approved", "an author's own approval counted")
    if commit.trailer("Baseline-Fails") == "yes":
        yield Notice("baseline_fails", "the baseline failed the case that this changed")
    if commit.trailer("Override") is not None:
        yield Notice("override", f"promoted against the gate: {commit.trailer('Override')}")
    for name, record in records:
        if record.get("decision") == "void":
            yield Notice("void", f"{name} was declared void")


def _look_alike_notices(commit: Commit) -> Iterator[Notice]:
    author = f"{commit.author_name} <{commit.author_email}>"
    writers = (author, *commit.all_of("Co-authored-by"))
    for clause in look_alikes(writers, commit.all_of("Reviewed-by")):
        yield Notice("look_alike", clause)


def _records(commit: Commit, blobs: Blobs) -> Records:
    """Return the experiments that a commit wrote or took away, as they are after it.

    One that was taken away is open: nothing says that it was closed.
    """
    found: list[tuple[str, dict[str, Any]]] = []
    for touched in commit.touched:
        if not touched.path.startswith(_BELOW):
            continue
        experiment_id = experiment_id_of(touched.path.removeprefix(_BELOW))
        if experiment_id is not None:
            ordinary = touched.new_mode == FILE_MODE
            found.append((experiment_id, read_record(blobs(touched.new)) if ordinary else {}))
    return tuple(found)


def _rewritten(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """Yield what of an open experiment is not as it was; results may only be appended."""
    yield from (key for key in PINNED if before.get(key) != after.get(key))
    if before.get("baseline") is not None and before["baseline"] != after.get("baseline"):
        yield "baseline"
    had = _results(before)
    if _results(after)[: len(had)] != had:
        yield "a result"


def _order_message(name: str, highest: int) -> str:
    """Return what is wrong with the number of a new experiment, and what to do about it."""
    last = f"exp-{highest:03d} is the highest" if highest else "there is no experiment"
    return (
        f"{name} is not the next number: {last} in the commit before it; if the file of an "
        f"experiment was removed, put it back from git's history first"
    )


def _promote_rulings(commit: Commit, name: str, record: dict[str, Any]) -> Iterator[Ruling]:
    """Yield what a promote lacks: a gate that its record says has passed, or an override."""
    overridden = commit.trailer("Override") is not None
    if not overridden and not _passed(record):
        yield Ruling("gate", f"{name} was promoted, and its record has no gate that passes")
    if overridden and not commit.all_of("Reviewed-by"):
        yield Ruling("trailer", "an Override names nobody who gave it")
    if not any(t.path == BASELINE_FILE for t in commit.touched):
        yield Ruling("wrong_change", f"{name} was promoted and {BASELINE_FILE} is as before")


def _results(record: dict[str, Any]) -> list[Any]:
    results = record.get("results")
    return results if isinstance(results, list) else []


def _passed(record: dict[str, Any]) -> bool:
    results = _results(record)
    last = results[-1] if results else None
    gate = last.get("gate") if isinstance(last, dict) else None
    return isinstance(gate, dict) and gate.get("result") == "pass"


def _is_record(path: str) -> bool:
    """Return whether a path is the file of an experiment."""
    return path.startswith(_BELOW) and experiment_id_of(path.removeprefix(_BELOW)) is not None


def needed_blobs(commits: Iterable[Commit]) -> list[str]:
    """Return the ids of the blobs that walking along these commits asks for."""
    return list(
        dict.fromkeys(
            touched.new
            for commit in commits
            for touched in commit.touched
            if touched.path in _READ or _is_record(touched.path)
        )
    )
