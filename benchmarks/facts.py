"""How often the fact matcher is right, by kind, on pairs labelled by hand before it was tried."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from curation.metrics import Match, match_fact, match_forbidden

PAIRS = Path(__file__).with_name("facts_pairs.jsonl")


def read_pairs(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def judge(pair: dict) -> Match:
    if pair["kind"] == "forbidden":
        return match_forbidden(
            pair["text"],
            pair["fact"],
            any_of=pair.get("any_of", ()),
            value_of=pair.get("value_of"),
            version=pair.get("version"),
            never=pair.get("never", False),
        )
    return match_fact(
        pair["text"],
        pair["fact"],
        any_of=pair.get("any_of", ()),
        conclusion=pair.get("conclusion", False),
    )


def share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "  -  "


def line(name: str, rows: list[tuple[str, str]]) -> str:
    cells = [f"{name:12} {len(rows):4d}"]
    for verdict in ("present", "absent"):
        said = [expected for expected, got in rows if got == verdict]
        right = said.count(verdict)
        due = sum(expected == verdict for expected, _ in rows)
        cells.append(f"{share(right, len(said)):>6} {share(right, due):>6} {len(said) - right:3d}")
    unsure = sum(got == "unsure" for _, got in rows)
    cells.append(f"{share(unsure, len(rows)):>6}")
    return "  ".join(cells)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--split", choices=("dev", "blind", "blind2", "blind3", "all"), default="all"
    )
    parser.add_argument("--wrong", action="store_true", help="print the pairs judged wrong")
    parser.add_argument("--unsure", action="store_true", help="print the pairs left unsure")
    options = parser.parse_args()
    pairs = [p for p in read_pairs(PAIRS) if options.split in ("all", p["split"])]
    by_kind: dict[str, list[tuple[str, str]]] = defaultdict(list)
    confusion: Counter[tuple[str, str]] = Counter()
    start = time.perf_counter()
    verdicts = [judge(pair) for pair in pairs]
    spent = time.perf_counter() - start
    for pair, match in zip(pairs, verdicts, strict=True):
        got = match.verdict.value
        by_kind[pair["kind"]].append((pair["expected"], got))
        confusion[pair["expected"], got] += 1
        wrong = got not in (pair["expected"], "unsure")
        if (options.wrong and wrong) or (options.unsure and got == "unsure" != pair["expected"]):
            print(
                f"{'WRONG' if wrong else 'unsure'} {pair['kind']}: expected {pair['expected']}, "
                f"got {got}: {pair['fact']!r} in {pair['text']!r} ({match.reason})"
            )
    print("kind            n  present: P, R, wrong   absent: P, R, wrong   unsure")
    for kind in sorted(by_kind):
        print(line(kind, by_kind[kind]))
    print(line("all", [row for rows in by_kind.values() for row in rows]))
    print(f"{1000 * spent / len(pairs):.2f} ms a pair, caches cold")
    return 0


if __name__ == "__main__":
    sys.exit(main())
