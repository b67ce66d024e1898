"""The number of the fact matcher, which every report pins, is raised with its verdicts."""

import json
from hashlib import sha256
from pathlib import Path

from curation.evaluation.report import MATCHER
from curation.metrics import match_fact, match_forbidden

PAIRS = Path(__file__).parents[2] / "benchmarks" / "facts_pairs.jsonl"
NUMBER_AND_DIGEST = (2, "6f9bc44676f8059c")


def test_another_verdict_of_the_matcher_has_another_number() -> None:
    digest = sha256()
    for line in PAIRS.read_text("utf-8").splitlines():
        pair = json.loads(line)
        if pair["kind"] == "forbidden":
            match = match_forbidden(
                pair["text"],
                pair["fact"],
                value_of=pair.get("value_of"),
                version=pair.get("version"),
            )
        else:
            match = match_fact(
                pair["text"],
                pair["fact"],
                any_of=tuple(pair.get("any_of", ())),
                conclusion=pair.get("conclusion", False),
            )
        digest.update(f"{pair['fact']}\0{pair['text']}\0{match.verdict.value}\n".encode())
    assert (MATCHER, digest.hexdigest()[:16]) == NUMBER_AND_DIGEST, (
        "The matcher gives another verdict on a pair, or the pairs changed. If a verdict changed, "
        "raise MATCHER in curation/evaluation/report.py, so that baselines are scored again; then "
        "write the new number and digest here."
    )
