"""Openings, closings and publishes at the same moment, from processes of their own."""

import multiprocessing
import re
from collections.abc import Sequence
from datetime import timedelta
from multiprocessing.synchronize import Barrier
from typing import Any

import pytest

from curation.domain.experiment import Decision
from curation.errors import CurationError
from curation.golden import ApprovedChange, FrozenError, Location, publish, read_version
from curation.golden.experiment_commits import (
    Closing,
    Opening,
    close_experiment,
    open_experiment,
)
from curation.golden.experiment_errors import ExperimentNotOpenedError
from curation.golden.experiment_reader import list_experiments
from tests.golden.conftest import MIA, ROB, START, Desk

OPENING = Opening(component="chunker", hypothesis="Smaller chunks find more.")
Said = list[tuple[str, str]]


def _publish(location: Location, change: ApprovedChange, barrier: Barrier, said: Any) -> None:
    barrier.wait()
    try:
        done = publish(location, [change], publisher=ROB, now=START + timedelta(days=1))
        said.append(("published", done.version))
    except FrozenError:
        said.append(("frozen", ""))


def _open(location: Location, barrier: Barrier, said: Any) -> None:
    barrier.wait()
    try:
        done = open_experiment(location, OPENING, person=MIA, now=START + timedelta(days=1))
        said.append(("opened", done.experiment.id))
    except ExperimentNotOpenedError as refusal:
        said.append(("not opened", str(refusal)))


def _open_and_void(location: Location, rounds: int, barrier: Barrier, said: Any) -> None:
    barrier.wait()
    void = Closing(decision=Decision.VOID, why="Only a race.")
    for _ in range(rounds):
        try:
            done = open_experiment(location, OPENING, person=MIA, now=START + timedelta(days=1))
        except ExperimentNotOpenedError:
            continue
        said.append(("opened", done.experiment.id))
        close_experiment(
            location, done.experiment.id, void, person=MIA, now=START + timedelta(days=2)
        )


def _publish_all(
    location: Location, changes: Sequence[ApprovedChange], barrier: Barrier, said: Any
) -> None:
    barrier.wait()
    for change in changes:
        try:
            done = publish(location, [change], publisher=ROB, now=START + timedelta(days=1))
            said.append(("published", done.version))
        except FrozenError:
            said.append(("frozen", ""))
        except CurationError as problem:
            said.append(("failed", str(problem)))


def _together(jobs: Sequence[tuple[Any, ...]]) -> Said:
    """Run each job in a process of its own, all let go at one moment."""
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager:
        said = manager.list()
        barrier = context.Barrier(len(jobs))
        running = [
            context.Process(target=job, args=(*arguments, barrier, said))
            for job, *arguments in jobs
        ]
        for process in running:
            process.start()
        for process in running:
            process.join(120)
            assert process.exitcode == 0
        return list(said)


@pytest.mark.parametrize("attempt", range(4))
def test_of_an_opening_and_a_publish_exactly_one_wins(desk: Desk, attempt: int) -> None:
    said = _together([(_open, desk.location), (_publish, desk.location, desk.add("q-0001"))])
    outcomes = {outcome for outcome, _ in said}
    assert outcomes in ({"opened", "frozen"}, {"not opened", "published"})
    frozen = bool(read_version(desk.location).open_experiments)
    assert frozen is ("opened" in outcomes)
    assert (read_version(desk.location).version == "golden/v2") is ("published" in outcomes)


def test_two_openings_at_once_get_numbers_of_their_own(desk: Desk) -> None:
    said = _together([(_open, desk.location)] * 3)
    assert sorted(said) == [("opened", f"exp-00{n}") for n in (1, 2, 3)]
    assert [each.id for each in list_experiments(desk.location)[0]] == [
        "exp-001",
        "exp-002",
        "exp-003",
    ]


@pytest.mark.slow
def test_many_publishers_and_openers_never_break_the_freeze(desk: Desk) -> None:
    batches = [[desk.add(f"q-{n}{i}") for i in range(6)] for n in "abc"]
    jobs: list[tuple[Any, ...]] = [(_open_and_void, desk.location, 5)] * 2
    said = _together([*jobs, *((_publish_all, desk.location, batch) for batch in batches)])
    assert not [message for outcome, message in said if outcome == "failed"]
    published = [version for outcome, version in said if outcome == "published"]
    assert len(published) == len(set(published)) == len(_releases(desk)) - 1
    assert _broken(desk) == []


def _releases(desk: Desk) -> list[str]:
    return re.findall(r"golden/v\d+", desk.git("tag", "--list"))


def _broken(desk: Desk) -> list[str]:
    """Read the history with plain git: what changed in cases/ while something was open?"""
    out = desk.git("log", "--reverse", "--first-parent", "--name-only", "--format=@%H", "main")
    frozen: set[str] = set()
    broken = []
    for entry in out.split("@")[1:]:
        commit, *names = entry.split()
        touched = [name for name in names if not name.startswith("experiments/")]
        if touched and frozen:
            broken.append(f"{commit}: {touched} while {frozen}")
        for name in names:
            if re.fullmatch(r"experiments/exp-\d+\.json", name):
                is_open = '"state": "open"' in desk.git("show", f"{commit}:{name}")
                (frozen.add if is_open else frozen.discard)(name)
    return broken
