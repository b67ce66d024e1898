"""Small cases, outputs and reports that the tests of the evaluation are written with."""

from collections.abc import Iterable, Mapping
from typing import Any

from curation.domain.case import (
    Answerable,
    Case,
    Decline,
    Evidence,
    Fact,
    Facts,
    ForbiddenFact,
    Turn,
)
from curation.domain.policy import Policy, parse_policy
from curation.domain.verdict import Criterion, State
from curation.evaluation.cases import ScoringCase, scoring_case
from curation.evaluation.evaluate import build_report
from curation.evaluation.report import CaseScore, Pins, Report
from curation.evaluation.run import Run, RunHeader, RunLine, run_line, run_sha256, run_text
from curation.metrics.metric import Metric

QUOTE = "The request timeout is 60 s in v4.2."
PINS = Pins(version="golden/v3", commit="c3", cases_tree="t3", policy_blob="p1")


def gold(
    chunk_id: str = "gw:1",
    *,
    number: int = 1,
    group: str | None = None,
    version: str | None = "4.2",
    quote: str = QUOTE,
    doc_id: str = "gw",
) -> Evidence:
    """Return an evidence item, in a group of its own where none is named."""
    return Evidence(
        id=f"e{number}",
        group=group or f"e{number}",
        chunk_id=chunk_id,
        doc_id=doc_id,
        doc_version=version,
        quote=quote,
    )


def a_case(case_id: str = "q-0001", **fields: Any) -> Case:
    """Return an answerable case with one required and one forbidden fact and one passage."""
    return Case(
        **{
            "id": case_id,
            "question": "What is the request timeout in v4.2?",
            "reference": "60 s.",
            "doc_version": "4.2",
            "slice": "billing",
            "facts": Facts(
                required=(Fact(id="f1", text="The request timeout is 60 s"),),
                forbidden=(
                    ForbiddenFact(id="f2", text="The request timeout is 30 s", value_of="3.9"),
                ),
            ),
            "evidence": (gold(),),
            **fields,
        }
    )


def unanswerable(case_id: str = "q-0009", **fields: Any) -> Case:
    """Return a case that the corpus cannot answer, with a forbidden fact."""
    forbidden = ForbiddenFact(id="f1", text="The request timeout is 30 s", value_of="3.9")
    own = {
        "answerable": Answerable.UNANSWERABLE,
        "reference": "",
        "facts": Facts(forbidden=(forbidden,)),
        "evidence": (),
        "category": "gateway",
    }
    return a_case(case_id, **{**own, **fields})


def partial(case_id: str = "q-0005") -> Case:
    """Return a case that the corpus answers in part."""
    line = Decline(id="d1", text="The documents do not give the retry limit")
    return a_case(case_id, answerable=Answerable.PARTIAL, declines=(line,))


def underspecified(case_id: str = "q-0007") -> Case:
    """Return a case whose question has several readings."""
    asked = Fact(id="f1", text="Which version do you use")
    return a_case(
        case_id,
        question="What is the timeout?",
        answerable=Answerable.UNDERSPECIFIED,
        facts=Facts(required=(asked,)),
        readings=("gateway", "collector"),
    )


def scoring(case: Case, policy: Policy | None = None) -> ScoringCase:
    """Return a case as scoring sees it."""
    return scoring_case(case, policy)


def hit(
    chunk_id: str = "gw:1",
    rank: int = 1,
    *,
    version: str | None = "4.2",
    text: str | None = QUOTE,
    doc_id: str = "gw",
) -> dict[str, Any]:
    """Return a hit of a run line."""
    return {
        "chunk_id": chunk_id,
        "doc_id": doc_id,
        "doc_version": version,
        "rank": rank,
        "text": text,
    }


def an_output(case_id: str = "q-0001", **fields: Any) -> RunLine:
    """Return a right output: the evidence retrieved, the fact stated and cited."""
    return run_line(
        {
            "case_id": case_id,
            "hits": [hit()],
            "answer": "The request timeout is 60 s [1].",
            "outcome": "answered",
            "latency_ms": 100,
            "cost_usd": 0.01,
            **fields,
        },
        number=1,
    )


def a_run(lines: Iterable[RunLine], **header: Any) -> Run:
    """Return a run of these outputs."""
    listed, head = tuple(lines), RunHeader(**header)
    return Run(header=head, lines=listed, sha256=run_sha256(run_text(head, listed)))


def a_score(
    case_id: str,
    values: Mapping[Metric, float] | None = None,
    *,
    slice_name: str = "general",
    answer: State = State.PASS,
    **fields: Any,
) -> CaseScore:
    """Return the numbers of a case; recall and faithfulness are 1 where not told."""
    return CaseScore(
        **{
            "id": case_id,
            "slice": slice_name,
            "cluster": case_id,
            "digest": case_id,
            "output_sha256": f"out-{case_id}-{dict(values or {})}",
            "values": {Metric.RECALL: 1.0, Metric.FAITHFULNESS: 1.0, **(values or {})},
            "criteria": {Criterion.ANSWER: answer, Criterion.ABSTENTION: State.PASS},
            **fields,
        }
    )


def a_report(scores: Iterable[CaseScore], **pins: Any) -> Report:
    """Return a report of these numbers on golden/v3."""
    return build_report(scores, PINS.model_copy(update=pins))


def report_of(
    metric: Metric, values: Iterable[float | None], *, slice_name: str = "general", **pins: Any
) -> Report:
    """Return a report with one number a case; None leaves the metric out."""
    scores = []
    for at, value in enumerate(values):
        score = a_score(f"q-{at:04d}", slice_name=slice_name)
        kept = {name: number for name, number in score.values.items() if name is not metric}
        own = {} if value is None else {metric: value}
        scores.append(score.model_copy(update={"values": kept | own, "output_sha256": str(own)}))
    return a_report(scores, **pins)


def a_policy(*protected: str, extra: str = "") -> Policy:
    """Return a policy with these protected slices."""
    slices = "".join(f"[slices.{name}]\nprotected = true\n" for name in protected)
    return parse_policy(extra + "\n" + slices)


def turns(*texts: str) -> tuple[Turn, ...]:
    """Return a conversation that starts with the user."""
    return tuple(
        Turn(role="user" if at % 2 == 0 else "assistant", text=text)
        for at, text in enumerate(texts)
    )
