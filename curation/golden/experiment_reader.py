"""Experiments as git holds them: the log, one of them, its numbers, the baseline."""

from curation.domain.experiment import Baseline, Experiment, ExperimentCase
from curation.errors import NotFoundError
from curation.evaluation.case_lines import read_lines
from curation.golden.experiment_errors import UnreadableExperimentError
from curation.golden.experiment_files import (
    experiment_path,
    numbers_path,
    parse_baseline,
    parse_experiment,
)
from curation.golden.experiment_record import BASELINE_FILE, FOLDER, experiment_id_of
from curation.golden.location import Location, OpenGolden, opened
from curation.golden.tree import Entry, list_tree


def list_experiments(location: Location) -> tuple[tuple[Experiment, ...], tuple[str, ...]]:
    """Return the experiments at the tip, by id, and the ids of those that cannot be read."""
    with opened(location) as golden:
        tip = golden.or_refuse(golden.tip())
        named = experiment_entries(golden, tip)
        contents = golden.git.objects([entry.oid for entry in named.values()])
    found: list[Experiment] = []
    unreadable: list[str] = []
    for experiment_id, data in zip(named, contents, strict=True):
        try:
            found.append(parse_experiment(experiment_id, data or b""))
        except UnreadableExperimentError:
            unreadable.append(experiment_id)
    return tuple(found), tuple(unreadable)


def experiment_entries(golden: OpenGolden, commit: str) -> dict[str, Entry]:
    """Return the files of the experiments at a commit, by id."""
    folder = golden.git.object_ids([golden.at(commit, FOLDER)])[0]
    if folder is None:
        return {}
    entries = list_tree(golden.git, folder, deep=False)
    named = {experiment_id_of(entry.path): entry for entry in entries}
    return {name: named[name] for name in sorted(filter(None, named))}


def read_experiment(location: Location, experiment_id: str) -> Experiment:
    """Return one experiment as it is at the tip.

    Raises:
        NotFoundError: there is no such experiment.
        UnreadableExperimentError: its file is not one.
    """
    with opened(location) as golden:
        return experiment_at(golden, golden.or_refuse(golden.tip()), experiment_id)


def experiment_at(golden: OpenGolden, commit: str, experiment_id: str) -> Experiment:
    """Return one experiment as it is at a commit."""
    what_to_do = "See `curation experiment list`."
    if experiment_id_of(f"{experiment_id}.json") is None or not experiment_id.isprintable():
        raise NotFoundError("experiment", experiment_id, what_to_do)
    data = golden.git.objects([golden.at(commit, experiment_path(experiment_id))])[0]
    if data is None:
        raise NotFoundError("experiment", experiment_id, what_to_do)
    return parse_experiment(experiment_id, data)


def read_numbers(location: Location, experiment_id: str) -> tuple[ExperimentCase, ...]:
    """Return the numbers of each case that the last record wrote; none before the first.

    Raises:
        NotFoundError: there is no such experiment.
        CaseLinesError: they cannot be read.
    """
    with opened(location) as golden:
        tip = golden.or_refuse(golden.tip())
        experiment_at(golden, tip, experiment_id)
        data = golden.git.objects([golden.at(tip, numbers_path(experiment_id))])[0]
    return read_lines((data or b"").decode("utf-8", "replace"))


def read_baseline(location: Location) -> Baseline | None:
    """Return the baseline at the tip; None while there is none."""
    with opened(location) as golden:
        return baseline_at(golden, golden.or_refuse(golden.tip()))


def baseline_at(golden: OpenGolden, commit: str) -> Baseline | None:
    """Return the baseline at a commit."""
    return parse_baseline(golden.git.objects([golden.at(commit, BASELINE_FILE)])[0])


def baseline_blob(location: Location) -> str | None:
    """Return the id of the baseline's blob at the tip, which a new one is based on."""
    with opened(location) as golden:
        return golden.git.object_ids([golden.at(golden.or_refuse(golden.tip()), BASELINE_FILE)])[0]
