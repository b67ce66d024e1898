"""The numbers of one output on one case, by the case's state and what the output did.

The table is that of measures.md section 2. An unanswerable case has no retrieval numbers, an
abstention on an answerable one has no faithfulness and none of the required facts.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from statistics import fmean

from curation.domain.answer import Outcome
from curation.domain.case import Answerable, Case, FactKind
from curation.domain.verdict import CaseVerdict, Criterion, FactPresence, Presence, State
from curation.evaluation.cases import ScoringCase
from curation.evaluation.report import CaseScore, JudgePin
from curation.evaluation.run import RunLine
from curation.metrics.answers import Bounded, forbidden_rate, required_recall, seed_faithfulness
from curation.metrics.hits import Hit, HitRule, distinct, gold_passages, relevance
from curation.metrics.metric import Metric
from curation.metrics.output import Output, prompt_texts
from curation.metrics.retrieval import (
    hit_rate_at_k,
    precision_at_k,
    precision_retrieved_at_k,
    recall_at_k,
    reciprocal_rank,
)
from curation.metrics.verdict import judge_output, judge_with_citations, says_nothing

__all__ = ["Scoring", "Settlement", "answer_sha256", "output_of", "score_case", "verdict_of"]

Settlement = tuple[str, str, str]  # case id, fact id, sha256 of the answer
TextOf = Callable[[str, str | None], str | None]

_ANSWERED = frozenset({Answerable.ANSWERABLE, Answerable.PARTIAL})
_RETRIEVAL = (Metric.HIT_RATE, Metric.RECALL, Metric.PRECISION, Metric.MRR)


def _no_text(_chunk_id: str, _version: str | None) -> str | None:
    return None


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """How a run is scored.

    Args:
        k: How many hits count.
        rule: By what a hit is recognised as evidence.
        text_of: The corpus: the text of a chunk of a version, None where it is not known.
        ambiguous: Chunk ids that the corpus has in more than one version.
        settled: What a judge or a person said of facts that the matcher was unsure of.
        judges: The judge of each of those that a judge settled.
        failures_as_wrong: Whether a failed output counts as the worst one, not as an error.
    """

    k: int = 5
    rule: HitRule = HitRule.ID
    text_of: TextOf = _no_text
    ambiguous: frozenset[str] = frozenset()
    settled: Mapping[Settlement, Presence] = field(default_factory=dict)
    judges: Mapping[Settlement, JudgePin] = field(default_factory=dict)
    failures_as_wrong: bool = False


@dataclass(kw_only=True)
class _Numbers:
    """The numbers of one output while they are put together."""

    values: dict[Metric, float] = field(default_factory=dict)
    bounds: dict[Metric, tuple[float, float]] = field(default_factory=dict)
    unscored: dict[Metric, str] = field(default_factory=dict)
    criteria: dict[Criterion, State] = field(default_factory=dict)
    unsure: tuple[str, ...] = ()
    outcome: Outcome | None = None
    nothing_to_check: bool = False
    fabricated: int = 0

    def put(self, metric: Metric, value: float | None) -> None:
        """Keep a value that is defined."""
        if value is not None:
            self.values[metric] = value

    def put_bounded(self, metric: Metric, found: Bounded | None) -> None:
        """Keep a value with its ends where they differ."""
        if found is None:
            return
        self.values[metric] = found.value
        if found.low < found.high:
            self.bounds[metric] = (found.low, found.high)


def score_case(
    scoring_case: ScoringCase, lines: Sequence[RunLine], scoring: Scoring | None = None
) -> CaseScore:
    """Return the numbers of one case; with repeats the mean over them is the unit.

    Args:
        scoring_case: The case.
        lines: Its outputs, one a repeat.
        scoring: How it is scored.
    """
    how = scoring or Scoring()
    case = scoring_case.case
    each = [_failed(case) if line.failed else _scored(case, line, how) for line in lines]
    costs = [line.cost_usd for line in lines]
    return CaseScore(
        id=case.id,
        slice=case.slice,
        weight=case.weight,
        answerable=case.answerable,
        question_type=case.question_type,
        categories=scoring_case.categories,
        cluster=scoring_case.cluster,
        digest=scoring_case.digest,
        output_sha256=_answers_sha256(lines),
        outcome=each[0].outcome if len({numbers.outcome for numbers in each}) == 1 else None,
        values=_mean_values(each),
        bounds=_mean_bounds(each),
        unscored=_unscored(each),
        criteria=_worst(each),
        unsure=tuple(dict.fromkeys(fact for numbers in each for fact in numbers.unsure)),
        nothing_to_check=all(numbers.nothing_to_check for numbers in each),
        fabricated=sum(numbers.fabricated for numbers in each),
        failed=sum(line.failed for line in lines),
        latency_ms=tuple(
            line.latency_ms
            for line in lines
            if line.latency_ms is not None and not (line.resumed or line.cached)
        ),
        cost_usd=None if None in costs else fmean(cost for cost in costs if cost is not None),
    )


def verdict_of(scoring_case: ScoringCase, line: RunLine, scoring: Scoring) -> CaseVerdict:
    """Return how one output stands on its case, with the reason behind each criterion."""
    output = output_of(line, scoring.text_of)
    return judge_output(scoring_case.case, output, k=scoring.k, rule=scoring.rule)


def answer_sha256(line: RunLine) -> str:
    """Return the hash under which facts of an output's answer are settled."""
    return _answers_sha256((line,))


