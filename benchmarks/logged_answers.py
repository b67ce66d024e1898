"""Time that comparing a draft with 100,000 logged answers adds to its check.

Usage: python benchmarks/logged_answers.py HOME [ANSWERS]
"""

import json
import random
import statistics
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from curation.config import load_settings
from curation.domain.case import Case, Fact, Facts
from curation.services import logged_answers
from curation.services.intake import ingest
from curation.services.logged_answers import LoggedAnswers
from curation.services.workspace import open_workspace

NOUNS = ("session", "token", "quota", "relay", "snapshot", "backup", "gateway", "tenant", "lease")
VERBS = ("closes", "keeps", "drops", "retries", "archives", "rotates", "compacts", "restores")


def answer(number: int, chance: random.Random) -> dict[str, str]:
    """A generated answer; every fifth holds the common value."""
    noun, other = chance.sample(NOUNS, 2)
    value = 60 if number % 5 == 0 else chance.randrange(2, 5000)
    words = " ".join(chance.choices(NOUNS + VERBS, k=60))
    text = f"The {noun} {chance.choice(VERBS)} a {other} after {value} s by default. {words}."
    return {"id": f"a{number}", "question": f"What of {noun} {number}?", "answer": text}


def main() -> None:
    home, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    workspace = open_workspace(load_settings(home))
    chance = random.Random(7)
    file = home / "answers.jsonl"
    with file.open("w", encoding="utf-8") as stream:
        for number in range(count):
            stream.write(json.dumps(answer(number, chance)) + "\n")
    ingest(workspace, [file], now=datetime.now(UTC))
    began, used = time.perf_counter(), time.process_time()
    logged_answers.rebuild(workspace)
    wall, cpu = time.perf_counter() - began, time.process_time() - used
    print(f"index of {count} answers rebuilt: wall {wall:.1f} s, CPU {cpu:.1f} s")
    walls, cpus = [], []
    for turn in range(50):
        facts = tuple(
            Fact(id=f"f{n}", text=f"The {chance.choice(NOUNS)} waits {chance.choice((60, turn))} s")
            for n in range(3)
        )
        reference = answer(1 + turn, chance)["answer"]
        case = Case(id="q-1", question="q", reference=reference, facts=Facts(required=facts))
        began, used = time.perf_counter(), time.process_time()
        with workspace.store.reading() as session:
            logged = LoggedAnswers(session, workspace.answer_index, None)
            logged.common(case, None)
            logged.similar(case, None)
        walls.append((time.perf_counter() - began) * 1000)
        cpus.append((time.process_time() - used) * 1000)
    for name, values in (("wall", walls), ("CPU", cpus)):
        p95 = statistics.quantiles(values, n=20)[-1]
        print(f"{name}: p50 {statistics.median(values):.1f} ms, p95 {p95:.1f} ms")


main()
