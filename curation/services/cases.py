"""From a draft or a case file to the case it would become."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from curation.codec import case_from_document, form_problems
from curation.domain.answer import Answer, SignalKind
from curation.domain.case import (
    UNASSIGNED,
    Answerable,
    Case,
    CaseStatus,
    Evidence,
    Origin,
    Provenance,
)
from curation.domain.chunk import Chunk, text_sha256
from curation.domain.policy import DEFAULT_SLICE, UNCATEGORISED, Policy
from curation.domain.review import Acknowledgement, Draft, FailureCategory
from curation.errors import CaseFormError
from curation.metrics.question_type import propose_question_type

ChunkFinder = Callable[[str, str | None], Chunk | None]


@dataclass(frozen=True, kw_only=True)
class CaseSource:
    """What a new case is made from besides the person's words."""

    answer: Answer | None
    base: Case | None
    policy: Policy
    find_chunk: ChunkFinder


@dataclass(frozen=True, kw_only=True)
class CaseFile:
    """A case document that somebody hands in, where it came from, and what they say of it."""

    document: Mapping[str, Any]
    where: str
    reason: str = ""
    acks: tuple[Acknowledgement, ...] = ()
    failure: FailureCategory | None = None
    missing: str = ""


def case_from_draft(draft: Draft, source: CaseSource, *, failure: FailureCategory | None) -> Case:
    """Return the case that a draft would become, with the id of its base or the placeholder."""
    answer, base = source.answer, source.base
    question = draft.question if draft.question is not None else _question(source)
    case = Case(
        id=base.id if base else UNASSIGNED,
        question=question,
        conversation=base.conversation if base else answer.conversation if answer else (),
        standalone_question=draft.standalone_question or None,
        answerable=draft.answerable,
        question_type=draft.question_type or proposed_type(source),
        slice=draft.slice or proposed_slice(source),
        category=_category(draft, source),
        weight=draft.weight,
        reference=draft.reference,
        other_references=draft.other_references,
        facts=draft.facts,
        declines=draft.declines,
        readings=draft.readings,
        evidence=draft.evidence,
        provenance=base.provenance if base else provenance(answer, failure),
        notes=draft.notes or _lacking(draft),
    )
    return completed(case, source)


def case_from_file(file: CaseFile, source: CaseSource) -> Case:
    """Return the case that a case file means; what it leaves out comes from the answer or base.

    An edit keeps every field of its base that the file does not name; facts, evidence and declines
    without an id get one that the base does not use.

    Raises:
        CaseFormError: a field is unknown or has a wrong value, the parts do not fit together, or
            it names another answer than the one that is finished.
    """
    defaults = _defaults(source, file.failure)
    if file.missing:
        defaults.setdefault("notes", file.missing)
    case = case_from_document(
        file.document, where=file.where, defaults=defaults, taken=_used_ids(source.base)
    )
    case = completed(case, source)
    for problem in (*_foreign(case, source), *form_problems(case), *_status(case, source.base)):
        raise CaseFormError(file.where, problem)
    return case


def _foreign(case: Case, source: CaseSource) -> Iterator[str]:
    """Yield that a new case names another answer than the one that it is the verdict on."""
    named = case.provenance.answer_id
    finished = source.answer.id if source.answer and source.base is None else named
    if named not in {None, finished}:
        yield f"it comes from the answer {named!r}, and {finished!r} is finished"


def _status(case: Case, base: Case | None) -> Iterator[str]:
    """Yield that a case file retires or restores, which has its own guards and its own kind."""
    status = base.status if base else CaseStatus.ACTIVE
    if case.status is not status or (base and case.retired != base.retired):
        yield "a case is retired or restored by `change propose --retire` or `--restore`"


def _lacking(draft: Draft) -> str:
    """Return the word on what the corpus lacks, which a case keeps in its notes."""
    return draft.missing if draft.answerable is Answerable.UNANSWERABLE else ""


def _used_ids(base: Case | None) -> frozenset[str]:
    """Return the ids of the facts, evidence and declines of a case."""
    if base is None:
        return frozenset()
    ids = {fact.id for _, fact in base.facts.each}
    ids |= {item.id for item in base.evidence} | {item.id for item in base.declines}
    return frozenset(ids)


def _defaults(source: CaseSource, failure: FailureCategory | None) -> dict[str, Any]:
    """Return what a case file may leave out."""
    if source.base is not None:
        return source.base.model_dump(mode="json", by_alias=True)
    defaults: dict[str, Any] = {
        "id": UNASSIGNED,
        "question_type": proposed_type(source),
        "slice": proposed_slice(source),
        "provenance": provenance(source.answer, failure).model_dump(mode="json"),
    }
    if source.answer is not None:
        defaults["question"] = source.answer.question
        defaults["conversation"] = [t.model_dump() for t in source.answer.conversation]
    return defaults


