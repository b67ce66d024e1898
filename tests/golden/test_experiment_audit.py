"""What the audit of a clone says of experiments whose files claim what is not so."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from curation.domain.experiment import Decision
from curation.evaluation.report import SCORER
from curation.golden import Closing, Opening, audit, close_experiment, open_experiment
from curation.golden import record_experiment as record
from tests.golden.conftest import ANA, MIA, START, Desk
from tests.golden.pushing import commit
from tests.golden.test_experiment_commits import POLICY
from tests.golden.trials import trial

Spoil = Callable[[dict[str, Any]], object]


def begin(desk: Desk) -> None:
    opening = Opening(component="chunker", hypothesis="Smaller chunks find more.")
    open_experiment(desk.location, opening, person=MIA, now=desk.tick())


def measure(desk: Desk, **numbers: float) -> None:
    made = trial(at=START, policy=POLICY, **numbers)
    record(desk.location, "exp-001", made, person=MIA, now=desk.tick())


def promote(desk: Desk, **more: str) -> None:
    closing = Closing(decision=Decision.PROMOTE, why="See numbers.", **more)
    close_experiment(desk.location, "exp-001", closing, person=ANA, now=desk.tick())


def rules(desk: Desk) -> set[str]:
    return {finding.rule for finding in audit(desk.location).findings}


def forge(desk: Desk, name: str, spoil: Spoil, **trailers: str) -> None:
    """Undo the last commit and make it again with one file of it changed."""
    message = desk.git("log", "-1", "--format=%B", "main")
    changed = desk.git("show", "--name-only", "--format=", "main").split()
    files: dict[str, str | None] = {
        path: desk.git("show", f"main:{path}") + "\n" for path in changed
    }
    document = json.loads(files[name] or "")
    spoil(document)
    files[name] = json.dumps(document, indent=2) + "\n"
    for trailer, value in trailers.items():
        message = message.rstrip() + f"\n{trailer}: {value}\n"
    desk.git("reset", "-q", "--hard", "main~1")
    commit(desk, message, files)


@pytest.mark.parametrize("name", ["cases_tree", "commit", "policy_blob"])
def test_pins_that_are_not_true_are_found(desk: Desk, name: str) -> None:
    begin(desk)
    other = desk.git("rev-parse", "main:schema")
    forge(desk, "experiments/exp-001.json", lambda d: d.update({name: other}))
    assert rules(desk) == {"experiment_pins"}


@pytest.mark.parametrize(
    ("name", "value"),
    [("commit", "main\n1"), ("policy_blob", "HEAD"), ("version", "golden/v1\nx"), ("id", "exp-9")],
)
def test_ids_that_are_none_are_found(desk: Desk, name: str, value: str) -> None:
    begin(desk)
    forge(desk, "experiments/exp-001.json", lambda d: d.update({name: value}))
    assert "experiment_form" in rules(desk)


def test_an_opening_on_cases_that_no_version_holds_is_found(desk: Desk) -> None:
    begin(desk)
    opened = desk.git("show", "main:experiments/exp-001.json") + "\n"
    message = desk.git("log", "-1", "--format=%B", "main")
    desk.git("reset", "-q", "--hard", "main~1")
    commit(desk, "Slip", {"cases/aa/x.json": "{}\n"})
    commit(desk, message, {"experiments/exp-001.json": opened})
    assert "experiment_pins" in rules(desk)


def test_a_promote_whose_numbers_do_not_pass_is_found(desk: Desk) -> None:
    begin(desk)
    measure(desk, before=0.9, after=0.5)
    promote(desk, override="Legal needs it.")
    assert rules(desk) == set()
    message = desk.git("log", "-1", "--format=%B", "main")
    plain = "\n".join(
        line for line in message.split("\n") if not line.startswith(("Override", "Reviewed-by"))
    )
    desk.git("commit", "-q", "--amend", "-m", plain)
    found = audit(desk.location).findings
    assert [finding.rule for finding in found] == ["gate"]
    assert "no gate that passes" in found[0].message


def test_an_override_that_nobody_gave_is_found(desk: Desk) -> None:
    begin(desk)
    measure(desk, before=0.9, after=0.5)
    promote(desk, override="Legal needs it.")
    message = desk.git("log", "-1", "--format=%B", "main")
    lines = [line for line in message.split("\n") if not line.startswith("Reviewed-by")]
    desk.git("commit", "-q", "--amend", "-m", "\n".join(lines))
    assert rules(desk) == {"trailer"}


def test_numbers_that_were_made_up_are_no_gate(desk: Desk) -> None:
    """The record says pass, but the numbers beside it do not give that."""
    begin(desk)
    measure(desk)
    promote(desk)
    text = desk.git("show", "main:experiments/exp-001.cases.jsonl").replace("0.9", "0.1")
    message = desk.git("log", "-1", "--format=%B", "main")
    kept = {
        name: desk.git("show", f"main:{name}") + "\n"
        for name in ("experiments/exp-001.json", "experiments/baseline.json")
    }
    desk.git("reset", "-q", "--hard", "main~1")
    commit(desk, message, {**kept, "experiments/exp-001.cases.jsonl": text + "\n"})
    found = audit(desk.location).findings
    assert [finding.rule for finding in found] == ["gate"]
    assert "keep baseline" in found[0].message


def test_a_gate_of_another_program_is_found_with_its_name(desk: Desk) -> None:
    begin(desk)
    measure(desk, before=0.9, after=0.5)
    promote(desk, override="Legal needs it.")
    message = desk.git("log", "-1", "--format=%B", "main")
    plain = [ln for ln in message.split("\n") if not ln.startswith(("Override", "Reviewed-by"))]
    desk.git("commit", "-q", "--amend", "-m", "\n".join(plain))

    def passed(document: dict[str, Any]) -> None:
        document["results"][-1]["gate"] |= {"result": "pass", "reasons": []}
        document["results"][-1]["scorer"] = "curation 0.0, facts 0"

    forge(desk, "experiments/exp-001.json", passed)
    pinned, found = audit(desk.location).findings
    assert (pinned.rule, found.rule) == ("experiment_pinned", "gate")
    assert f"(curation 0.0, facts 0 recorded it, {SCORER} judges it here)" in found.message


def test_a_promote_without_a_result_is_found(desk: Desk) -> None:
    begin(desk)
    measure(desk)
    promote(desk)
    forge(desk, "experiments/exp-001.json", lambda d: d.update({"results": []}))
    assert {"gate", "baseline"} <= rules(desk)


def test_a_baseline_that_is_another_run_is_found(desk: Desk) -> None:
    begin(desk)
    measure(desk)
    promote(desk)
    forge(desk, "experiments/baseline.json", lambda d: d.update({"run_sha256": "other"}))
    assert rules(desk) == {"baseline"}
