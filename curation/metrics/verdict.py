"""How one output stands on one case: five criteria and the red check (measures.md section 2)."""

from functools import lru_cache

from curation.domain.answer import Outcome
from curation.domain.case import Answerable, Case, FactKind
from curation.domain.review import FailureCategory
from curation.domain.verdict import (
    CaseVerdict,
    Criterion,
    FactPresence,
    Judged,
    Presence,
    Red,
    RedCheck,
    State,
    TextFacts,
)
from curation.domain.visible import shown
from curation.metrics.abstention import outcome_of
from curation.metrics.citations import CitationCheck, Citations, citations_of
from curation.metrics.hits import HitRule, gold_passages, relevance
from curation.metrics.lookup import look_up
from curation.metrics.output import Output, prompt_texts
from curation.metrics.support import Faithfulness, faithfulness

__all__ = ["judge_answer", "judge_output", "judge_with_citations", "red_check"]

DEFAULT_K = 5


def judge_output(
    case: Case, output: Output, *, k: int = DEFAULT_K, rule: HitRule = HitRule.ID
) -> CaseVerdict:
    """Return how an output stands on a case.

    Args:
        case: the case.
        output: the output.
        k: how many hits count for retrieval.
        rule: by what a retrieved chunk is recognised as evidence.
    """
    return judge_with_citations(case, output, k=k, rule=rule)[0]


def judge_with_citations(
    case: Case, output: Output, *, k: int = DEFAULT_K, rule: HitRule = HitRule.ID
) -> tuple[CaseVerdict, Citations]:
    """Return how an output stands on a case, with the citations that were looked up for it."""
    text = look_up(case, output.answer)
    outcome = output.outcome or outcome_of(output.answer)
    answer = judge_answer(case, text, outcome)
    grounding, checked = _grounding(case, output, outcome)
    cited = citations_of(case, output, text, rule)
    verdict = CaseVerdict(
        retrieval=_retrieval(case, output, k, rule),
        answer=answer,
        citation=_citation(case, output, outcome, cited),
        grounding=grounding,
        abstention=_abstention(case, outcome, answer),
        text=text,
        outcome=outcome,
        faithfulness=checked.value if checked else None,
        n_checked=checked.n_checked if checked else 0,
        unsupported=tuple(q.span for q in checked.unsupported) if checked else (),
    )
    return verdict, cited


def _judged(state: State, reason: str) -> Judged:
    return Judged(state=state, reason=reason)


def _not_applicable(reason: str) -> Judged:
    return _judged(State.NOT_APPLICABLE, reason)


def _retrieval(case: Case, output: Output, k: int, rule: HitRule) -> Judged:
    """Return whether every evidence group has a hit in the first k."""
    gold = gold_passages(case.gold)
    if case.answerable is Answerable.UNANSWERABLE or not gold:
        return _not_applicable("the case has no evidence to retrieve")
    if output.hits is None:
        return _not_applicable("the retrieved chunks were not logged")
    first = output.hits[:k]
    held = relevance(gold, first, rule)
    if held is None:
        return _judged(State.UNSURE, "the hits do not tell which evidence they hold")
    missing = held.groups - (held.found[-1] if held.found else frozenset())
    if missing:
        return _judged(
            State.FAIL,
            f"{len(missing)} of {len(held.groups)} evidence groups not in the first {k} chunks",
        )
    return _judged(State.PASS, f"all evidence is in the first {k} chunks")


def judge_answer(case: Case, text: TextFacts, outcome: Outcome | None = None) -> Judged:
    """Return the answer criterion: no required fact absent, no forbidden fact present.

    An answer that says nothing of the matter has none of either, whatever words stand in it.
    """
    required = () if case.answerable is Answerable.UNANSWERABLE else text.needed
    forbidden = text.of(FactKind.FORBIDDEN)
    if not required and not forbidden:
        return _not_applicable("the case has no facts to look for")
    if outcome is not None and says_nothing(case, outcome):
        return _silent(outcome, needed=bool(required))
    absent = [fact for fact in required if fact.presence is Presence.ABSENT]
    present = [fact for fact in forbidden if fact.presence is Presence.PRESENT]
    if absent or present:
        return _judged(State.FAIL, _failures(absent, present))
    unsure = [fact for fact in required + forbidden if fact.presence is Presence.UNSURE]
    if unsure:
        return _judged(State.UNSURE, f"it cannot be told for {_names(unsure)}")
    return _judged(State.PASS, "it has every required fact and no forbidden one")


def says_nothing(case: Case, outcome: Outcome | None) -> bool:
    """Return whether an output says nothing of the matter, so that it holds no fact."""
    if outcome is Outcome.ABSTAINED:
        return True
    return outcome is Outcome.CLARIFIED and case.answerable is not Answerable.UNDERSPECIFIED


def _silent(outcome: Outcome, *, needed: bool) -> Judged:
    if needed:
        return _judged(State.FAIL, f"it {outcome.value}, so it has no required fact")
    return _judged(State.PASS, f"it {outcome.value}, so it states nothing forbidden")


_ANSWERED = frozenset({Answerable.ANSWERABLE, Answerable.PARTIAL})


def _failures(absent: list[FactPresence], present: list[FactPresence]) -> str:
    parts = [f"it lacks {_names(absent)}"] if absent else []
    parts += [f"it holds {_names(present)}"] if present else []
    return " and ".join(parts)


