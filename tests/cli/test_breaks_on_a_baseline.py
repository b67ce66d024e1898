"""What a fix would buy, from a real run on published cases; the figures are done by hand here."""

from typing import Any

import pytest

from tests.cli.conftest import CommandLine
from tests.cli.trial_world import case, output, text_of
from tests.cli.world import ANA, MIA, ROB

WRONG = {"answer": "The idle timeout is 30 s [1]."}
DECLINED = {"answer": "I do not know.", "outcome": "abstained", "citations": []}
VAGUE = {"answer": "The relay closes what stays idle for a minute or so [1]."}
# The failure that each case came from, and the output of the baseline on it.
WORLD: list[tuple[str | None, dict[str, Any]]] = [
    ("context_recall", WRONG),
    ("context_recall", {}),
    ("context_recall", WRONG),
    ("citation", {}),
    ("over_abstention", DECLINED),
    (None, WRONG),
    ("faithfulness", VAGUE),
    ("none", {}),
]


@pytest.fixture
def measured(curation: CommandLine) -> CommandLine:
    """A home with eight published cases and a baseline measured on them."""
    numbers = range(1, len(WORLD) + 1)
    chunks = [
        {"chunk_id": f"guide#{n}", "doc_id": "guide", "doc_version": "4.2", "text": text_of(n)}
        for n in numbers
    ]
    curation.run("corpus", "add", curation.file("chunks.jsonl", chunks))
    cases = [
        case(n) | {"provenance": {"origin": "imported", "failure": failure}, "slice": "general"}
        for n, (failure, _) in zip(numbers, WORLD, strict=True)
    ]
    cases[6]["facts"] = {"required": [{"text": "The relay drops quiet peers", "evidence": ["e1"]}]}
    _publish(curation, "golden", "import", curation.file("cases.jsonl", cases))
    header = {"pipeline": "rag 1", "version": "golden/v2", "k": 5}
    lines = [output(f"q-{n:04d}", **said) for n, (_, said) in zip(numbers, WORLD, strict=True)]
    run = curation.file("run.jsonl", [header, *lines])
    curation.run("eval", "run", "--run", run)
    _publish(curation, "eval", "baseline", "set", run)
    return curation


def _publish(line: CommandLine, *command: str) -> None:
    proposed = line.json(*command, "--reason", "Ours.", "--as", MIA)
    line.run("change", "approve", proposed["change_id"], "--as", ANA)
    line.run("publish", "--as", ROB)


def test_a_fix_buys_what_fails_in_its_category(measured: CommandLine) -> None:
    (unsure,) = measured.json("eval", "unsure", str(measured.folder / "run.jsonl"))["facts"]
    assert unsure["case_id"] == "q-0007"
    look = measured.json("queue", "breaks")["baseline"]
    assert (look["version"], look["pipeline"], look["n"]) == ("golden/v2", "rag 1", 8)
    # Cases 2, 4, 7 and 8 pass: 7 is unsure, which is no failure. 6 fails and came from nothing.
    bought = [
        (p["category"], p["cases"], p["failing"], p["pass_rate"], p["pass_rate_after"])
        for p in look["purchases"]
    ]
    assert bought == [
        ("context_recall", 3, 2, 4 / 8, 6 / 8),
        ("over_abstention", 1, 1, 4 / 8, 5 / 8),
        ("citation", 1, 0, 4 / 8, 4 / 8),
        ("faithfulness", 1, 0, 4 / 8, 4 / 8),
    ]
    said = measured.run("queue", "breaks")
    assert "At most, on the baseline's 8 cases of golden/v2:" in said
    assert "0.500 to 0.750" in said
