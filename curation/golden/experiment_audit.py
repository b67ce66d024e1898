"""What a clone proves of the experiments: their pins are true, and a promote had its gate."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from curation.domain.experiment import Decision, Experiment
from curation.domain.gate import GateOutcome
from curation.domain.policy import parse_policy
from curation.errors import CurationError
from curation.evaluation.case_lines import read_lines
from curation.evaluation.report import SCORER
from curation.golden.experiment_files import (
    experiment_path,
    numbers_path,
    parse_baseline,
    parse_experiment,
)
from curation.golden.experiment_gate import recomputed_gate
from curation.golden.experiment_record import BASELINE_FILE, experiment_id_of
from curation.golden.kinds import POLICY_FILE, Ruling
from curation.golden.location import OpenGolden
from curation.golden.record import Commit
from curation.golden.tree import empty_tree


class _Written(NamedTuple):
    """An experiment as one of its commits left it."""

    commit: Commit
    experiment: Experiment


def experiment_rulings(
    golden: OpenGolden, commits: Sequence[Commit]
) -> Iterator[tuple[Commit, Ruling]]:
    """Yield which commits of experiments claim what the repository does not bear out."""
    named = [(commit, _named(commit)) for commit in commits]
    of_experiments = [(commit, name) for commit, name in named if name is not None]
    where = [golden.at(commit.oid, experiment_path(name)) for commit, name in of_experiments]
    written: list[_Written] = []
    for (commit, name), data in zip(of_experiments, golden.git.objects(where), strict=True):
        try:
            written.append(_Written(commit, parse_experiment(name, data or b"")))
        except CurationError as problem:
            yield commit, Ruling("experiment_form", str(problem))
    yield from _pin_rulings(golden, [w for w in written if _opens(w)])
    yield from _promote_rulings(golden, [w for w in written if _promotes(w)])


def _named(commit: Commit) -> str | None:
    name = commit.trailer("Experiment")
    return name if name is not None and experiment_id_of(f"{name}.json") == name else None


def _opens(written: _Written) -> bool:
    path = experiment_path(written.experiment.id)
    return any(t.path == path and t.status == "A" for t in written.commit.touched)


def _promotes(written: _Written) -> bool:
    return written.experiment.decision is Decision.PROMOTE


def _pin_rulings(golden: OpenGolden, opened: Sequence[_Written]) -> Iterator[tuple[Commit, Ruling]]:
    """Yield where an opening pins another tree or policy than the commit that it names has."""
    names = [
        name
        for w in opened
        for name in (
            golden.at(w.experiment.commit, "cases"),
            golden.at(w.experiment.commit, POLICY_FILE),
            f"refs/tags/{w.experiment.version}^{{commit}}",
            golden.at(f"{w.commit.oid}~", "cases"),
        )
    ]
    found = golden.git.object_ids(names)
    for at, (commit, experiment) in enumerate(opened):
        cases, policy, tagged, before = found[4 * at : 4 * at + 4]
        nothing = empty_tree(like=commit.oid)
        if (cases or nothing, policy, tagged) != (
            experiment.cases_tree,
            experiment.policy_blob,
            experiment.commit,
        ):
            message = f"{experiment.id} pins what {experiment.version} does not hold"
            yield commit, Ruling("experiment_pins", message)
        if (before or nothing) != experiment.cases_tree:
            message = f"{experiment.id} was opened on cases that are not those of its version"
            yield commit, Ruling("experiment_pins", message)


def _promote_rulings(
    golden: OpenGolden, promoted: Sequence[_Written]
) -> Iterator[tuple[Commit, Ruling]]:
    """Yield which promotes their own numbers do not bear out."""
    names = [
        name
        for commit, experiment in promoted
        for name in (
            golden.at(commit.oid, numbers_path(experiment.id)),
            golden.at(commit.oid, BASELINE_FILE),
            experiment.policy_blob,
        )
    ]
    found = golden.git.objects(names)
    for at, written in enumerate(promoted):
        numbers, baseline, policy = found[3 * at : 3 * at + 3]
        try:
            yield from _one_promote(written, numbers, baseline, policy)
        except CurationError as problem:
            yield written.commit, Ruling("experiment_form", str(problem))


def _one_promote(
    written: _Written, numbers: bytes | None, baseline: bytes | None, policy: bytes | None
) -> Iterator[tuple[Commit, Ruling]]:
    commit, experiment = written
    gate = recomputed_gate(experiment, read_lines(_text(numbers)), parse_policy(_text(policy)))
    overridden = commit.trailer("Override") is not None
    result = experiment.latest
    # That the record itself has no gate that passes is found along the line of commits.
    recorded = result is not None and result.gate.result is GateOutcome.PASS
    if recorded and not overridden and gate is not None and gate.result is not GateOutcome.PASS:
        said = f"{experiment.id} was promoted although its numbers give: {gate.text}"
        if result is not None and result.scorer != SCORER:
            said += f" ({result.scorer} recorded it, {SCORER} judges it here)"
        yield commit, Ruling("gate", said)
    now = parse_baseline(baseline)
    promoted = (experiment.id, experiment.version, result.run_sha256 if result else None)
    if now is None or (now.experiment, now.version, now.run_sha256) != promoted:
        message = f"the baseline is not the candidate of {experiment.id}"
        yield commit, Ruling("baseline", message)


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")
