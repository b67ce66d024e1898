"""Opening, recording and closing experiments in a real repository, and the freeze between."""

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from curation.domain.change import ChangeKind
from curation.domain.experiment import Decision, Experiment, ExperimentCase, ExperimentState
from curation.domain.gate import GateOutcome
from curation.domain.policy import Policy
from curation.errors import NotFoundError
from curation.evaluation.errors import ExperimentError
from curation.golden import (
    ApprovedChange,
    ConflictReason,
    FrozenError,
    audit,
    baseline_blob,
    read_version,
)
from curation.golden.experiment_commits import (
    Closing,
    ExperimentWritten,
    Opening,
    close_experiment,
    open_experiment,
    record_experiment,
)
from curation.golden.experiment_errors import (
    ChangedPinsError,
    ExperimentNotOpenedError,
    NothingToContinueError,
    RemovedExperimentError,
    SeveralComponentsError,
    UnknownComponentError,
    UnmeasurableError,
    UnreadableExperimentError,
)
from curation.golden.experiment_reader import (
    list_experiments,
    read_baseline,
    read_experiment,
    read_numbers,
)
from tests.golden.conftest import ANA, MIA, ROB, START, Desk, git
from tests.golden.trials import trial

POLICY = Policy(min_cases=1)


def begin(desk: Desk, component: str = "chunker", **more: str) -> ExperimentWritten:
    opening = Opening(component=component, hypothesis="Smaller chunks find more.", **more)
    return open_experiment(desk.location, opening, person=MIA, now=desk.tick())


def measure(desk: Desk, experiment_id: str, **numbers: float) -> ExperimentWritten:
    made = trial(at=desk.tick(), policy=POLICY, **numbers)
    return record_experiment(desk.location, experiment_id, made, person=MIA, now=desk.tick())


def end(desk: Desk, experiment_id: str, decision: Decision, **more: str) -> ExperimentWritten:
    closing = Closing(decision=decision, why="The numbers say so.", **more)
    return close_experiment(desk.location, experiment_id, closing, person=ANA, now=desk.tick())


