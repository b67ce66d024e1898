"""CPU seconds to score 500 cases of 10 hits, beside peers in the same process.

The peers are trec_eval on the same rankings, and Python's own reading of the run's JSON: on a
machine that others use too, the seconds move and the ratio to them hardly does. Each figure is
the least of three, with empty caches.

Usage: python benchmarks/evaluation.py [cases] [chunks of the corpus]
"""

import json
import random
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np
import pytrec_eval

from curation.domain.case import Case, Evidence, Fact, Facts, ForbiddenFact
from curation.domain.policy import Policy
from curation.evaluation.cases import ScoringCase, scoring_cases
from curation.evaluation.compare import compare
from curation.evaluation.evaluate import evaluate_run
from curation.evaluation.gate import gate
from curation.evaluation.report import Pins
from curation.evaluation.run import Run, parse_run
from curation.evaluation.scoring import Scoring
from curation.metrics.hits import HitRule
from curation.metrics.metric import Metric

HITS = 10
THINGS = (
    "request timeout", "retry limit", "session length", "queue depth", "cache size",
    "export window", "snapshot interval", "token lifetime", "upload limit", "batch size",
)  # fmt: skip
UNITS = ("s", "ms", "minutes", "GB", "MB", "days", "EUR")
FILLER = (
    "It can be changed by an administrator in the settings of the project.",
    "The value applies to every node and is read again after a restart.",
    "See the section on limits for how it interacts with the quota of the region.",
    "Clients that exceed it receive an error and should wait before they try again.",
    "Most teams keep the default, because lower values were found to cause needless load.",
)


def corpus(size: int, draw: random.Random) -> list[dict[str, str]]:
    """Return passages of about 600 characters, each with its own value of its own setting."""
    chunks = []
    for at in range(size):
        version = f"{2 + at % 3}.{at % 7}"
        thing = THINGS[at % len(THINGS)]
        value = f"{draw.randint(2, 9999)} {UNITS[at % len(UNITS)]}"
        fact = f"The {thing} of service {at} is {value} in v{version}."
        rest = " ".join(draw.sample(FILLER, 4))
        text = f"{thing.title()}. {fact} {rest} It was {draw.randint(2, 999)} s before."
        chunks.append(
            {"chunk_id": f"doc-{at // 8}:{at}", "doc_id": f"doc-{at // 8}", "doc_version": version,
             "text": text, "fact": fact, "value": value}
        )  # fmt: skip
    return chunks


def world(cases: int, size: int) -> tuple[tuple[ScoringCase, ...], str]:
    """Return cases and the JSONL of a run that finds, states and cites most of them rightly."""
    draw = random.Random(7)
    chunks = corpus(size, draw)
    made, lines = [], []
    for at in range(cases):
        chunk = chunks[at * 7 % size]
        made.append(_case(f"q-{at:04d}", chunk, draw))
        lines.append(_line(f"q-{at:04d}", chunk, chunks, draw))
    return scoring_cases(made), "".join(json.dumps(line) + "\n" for line in lines)


def _case(case_id: str, chunk: dict[str, str], draw: random.Random) -> Case:
    wrong = f"The value is {draw.randint(10000, 99999)} s"
    return Case(
        id=case_id,
        question=f"What applies to {chunk['chunk_id']} in v{chunk['doc_version']}?",
        reference=chunk["fact"],
        slice=("billing", "policy", "benefits", "general")[draw.randint(0, 3)],
        doc_version=chunk["doc_version"],
        facts=Facts(
            required=(Fact(id="f1", text=chunk["fact"]), Fact(id="f2", text=chunk["value"])),
            forbidden=(ForbiddenFact(id="f3", text=wrong, value_of="1.0"),),
        ),
        evidence=(
            Evidence(id="e1", group="e1", chunk_id=chunk["chunk_id"], doc_id=chunk["doc_id"],
                     doc_version=chunk["doc_version"], quote=chunk["fact"]),
        ),
    )  # fmt: skip


