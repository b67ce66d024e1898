"""While an experiment is open, or cannot be read, nothing is published."""

import json
from datetime import UTC, datetime

import pytest

from curation.domain.experiment import OpenExperiment
from curation.golden import FrozenError, audit, open_experiments, read_version
from tests.golden.desk import Desk

OPEN = {
    "id": "exp-001",
    "state": "open",
    "component": "chunker",
    "opened_by": "Ana Ruiz <ana@example.org>",
    "opened_at": "2026-11-26T14:02:00+00:00",
    "version": "golden/v1",
}


def commit_experiment(desk: Desk, text: str, name: str = "exp-001.json") -> None:
    """Commit a file of `experiments/` by hand."""
    folder = desk.location.path / "experiments"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    desk.git("add", ".")
    desk.git("commit", "--quiet", "-m", "An experiment", "--allow-empty")


def test_an_open_experiment_freezes_the_set_and_is_named(desk: Desk) -> None:
    waiting = desk.add("q-0001")
    commit_experiment(desk, json.dumps(OPEN))
    before = desk.git("rev-parse", "main")
    with pytest.raises(FrozenError) as frozen:
        desk.publish(waiting)
    (experiment,) = frozen.value.experiments
    assert experiment == OpenExperiment(
        id="exp-001",
        component="chunker",
        opened_by="Ana Ruiz <ana@example.org>",
        opened_at=datetime(2026, 11, 26, 14, 2, tzinfo=UTC),
        version="golden/v1",
    )
    assert "exp-001 (chunker) is open, opened by Ana Ruiz <ana@example.org>, since 26 Nov" in str(
        frozen.value
    )
    assert desk.git("rev-parse", "main") == before
    assert open_experiments(desk.location) == (experiment,)
    assert read_version(desk.location).open_experiments == (experiment,)
    commit_experiment(desk, json.dumps(OPEN | {"state": "closed", "decision": "reject"}))
    assert open_experiments(desk.location) == ()
    assert desk.publish(waiting).version == "golden/v2"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        '"closed"',
        "{}",
        '{"state": "Closed"}',
        '{"state": "closed "}',
        '{"state": ["closed"]}',
        '{"state": true}',
        '{"state": "open", "state": "closed"}',
        '{"state": "closed", "x": {"a": 1, "a": 1}}',
        "[" * 100_000,
        '{"opened_at": "yesterday", "opened_by": 3, "component": "\\ud800"}',
    ],
)
def test_what_does_not_say_exactly_that_it_is_closed_is_open(desk: Desk, text: str) -> None:
    commit_experiment(desk, text)
    with pytest.raises(FrozenError, match="exp-001"):
        desk.publish(desk.add("q-0001"))


@pytest.mark.parametrize("name", ["exp-1.json", "exp-abc.json", "exp-.json", "exp-001 (copy).json"])
def test_whatever_is_called_like_an_experiment_is_one(desk: Desk, name: str) -> None:
    commit_experiment(desk, "{}", name)
    assert [experiment.id for experiment in open_experiments(desk.location)] == [name[:-5]]


@pytest.mark.parametrize(
    "name", ["baseline.json", "exp-001.cases.jsonl", "notes.md", "xexp-1.json"]
)
def test_other_files_beside_them_freeze_nothing(desk: Desk, name: str) -> None:
    commit_experiment(desk, "{}", name)
    assert open_experiments(desk.location) == ()
    assert desk.publish(desk.add("q-0001")).version == "golden/v2"


def test_a_link_or_a_folder_in_its_place_is_open(desk: Desk) -> None:
    folder = desk.location.path / "experiments"
    folder.mkdir()
    (folder / "exp-001.json").symlink_to("exp-002.json")
    (folder / "exp-003.json").mkdir()
    (folder / "exp-003.json" / "x").write_text("{}")
    desk.git("add", ".")
    desk.git("commit", "--quiet", "-m", "Not files")
    assert [experiment.id for experiment in open_experiments(desk.location)] == [
        "exp-001",
        "exp-003",
    ]


def test_a_change_that_is_published_already_needs_no_thaw(desk: Desk) -> None:
    change = desk.add("q-0001")
    done = desk.publish(change)
    commit_experiment(desk, json.dumps(OPEN))
    assert desk.publish(change).skipped == done.published


def test_the_audit_tells_what_changed_meanwhile(desk: Desk) -> None:
    commit_experiment(desk, json.dumps(OPEN))
    (desk.location.path / "README.md").write_text("changed\n")
    desk.git("commit", "--quiet", "-am", "Reword")
    found = [f for f in audit(desk.location).findings if f.rule == "frozen"]
    assert [f.message for f in found] == ["README.md changed while exp-001 was open"]
    assert found[0].commit == desk.git("rev-parse", "main")
    assert found[0].author == "By Stander <by@example.org>"
