"""Opening, recording and closing experiments: each is one commit, by the same writer as a publish.

Publish and these commits compare and swap one branch, so of a publish and an opening at the same
moment exactly one wins: the other looks again and finds the set frozen, or its version old.
"""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from curation.domain.experiment import (
    Baseline,
    Decision,
    Experiment,
    ExperimentCase,
    ExperimentState,
    Override,
)
from curation.domain.gate import GateOutcome
from curation.domain.person import Person
from curation.domain.policy import Policy, parse_policy
from curation.evaluation import experiment as deciding
from curation.evaluation.case_lines import lines_text, read_lines
from curation.evaluation.errors import ExperimentError
from curation.golden.audit import staged_problems
from curation.golden.errors import GoldenWriteError, LockedError, RacedError
from curation.golden.experiment_errors import (
    ChangedPinsError,
    ExperimentNotOpenedError,
    NothingToContinueError,
    PublishedMeanwhileError,
    RemovedExperimentError,
    SeveralComponentsError,
    UnknownComponentError,
    UnmeasurableError,
)
from curation.golden.experiment_files import (
    experiment_path,
    numbers_path,
    value_bytes,
)
from curation.golden.experiment_gate import recomputed_gate
from curation.golden.experiment_message import closing_message, opening_message, record_message
from curation.golden.experiment_reader import baseline_at, experiment_at, experiment_entries
from curation.golden.experiment_record import (
    BASELINE_FILE,
    FOLDER,
    experiment_id_of,
    experiment_number,
)
from curation.golden.location import Location, OpenGolden, opened
from curation.golden.log import require_whole_history
from curation.golden.message import Message, one_line
from curation.golden.outcome import Worktree
from curation.golden.plan import PlannedCommit
from curation.golden.reader import POLICY_FILE, Refs, commit_of, read_refs
from curation.golden.tree import empty_tree
from curation.golden.worktree import sync_worktree
from curation.golden.writer import staged, swap

_TRIES = 60
_LOCKED_TRIES = 3
_PAUSE_SECONDS = 0.2


@dataclass(frozen=True, kw_only=True)
class Opening:
    """What somebody wants to find out.

    `component` may name several, separated by commas, and is then refused; `version` None is the
    newest one.
    """

    component: str
    hypothesis: str
    version: str | None = None
    continues: str | None = None


@dataclass(frozen=True, kw_only=True)
class Closing:
    """How somebody ends an experiment; `override` is an admin's word against the gate."""

    decision: Decision
    why: str
    override: str | None = None


@dataclass(frozen=True, kw_only=True)
class ExperimentWritten:
    """An experiment as its commit left it."""

    experiment: Experiment
    commit: str
    baseline: Baseline | None = None
    worktree: Worktree = Worktree.NONE
    worktree_note: str = ""


@dataclass(frozen=True, kw_only=True)
class _Tip:
    """Where the branch is while a commit is decided."""

    golden: OpenGolden
    refs: Refs
    commit: str


@dataclass(frozen=True, kw_only=True)
class _Decided:
    """The experiment as it will be, and the files that say so."""

    experiment: Experiment
    message: Message
    files: tuple[tuple[str, bytes], ...]
    baseline: Baseline | None = None


Record = Callable[[Experiment], tuple[Experiment, Sequence[ExperimentCase]]]


def open_experiment(
    location: Location, opening: Opening, *, person: Person, now: datetime
) -> ExperimentWritten:
    """Open the next experiment; from its commit on the golden set is frozen.

    Raises:
        ExperimentNotOpenedError: two components, an unknown one, or cases that no version holds.
        UnknownVersionError: there is no such version.
        GoldenWriteError: git refused.
    """
    seen: list[str | None] = []

    def decide(tip: _Tip) -> _Decided:
        seen.append(tip.refs.newest)
        if tip.refs.newest != seen[0]:
            raise PublishedMeanwhileError(tip.refs.newest or "another version")
        return _opened(tip, opening, person=person, now=now)

    return _written(location, decide, person=person, now=now)


def record_experiment(
    location: Location, experiment_id: str, record: Record, *, person: Person, now: datetime
) -> ExperimentWritten:
    """Append what `record` returns for the experiment as it is at the tip, with its numbers.

    Raises:
        NotFoundError: there is no such experiment.
        ExperimentError: it is closed, or the run does not belong to it.
        ChangedPinsError: `record` changed what the opening pinned.
        GoldenWriteError: git refused.
    """
    return _written(
        location, lambda tip: _recorded(tip, experiment_id, record), person=person, now=now
    )


def close_experiment(
    location: Location, experiment_id: str, closing: Closing, *, person: Person, now: datetime
) -> ExperimentWritten:
    """Close an experiment; a promoted candidate becomes the baseline in the same commit.

    Whether the person may override the gate is the caller's to know.

    Raises:
        NotFoundError: there is no such experiment.
        ExperimentError: it is closed, has no reason, or may not be promoted.
        GoldenWriteError: git refused.
    """
    return _written(
        location,
        lambda tip: _closed(tip, experiment_id, closing, person=person, now=now),
        person=person,
        now=now,
    )