def _names(facts: list[FactPresence]) -> str:
    return ", ".join(fact.name for fact in facts)


def _grounding(
    case: Case, output: Output, outcome: Outcome | None
) -> tuple[Judged, Faithfulness | None]:
    """Return whether every quantity of the answer stands in the prompt."""
    if outcome in {Outcome.ABSTAINED, Outcome.CLARIFIED}:
        return _not_applicable(f"it {outcome.value}"), None
    if output.hits is None:
        return _not_applicable("the retrieved chunks were not logged"), None
    checked = _faithfulness(output.answer, prompt_texts(case, output.hits, output.prompt))
    if not checked.unsupported:
        return _judged(State.PASS, _supported(checked)), checked
    if output.prompt is None and any(hit.used and hit.text is None for hit in output.hits):
        return _not_applicable("the texts of some retrieved chunks are not known"), None
    numbers = ", ".join(dict.fromkeys(shown(q.text) for q in checked.unsupported))
    return _judged(State.FAIL, f"in no retrieved chunk: {numbers}"), checked


@lru_cache(maxsize=128)
def _faithfulness(answer: str, sources: tuple[str, ...]) -> Faithfulness:
    """Return the faithfulness; a page asks for the same one at every key."""
    return faithfulness(answer, sources)


def _supported(checked: Faithfulness) -> str:
    if checked.n_checked == 0:
        return "it holds no number to check"
    if checked.n_checked == 1:
        return "its only number stands in the prompt"
    return f"all {checked.n_checked} numbers stand in the prompt"


def _citation(case: Case, output: Output, outcome: Outcome | None, cited: Citations) -> Judged:
    """Return whether every citation proves its sentence."""
    if case.answerable not in _ANSWERED or outcome in {Outcome.ABSTAINED, Outcome.CLARIFIED}:
        return _not_applicable("there is nothing to cite")
    checks = [citation.check for citation in cited.checked]
    if not checks:
        if output.citations is None:
            return _not_applicable("no citations were logged")
        return _judged(State.FAIL, "it cites nothing")
    return _worst_citation(checks)


def _worst_citation(checks: list[CitationCheck]) -> Judged:
    if CitationCheck.FABRICATED in checks:
        return _judged(State.FAIL, "it cites a chunk that was not retrieved")
    if CitationCheck.WRONG in checks:
        return _judged(State.FAIL, "a cited chunk does not support its sentence")
    if CitationCheck.UNSURE in checks:
        return _judged(State.UNSURE, "only a paraphrase could support a sentence")
    return _judged(State.PASS, "every citation supports its sentence")


def _abstention(case: Case, outcome: Outcome | None, answer: Judged) -> Judged:
    """Return whether the output answered, declined or asked back as the case wants it."""
    if outcome is None:
        return _judged(State.UNSURE, "it cannot be told whether it answers or declines")
    said = f"it {outcome.value}"
    if case.answerable in _ANSWERED:
        return _judged(State.PASS if outcome is Outcome.ANSWERED else State.FAIL, said)
    if case.answerable is Answerable.UNANSWERABLE:
        return _judged(State.FAIL if outcome is Outcome.ANSWERED else State.PASS, said)
    if outcome is Outcome.ANSWERED:
        if answer.state is State.NOT_APPLICABLE:
            return _judged(State.FAIL, "it answered as if the question were clear")
        return _judged(answer.state, f"it answered: {answer.reason}")
    return _judged(State.PASS if outcome is Outcome.CLARIFIED else State.FAIL, said)


_SHOWS = {
    FailureCategory.CONTEXT_RECALL: (Criterion.RETRIEVAL, Criterion.ANSWER),
    FailureCategory.CONTEXT_PRECISION: (Criterion.RETRIEVAL, Criterion.ANSWER),
    FailureCategory.FAITHFULNESS: (Criterion.GROUNDING, Criterion.ANSWER),
    FailureCategory.ANSWER_RELEVANCY: (Criterion.ANSWER,),
    FailureCategory.CITATION: (Criterion.CITATION,),
    FailureCategory.FALSE_ANSWER: (Criterion.ABSTENTION,),
    FailureCategory.OVER_ABSTENTION: (Criterion.ABSTENTION,),
}


def red_check(verdict: CaseVerdict, category: FailureCategory | None) -> RedCheck:
    """Return whether the logged output fails a draft where the failure category says.

    Without a category any failing criterion will do.
    """
    failing = verdict.in_state(State.FAIL)
    shown = _shown(verdict, failing, category)
    if shown:
        return RedCheck(result=Red.FAILS, criteria=shown)
    if failing:
        return RedCheck(result=Red.OTHER, criteria=failing)
    unsure = verdict.in_state(State.UNSURE)
    return RedCheck(result=Red.UNSURE if unsure else Red.PASSES, criteria=unsure)


def _shown(
    verdict: CaseVerdict, failing: tuple[Criterion, ...], category: FailureCategory | None
) -> tuple[Criterion, ...]:
    """Return the failing criteria that belong to the category."""
    if category is None or category is FailureCategory.NONE:
        return failing
    belonging = tuple(criterion for criterion in failing if criterion in _SHOWS[category])
    lacks_line = any(line.presence is Presence.ABSENT for line in verdict.text.declines)
    if category is FailureCategory.FALSE_ANSWER and lacks_line and Criterion.ANSWER in failing:
        return (*belonging, Criterion.ANSWER)
    return belonging
