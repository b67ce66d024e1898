"""One person's work on one answer: states, drafts, verdicts, failure categories."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from curation.domain.base import Value
from curation.domain.case import Answerable, Decline, Evidence, Facts
from curation.domain.person import Person


class AnswerState(StrEnum):
    """Where an answer stands; the counts of all states add up to all answers."""

    OPEN = "open"
    HELD = "held"
    DONE = "done"
    DISMISSED = "dismissed"
    COVERED = "covered"


class Verdict(StrEnum):
    """How a review ended."""

    PROPOSED = "proposed"
    EDITED = "edited"
    RIGHT = "right"
    DUPLICATE = "duplicate"
    NOT_ACTIONABLE = "not_actionable"

    @property
    def state(self) -> AnswerState:
        """The state that the verdict leaves its answer in."""
        if self in {Verdict.PROPOSED, Verdict.EDITED}:
            return AnswerState.DONE
        return AnswerState.DISMISSED


class FailureCategory(StrEnum):
    """Where the pipeline failed (measures.md section 8)."""

    CONTEXT_RECALL = "context_recall"
    CONTEXT_PRECISION = "context_precision"
    FAITHFULNESS = "faithfulness"
    ANSWER_RELEVANCY = "answer_relevancy"
    CITATION = "citation"
    FALSE_ANSWER = "false_answer"
    OVER_ABSTENTION = "over_abstention"
    NONE = "none"

    @property
    def stage(self) -> str:
        """The stage of the pipeline to fix; empty for `none`."""
        return _STAGES[self]


_STAGES = {
    FailureCategory.CONTEXT_RECALL: "retrieval, chunking",
    FailureCategory.CONTEXT_PRECISION: "reranking, chunking",
    FailureCategory.FAITHFULNESS: "generation prompt, model",
    FailureCategory.ANSWER_RELEVANCY: "prompt, query understanding",
    FailureCategory.CITATION: "citation assembly",
    FailureCategory.FALSE_ANSWER: "abstention rule",
    FailureCategory.OVER_ABSTENTION: "abstention rule",
    FailureCategory.NONE: "",
}


class FailureProposal(Value):
    """The proposed failure category with its reason; all other matches are secondary."""

    category: FailureCategory | None
    because: str
    secondary: tuple[FailureCategory, ...] = ()


class Acknowledgement(Value):
    """A word of why for one warning; `item` names the fact or evidence it is about."""

    check: str
    why: str
    item: str | None = None


class Draft(Value):
    """What a reviewer has entered for one answer; every field is saved on its own.

    None means "not touched": the question, slice and type then follow the answer.
    """

    case_id: str | None = None
    answerable: Answerable = Answerable.ANSWERABLE
    reference: str = ""
    facts: Facts = Facts()
    evidence: tuple[Evidence, ...] = ()
    declines: tuple[Decline, ...] = ()
    readings: tuple[str, ...] = ()
    failure: FailureCategory | None = None
    failure_why: str = ""
    question: str | None = None
    standalone_question: str | None = None
    question_type: str | None = None
    slice: str | None = None
    category: str | None = None
    weight: int | float = Field(default=1, gt=0, le=100)
    reason: str | None = None
    other_references: tuple[str, ...] = ()
    notes: str = ""
    searches: tuple[str, ...] = ()
    missing: str = ""
    acks: tuple[Acknowledgement, ...] = ()


class Lease(Value):
    """Who holds an answer until when."""

    person: Person
    until: datetime


class Review(Value):
    """A finished review."""

    answer_id: str
    person: Person
    verdict: Verdict
    reason: str
    at: datetime
    blind: bool
    proposed_failure: FailureCategory | None = None
    failure: FailureCategory | None = None
    change_id: str | None = None
    duplicate_of: str | None = None

    def outcome(self, change_number: str | None) -> str:
        """Return how it ended, in words: `proposed as 0149`, `answer is right`.

        A duplicate names somebody else's change at most, so its own is the case.
        """
        if change_number is not None and self.verdict is not Verdict.DUPLICATE:
            return f"proposed as {change_number}"
        return {
            Verdict.RIGHT: "answer is right",
            Verdict.DUPLICATE: f"duplicate of {self.duplicate_of or 'another'}",
            Verdict.NOT_ACTIONABLE: "not actionable",
        }.get(self.verdict, self.verdict.value)