def _written(
    location: Location, decide: Callable[[_Tip], _Decided], *, person: Person, now: datetime
) -> ExperimentWritten:
    """Decide on the tip and write; begin again as long as other writers are faster."""
    with opened(location) as golden:
        require_whole_history(golden)
        locked = 0
        for _ in range(_TRIES):
            refs = read_refs(golden)
            before = golden.or_refuse(refs.tip)
            decided = decide(_Tip(golden=golden, refs=refs, commit=before))
            try:
                commit = _swapped(golden, refs, decided, person=person, now=now)
            except LockedError:
                locked += 1
                if locked == _LOCKED_TRIES:
                    raise
                commit = None
            if commit is not None:
                tree, note = sync_worktree(golden, old=before)
                return ExperimentWritten(
                    experiment=decided.experiment,
                    commit=commit,
                    baseline=decided.baseline,
                    worktree=tree,
                    worktree_note=note,
                )
            time.sleep(random.uniform(0, _PAUSE_SECONDS))  # noqa: S311 - no secret
    raise RacedError(_TRIES)


def _swapped(
    golden: OpenGolden, refs: Refs, decided: _Decided, *, person: Person, now: datetime
) -> str | None:
    """Return the commit that was written; None when the race was lost."""
    before = golden.or_refuse(refs.tip)
    planned = PlannedCommit(
        change_id="",
        case_id=None,
        message=decided.message,
        author=person,
        authored_at=now,
        committer=person,
        committed_at=now,
        files=decided.files,
    )
    with staged(golden, [planned], base=before) as stage:
        broken = staged_problems(golden, before, refs, stage.commits)
        if broken:
            raise GoldenWriteError(f"the audit refuses what was staged ({'; '.join(broken)})")
        return stage.tip if swap(golden, stage) else None


def _opened(tip: _Tip, opening: Opening, *, person: Person, now: datetime) -> _Decided:
    version, commit = _version(tip, opening.version)
    policy_blob, policy = _policy(tip.golden, commit)
    component = _component(opening.component, policy)
    cases_tree = _measurable(tip, version, commit)
    experiment = Experiment(
        id=_next_id(tip),
        component=component,
        hypothesis=_hypothesis(opening.hypothesis),
        version=version,
        commit=commit,
        cases_tree=cases_tree,
        policy_blob=policy_blob,
        baseline=_current(baseline_at(tip.golden, tip.commit), version, cases_tree),
        opened_by=str(person),
        opened_at=now,
        continues=_continued(tip, opening.continues),
    )
    return _Decided(
        experiment=experiment, message=opening_message(experiment), files=(_file(experiment),)
    )


def _version(tip: _Tip, version: str | None) -> tuple[str, str]:
    """Return the name and commit of the version to measure on."""
    newest = tip.refs.newest
    if newest is None:
        raise ExperimentNotOpenedError("the golden set has no version", "Publish one first.")
    commit = commit_of(tip.golden, version or newest, tip.refs)
    named = next((name for name, at in tip.refs.versions.items() if at == commit), None)
    if named is None:
        raise ExperimentNotOpenedError(f"{version} is no version", f"Name one, such as {newest}.")
    return named, commit


def _policy(golden: OpenGolden, commit: str) -> tuple[str, Policy]:
    """Return the blob and the meaning of the policy at a version."""
    where = golden.at(commit, POLICY_FILE)
    blob = golden.git.object_ids([where])[0]
    data = golden.git.objects([where])[0]
    if blob is None:
        raise ExperimentNotOpenedError(
            f"the version has no {POLICY_FILE}", "Publish one with a policy."
        )
    return blob, parse_policy((data or b"").decode("utf-8", "replace"))


def _component(given: str, policy: Policy) -> str:
    named = [name.strip() for name in given.split(",") if name.strip()]
    if len(named) > 1:
        raise SeveralComponentsError(named)
    if not named or named[0] not in policy.components:
        raise UnknownComponentError(given.strip(), policy.components)
    return named[0]


def _hypothesis(text: str) -> str:
    if not text.strip():
        raise ExperimentNotOpenedError(
            "its hypothesis is empty", "Say what you expect to become better, and why."
        )
    return one_line(text)


def _measurable(tip: _Tip, version: str, commit: str) -> str:
    """Return the tree of the version's cases, which the newest version and the tip hold too."""
    newest = tip.refs.newest or version
    wanted = (commit, tip.refs.versions[newest], tip.commit)
    found = tip.golden.git.object_ids([tip.golden.at(each, "cases") for each in wanted])
    mine, newest_tree, now = (tree or empty_tree(like=commit) for tree in found)
    if mine != newest_tree or newest_tree != now:
        raise UnmeasurableError(version if mine != newest_tree else newest, newest)
    return mine


