"""What scoring needs of a case, the same from `cases/` and from a `golden.jsonl`."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeVar

from pydantic import Field, ValidationError, field_validator

from curation.codec.built import scoring_digest
from curation.domain.base import Value
from curation.domain.case import (
    Answerable,
    Case,
    CaseStatus,
    Decline,
    Evidence,
    Fact,
    Facts,
    ForbiddenFact,
    Provenance,
    ReferenceSource,
    Turn,
)
from curation.domain.policy import DEFAULT_SLICE, UNCATEGORISED, Policy
from curation.errors import first_problem
from curation.evaluation.errors import GoldenFileError
from curation.metrics.normalise import same_question_key

__all__ = ["ScoringCase", "parse_golden", "parse_golden_object", "scoring_case", "scoring_cases"]


@dataclass(frozen=True, kw_only=True)
class ScoringCase:
    """A case as scoring sees it, with what a report groups and compares it by.

    `case` holds only what `golden.jsonl` carries: gold evidence, no notes, no provenance.
    `digest` is equal where everything that decides a score is equal.
    """

    case: Case
    digest: str
    categories: tuple[str, ...] = (UNCATEGORISED,)

    @property
    def id(self) -> str:
        """The id of the case."""
        return self.case.id

    @cached_property
    def cluster(self) -> str:
        """A key that cases of one conversation, or of one question, share."""
        turns = self.case.conversation
        first = next((turn.text for turn in turns if turn.role == "user"), self.case.question)
        key = same_question_key(first)
        return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def scoring_case(case: Case, policy: Policy | None = None) -> ScoringCase:
    """Return what scoring needs of a case; categories of documents are the policy's."""
    return ScoringCase(
        case=_as_built(case),
        digest=scoring_digest(case),
        categories=_categories(case, policy),
    )


def _as_built(case: Case) -> Case:
    """Return the case as its line of `golden.jsonl` says it."""
    evidence = tuple(
        item.model_copy(update={"id": f"e{at}", "chunk_sha256": None})
        for at, item in enumerate(case.gold, start=1)
    )
    facts = Facts(
        required=tuple(map(_without_evidence, case.facts.required)),
        optional=tuple(map(_without_evidence, case.facts.optional)),
        forbidden=tuple(map(_without_evidence, case.facts.forbidden)),
    )
    return case.model_copy(
        update={
            "status": CaseStatus.ACTIVE,
            "facts": facts,
            "evidence": evidence,
            "reference_source": ReferenceSource.WRITTEN,
            "provenance": Provenance(),
            "retired": None,
            "notes": "",
        }
    )


F = TypeVar("F", bound=Fact)


def _without_evidence(fact: F) -> F:
    return fact.model_copy(update={"evidence": ()}) if fact.evidence else fact


def scoring_cases(cases: Iterable[Case], policy: Policy | None = None) -> tuple[ScoringCase, ...]:
    """Return the active cases as scoring sees them, by id."""
    active = (case for case in cases if case.status is CaseStatus.ACTIVE)
    return tuple(scoring_case(case, policy) for case in sorted(active, key=lambda case: case.id))


def _categories(case: Case, policy: Policy | None) -> tuple[str, ...]:
    """Return the categories of the gold documents, else the one that the case names."""
    documents = {item.doc_id for item in case.gold}
    if documents:
        known = {UNCATEGORISED if policy is None else policy.category_of(d) for d in documents}
        return tuple(sorted(known))
    return (case.category or UNCATEGORISED,)


class _GoldenItem(Value):
    """A gold item of a `golden.jsonl` line."""

    pid: str
    doc_id: str = ""
    doc_version: str | None = None
    group: str | None = None
    quote: str = ""


