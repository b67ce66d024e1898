"""A case as it is drafted: its verdicts, its findings and the proposed failure, in one call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Self

from curation.checks import (
    CheckContext,
    KnownCase,
    ReferenceText,
    SimilarAnswer,
    reference_source,
    run_checks,
)
from curation.domain.answer import Answer
from curation.domain.case import (
    Case,
    Evidence,
    FactKind,
    Origin,
    ReferenceSource,
)
from curation.domain.chunk import Chunk, ChunkKey
from curation.domain.finding import Finding
from curation.domain.policy import Policy
from curation.domain.review import Acknowledgement, FailureCategory, FailureProposal
from curation.domain.verdict import CaseVerdict, FactPresence, Presence, RedCheck, TextFacts
from curation.metrics import same_question_key, same_version
from curation.metrics.evidence import said_by_evidence
from curation.metrics.failure import propose_failure
from curation.metrics.lookup import asked_versions, look_up, look_up_forbidden, look_up_reference
from curation.metrics.output import Output, logged_output
from curation.metrics.verdict import judge_output, red_check

__all__ = ["CheckInputs", "Checked", "OtherCase", "check_case", "question_key"]

_TAIL = 2  # earlier turns that belong to the question when cases are compared


class OtherCase(KnownCase):
    """What the duplicate checks need of another case."""

    @classmethod
    def of(cls, case: Case, change: str | None = None) -> Self:
        """Return what the checks of other cases need of this one."""
        return cls(
            case_id=case.id,
            key=question_key(case),
            doc_version=case.doc_version,
            status=case.status,
            slice=case.slice,
            answerable=case.answerable,
            change=change,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInputs:
    """A case with all that its checks need.

    Attributes:
        case: the case as it would be written.
        policy: the policy of the set.
        answer: the logged answer that the case comes from.
        chunks: the chunks of the evidence and of what was retrieved.
        has_corpus: whether a corpus was brought in.
        others: the other cases, and those that wait as changes.
        base: the case being edited, as it is at the tip; None for a new one.
        ever_released: whether a version holds the case; a case at the tip counts as released.
        corrections: what users said instead of the logged answer.
        searches: what was searched for in this review.
        missing: the reviewer's word on what the corpus lacks.
        failure: the category that the person set; None takes the proposed one.
        reason: the reason that the person wrote.
        acks: words of why; they do not change what is found.
        common: for each fact, in how many other logged answers it was found.
        similar_answers: other logged answers that the reference may resemble.
        publishing: whether the case is about to be published.
        baseline_fails: whether the case fails on the baseline and is retired or eased.
    """

    case: Case
    policy: Policy
    answer: Answer | None = None
    chunks: Mapping[ChunkKey, Chunk | str] = field(default_factory=dict)
    has_corpus: bool = False
    others: Sequence[OtherCase] = ()
    base: Case | None = None
    ever_released: bool | None = None
    corrections: Sequence[str] = ()
    searches: Sequence[str] = ()
    missing: str = ""
    failure: FailureCategory | None = None
    reason: str = ""
    acks: Sequence[Acknowledgement] = ()
    common: Mapping[str, int] = field(default_factory=dict)
    similar_answers: Sequence[SimilarAnswer] = ()
    publishing: bool = False
    baseline_fails: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What the checks say of a case.

    Attributes:
        findings: first what to fix, then what to explain, then what is fine.
        logged: how the logged output stands on the case; None without an answer.
        reference: what the reference says of the facts; None while it is blank.
        failure: where the pipeline failed, as far as the picks tell.
        red: the red check; None where none is made.
        reference_source: where the words of the reference come from.
    """

    findings: tuple[Finding, ...]
    logged: CaseVerdict | None
    reference: TextFacts | None
    failure: FailureProposal
    red: RedCheck | None
    reference_source: ReferenceSource


def question_key(case: Case) -> str:
    """Return the normalised question of a case with its last two turns."""
    return _key(case.question, tuple(turn.text for turn in case.conversation[-_TAIL:]))


@lru_cache(maxsize=65536)
def _key(question: str, tail: tuple[str, ...]) -> str:
    return same_question_key(question, tail)


def check_case(inputs: CheckInputs) -> Checked:
    """Return the verdicts, the findings and the proposed failure of a case as it is drafted."""
    case = inputs.case
    texts = {
        key: chunk if isinstance(chunk, str) else chunk.text for key, chunk in inputs.chunks.items()
    }
    output = _logged(inputs, texts)
    logged = judge_output(case, output, k=inputs.policy.k) if output else None
    failure = _failure(case, output, logged)
    category = inputs.failure or failure.category
    red = _red(case, logged, category)
    references = _references(case)
    source = reference_source(case, inputs.corrections, inputs.base)
    context = _context(inputs, texts, references=references, red=red, category=category)
    return Checked(
        findings=run_checks(context),
        logged=logged,
        reference=next((r.says for r in references if r.number is None), None),
        failure=failure,
        red=red,
        reference_source=source,
    )