def test_an_opening_pins_version_commit_tree_and_policy(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    done = begin(desk)
    tagged = desk.git("rev-parse", "golden/v2^{commit}")
    assert done.experiment.id == "exp-001"
    assert (done.experiment.version, done.experiment.commit) == ("golden/v2", tagged)
    assert done.experiment.cases_tree == desk.git("rev-parse", f"{tagged}:cases")
    assert done.experiment.policy_blob == desk.git("rev-parse", f"{tagged}:golden.toml")
    assert done.experiment.baseline is None
    assert read_experiment(desk.location, "exp-001") == done.experiment
    assert desk.git("rev-parse", "main") == done.commit


def test_an_opening_says_so_in_its_commit(desk: Desk) -> None:
    begin(desk)
    trailers = desk.git("log", "-1", "--format=%(trailers:only,unfold)", "main")
    assert trailers.split("\n")[:2] == ["Experiment: exp-001", "Experiment-State: open"]
    assert desk.git("log", "-1", "--format=%s|%an|%cn", "main") == (
        "Open exp-001 (chunker): Smaller chunks find more.|Mia Kim|Mia Kim"
    )
    assert desk.git("show", "--name-only", "--format=", "main") == "experiments/exp-001.json"


def test_the_file_is_what_the_json_module_writes(desk: Desk) -> None:
    begin(desk)
    text = desk.git("show", "main:experiments/exp-001.json") + "\n"
    assert json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n" == text
    assert list(json.loads(text)) == [
        field.alias or name for name, field in Experiment.model_fields.items()
    ]


def test_the_set_is_frozen_while_an_experiment_is_open(desk: Desk) -> None:
    begin(desk)
    with pytest.raises(FrozenError, match="exp-001"):
        desk.publish(desk.add("q-0001"))
    end(desk, "exp-001", Decision.VOID)
    assert desk.publish(desk.add("q-0001")).version == "golden/v2"


def test_several_experiments_may_be_open_and_any_of_them_freezes(desk: Desk) -> None:
    begin(desk)
    assert begin(desk, "retriever").experiment.id == "exp-002"
    end(desk, "exp-001", Decision.VOID)
    with pytest.raises(FrozenError, match="exp-002"):
        desk.publish(desk.add("q-0001"))


def test_numbers_are_never_given_twice(desk: Desk) -> None:
    begin(desk)
    end(desk, "exp-001", Decision.VOID)
    # A bystander takes the file away, which none of our writes does.
    desk.git("rm", "-q", "experiments/exp-001.json")
    desk.git("commit", "-q", "-m", "Tidy up")
    gone = desk.git("rev-parse", "--short", "HEAD").strip()
    with pytest.raises(RemovedExperimentError, match=f"exp-001 was removed by commit {gone}") as no:
        begin(desk)
    advice = str(no.value).split("`")[1]
    assert advice == f"git checkout {gone}~1 -- experiments/exp-001.json"
    desk.git(*advice.split()[1:])
    desk.git("commit", "-q", "-m", "Put it back")
    assert begin(desk).experiment.id == "exp-002"


def test_every_commit_of_an_experiment_passes_the_audit(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    begin(desk)
    measure(desk, "exp-001")
    end(desk, "exp-001", Decision.PROMOTE)
    begin(desk, "retriever")
    measure(desk, "exp-002", before=0.9, after=0.5)
    end(desk, "exp-002", Decision.PROMOTE, override="Legal needs it.")
    begin(desk)
    end(desk, "exp-003", Decision.VOID)
    desk.publish(desk.add("q-0002"))
    report = audit(desk.location)
    assert report.findings == ()
    assert {notice.kind for notice in report.notices} == {"root", "override", "void"}


@pytest.mark.parametrize("named", ["chunker,retriever", "chunker, retriever", "a,b,c"])
def test_two_components_are_refused_with_the_reason(desk: Desk, named: str) -> None:
    with pytest.raises(SeveralComponentsError, match="which of them"):
        begin(desk, named)
    assert list_experiments(desk.location) == ((), ())


def test_an_unknown_component_is_refused_with_the_known_ones(desk: Desk) -> None:
    with pytest.raises(UnknownComponentError, match=r"chunker.*golden\.toml"):
        begin(desk, "weather")


def test_a_component_of_the_policy_is_known(desk: Desk) -> None:
    text = desk.git("show", "main:golden.toml").replace(
        "[experiment]", '[experiment]\ncomponents = ["router"]'
    )
    desk.publish(desk.policy(text))
    assert begin(desk, "router").experiment.component == "router"


def test_an_empty_hypothesis_is_refused(desk: Desk) -> None:
    with pytest.raises(ExperimentNotOpenedError, match="hypothesis"):
        open_experiment(
            desk.location, Opening(component="chunker", hypothesis=" \n"), person=MIA, now=START
        )


def test_cases_that_no_version_holds_cannot_be_measured(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    file = next(Path(desk.location.path, "cases").rglob("*.json"))
    file.write_text(file.read_text().replace("30 s", "31 s"))
    desk.git("commit", "-q", "-a", "-m", "Sneak")
    with pytest.raises(UnmeasurableError, match="golden/v2"):
        begin(desk)


def test_an_older_version_with_other_cases_cannot_be_measured(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    with pytest.raises(UnmeasurableError, match="newest version golden/v2"):
        begin(desk, version="golden/v1")


def test_an_older_version_with_the_same_cases_can(desk: Desk) -> None:
    desk.publish(desk.policy(desk.git("show", "main:golden.toml") + "\n# more\n"))
    assert begin(desk, version="v1").experiment.version == "golden/v1"


def test_a_record_appends_the_result_and_the_numbers_of_each_case(desk: Desk) -> None:
    begin(desk)
    measure(desk, "exp-001", after=0.4)
    done = measure(desk, "exp-001", after=0.9)
    deltas = [result.deltas.retrieval for result in done.experiment.results]
    assert deltas == [pytest.approx(-0.1), pytest.approx(0.4)]
    numbers = read_numbers(desk.location, "exp-001")
    assert {case.candidate.values["recall@k"] for case in numbers if case.candidate} == {0.9}
    assert desk.git("show", "--name-only", "--format=", "main").split() == [
        "experiments/exp-001.cases.jsonl",
        "experiments/exp-001.json",
    ]


def test_the_first_record_pins_the_baseline(desk: Desk) -> None:
    begin(desk)
    done = measure(desk, "exp-001")
    assert done.experiment.baseline is not None
    assert done.experiment.baseline.pipeline == "rag 1"
    assert measure(desk, "exp-001").experiment.baseline == done.experiment.baseline


def test_what_an_opening_pinned_cannot_be_changed_by_a_record(desk: Desk) -> None:
    begin(desk)

    def sly(experiment: Experiment) -> tuple[Experiment, Sequence[ExperimentCase]]:
        done, numbers = trial(at=START, policy=POLICY)(experiment)
        return done.model_copy(update={"hypothesis": "I always said so."}), numbers

    with pytest.raises(ChangedPinsError, match="hypothesis"):
        record_experiment(desk.location, "exp-001", sly, person=MIA, now=desk.tick())


def test_a_promoted_candidate_becomes_the_baseline_in_the_same_commit(desk: Desk) -> None:
    begin(desk)
    measure(desk, "exp-001")
    done = end(desk, "exp-001", Decision.PROMOTE)
    baseline = read_baseline(desk.location)
    assert baseline is not None
    assert (baseline.pipeline, baseline.experiment) == ("rag 2", "exp-001")
    assert done.baseline == baseline
    assert done.experiment.state is ExperimentState.CLOSED
    assert done.experiment.override is None
    assert "experiments/baseline.json" in desk.git("show", "--name-only", "--format=", "main")


def test_the_next_experiment_is_measured_against_the_promoted_one(desk: Desk) -> None:
    begin(desk)
    measure(desk, "exp-001")
    promoted = end(desk, "exp-001", Decision.PROMOTE).baseline
    assert begin(desk).experiment.baseline == promoted


def test_a_baseline_of_other_cases_is_not_pinned(desk: Desk) -> None:
    begin(desk)
    measure(desk, "exp-001")
    end(desk, "exp-001", Decision.PROMOTE)
    desk.publish(desk.add("q-0001"))
    assert begin(desk).experiment.baseline is None


def test_a_candidate_that_the_gate_refuses_is_not_promoted(desk: Desk) -> None:
    begin(desk)
    measure(desk, "exp-001", before=0.9, after=0.5)
    before = desk.git("rev-parse", "main")
    with pytest.raises(ExperimentError, match="keep baseline"):
        end(desk, "exp-001", Decision.PROMOTE)
    assert desk.git("rev-parse", "main") == before


def test_an_override_is_written_into_the_commit_and_names_who(desk: Desk) -> None:
    begin(desk)
    measure(desk, "exp-001", before=0.9, after=0.5)
    done = end(desk, "exp-001", Decision.PROMOTE, override="Legal\nneeds it.\n\nReviewed-by: x")
    assert done.experiment.override is not None
    trailers = desk.git("log", "-1", "--format=%(trailers:only,unfold)", "main").split("\n")
    assert "Override: Legal needs it. Reviewed-by: x" in trailers
    assert f"Reviewed-by: {ANA}" in trailers
    assert [line for line in trailers if line.startswith("Reviewed-by")] == [f"Reviewed-by: {ANA}"]


def test_an_override_that_is_not_needed_is_not_written(desk: Desk) -> None:
    begin(desk)
    measure(desk, "exp-001")
    done = end(desk, "exp-001", Decision.PROMOTE, override="Just in case.")
    assert done.experiment.override is None
    assert "Override" not in desk.git("log", "-1", "--format=%B", "main")


def test_a_promote_over_a_baseline_that_moved_is_refused(desk: Desk) -> None:
    begin(desk)
    begin(desk, "retriever")
    measure(desk, "exp-001")
    measure(desk, "exp-002", after=0.95)
    end(desk, "exp-001", Decision.PROMOTE)
    with pytest.raises(ExperimentError, match="replaced"):
        end(desk, "exp-002", Decision.PROMOTE)
    assert end(desk, "exp-002", Decision.REJECT).experiment.latest is not None


def test_a_reject_keeps_its_numbers(desk: Desk) -> None:
    begin(desk)
    measure(desk, "exp-001", before=0.9, after=0.5)
    done = end(desk, "exp-001", Decision.REJECT).experiment
    assert done.latest is not None
    assert done.latest.gate.result is GateOutcome.FAIL
    assert done.latest.deltas.retrieval == pytest.approx(-0.4)
    assert read_baseline(desk.location) is None


def test_a_closed_experiment_never_changes(desk: Desk) -> None:
    begin(desk)
    end(desk, "exp-001", Decision.VOID)
    with pytest.raises(ExperimentError, match="closed"):
        measure(desk, "exp-001")
    with pytest.raises(ExperimentError, match="closed"):
        end(desk, "exp-001", Decision.PROMOTE)


def test_a_void_experiment_can_be_continued_and_no_other(desk: Desk) -> None:
    begin(desk)
    with pytest.raises(NothingToContinueError, match="still open"):
        begin(desk, continues="exp-001")
    end(desk, "exp-001", Decision.VOID)
    assert begin(desk, continues="exp-001").experiment.continues == "exp-001"
    measure(desk, "exp-002")
    end(desk, "exp-002", Decision.REJECT)
    with pytest.raises(NothingToContinueError, match="ended as reject"):
        begin(desk, continues="exp-002")
    with pytest.raises(NothingToContinueError, match="does not exist"):
        begin(desk, continues="exp-999")


@pytest.mark.parametrize("name", ["exp-009", "../golden", "exp-1\n", "", "baseline"])
def test_an_experiment_that_is_not_there_is_not_found(desk: Desk, name: str) -> None:
    with pytest.raises(NotFoundError):
        read_experiment(desk.location, name)


def test_a_file_that_cannot_be_read_is_listed_and_freezes(desk: Desk) -> None:
    begin(desk)
    file = Path(desk.location.path, "experiments/exp-001.json")
    file.write_text(file.read_text().replace('"state": "open"', '"state": "cloesd"'))
    desk.git("commit", "-q", "-a", "-m", "Slip")
    assert list_experiments(desk.location) == ((), ("exp-001",))
    with pytest.raises(UnreadableExperimentError):
        end(desk, "exp-001", Decision.VOID)
    with pytest.raises(FrozenError):
        desk.publish(desk.add("q-0001"))


def test_a_key_that_comes_twice_makes_a_file_unreadable(desk: Desk) -> None:
    begin(desk)
    file = Path(desk.location.path, "experiments/exp-001.json")
    file.write_text(file.read_text().replace("{", '{"state": "closed",', 1))
    desk.git("commit", "-q", "-a", "-m", "Slip")
    with pytest.raises(UnreadableExperimentError):
        read_experiment(desk.location, "exp-001")


def test_a_clean_work_tree_follows(desk: Desk) -> None:
    begin(desk)
    assert Path(desk.location.path, "experiments/exp-001.json").is_file()
    assert desk.git("status", "--porcelain") == ""


def test_a_golden_set_in_a_folder_of_a_bigger_repository(tmp_path: Path) -> None:
    from curation.golden import Location, create

    git(tmp_path, "init", "-q", "-b", "main", "app")
    folder = tmp_path / "app"
    git(folder, "commit", "-q", "--allow-empty", "-m", "Begin the app")
    location = Location.at(folder / "evals" / "golden")
    create(location, person=ROB, now=START, inside=True)
    desk = Desk(location)
    begin(desk)
    measure(desk, "exp-001")
    end(desk, "exp-001", Decision.PROMOTE)
    assert begin(desk).experiment.id == "exp-002"
    names = git(folder, "ls-tree", "-r", "--name-only", "main", "--", "evals/golden/experiments")
    assert "evals/golden/experiments/exp-002.json" in names.split("\n")
    assert read_version(location).open_experiments[0].id == "exp-002"
    assert isinstance(read_experiment(location, "exp-002").opened_at, datetime)


def test_a_baseline_that_was_set_meanwhile_is_a_conflict(desk: Desk) -> None:
    def proposal(text: str, base: str | None) -> ApprovedChange:
        return desk.change(ChangeKind.BASELINE, {"experiments/baseline.json": text}, base=base)

    first, second = proposal("{}\n", None), proposal("[]\n", None)
    assert desk.publish(first, second).conflicts[0].reason is ConflictReason.CHANGED_UNDERNEATH
    assert desk.publish(proposal("[]\n", baseline_blob(desk.location))).conflicts == ()