def _answers_sha256(lines: Sequence[RunLine]) -> str:
    joined = "\x00".join(line.answer or "" for line in lines)
    return sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()


def _mean_values(each: Sequence[_Numbers]) -> dict[Metric, float]:
    found = {}
    for metric in Metric:
        values = [numbers.values[metric] for numbers in each if metric in numbers.values]
        if values:
            found[metric] = fmean(values)
    return found


def _mean_bounds(each: Sequence[_Numbers]) -> dict[Metric, tuple[float, float]]:
    found = {}
    for metric in (Metric.REQUIRED_RECALL, Metric.FORBIDDEN_RATE):
        if any(metric in numbers.bounds for numbers in each):
            ends = [
                numbers.bounds.get(metric, (numbers.values[metric],) * 2)
                for numbers in each
                if metric in numbers.values
            ]
            found[metric] = (fmean(low for low, _ in ends), fmean(high for _, high in ends))
    return found


def _unscored(each: Sequence[_Numbers]) -> dict[Metric, str]:
    """Return what no repeat could score, with the first reason."""
    scored = {metric for numbers in each for metric in numbers.values}
    reasons: dict[Metric, str] = {}
    for numbers in each:
        for metric, reason in numbers.unscored.items():
            if metric not in scored:
                reasons.setdefault(metric, reason)
    return reasons


_BAD_FIRST = (State.FAIL, State.UNSURE, State.PASS, State.NOT_APPLICABLE)


def _worst(each: Sequence[_Numbers]) -> dict[Criterion, State]:
    return {
        criterion: min((numbers.criteria[criterion] for numbers in each), key=_BAD_FIRST.index)
        for criterion in Criterion
    }


def _scored(case: Case, line: RunLine, how: Scoring) -> _Numbers:
    """Return the numbers of one output that came."""
    output = output_of(line, how.text_of)
    verdict, cited = judge_with_citations(case, output, k=how.k, rule=how.rule)
    numbers = _Numbers(
        outcome=verdict.outcome,
        criteria={criterion: verdict.on(criterion).state for criterion in Criterion},
    )
    _retrieval(numbers, case, output, how)
    _facts(numbers, case, line, verdict, how)
    _faithfulness(numbers, case, output, verdict)
    if case.answerable in _ANSWERED and verdict.outcome in {Outcome.ANSWERED, None}:
        score = cited.score
        numbers.put(Metric.CITATION, score.value)
        numbers.put(Metric.CITATION_COVERAGE, score.coverage)
        numbers.fabricated = score.fabricated
        if score.value is None:
            numbers.unscored[Metric.CITATION] = "only a paraphrase could tell"
    _behaviour(numbers, case, verdict.outcome)
    return numbers


def output_of(line: RunLine, text_of: TextOf) -> Output:
    """Return a line of a run as it is judged; texts that it lacks come from the corpus."""
    hits = distinct(
        Hit(
            rank=hit.rank,
            chunk_id=hit.chunk_id,
            doc_id=hit.doc_id,
            doc_version=hit.doc_version,
            text=text_of(hit.chunk_id, hit.doc_version) if hit.text is None else hit.text,
            used=hit.used,
        )
        for hit in line.hits
    )
    return Output(
        answer=line.answer or "",
        outcome=line.outcome,
        hits=hits,
        citations=line.citations,
        prompt=line.prompt,
    )


def _retrieval(numbers: _Numbers, case: Case, output: Output, how: Scoring) -> None:
    gold = gold_passages(case.gold)
    if case.answerable is Answerable.UNANSWERABLE or not gold:
        return
    held = relevance(gold, output.hits or (), how.rule, ambiguous=how.ambiguous)
    if held is None:
        reason = (
            "the evidence has no quote or a chunk no text"
            if how.rule is HitRule.QUOTE
            else "a chunk id is in more than one version and the run does not say which"
        )
        numbers.unscored.update(dict.fromkeys(_RETRIEVAL, reason))
        numbers.criteria[Criterion.RETRIEVAL] = State.UNSURE
        return
    numbers.put(Metric.HIT_RATE, hit_rate_at_k(held, how.k))
    numbers.put(Metric.RECALL, recall_at_k(held, how.k))
    numbers.put(Metric.PRECISION, precision_at_k(held, how.k))
    numbers.put(Metric.PRECISION_RETRIEVED, precision_retrieved_at_k(held, how.k))
    numbers.put(Metric.MRR, reciprocal_rank(held))


