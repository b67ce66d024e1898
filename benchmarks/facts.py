"""How often the fact matcher is right, by kind.

The pairs of facts_pairs.jsonl were labelled by hand; each `blind` split was written before the
matcher it first judged was run on it. `--shared DIR` adds pairs drawn from the development data:
facts of cases against their own references (present), against other cases' references (absent),
and against them with a number or a denial changed (absent).
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.metrics import Match, match_fact, match_forbidden

if TYPE_CHECKING:
    from collections.abc import Iterator

Pair = dict[str, Any]
PAIRS = Path(__file__).with_name("facts_pairs.jsonl")
SPLITS = ("dev", "blind", "blind2", "blind3", "blind4", "blind5", "blind6", "shared")


def read_pairs(path: Path) -> list[Pair]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def judge(pair: Pair) -> Match:
    if "version" in pair or pair["kind"] == "forbidden":
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


def shared_pairs(folder: Path) -> Iterator[Pair]:
    """Yield pairs from the cases of the development data, labelled by how they were made."""
    with gzip.open(folder / "cases.jsonl.gz", "rt", encoding="utf-8", newline="\n") as lines:
        cases = [json.loads(line) for line in lines]
    with_facts = [case for case in cases if case["required_facts"] or case["forbidden_facts"]]
    chance = random.Random(7)
    for case in with_facts:
        reference = case["reference"]
        other = chance.choice(with_facts)
        for fact in case["required_facts"]:
            yield from _from_required(fact, reference, other, own=case)
        # Forbidden facts of the other sources were claims of a model, some kept by the experts.
        for fact in case["forbidden_facts"] if case["source"] == "etcd_docs" else ():
            pair = _pair("forbidden in own reference", fact, reference, "absent")
            yield pair | {"version": case["doc_version"]}


def _pair(kind: str, fact: str, text: str, expected: str) -> Pair:
    return {"kind": kind, "fact": fact, "text": text, "expected": expected, "split": "shared"}


DENIALS = ((" is ", " is not "), (" are ", " are not "), (" can ", " cannot "))


def _from_required(fact: str, reference: str, other: Pair, *, own: Pair) -> Iterator[Pair]:
    yield _pair("fact in own reference", fact, reference, "present")
    if other["question"] != own["question"]:
        yield _pair("fact in another reference", fact, other["reference"], "absent")
    if fact not in reference:
        return
    number = re.search(r"(?<![\w.,-])\d{1,5}(?![\w.,-])", fact)
    if number is not None:
        changed = str(int(number[0]) + 7)
        if changed not in reference:
            text = fact[: number.start()] + changed + fact[number.end() :]
            yield _pair("number changed", text, reference, "absent")
    for plain, denied in DENIALS:
        if plain in fact:
            yield _pair("fact denied", fact.replace(plain, denied, 1), reference, "absent")
            denial = reference.replace(fact, fact.replace(plain, denied, 1))
            yield _pair("reference denied", fact, denial, "absent")
            return


def share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def line(name: str, rows: list[tuple[str, str]]) -> str:
    cells = [f"{name:28}{len(rows):6d}"]
    for verdict in ("present", "absent"):
        said = [expected for expected, got in rows if got == verdict]
        right = said.count(verdict)
        due = sum(expected == verdict for expected, _ in rows)
        cells.append(f"{share(right, len(said)):>7}{share(right, due):>7}{len(said) - right:6d}")
    unsure = sum(got == "unsure" for _, got in rows)
    cells.append(f"{share(unsure, len(rows)):>7}")
    return "   ".join(cells)


def is_told(options: argparse.Namespace, expected: str, got: str) -> bool:
    if got == "unsure":
        return bool(options.unsure) and expected != "unsure"
    return bool(options.wrong) and got != expected


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--split", choices=(*SPLITS, "all"), default="all")
    parser.add_argument("--shared", type=Path, metavar="DIR", help="the development data")
    parser.add_argument("--wrong", action="store_true", help="print the pairs judged wrong")
    parser.add_argument("--unsure", action="store_true", help="print the pairs left unsure")
    options = parser.parse_args()
    pairs = read_pairs(PAIRS) + (list(shared_pairs(options.shared)) if options.shared else [])
    pairs = [pair for pair in pairs if options.split in {"all", pair["split"]}]
    start = time.process_time()
    verdicts = [judge(pair) for pair in pairs]
    spent = time.process_time() - start
    by_kind: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for pair, match in zip(pairs, verdicts, strict=True):
        got = match.verdict.value
        by_kind[pair["kind"]].append((pair["expected"], got))
        if is_told(options, pair["expected"], got):
            print(f"{pair['kind']}: {pair['expected']}, got {got}: {pair['fact']!r}")
            print(f"    in {pair['text'][:300]!r}: {match.reason}")
    print(f"{'kind':28}{'n':>6}   present: P, R, wrong   absent: P, R, wrong   unsure")
    for kind in sorted(by_kind):
        print(line(kind, by_kind[kind]))
    print(line("all", [row for rows in by_kind.values() for row in rows]))
    print(f"{1000 * spent / max(len(pairs), 1):.2f} ms a pair of processor time, caches cold")
    return 0


if __name__ == "__main__":
    sys.exit(main())
