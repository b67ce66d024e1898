"""Everything that the checks look at, computed before."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from curation.domain.case import Answerable, Case, CaseStatus, Evidence, Fact, FactKind, Origin
from curation.domain.chunk import ChunkKey
from curation.domain.finding import Check, Finding, Level
from curation.domain.policy import Policy
from curation.domain.verdict import FactPresence, Presence, RedCheck, TextFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCase:
    """What the duplicate checks need of another case of the set, or of one that is proposed.

    `key` is the normalised question with its last turns; `change` is the number of the change that
    a case waits in which the set does not have yet.
    """

    case_id: str
    key: str
    doc_version: str | None = None
    status: CaseStatus = CaseStatus.ACTIVE
    slice: str | None = None
    answerable: Answerable | None = None
    change: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceText:
    """A reference of the case and what it says of the facts; `number` counts other references."""

    number: int | None
    text: str
    says: TextFacts

    @property
    def name(self) -> str:
        """The reference as the beginning of a sentence names it."""
        return "The reference" if self.number is None else f"Other reference {self.number}"

    @property
    def field(self) -> str:
        """The field of the case."""
        return "reference" if self.number is None else "other_references"


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarAnswer:
    """A logged answer that a reference may resemble; the own one has no id."""

    text: str
    answer_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckContext:
    """A case and all that its checks look at.

    Attributes:
        case: the case as it would be written.
        policy: the policy of the set.
        key: the case's own question key, as those of `others`.
        base: the case being edited, as it is at the tip.
        ever_released: whether a version holds the case.
        red: the red check of the logged output; None where there is none to make.
        red_category: the failure category that the red check was made for.
        references: what every reference says of the facts.
        clashes: for each forbidden fact, the required and optional ones in which it stands.
        in_evidence: for each fact with evidence, whether its evidence says it.
        leaked: the required facts that the question itself states.
        asked_versions: the versions that the question names.
        mismatched: the gold evidence of another version than the question names.
        chunks: texts of the evidence's chunks.
        has_corpus: whether a corpus was brought in, so that a chunk can be missing from it.
        others: the other cases of the set.
        answers: logged answers that the references may resemble, the own one first.
        corrections: what the user said instead.
        common: for each fact, in how many other logged answers it was found.
        searches: what was searched for in the corpus during this review.
        missing: the reviewer's word on what the corpus lacks.
        reason: why this change.
        publishing: whether unknown slices and types are errors already.
        baseline_fails: whether a case that is retired or eased fails on the baseline.
    """

    case: Case
    policy: Policy
    key: str = ""
    base: Case | None = None
    ever_released: bool = False
    red: RedCheck | None = None
    red_category: str | None = None
    references: tuple[ReferenceText, ...] = ()
    clashes: tuple[tuple[FactPresence, str], ...] = ()
    in_evidence: Mapping[str, Presence] = field(default_factory=dict)
    leaked: tuple[FactPresence, ...] = ()
    asked_versions: tuple[str, ...] = ()
    mismatched: tuple[Evidence, ...] = ()
    chunks: Mapping[ChunkKey, str] = field(default_factory=dict)
    has_corpus: bool = False
    others: tuple[KnownCase, ...] = ()
    answers: tuple[SimilarAnswer, ...] = ()
    corrections: tuple[str, ...] = ()
    common: Mapping[str, int] = field(default_factory=dict)
    searches: tuple[str, ...] = ()
    missing: str = ""
    reason: str = ""
    publishing: bool = False
    baseline_fails: bool = False

    @property
    def new(self) -> bool:
        """Whether the case is not in the set yet."""
        return self.base is None

    @property
    def imported(self) -> bool:
        """Whether the case came with an imported set."""
        return self.case.provenance.origin is Origin.IMPORTED

    def numbered(self, kind: FactKind) -> Iterator[tuple[int, Fact]]:
        """Yield the facts of one kind with the number that people read."""
        yield from enumerate(self.case.facts.of(kind), start=1)


def error(check: Check, message: str, **place: str | None) -> Finding:
    """Return a finding that blocks."""
    return Finding(check=check, level=Level.ERROR, message=message, **place)


def warning(check: Check, message: str, **place: str | None) -> Finding:
    """Return a finding that needs a word of why."""
    return Finding(check=check, level=Level.WARNING, message=message, **place)


def fine(check: Check, message: str) -> Finding:
    """Return a finding that says that something is in order."""
    return Finding(check=check, level=Level.FINE, message=message)
