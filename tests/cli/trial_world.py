"""Ten published cases and outputs of two imaginary pipelines on them."""

from typing import Any

from tests.cli.conftest import CommandLine
from tests.cli.world import ANA, MIA, ROB

IDS = [f"q-{number:04d}" for number in range(1, 11)]
POLICY = """\
min_gain = 0.01
[slices]
general = {}
billing = { protected = true }
"""


def case(number: int) -> dict[str, Any]:
    """An answerable case; the last two are of the protected slice."""
    return {
        "id": f"q-{number:04d}",
        "question": f"What is the idle timeout of relay {number} in v4.2?",
        "reference": "It is 60 s.",
        "slice": "billing" if number > 8 else "general",
        "question_type": "value",
        "facts": {"required": [{"text": "60 s", "evidence": ["e1"]}]},
        "evidence": [
            {
                "id": "e1",
                "chunk_id": f"guide#{number}",
                "doc_id": "guide",
                "doc_version": "4.2",
                "quote": f"relay {number}: 60 s",
            }
        ],
    }


def text_of(number: int) -> str:
    """The passage that a case is proved by."""
    return f"The idle timeout of relay {number}: 60 s by default."


def output(case_id: str, *, found: bool = True, **fields: Any) -> dict[str, Any]:
    """An output that found the passage and cites it, or that found another one."""
    number = int(case_id.removeprefix("q-"))
    text = text_of(number) if found else "Relays speak the common protocol."
    hit = {"chunk_id": f"guide#{number}" if found else "guide#x", "doc_version": "4.2"}
    return {
        "case_id": case_id,
        "hits": [{**hit, "doc_id": "guide", "rank": 1, "text": text}],
        "answer": f"The idle timeout of relay {number} is 60 s [1].",
        "outcome": "answered",
        "citations": [{**hit, "marker": "[1]"}],
        "latency_ms": 100.0,
        "cost_usd": 0.001,
        **fields,
    }


def run_lines(
    *missed: str, pipeline: str = "rag 1", manifest: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    """A run that misses the passage of these cases."""
    header: dict[str, Any] = {"pipeline": pipeline, "version": "golden/v3", "k": 5}
    if manifest is not None:
        header["manifest"] = manifest
    return [header, *(output(case_id, found=case_id not in missed) for case_id in IDS)]


def publish_cases(line: CommandLine) -> None:
    """Publish the policy and the cases: golden/v3."""
    policy = line.file("golden.toml", POLICY)
    change = line.json("change", "propose", "--policy", policy, "--reason", "Slices.", "--as", MIA)
    line.run("change", "approve", change["change_id"], "--as", ANA)
    line.run("publish", "--as", ROB)
    chunks = [
        {"chunk_id": f"guide#{n}", "doc_id": "guide", "doc_version": "4.2", "text": text_of(n)}
        for n in range(1, 11)
    ]
    line.run("corpus", "add", line.file("chunks.jsonl", chunks))
    cases = line.file("cases.jsonl", [case(number) for number in range(1, 11)])
    imported = line.json("golden", "import", cases, "--reason", "Ours.", "--as", MIA)
    line.run("change", "approve", imported["change_id"], "--as", ANA)
    assert line.json("publish", "--as", ROB)["version"] == "golden/v3"
