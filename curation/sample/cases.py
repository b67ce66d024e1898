"""The starter golden cases of the sample world, as documents to import."""

import tomllib
from typing import Any

from pydantic import Field

from curation.domain.base import Value
from curation.domain.case import (
    Answerable,
    Case,
    Decline,
    Evidence,
    EvidenceRole,
    Fact,
    FactRole,
    Facts,
    ForbiddenFact,
    Origin,
    Provenance,
    ReferenceSource,
    Turn,
)
from curation.domain.chunk import text_sha256
from curation.sample.documents import WORLD, chunk_texts


class _WrittenEvidence(Value):
    chunk: str  # id@version
    quote: str
    group: int | None = None
    role: EvidenceRole = EvidenceRole.GOLD

    def numbered(self, number: int) -> Evidence:
        chunk_id, version = self.chunk.rsplit("@", 1)
        return Evidence(
            id=f"e{number}",
            group=f"e{self.group or number}",
            role=self.role,
            chunk_id=chunk_id,
            doc_id=chunk_id.split("#")[0],
            doc_version=version,
            quote=self.quote,
            chunk_sha256=text_sha256(chunk_texts()[chunk_id, version]),
        )


class _WrittenFact(Value):
    text: str
    any_of: tuple[str, ...] = ()
    evidence: tuple[int, ...] = ()
    role: FactRole = FactRole.STATEMENT
    from_: tuple[int, ...] = Field(default=(), alias="from")
    value_of: str | None = None

    def numbered(self, number: int) -> dict[str, Any]:
        return {
            "id": f"f{number}",
            "text": self.text,
            "any_of": self.any_of,
            "evidence": tuple(f"e{n}" for n in self.evidence),
            "role": self.role,
            "from_": tuple(f"f{n}" for n in self.from_),
        }


class _WrittenCase(Value):
    id: str
    question: str
    type: str
    slice: str
    reference: str
    answerable: Answerable = Answerable.ANSWERABLE
    conversation: tuple[Turn, ...] = ()
    standalone_question: str | None = None
    category: str | None = None
    weight: int = 1
    doc_version: str | None = None
    evidence: tuple[_WrittenEvidence, ...] = ()
    required: tuple[_WrittenFact, ...] = ()
    optional: tuple[_WrittenFact, ...] = ()
    forbidden: tuple[_WrittenFact, ...] = ()
    declines: tuple[dict[str, Any], ...] = ()
    readings: tuple[str, ...] = ()
    notes: str = ""

    def case(self) -> Case:
        return Case(
            id=self.id,
            question=self.question,
            conversation=self.conversation,
            standalone_question=self.standalone_question,
            answerable=self.answerable,
            question_type=self.type,
            slice=self.slice,
            category=self.category,
            weight=self.weight,
            reference=self.reference,
            reference_source=ReferenceSource.IMPORTED,
            facts=self._facts(),
            declines=tuple(
                Decline(id=f"d{n}", **line) for n, line in enumerate(self.declines, start=1)
            ),
            readings=self.readings,
            evidence=tuple(e.numbered(n) for n, e in enumerate(self.evidence, start=1)),
            doc_version=self.doc_version,
            provenance=Provenance(origin=Origin.IMPORTED, external_id=self.id),
            notes=self.notes,
        )

    def _facts(self) -> Facts:
        """Return the facts, numbered through all three lists."""
        first_optional = len(self.required) + 1
        first_forbidden = first_optional + len(self.optional)
        return Facts(
            required=tuple(
                Fact(**fact.numbered(n)) for n, fact in enumerate(self.required, start=1)
            ),
            optional=tuple(
                Fact(**fact.numbered(n))
                for n, fact in enumerate(self.optional, start=first_optional)
            ),
            forbidden=tuple(
                ForbiddenFact(**fact.numbered(n), value_of=fact.value_of)
                for n, fact in enumerate(self.forbidden, start=first_forbidden)
            ),
        )


def read_cases() -> tuple[Case, ...]:
    """Return the starter cases in the order of their file."""
    table = tomllib.loads((WORLD / "cases.toml").read_text(encoding="utf-8"))
    return tuple(_WrittenCase(**written).case() for written in table["case"])