def _line(
    case_id: str, chunk: dict[str, str], chunks: Sequence[dict[str, str]], draw: random.Random
) -> dict[str, object]:
    found = draw.sample([other for other in chunks if other is not chunk], HITS)
    if draw.random() < 0.8:
        found[draw.randint(0, HITS - 1)] = chunk
    hits = [
        {**{k: c[k] for k in ("chunk_id", "doc_id", "doc_version", "text")}, "rank": rank}
        for rank, c in enumerate(found, start=1)
    ]
    place = found.index(chunk) + 1 if chunk in found else 1
    return {
        "case_id": case_id,
        "hits": hits,
        "answer": f"{chunk['fact']} [{place}] {draw.choice(FILLER)}",
        "outcome": "answered",
        "latency_ms": draw.randint(100, 4000),
        "cost_usd": 0.01,
    }


def timed(work: Callable[[], object]) -> float:
    """Return the least CPU seconds of three calls, each of which finds the caches empty."""
    return min(_once(work) for _ in range(3))


def _once(work: Callable[[], object]) -> float:
    _forget()
    start = time.process_time()
    work()
    return time.process_time() - start


def trec_eval(cases: Sequence[ScoringCase], run: Run) -> dict[str, float]:
    """Return the means that trec_eval gives for the same rankings, gold by id and version."""
    qrel = {
        case.id: {f"{item.chunk_id}@{item.doc_version}": 1 for item in case.case.gold}
        for case in cases
    }
    ranking = {
        line.case_id: {f"{hit.chunk_id}@{hit.doc_version}": -float(hit.rank) for hit in line.hits}
        for line in run.lines
    }
    names = {"success.5", "recall.5", "P.5", "recip_rank"}
    found = pytrec_eval.RelevanceEvaluator(qrel, names).evaluate(ranking)
    return {
        name: float(np.mean([values[name] for values in found.values()]))
        for name in ("success_5", "recall_5", "P_5", "recip_rank")
    }


def main() -> None:
    """Print the seconds of each step and the agreement with trec_eval."""
    sizes = [int(text) for text in sys.argv[1:]]
    cases, text = world(*(sizes + [500, 1500][len(sizes) :]))
    run = parse_run(text)
    pins = Pins(version="golden/v1")
    evaluate_run(cases[:1], Run(header=run.header, lines=run.lines[:1], sha256=""))
    report = evaluate_run(cases, run, pins=pins)
    quoted = Scoring(rule=HitRule.QUOTE)
    seconds = {
        "read the run": timed(lambda: parse_run(text)),
        "score, hit rule id": timed(lambda: evaluate_run(cases, run, pins=pins)),
        "score, hit rule quote": timed(lambda: evaluate_run(cases, run, pins=pins, scoring=quoted)),
        "compare with intervals": timed(lambda: compare(report, report)),
        "gate": timed(lambda: gate(report, report, Policy())),
    }
    parsed = timed(lambda: [json.loads(line) for line in text.splitlines()])
    ranked = timed(lambda: trec_eval(cases, run))
    print(f"{len(cases)} cases x {HITS} hits, {len(text) / 1e6:.1f} MB, CPU seconds")
    for name, found in seconds.items():
        print(f"  {name:24}{found:.3f}  {found / parsed:6.1f} x json.loads of the same bytes")
    print(f"  {'json.loads':24}{parsed:.3f}")
    print(f"  {'trec_eval, ranks only':24}{ranked:.3f}")
    theirs = trec_eval(cases, run)
    ours = (Metric.HIT_RATE, Metric.RECALL, Metric.PRECISION, Metric.MRR)
    for metric, (name, value) in zip(ours, theirs.items(), strict=True):
        print(f"  {metric.value:12} {report.metrics[metric].value:.6f}  {name:11} {value:.6f}")


def _forget() -> None:
    """Empty the caches, so that a second measurement starts like the first."""
    for name, module in list(sys.modules.items()):
        if name.startswith("curation."):
            for value in list(vars(module).values()):
                clear = getattr(value, "cache_clear", None)
                if clear is not None:
                    clear()


if __name__ == "__main__":
    main()