def draft_from_case(case: Case) -> Draft:
    """Return the draft that edits an existing case: every field filled from the case."""
    return Draft(
        case_id=case.id,
        answerable=case.answerable,
        reference=case.reference,
        facts=case.facts,
        evidence=case.evidence,
        declines=case.declines,
        readings=case.readings,
        question=case.question,
        standalone_question=case.standalone_question,
        question_type=case.question_type,
        slice=case.slice,
        category=case.category,
        weight=case.weight,
        other_references=case.other_references,
        notes=case.notes,
    )


def completed(case: Case, source: CaseSource) -> Case:
    """Return the case with what the program knows better: hashes, document ids and version."""
    evidence = tuple(_completed_evidence(item, source) for item in case.evidence)
    with_evidence = case.model_copy(update={"evidence": evidence})
    return with_evidence.model_copy(update={"doc_version": evidence_version(with_evidence)})


def _completed_evidence(item: Evidence, source: CaseSource) -> Evidence:
    """Return the evidence with the document id and the hash of the chunk's text, where known."""
    chunk = source.find_chunk(item.chunk_id, item.doc_version)
    if chunk is None:
        return item
    return item.model_copy(
        update={
            "doc_id": chunk.doc_id,
            "doc_version": item.doc_version or chunk.doc_version,
            "chunk_sha256": text_sha256(chunk.text),
        }
    )


def evidence_version(case: Case) -> str | None:
    """Return the one document version of the gold evidence; None where it spans several."""
    versions = {item.doc_version for item in case.gold}
    return versions.pop() if len(versions) == 1 else None


def provenance(answer: Answer | None, failure: FailureCategory | None) -> Provenance:
    """Return where a new case comes from: facts about the answer, nobody's words."""
    if answer is None:
        return Provenance(origin=Origin.AUTHORED)
    good = failure is FailureCategory.NONE
    return Provenance(
        origin=Origin.KNOWN_GOOD if good else Origin.PRODUCTION_FAILURE,
        answer_id=answer.id,
        pipeline_version=answer.pipeline_version,
        failure=failure.value if failure else None,
        signals=tuple(dict.fromkeys(s.kind.value for s in answer.signals)),
        reported_at=_reported_at(answer),
    )


def _reported_at(answer: Answer) -> str | None:
    """Return when the first user signal came in, else when the question was asked."""
    moments = sorted(s.at for s in answer.signals if s.at is not None)
    first = moments[0] if moments else answer.asked_at
    return first.isoformat() if first else None


def corrections(answer: Answer | None) -> tuple[str, ...]:
    """Return the texts of the user's corrections."""
    if answer is None:
        return ()
    texts = []
    for signal in answer.signals:
        if signal.kind is SignalKind.CORRECTION:
            texts += [signal.comment, signal.value if isinstance(signal.value, str) else None]
    return tuple(text for text in texts if text)


def proposed_slice(source: CaseSource) -> str:
    """Return the base's slice, or the answer's where the policy lists it, else `general`.

    A slice that golden.toml does not list could not be published, so it is never proposed.
    """
    if source.base is not None:
        return source.base.slice
    wanted = source.answer.slice if source.answer else None
    return wanted if wanted in source.policy.slices else DEFAULT_SLICE


def _category(draft: Draft, source: CaseSource) -> str | None:
    """Return the category of a question that cannot be answered; others have their evidence's."""
    if draft.answerable is not Answerable.UNANSWERABLE:
        return None
    return proposed_category(source) if draft.category is None else draft.category or None


def proposed_category(source: CaseSource) -> str | None:
    """Return the base's category, else the one that most of the retrieved documents have."""
    if source.base is not None:
        return source.base.category
    hits = source.answer.retrieved if source.answer else ()
    found = [source.policy.category_of(hit.doc_id) for hit in hits if hit.doc_id]
    known = Counter(name for name in found if name != UNCATEGORISED)
    return known.most_common(1)[0][0] if known else None


def proposed_type(source: CaseSource) -> str:
    """Return the question type proposed from the question's form, if the policy knows it."""
    if source.base is not None:
        return source.base.question_type
    proposed = propose_question_type(_question(source))
    return proposed if proposed in source.policy.question_types else "other"


def _question(source: CaseSource) -> str:
    """Return the question that the case starts from."""
    if source.base is not None:
        return source.base.question
    return source.answer.question if source.answer else ""


def prefilled_reason(answer: Answer, failure: FailureCategory | None) -> str:
    """Return the reason that is offered for a new case: facts only."""
    kinds = ", ".join(dict.fromkeys(s.kind.value.replace("_", " ") for s in answer.signals))
    what = failure.value if failure else "undecided"
    by_user = f"; {kinds} by a user" if kinds else ""
    return f"From answer {answer.id}: {what}{by_user}."
