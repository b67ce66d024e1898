"""A golden case: the ingredients of a right answer (design.md section 3, measures.md section 1)."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from curation.domain.base import Value
from curation.domain.case_id import is_case_id as is_case_id  # noqa: PLC0414 - part of this module

UNASSIGNED = "q-0000"  # the id of a case before it is proposed


class CaseStatus(StrEnum):
    """Whether a case counts."""

    ACTIVE = "active"
    RETIRED = "retired"


class Answerable(StrEnum):
    """Whether the corpus can answer the question."""

    ANSWERABLE = "answerable"
    UNANSWERABLE = "unanswerable"
    PARTIAL = "partial"
    UNDERSPECIFIED = "underspecified"


class FactKind(StrEnum):
    """What a right answer does with a fact: must, may, must not hold it."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    FORBIDDEN = "forbidden"


class FactRole(StrEnum):
    """A statement stands in a passage; a conclusion follows from other facts."""

    STATEMENT = "statement"
    CONCLUSION = "conclusion"


class Mention(StrEnum):
    """Whether a forbidden value may stand in an answer when it is attributed to its version."""

    ATTRIBUTED_OK = "attributed_ok"
    NEVER = "never"


class EvidenceRole(StrEnum):
    """Gold evidence proves; a distractor is a near miss, never counted as gold."""

    GOLD = "gold"
    DISTRACTOR = "distractor"


class ReferenceSource(StrEnum):
    """Where the words of the reference come from; set by the program."""

    WRITTEN = "written"
    QUOTED = "quoted"
    USER_CORRECTION = "user_correction"
    IMPORTED = "imported"


class Origin(StrEnum):
    """Why a case exists."""

    PRODUCTION_FAILURE = "production_failure"
    COVERAGE = "coverage"
    AUTHORED = "authored"
    IMPORTED = "imported"
    KNOWN_GOOD = "known_good"


class RetireReason(StrEnum):
    """Why a case no longer counts."""

    DUPLICATE = "duplicate"
    WRONG = "wrong"
    OUTDATED = "outdated"
    OUT_OF_SCOPE = "out_of_scope"
    MERGED = "merged"


class Turn(Value):
    """One earlier turn of the conversation, part of the question."""

    role: str
    text: str


class Fact(Value):
    """A statement that a right answer must or may hold."""

    id: str
    text: str
    any_of: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    role: FactRole = FactRole.STATEMENT
    from_: tuple[str, ...] = Field(default=(), alias="from")


class ForbiddenFact(Fact):
    """A statement that a right answer must not hold, usually another version's value."""

    value_of: str | None = None
    mention: Mention = Mention.ATTRIBUTED_OK


class Facts(Value):
    """The facts of a case by kind."""

    required: tuple[Fact, ...] = ()
    optional: tuple[Fact, ...] = ()
    forbidden: tuple[ForbiddenFact, ...] = ()

    def of(self, kind: FactKind) -> tuple[Fact, ...]:
        """Return the facts of one kind, in order."""
        return {
            FactKind.REQUIRED: self.required,
            FactKind.OPTIONAL: self.optional,
            FactKind.FORBIDDEN: tuple(self.forbidden),
        }[kind]

    @property
    def each(self) -> tuple[tuple[FactKind, Fact], ...]:
        """Every fact with its kind: required, optional, forbidden."""
        return tuple((kind, fact) for kind in FactKind for fact in self.of(kind))


class Decline(Value):
    """Something a right answer must say that the corpus does not know."""

    id: str
    text: str
    any_of: tuple[str, ...] = ()


class Evidence(Value):
    """A passage that proves: chunk and document of one version, the quoted words, the text's hash.

    Items of one group are alternatives; all groups are needed.
    """

    id: str
    group: str
    role: EvidenceRole = EvidenceRole.GOLD
    chunk_id: str
    doc_id: str
    doc_version: str | None = None
    quote: str = ""
    chunk_sha256: str | None = None


class Provenance(Value):
    """Where a case came from."""

    origin: Origin = Origin.AUTHORED
    answer_id: str | None = None
    external_id: str | None = None
    pipeline_version: str | None = None
    failure: str | None = None
    signals: tuple[str, ...] = ()
    reported_at: str | None = None


class Retired(Value):
    """Why a case was retired and what replaces it."""

    reason: RetireReason
    superseded_by: str | None = None


class Case(Value):
    """A golden case; the field order is the order of the keys in its file."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    id: str
    status: CaseStatus = CaseStatus.ACTIVE
    question: str
    conversation: tuple[Turn, ...] = ()
    standalone_question: str | None = None
    answerable: Answerable = Answerable.ANSWERABLE
    question_type: str = "other"
    slice: str = "general"
    category: str | None = None
    weight: int | float = Field(default=1, gt=0, le=100)
    reference: str = ""
    other_references: tuple[str, ...] = ()
    reference_source: ReferenceSource = ReferenceSource.WRITTEN
    facts: Facts = Facts()
    declines: tuple[Decline, ...] = ()
    readings: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    doc_version: str | None = None
    provenance: Provenance = Provenance()
    retired: Retired | None = None
    notes: str = ""

    @property
    def gold(self) -> tuple[Evidence, ...]:
        """The evidence that counts as gold."""
        return tuple(e for e in self.evidence if e.role is EvidenceRole.GOLD)
