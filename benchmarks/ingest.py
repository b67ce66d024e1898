"""Ingest rate and memory for a synthetic log: `python benchmarks/ingest.py [answers] [home]`.

Every answer has five retrieved chunks of about 600 characters from a corpus of 20,000 texts, three
scores and sometimes a signal; a fifth of the log asks one of 100 questions.
"""

import json
import random
import resource
import shutil
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from curation.config import load_settings
from curation.services.intake import ingest
from curation.services.workspace import open_workspace

WORDS = [f"w{n}" for n in range(5000)]
KINDS = ["thumbs_down", "thumbs_up", "correction", "escalation", "reformulation", "follow_up"]


def passage(number: int) -> str:
    dice = random.Random(number)
    return f"Passage {number}. " + " ".join(dice.choices(WORDS, k=100))


def record(number: int, dice: random.Random, texts: list[str]) -> dict[str, object]:
    topic = dice.randrange(100) if dice.random() < 0.2 else dice.randrange(100, 80_000)
    chunks = dice.sample(range(len(texts)), 5)
    asked = datetime(2026, 9, 1, tzinfo=UTC) + timedelta(minutes=number * 0.9)
    retrieved = [
        {
            "rank": rank,
            "chunk_id": f"c{chunk}",
            "doc_id": f"d{chunk // 20}",
            "doc_version": "4.2",
            "text": texts[chunk],
            "score": round(20 - rank + dice.random(), 3),
        }
        for rank, chunk in enumerate(chunks, start=1)
    ]
    scores = [
        {"metric": metric, "value": round(dice.random(), 3), "scale": [0, 1], "judge": "j-1"}
        for metric in ("faithfulness", "answer_relevancy", "context_recall")
    ]
    signals = [{"kind": dice.choice(KINDS)}] if dice.random() < 0.15 else []
    return {
        "id": f"a-{number}",
        "asked_at": asked.isoformat(),
        "question": f"What is the default of option {topic} in the collector?",
        "answer": " ".join(dice.choices(WORDS, k=80)),
        "retrieved": retrieved,
        "scores": scores,
        "signals": signals,
        "citations": [f"c{chunks[0]}"],
        "pipeline_version": f"p-{number // 25_000}",
        "slice": dice.choice(["billing", "policy", "general", "benefits"]),
        "user_id": f"u{dice.randrange(3000)}",
        "session_id": f"s{number // 3}",
    }


def write_log(path: Path, answers: int) -> None:
    dice = random.Random(7)
    texts = [passage(number) for number in range(20_000)]
    with path.open("w", encoding="utf-8") as file:
        for number in range(answers):
            file.write(json.dumps(record(number, dice, texts)) + "\n")


def main() -> None:
    answers = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    home = Path(sys.argv[2]) if len(sys.argv) > 2 else Path("/tmp/curation-benchmark")
    log = home.with_suffix(f".{answers}.jsonl")
    if not log.exists():
        write_log(log, answers)
    shutil.rmtree(home, ignore_errors=True)
    workspace = open_workspace(load_settings(home))
    for name in ("first import", "same file again"):
        began, used = time.perf_counter(), time.process_time()
        summary = ingest(workspace, [log], now=datetime.now(UTC))
        seconds, cpu = time.perf_counter() - began, time.process_time() - used
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"{name}: {summary.stored} stored, {summary.unchanged} unchanged, "
            f"{seconds:.1f} s ({answers / seconds:,.0f}/s), {cpu:.1f} CPU-s "
            f"({answers / cpu:,.0f}/CPU-s), peak {peak} MB"
        )
    size = sum(file.stat().st_size for file in home.glob("curation.sqlite3*")) >> 20
    print(f"database {size} MB, log {log.stat().st_size >> 20} MB")


if __name__ == "__main__":
    main()