def _facts(
    numbers: _Numbers, case: Case, line: RunLine, verdict: CaseVerdict, how: Scoring
) -> None:

    def settled(fact: FactPresence) -> Presence:
        if fact.presence is not Presence.UNSURE or not how.settled:
            return fact.presence
        named = (case.id, fact.fact_id, answer_sha256(line))
        return how.settled.get(named, Presence.UNSURE)

    silent = says_nothing(case, verdict.outcome)
    needed = {fact.fact_id: settled(fact) for fact in verdict.text.needed}
    forbidden = {fact.fact_id: settled(fact) for fact in verdict.text.of(FactKind.FORBIDDEN)}
    if silent:
        needed = dict.fromkeys(needed, Presence.ABSENT)
        forbidden = dict.fromkeys(forbidden, Presence.ABSENT)
    if case.answerable is not Answerable.UNANSWERABLE:
        numbers.put_bounded(Metric.REQUIRED_RECALL, required_recall(list(needed.values())))
    numbers.put_bounded(Metric.FORBIDDEN_RATE, forbidden_rate(list(forbidden.values())))
    looked_at = needed | forbidden
    numbers.unsure = tuple(
        fact for fact, presence in looked_at.items() if presence is Presence.UNSURE
    )
    if numbers.criteria[Criterion.ANSWER] is not State.NOT_APPLICABLE:
        numbers.criteria[Criterion.ANSWER] = _answer_state(needed.values(), forbidden.values())


def _answer_state(needed: Collection[Presence], forbidden: Collection[Presence]) -> State:
    """Return the answer criterion after what a judge or a person settled."""
    if Presence.ABSENT in needed or Presence.PRESENT in forbidden:
        return State.FAIL
    if Presence.UNSURE in needed or Presence.UNSURE in forbidden:
        return State.UNSURE
    return State.PASS


def _faithfulness(numbers: _Numbers, case: Case, output: Output, verdict: CaseVerdict) -> None:
    answered = verdict.outcome in {Outcome.ANSWERED, None}
    if not answered:
        return
    if verdict.faithfulness is None:
        reason = "the text of a retrieved chunk is not known"
        numbers.unscored[Metric.FAITHFULNESS] = reason
        return
    numbers.put(Metric.FAITHFULNESS, verdict.faithfulness)
    numbers.nothing_to_check = verdict.n_checked == 0
    if verdict.n_checked:
        numbers.put(Metric.FAITHFULNESS_CHECKED, verdict.faithfulness)
    sources = prompt_texts(case, output.hits or (), output.prompt)
    numbers.put(Metric.SEED_FAITHFULNESS, seed_faithfulness(output.answer, sources))


_BEHAVIOUR = {
    Answerable.UNANSWERABLE: (Metric.FALSE_ANSWER_RATE, {Outcome.ANSWERED}),
    Answerable.ANSWERABLE: (Metric.OVER_ABSTENTION_RATE, {Outcome.ABSTAINED, Outcome.CLARIFIED}),
    Answerable.PARTIAL: (Metric.OVER_ABSTENTION_RATE, {Outcome.ABSTAINED, Outcome.CLARIFIED}),
    Answerable.UNDERSPECIFIED: (Metric.CLARIFICATION_RATE, {Outcome.CLARIFIED}),
}


def _behaviour(numbers: _Numbers, case: Case, outcome: Outcome | None) -> None:
    metric, counted = _BEHAVIOUR[case.answerable]
    if outcome is None:
        numbers.unscored[metric] = "it cannot be told whether it answers or declines"
    else:
        numbers.values[metric] = float(outcome in counted)


def _failed(case: Case) -> _Numbers:
    """Return the worst numbers that an output on the case can have."""
    numbers = _Numbers(criteria=dict.fromkeys(Criterion, State.FAIL))
    answered = case.answerable in _ANSWERED
    numbers.put(Metric.FAITHFULNESS, 0.0)
    numbers.put(Metric.FAITHFULNESS_CHECKED, 0.0)
    numbers.put(Metric.SEED_FAITHFULNESS, 0.0)
    if case.answerable is Answerable.UNANSWERABLE or not case.gold:
        numbers.criteria[Criterion.RETRIEVAL] = State.NOT_APPLICABLE
    else:
        numbers.values.update(dict.fromkeys(_RETRIEVAL, 0.0))
    if answered:
        numbers.put(Metric.CITATION, 0.0)
        numbers.put(Metric.CITATION_COVERAGE, 0.0)
    else:
        numbers.criteria[Criterion.CITATION] = State.NOT_APPLICABLE
    if (case.facts.required or case.declines) and case.answerable is not Answerable.UNANSWERABLE:
        numbers.put(Metric.REQUIRED_RECALL, 0.0)
    if case.facts.forbidden:
        numbers.put(Metric.FORBIDDEN_RATE, 1.0)
    metric, _ = _BEHAVIOUR[case.answerable]
    numbers.put(metric, float(metric.lower_is_better))
    return numbers