def _logged(inputs: CheckInputs, texts: Mapping[ChunkKey, str]) -> Output | None:
    """Return the logged output; where a person says that citing failed, nothing was cited."""
    if inputs.answer is None:
        return None
    output = logged_output(inputs.answer, texts)
    if inputs.failure is FailureCategory.CITATION and output.citations is None:
        return replace(output, citations=())
    return output


def _failure(case: Case, output: Output | None, logged: CaseVerdict | None) -> FailureProposal:
    if output is None or logged is None:
        return FailureProposal(category=None, because="because there is no logged answer")
    return propose_failure(case, output, logged)


def _red(
    case: Case, logged: CaseVerdict | None, category: FailureCategory | None
) -> RedCheck | None:
    """Return the red check of a production failure; a known good answer has none."""
    failed = case.provenance.origin is Origin.PRODUCTION_FAILURE
    if logged is None or not failed or category is FailureCategory.NONE:
        return None
    return red_check(logged, category)


def _references(case: Case) -> tuple[ReferenceText, ...]:
    """Return what every reference that is not blank says of the facts."""
    texts = [(None, case.reference), *enumerate(case.other_references, start=1)]
    return tuple(
        ReferenceText(number=number, text=text, says=look_up_reference(case, text))
        for number, text in texts
        if text.strip()
    )


def _context(
    inputs: CheckInputs,
    texts: Mapping[ChunkKey, str],
    *,
    references: tuple[ReferenceText, ...],
    red: RedCheck | None,
    category: FailureCategory | None,
) -> CheckContext:
    case = inputs.case
    asked = asked_versions(case)
    released = inputs.base is not None if inputs.ever_released is None else inputs.ever_released
    own = () if inputs.answer is None else (SimilarAnswer(text=inputs.answer.answer),)
    return CheckContext(
        case=case,
        policy=inputs.policy,
        key=question_key(case),
        base=inputs.base,
        ever_released=released,
        red=red,
        red_category=category.value if category else None,
        references=references,
        clashes=_clashes(case),
        in_evidence=_in_evidence(case, texts),
        leaked=_leaked(inputs),
        asked_versions=asked,
        mismatched=_mismatched(case, asked),
        chunks=texts,
        has_corpus=inputs.has_corpus,
        others=tuple(inputs.others),
        answers=(*own, *inputs.similar_answers),
        corrections=tuple(inputs.corrections),
        common=inputs.common,
        searches=tuple(inputs.searches),
        missing=inputs.missing,
        reason=inputs.reason,
        publishing=inputs.publishing,
        baseline_fails=inputs.baseline_fails,
    )


def _clashes(case: Case) -> tuple[tuple[FactPresence, str], ...]:
    """Return the forbidden facts that stand in a required or optional one, with its name."""
    found = []
    for kind in (FactKind.REQUIRED, FactKind.OPTIONAL):
        for number, fact in enumerate(case.facts.of(kind), start=1):
            for text in (fact.text, *fact.any_of):
                found += [
                    (forbidden, f"{kind.value} fact {number}")
                    for forbidden in look_up_forbidden(case, text)
                    if forbidden.presence is Presence.PRESENT
                ]
    return tuple({(f.fact_id, name): (f, name) for f, name in found}.values())


def _in_evidence(case: Case, texts: Mapping[ChunkKey, str]) -> dict[str, Presence]:
    """Return for each fact with evidence whether its evidence says it."""
    by_id = {item.id: item for item in case.evidence}
    found = {}
    for kind in (FactKind.REQUIRED, FactKind.OPTIONAL):
        for fact in case.facts.of(kind):
            items = [by_id[name] for name in fact.evidence if name in by_id]
            if items:
                found[fact.id] = said_by_evidence(fact, items, texts)
    return found


def _leaked(inputs: CheckInputs) -> tuple[FactPresence, ...]:
    """Return the required statements that a question written by the reviewer states itself."""
    case = inputs.case
    logged = inputs.answer.question if inputs.answer else None
    written = [t for t in (case.question, case.standalone_question) if t and t != logged]
    if case.question_type == "yes_no" or not written:
        return ()
    stated = [text.replace("?", ".") for text in written]
    found = [fact for text in stated for fact in look_up(case, text).of(FactKind.REQUIRED)]
    present = [fact for fact in found if fact.presence is Presence.PRESENT]
    return tuple({fact.fact_id: fact for fact in present}.values())


def _mismatched(case: Case, asked: Sequence[str]) -> tuple[Evidence, ...]:
    """Return the gold evidence of a version that the question does not ask about."""
    if not asked:
        return ()
    return tuple(
        item
        for item in case.gold
        if item.doc_version is not None
        and not any(same_version(item.doc_version, version) for version in asked)
    )
