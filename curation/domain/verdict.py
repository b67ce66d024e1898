"""What a text says of the facts of a case, and how one output stands on one case.

The five criteria are those of measures.md section 2; they are never merged into a number.
"""

from enum import StrEnum

from curation.domain.answer import Outcome
from curation.domain.base import Value
from curation.domain.case import FactKind


class Presence(StrEnum):
    """Whether a text says a fact; only forbidden facts can be attributed to another version."""

    PRESENT = "present"
    ABSENT = "absent"
    UNSURE = "unsure"
    ATTRIBUTED = "attributed"


class Criterion(StrEnum):
    """What an output is judged on."""

    RETRIEVAL = "retrieval"
    ANSWER = "answer"
    CITATION = "citation"
    GROUNDING = "grounding"
    ABSTENTION = "abstention"


class State(StrEnum):
    """How an output stands on one criterion."""

    PASS = "pass"  # noqa: S105 - the name of a state
    FAIL = "fail"
    UNSURE = "unsure"
    NOT_APPLICABLE = "n/a"


class Judged(Value):
    """The state on one criterion, and why."""

    state: State
    reason: str


class FactPresence(Value):
    """Whether a text says one fact; `kind` is None for a line of `declines`.

    `number` counts from 1 among the facts of its kind, as people read it: "required fact 2".
    """

    fact_id: str
    kind: FactKind | None
    number: int
    presence: Presence
    span: tuple[int, int] | None = None
    reason: str = ""

    @property
    def name(self) -> str:
        """The fact as a sentence names it."""
        return f"{self.kind.value} fact {self.number}" if self.kind else f"line {self.number}"


class TextFacts(Value):
    """What one text (an answer, a reference) says of every fact of a case."""

    facts: tuple[FactPresence, ...] = ()
    declines: tuple[FactPresence, ...] = ()

    def of(self, kind: FactKind) -> tuple[FactPresence, ...]:
        """Return the facts of one kind, in order."""
        return tuple(fact for fact in self.facts if fact.kind is kind)

    @property
    def needed(self) -> tuple[FactPresence, ...]:
        """What a right answer must say: the required facts and what is not known."""
        return self.of(FactKind.REQUIRED) + self.declines

    def presence(self, fact_id: str) -> Presence | None:
        """Return what the text says of the fact with that id."""
        for fact in self.facts + self.declines:
            if fact.fact_id == fact_id:
                return fact.presence
        return None


class CaseVerdict(Value):
    """How one output stands on one case: five criteria, what it says of the facts, and why.

    `outcome` is the logged one, or what the phrase rule decided; None where it could not tell.
    `faithfulness` is None where nothing could be checked against; `unsupported` are the code
    points of the quantities that stand in no source.
    """

    retrieval: Judged
    answer: Judged
    citation: Judged
    grounding: Judged
    abstention: Judged
    text: TextFacts
    outcome: Outcome | None
    faithfulness: float | None = None
    n_checked: int = 0
    unsupported: tuple[tuple[int, int], ...] = ()

    def on(self, criterion: Criterion) -> Judged:
        """Return the state on one criterion."""
        found: Judged = getattr(self, criterion.value)
        return found

    def in_state(self, state: State) -> tuple[Criterion, ...]:
        """Return the criteria that are in one state."""
        return tuple(c for c in Criterion if self.on(c).state is state)

    @property
    def facts(self) -> tuple[FactPresence, ...]:
        """What the output says of every fact."""
        return self.text.facts


class Red(StrEnum):
    """Whether the logged output fails a draft, as it must."""

    FAILS = "fails"
    OTHER = "other"  # it fails, but not where the failure category says
    UNSURE = "unsure"
    PASSES = "passes"


class RedCheck(Value):
    """The red check of a draft, with the criteria that decided it."""

    result: Red
    criteria: tuple[Criterion, ...] = ()
