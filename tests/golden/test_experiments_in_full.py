"""What a clone bears out of what its experiments claim, file by file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.codec import dumps
from curation.domain.experiment import Decision, Experiment, ExperimentResult
from curation.domain.gate import GateOutcome
from curation.domain.policy import parse_policy
from curation.evaluation.case_lines import lines_text, read_lines
from curation.evaluation.experiment import close
from curation.evaluation.report import SCORER
from curation.golden import audit
from curation.golden.experiment_audit import experiment_rulings
from curation.golden.experiment_files import value_bytes
from curation.golden.experiment_gate import recomputed_gate
from curation.golden.location import opened
from curation.golden.log import read_log
from tests.golden.desk import START, git, make_case
from tests.golden.in_memory import ANA, CASE, OTHER
from tests.golden.line import MIA, Line
from tests.golden.trials import trial

POLICY = "min_gain = 0.01\n"
FILE, NUMBERS = "experiments/exp-001.json", "experiments/exp-001.cases.jsonl"
BASELINE = "experiments/baseline.json"
Spoil = Callable[[dict[str, Any]], object]
Files = dict[str, bytes]


def begin(tmp_path: Path) -> Line:
    """A set at golden/v1 with one case."""
    line = Line(tmp_path / "golden.git")
    cases = {OTHER: dumps(make_case("q-0002"))}
    root = line.built("golden/v1", cases) | cases | {"golden.toml": POLICY}
    line.tag("golden/v1", line.commit("Begin\n\nRelease: golden/v1", root))
    return line.write()


def opening(line: Line) -> Experiment:
    at = line.ids[0]
    return Experiment(
        id="exp-001",
        component="chunker",
        hypothesis="Smaller chunks find more.",
        version="golden/v1",
        commit=at,
        cases_tree=git(line.path, "rev-parse", f"{at}:cases"),
        policy_blob=git(line.path, "rev-parse", f"{at}:golden.toml"),
        opened_by=MIA,
        opened_at=START,
    )


def said(state: str, *more: str) -> str:
    return "x\n\n" + "\n".join(["Experiment: exp-001", f"Experiment-State: {state}", *more])


def promoted(begun: Experiment, after: float = 0.9) -> tuple[Experiment, Files]:
    """A promoted experiment, and the files that its last commit has."""
    decide = trial(after=after, at=START, policy=parse_policy(POLICY))
    recorded, lines = decide(begun)
    result = recorded.latest
    assert result is not None
    closed = close(
        recorded.model_copy(update={"results": (passing(result),)}),
        Decision.PROMOTE,
        why="See numbers.",
        by=ANA,
        at=START,
    )
    assert closed.baseline is not None
    files = {
        FILE: value_bytes(closed.experiment),
        NUMBERS: lines_text(lines).encode(),
        BASELINE: value_bytes(closed.baseline),
    }
    return closed.experiment, files


def passing(result: ExperimentResult) -> ExperimentResult:
    """The result with a gate that says pass, whatever its numbers say."""
    gate = result.gate.model_copy(update={"result": GateOutcome.PASS})
    return result.model_copy(update={"gate": gate})


def spoilt(files: Files, name: str, spoil: Spoil) -> Files:
    document = json.loads(files[name])
    spoil(document)
    return {**files, name: json.dumps(document).encode()}


def found(line: Line) -> list[tuple[int, str, str]]:
    """What the repository does not bear out, by the number of the commit."""
    with opened(line.write().location) as golden:
        commits = read_log(golden, line.ids[-1])
        return [
            (line.ids.index(commit.oid) + 1, ruling.rule, ruling.message)
            for commit, ruling in experiment_rulings(golden, commits)
        ]


def test_a_promote_that_is_all_true(tmp_path: Path) -> None:
    line = begin(tmp_path)
    begun = opening(line)
    line.commit(said("open"), {FILE: value_bytes(begun)})
    line.commit(said("closed"), dict(promoted(begun)[1]))
    assert found(line) == []
    report = audit(line.location)
    assert report.findings == ()
    assert (report.counts.experiments, report.counts.promoted) == (1, 1)


PINS = ("experiment_pins", "exp-001 pins what golden/v1 does not hold")
OTHER_CASES = ("experiment_pins", "exp-001 was opened on cases that are not those of its version")


@pytest.mark.parametrize(
    ("name", "rulings"),
    [
        ("commit", [PINS]),
        ("policy_blob", [PINS]),
        ("cases_tree", [PINS, OTHER_CASES]),
    ],
)
def test_pins_are_those_of_the_version_and_of_the_commit_before(
    tmp_path: Path, name: str, rulings: list[tuple[str, str]]
) -> None:
    line = begin(tmp_path)
    wrong = opening(line).model_copy(update={name: "a" * 40})
    line.commit(said("open"), {FILE: value_bytes(wrong)})
    assert found(line) == [(2, *ruling) for ruling in rulings]


def test_each_experiment_is_held_to_its_own_files(tmp_path: Path) -> None:
    line = begin(tmp_path)
    first = opening(line)
    other = "experiments/exp-002"
    second = first.model_copy(update={"id": "exp-002", "policy_blob": "a" * 40})
    line.commit(said("open"), {FILE: value_bytes(first)})
    line.commit(said("closed"), dict(promoted(first)[1]))
    line.commit(said("open").replace("001", "002"), {f"{other}.json": value_bytes(second)})
    files = promoted(second.model_copy(update={"policy_blob": first.policy_blob}), after=0.1)[1]
    line.commit(
        said("closed").replace("001", "002"),
        {f"{other}.json": files[FILE], f"{other}.cases.jsonl": files[NUMBERS]},
    )
    third = first.model_copy(update={"id": "exp-003"})
    path = "experiments/exp-003"
    line.commit(said("open").replace("001", "003"), {f"{path}.json": value_bytes(third)})
    files = promoted(third)[1]
    moved = {f"{path}.json": files[FILE], f"{path}.cases.jsonl": files[NUMBERS]}
    line.commit(said("closed").replace("001", "003"), {**moved, BASELINE: files[BASELINE]})
    pins, gate, baseline = found(line)
    assert pins == (4, PINS[0], PINS[1].replace("001", "002"))
    assert (gate[0], gate[1], gate[2][:21]) == (5, "gate", "exp-002 was promoted ")
    assert baseline == (5, "baseline", "the baseline is not the candidate of exp-002")


def test_what_cannot_be_read_in_the_numbers_is_shown_as_that(tmp_path: Path) -> None:
    line = begin(tmp_path)
    begun = opening(line)
    line.commit(said("open"), {FILE: value_bytes(begun)})
    files = promoted(begun)[1]
    line.commit(said("closed"), {**files, NUMBERS: files[NUMBERS] + b'{"id": "\xff"}\n'})
    ((number, rule, message),) = found(line)
    assert (number, rule) == (3, "experiment_form")
    assert "Line 21" in message


def test_a_version_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    line = begin(tmp_path)
    wrong = opening(line).model_copy(update={"version": "golden/v7"})
    line.commit(said("open"), {FILE: value_bytes(wrong)})
    assert found(line) == [(2, PINS[0], PINS[1].replace("v1", "v7"))]


def test_only_the_opening_pins(tmp_path: Path) -> None:
    line = begin(tmp_path)
    begun = opening(line)
    line.commit(said("open"), {FILE: value_bytes(begun), CASE: b"{}\n"})
    other = begun.model_copy(update={"policy_blob": "a" * 40})
    line.commit(said("open"), {FILE: value_bytes(other)})
    line.commit(said("open"), {NUMBERS: b"\n"})
    assert found(line) == []


def test_an_opening_on_cases_of_no_version(tmp_path: Path) -> None:
    line = begin(tmp_path)
    line.commit("Slip", {CASE: b"{}\n"})
    line.commit(said("open"), {FILE: value_bytes(opening(line))})
    assert found(line) == [(3, *OTHER_CASES)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "exp-001"),
        (b"{}", "id"),
        (None, "exp-001"),
    ],
)
def test_what_is_no_experiment_is_said_and_the_next_is_looked_at(
    tmp_path: Path, data: bytes | None, message: str
) -> None:
    line = begin(tmp_path)
    line.commit(said("open"), {} if data is None else {FILE: data})
    second = opening(line).model_copy(update={"id": "exp-002", "commit": "a" * 40})
    line.commit(
        said("open").replace("001", "002"), {"experiments/exp-002.json": value_bytes(second)}
    )
    first, pins = found(line)
    assert first[:2] == (2, "experiment_form")
    assert message in first[2]
    assert pins == (3, PINS[0], PINS[1].replace("001", "002"))


def test_a_trailer_that_names_no_experiment_names_no_file(tmp_path: Path) -> None:
    line = begin(tmp_path)
    line.commit("x\n\nExperiment: ../exp-001\nExperiment-State: open", {"README.md": "x\n"})
    assert found(line) == []


NOT_THE_CANDIDATE = (3, "baseline", "the baseline is not the candidate of exp-001")


@pytest.mark.parametrize(
    "files",
    [
        lambda files: spoilt(files, BASELINE, lambda d: d.update(run_sha256="x")),
        lambda files: spoilt(files, BASELINE, lambda d: d.update(version="golden/v2")),
        lambda files: spoilt(files, BASELINE, lambda d: d.update(experiment="exp-002")),
        lambda files: {**files, BASELINE: b"{"},
        lambda files: {name: data for name, data in files.items() if name != BASELINE},
        lambda files: spoilt(files, FILE, lambda d: d.update(results=[])),
    ],
    ids=["another run", "another version", "another experiment", "none", "not there", "no result"],
)
def test_the_baseline_is_the_candidate(tmp_path: Path, files: Callable[[Files], Files]) -> None:
    line = begin(tmp_path)
    begun = opening(line)
    line.commit(said("open"), {FILE: value_bytes(begun)})
    line.commit(said("closed"), dict(files(promoted(begun)[1])))
    assert found(line) == [NOT_THE_CANDIDATE]


def test_a_gate_that_its_numbers_do_not_give(tmp_path: Path) -> None:
    line = begin(tmp_path)
    begun = opening(line)
    line.commit(said("open"), {FILE: value_bytes(begun)})
    worse, files = promoted(begun, after=0.1)
    line.commit(said("closed"), dict(files))
    assert worse.latest is not None
    numbers = read_lines(files[NUMBERS].decode())
    gate = recomputed_gate(worse, numbers, parse_policy(POLICY))
    assert gate is not None
    said_so = f"exp-001 was promoted although its numbers give: {gate.text}"
    assert "keep baseline" in gate.text
    assert found(line) == [(3, "gate", said_so)]
    older = spoilt(files, FILE, lambda d: d["results"][0].update(scorer="0"))
    line.commit(said("closed"), {FILE: older[FILE]})
    noted = f"{said_so} (0 recorded it, {SCORER} judges it here)"
    assert found(line) == [(3, "gate", said_so), (4, "gate", noted)]
    overridden = said("closed", "Override: Legal.", f"Reviewed-by: {ANA}")
    line.commit(overridden, {FILE: files[FILE] + b"\n"})
    assert [row[0] for row in found(line)] == [3, 4]


@pytest.mark.parametrize("name", [NUMBERS, "golden.toml"])
def test_numbers_or_a_policy_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    line = begin(tmp_path)
    begun = opening(line)
    if name != NUMBERS:
        line.commit("Slip", {name: "k = \n"})
        blob = git(line.write().path, "rev-parse", "main:golden.toml")
        begun = begun.model_copy(update={"policy_blob": blob})
    closed, files = promoted(begun)
    kept = {**files, NUMBERS: b"{\n"} if name == NUMBERS else files
    line.commit(said("closed"), dict(kept))
    last = [row for row in found(line) if row[1] == "experiment_form"]
    assert [row[0] for row in last] == [len(line.ids)]
    assert closed.id == "exp-001"


def test_a_promote_without_numbers_is_not_borne_out(tmp_path: Path) -> None:
    line = begin(tmp_path)
    begun = opening(line)
    line.commit(said("open"), {FILE: value_bytes(begun)})
    files = promoted(begun)[1]
    line.commit(said("closed"), {FILE: files[FILE], BASELINE: files[BASELINE]})
    ((number, rule, message),) = found(line)
    assert (number, rule) == (3, "gate")
    assert message.startswith("exp-001 was promoted although its numbers give: ")


def test_the_gate_is_recomputed_with_what_the_result_pinned(tmp_path: Path) -> None:
    line = begin(tmp_path)
    recorded, lines = trial(at=START, policy=parse_policy(POLICY))(opening(line))
    assert recorded.latest is not None
    again = recomputed_gate(recorded, lines, parse_policy(POLICY))
    assert again == recorded.latest.gate