class _GoldenLine(Value):
    """A line of `golden.jsonl`; the plainest one has only id, question, reference, gold_pids."""

    id: str = Field(min_length=1)
    question: str
    reference: str = ""
    gold_pids: tuple[str, ...] = ()
    slice: str = DEFAULT_SLICE
    weight: int | float = 1
    gold_docs: tuple[str, ...] = ()
    gold: tuple[_GoldenItem, ...] = ()
    answerable: Answerable = Answerable.ANSWERABLE
    question_type: str | None = None
    doc_version: str | None = None
    conversation: tuple[Turn, ...] = ()
    standalone_question: str | None = None
    other_references: tuple[str, ...] = ()
    required_facts: tuple[Fact, ...] = ()
    optional_facts: tuple[Fact, ...] = ()
    forbidden_facts: tuple[ForbiddenFact, ...] = ()
    declines: tuple[Decline, ...] = ()
    readings: tuple[str, ...] = ()
    category: str | None = None

    @field_validator("answerable", mode="before")
    @classmethod
    def _answerable_from_flag(cls, given: object) -> object:
        if isinstance(given, bool):
            return Answerable.ANSWERABLE if given else Answerable.UNANSWERABLE
        return given

    @field_validator(
        "required_facts", "optional_facts", "forbidden_facts", "declines", mode="before"
    )
    @classmethod
    def _facts_from_texts(cls, given: object) -> object:
        """Take plain texts for facts; they are numbered in order."""
        if not isinstance(given, list):
            return given
        return [
            {"id": f"f{at}", "text": item} if isinstance(item, str) else item
            for at, item in enumerate(given, start=1)
        ]

    def evidence(self) -> tuple[Evidence, ...]:
        """Return the gold items; one without a group, or a plain passage id, has its own."""
        items = self.gold or tuple(
            _GoldenItem(pid=pid, doc_id=self._only_document) for pid in self.gold_pids
        )
        return tuple(
            Evidence(
                id=f"e{at}",
                group=item.group or f"e{at}",
                chunk_id=item.pid,
                doc_id=item.doc_id,
                doc_version=item.doc_version,
                quote=item.quote,
            )
            for at, item in enumerate(items, start=1)
        )

    @property
    def _only_document(self) -> str:
        return self.gold_docs[0] if len(self.gold_docs) == 1 else ""

    def case(self) -> Case:
        """Return the case that the line was built from, as far as scoring needs it."""
        return Case(
            id=self.id,
            question=self.question,
            conversation=self.conversation,
            standalone_question=self.standalone_question,
            answerable=self.answerable,
            question_type=self.question_type or "other",
            slice=self.slice,
            category=self.category,
            weight=self.weight,
            reference=self.reference,
            other_references=self.other_references,
            facts=Facts(
                required=self.required_facts,
                optional=self.optional_facts,
                forbidden=self.forbidden_facts,
            ),
            declines=self.declines,
            readings=self.readings,
            evidence=self.evidence(),
            doc_version=self.doc_version,
        )


def parse_golden(text: str) -> tuple[Case, ...]:
    """Return the cases of a `golden.jsonl`, by id, without what scoring does not need.

    Lines end at U+000A only. Keys of a plain file that scoring does not know are left alone.

    Raises:
        GoldenFileError: a line is not a case, or an id stands twice.
    """
    cases: dict[str, Case] = {}
    for number, row in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not row.strip():
            continue
        case = _golden_case(row, number)
        if case.id in cases:
            raise GoldenFileError(number, f"the id {case.id!r} stands twice")
        cases[case.id] = case
    return tuple(cases[case_id] for case_id in sorted(cases))


def _golden_case(row: str, number: int) -> Case:
    try:
        document = json.loads(row)
    except RecursionError as problem:
        raise GoldenFileError(number, "it is nested too deeply") from problem
    except ValueError as problem:
        raise GoldenFileError(number, str(problem)) from problem
    if not isinstance(document, dict):
        raise GoldenFileError(number, "it is not a JSON object")
    return parse_golden_object(document, number)


def parse_golden_object(document: Mapping[str, Any], number: int = 1) -> Case:
    """Return the case of one object of a `golden.jsonl`.

    Raises:
        GoldenFileError: it is not a case.
    """
    known = {key: document[key] for key in document if key in _GoldenLine.model_fields}
    try:
        return _GoldenLine.model_validate(known).case()
    except ValidationError as problem:
        raise GoldenFileError(number, first_problem(problem)) from problem