def _current(baseline: Baseline | None, version: str, cases_tree: str) -> Baseline | None:
    """Return the baseline if it was measured on these cases; a stale one is none."""
    if baseline is None:
        return None
    if baseline.cases_tree is None:
        return baseline if baseline.version == version else None
    return baseline if baseline.cases_tree == cases_tree else None


def _next_id(tip: _Tip) -> str:
    """Return the number after the highest at the tip.

    Raises:
        RemovedExperimentError: the history had a higher one, so that its number would come twice.
    """
    highest = _highest(experiment_entries(tip.golden, tip.commit))
    for commit, names in _removals(tip):
        if _highest(names) > highest:
            raise RemovedExperimentError(max(names), commit, tip.golden.prefix + FOLDER)
    return f"exp-{highest + 1:03d}"


def _highest(names: Iterable[str]) -> int:
    return max((experiment_number(name) or 0 for name in names), default=0)


def _removals(tip: _Tip) -> Iterator[tuple[str, list[str]]]:
    """Yield the commits that took files of experiments away, newest first, and whose."""
    out = tip.golden.git.text(
        "log",
        "--first-parent",
        "--diff-merges=first-parent",
        "--diff-filter=D",
        "--no-renames",
        "--name-only",
        "--format=%x00%h",
        tip.commit,
        "--",
        tip.golden.prefix + FOLDER,
        doing="read the history",
    )
    for entry in out.split("\0")[1:]:
        commit, *paths = entry.split()
        names = (experiment_id_of(path.rpartition("/")[2]) for path in paths)
        yield commit, [name for name in names if name is not None]


def _continued(tip: _Tip, experiment_id: str | None) -> str | None:
    """Return the experiment that is continued, which must have ended as void."""
    if experiment_id is None:
        return None
    if experiment_id not in experiment_entries(tip.golden, tip.commit):
        raise NothingToContinueError(experiment_id, "which does not exist")
    old = experiment_at(tip.golden, tip.commit, experiment_id)
    if old.state is ExperimentState.OPEN:
        raise NothingToContinueError(experiment_id, "which is still open")
    if old.decision is not Decision.VOID:
        raise NothingToContinueError(experiment_id, f"which ended as {old.decision}")
    return experiment_id


def _recorded(tip: _Tip, experiment_id: str, record: Record) -> _Decided:
    old = experiment_at(tip.golden, tip.commit, experiment_id)
    new, numbers = record(old)
    _refuse_changed_pins(old, new)
    return _Decided(
        experiment=new,
        message=record_message(new),
        files=(_file(new), (numbers_path(new.id), lines_text(numbers).encode())),
    )


def _refuse_changed_pins(old: Experiment, new: Experiment) -> None:
    """Refuse what would change more than append a result and pin a missing baseline."""
    free = {"results"} if old.baseline is not None else {"results", "baseline"}
    changed = [
        name
        for name in Experiment.model_fields
        if name not in free and getattr(old, name) != getattr(new, name)
    ]
    if new.results[: len(old.results)] != old.results or len(new.results) <= len(old.results):
        changed.append("results")
    if changed:
        raise ChangedPinsError(old.id, changed)


def _closed(
    tip: _Tip, experiment_id: str, closing: Closing, *, person: Person, now: datetime
) -> _Decided:
    old = experiment_at(tip.golden, tip.commit, experiment_id)
    override = None
    if closing.decision is Decision.PROMOTE and old.state is ExperimentState.OPEN:
        override = _needed_override(tip, old, closing.override, person)
    done = deciding.close(
        old,
        closing.decision,
        why=closing.why,
        by=str(person),
        at=now,
        current=_current(baseline_at(tip.golden, tip.commit), old.version, old.cases_tree),
        override=override,
    )
    files = [_file(done.experiment)]
    if done.baseline is not None:
        files.append((BASELINE_FILE, value_bytes(done.baseline)))
    return _Decided(
        experiment=done.experiment,
        message=closing_message(done.experiment),
        files=tuple(files),
        baseline=done.baseline,
    )


def _needed_override(
    tip: _Tip, experiment: Experiment, why: str | None, person: Person
) -> Override | None:
    """Return the override where the gate does not pass, judged as the audit will judge it.

    Raises:
        ExperimentError: the gate does not pass and there is no override.
    """
    wanted = [tip.golden.at(tip.commit, numbers_path(experiment.id)), experiment.policy_blob]
    numbers, policy = (
        (data or b"").decode("utf-8", "replace") for data in tip.golden.git.objects(wanted)
    )
    result = recomputed_gate(experiment, read_lines(numbers), parse_policy(policy))
    recorded = experiment.latest.gate if experiment.latest else None
    if result is None or recorded is None:
        return None
    if result.result is recorded.result is GateOutcome.PASS:
        return None
    if why is None or not why.strip():
        failed = recorded if result.result is GateOutcome.PASS else result
        raise ExperimentError.gate_refuses(experiment, failed.text)
    return Override(why=one_line(why), by=str(person))


def _file(experiment: Experiment) -> tuple[str, bytes]:
    return experiment_path(experiment.id), value_bytes(experiment)
