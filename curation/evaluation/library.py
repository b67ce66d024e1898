"""`curation.evaluate`: a pipeline scored on cases from a notebook or a test."""

import inspect
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, TextIO

from curation.domain.case import Case
from curation.domain.policy import MOST_K
from curation.evaluation.cases import ScoringCase, parse_golden_object, scoring_case
from curation.evaluation.compare import compare
from curation.evaluation.errors import DepthError
from curation.evaluation.evaluate import evaluate_run
from curation.evaluation.render_table import render_comparison_table, render_report_table
from curation.evaluation.report import Pins, Report
from curation.evaluation.run import Run, RunHeader, RunLine, run_line, run_sha256, run_text
from curation.evaluation.scoring import Scoring

__all__ = ["evaluate"]

_QUESTION = frozenset({"question", "query", "q", "text", "prompt"})
_DEPTH = frozenset({"k", "top_k", "topk", "n", "limit"})
_CONVERSATION = frozenset({"conversation", "history", "turns", "messages"})
_ID_NAMES = ("chunk_id", "pid", "id")


def evaluate(
    cases: Iterable[Case | ScoringCase | Mapping[str, Any]],
    retrieve: Callable[..., Any],
    generate: Callable[..., Any],
    k: int = 5,
    *,
    baseline: Report | None = None,
    scoring: Scoring | None = None,
    out: TextIO | None = sys.stdout,
) -> Report:
    """Return the report of a pipeline on cases, and print it, beside a baseline with deltas.

    `hit_rate@k` is what one article of the method calls recall, `recall@k` what the other does.

    Args:
        cases: Cases, or objects of a `golden.jsonl`.
        retrieve: Called with the question (and k, and the conversation, where it takes them);
            returns chunk ids, or objects with chunk_id, text, doc_id, doc_version, in rank order.
        generate: Called with the question and what was retrieved (and the conversation); returns
            the answer, or an object with answer, outcome, citations, cost_usd.
        k: How many hits count.
        baseline: An earlier report on the same cases.
        scoring: How the run is scored, but for k.
        out: Where the table goes; None prints nothing.

    Raises:
        DepthError: k is not a number of hits.
        RunError: the pipeline failed on a case.
    """
    if not 1 <= k <= MOST_K:
        raise DepthError(k, MOST_K)
    known = sorted((_scoring_case(case) for case in cases), key=lambda case: case.id)
    lines = tuple(
        _output(case.case, retrieve, generate, k, number=number)
        for number, case in enumerate(known, start=1)
    )
    header = RunHeader(k=k, concurrency=1)
    run = Run(header=header, lines=lines, sha256=run_sha256(run_text(header, lines)))
    how = scoring or Scoring()
    digests = "\n".join(f"{case.id} {case.digest}" for case in known)
    pins = Pins(version=f"unpinned:{sha256(digests.encode()).hexdigest()}")
    report = evaluate_run(known, run, pins=pins, scoring=replace(how, k=k))
    if out is not None:
        table = (
            render_report_table(report)
            if baseline is None
            else render_comparison_table(compare(baseline, report))
        )
        out.write(table)
    return report


def _scoring_case(given: Case | ScoringCase | Mapping[str, Any]) -> ScoringCase:
    if isinstance(given, ScoringCase):
        return given
    return scoring_case(given if isinstance(given, Case) else parse_golden_object(given))


def _output(
    case: Case, retrieve: Callable[..., Any], generate: Callable[..., Any], k: int, *, number: int
) -> RunLine:
    """Return the output of the pipeline on one case; what it raises is its error."""
    start = time.perf_counter()
    try:
        found = list(_called(retrieve, case, k, None) or ())
        given = _called(generate, case, k, found)
    except Exception as problem:  # noqa: BLE001 - the pipeline is anybody's code
        return RunLine(case_id=case.id, error=f"{type(problem).__name__}: {problem}")
    latency_ms = (time.perf_counter() - start) * 1000
    document = dict(given) if isinstance(given, Mapping) else {"answer": given or ""}
    hits = [_hit(item, rank) for rank, item in enumerate(found, start=1)]
    return run_line(
        {"hits": hits, "latency_ms": latency_ms, **document, "case_id": case.id}, number=number
    )


def _called(function: Callable[..., Any], case: Case, k: int, found: Sequence[Any] | None) -> Any:  # noqa: ANN401 - the pipeline is anybody's code
    """Return what a function gives for a case, called with what its parameters ask for.

    Parameters are known by name; the first that is not is the question, the next one what was
    retrieved (or, of `retrieve`, k).
    """
    second: object = k if found is None else found
    spare: list[object] = [case.question, second]
    arguments: list[object] = []
    for parameter in _positional(function):
        name = parameter.name.casefold()
        if name in _CONVERSATION:
            arguments.append(case.conversation)
        elif name in _DEPTH:
            arguments.append(k)
            spare = spare[:1] if found is None else spare
        elif name in _QUESTION and case.question in spare:
            arguments.append(spare.pop(spare.index(case.question)))
        elif spare and parameter.default is inspect.Parameter.empty:
            arguments.append(spare.pop(0))
        else:
            break
    return function(*arguments)


def _positional(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """Return the parameters that take a place; question and chunks where none can be read."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        return [p for p in inspect.signature(function).parameters.values() if p.kind in kinds]
    except (TypeError, ValueError):
        kind = inspect.Parameter.POSITIONAL_ONLY
        return [inspect.Parameter("question", kind)]


def _hit(item: object, rank: int) -> dict[str, Any]:
    """Return a retrieved chunk as a run line has it: from an id, a pair, an object or a mapping."""
    if isinstance(item, str):
        return {"chunk_id": item, "rank": rank}
    if isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str):
        second = "text" if isinstance(item[1], str) else "score"
        return {"chunk_id": item[0], second: item[1], "rank": rank}
    fields = ("doc_id", "doc_version", "score", "text")
    if isinstance(item, Mapping):
        named = {name: item[name] for name in (*_ID_NAMES, *fields) if item.get(name) is not None}
    else:
        named = {
            name: getattr(item, name)
            for name in (*_ID_NAMES, *fields)
            if getattr(item, name, None) is not None
        }
    chunk_id = next((named[name] for name in _ID_NAMES if name in named), None)
    return {name: named[name] for name in fields if name in named} | {
        "chunk_id": chunk_id,
        "rank": rank,
    }
