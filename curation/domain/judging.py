"""What a judge is asked, what it may say, and the ways in which it fails."""

import re
from enum import StrEnum

from curation.domain.answer import Outcome
from curation.domain.base import Value
from curation.domain.case import Turn

PROXY = "proxy"
GRADES = (0, 1, 2)
SCALE = (0.0, 2.0)


class FailureKind(StrEnum):
    """Why a judge gave no number. A failed score is never 0, never the middle, never dropped."""

    PARSE = "parse"
    TYPE = "type"
    RANGE = "range"
    REFUSAL = "refusal"
    TIME_OUT = "time_out"
    RATE_LIMIT = "rate_limit"
    API = "api"


class JudgeMetric(StrEnum):
    """What a judge scores. A fact that the matcher was unsure of is settled, not scored."""

    RELEVANCE = "relevance"
    FAITHFULNESS = "faithfulness"
    ANSWER_RELEVANCY = "answer_relevancy"
    CONTEXT_PRECISION = "context_precision"
    CITATION_OVERLAP = "citation_overlap"
    CONTEXT_RECALL = "context_recall"
    CITATION_SUPPORT = "citation_support"
    FACT = "fact"


class Passage(Value):
    """A retrieved chunk as a judge sees it; `used` says whether the answer's writer saw it."""

    rank: int
    chunk_id: str
    doc_version: str | None = None
    text: str | None = None
    used: bool = True


class OpenFact(Value):
    """A fact that the matcher could not tell of an answer."""

    id: str
    text: str


class Material(Value):
    """Everything that a judge may be shown of one answer; all of it was written by others.

    `reference`, and the facts, are there for outputs on a golden set only; `golden` says so.
    `cited` are the passages that the answer cites; `citations` counts what it cites, known or not.
    """

    question: str
    conversation: tuple[Turn, ...] = ()
    answer: str
    outcome: Outcome | None = None
    passages: tuple[Passage, ...] = ()
    cited: tuple[Passage, ...] = ()
    citations: int = 0
    golden: bool = False
    reference: str = ""
    facts: tuple[OpenFact, ...] = ()

    @property
    def with_text(self) -> tuple[Passage, ...]:
        """The passages whose text is known."""
        return tuple(passage for passage in self.passages if passage.text)

    @property
    def answered(self) -> bool:
        """Whether there is an answer that could be unfaithful."""
        return self.outcome in {None, Outcome.ANSWERED} and bool(self.answer.strip())


class Grade(Value):
    """What came of one question to a judge: a grade with its reason, or the kind of failure."""

    value: int | None = None
    reason: str | None = None
    failure: FailureKind | None = None


_SETTLED_BY = re.compile(r"judge ([^<>]+), prompt ([^<>]+)")


def settled_by(judge: str | None, prompt_version: str | None) -> str:
    """Return how a fact that a judge settled is signed; a person signs with a name and e-mail."""
    return f"judge {judge or 'unnamed'}, prompt {prompt_version or 'none'}"


def judge_that_settled(signed: str) -> tuple[str, str] | None:
    """Return the judge and prompt version of a signature; None of a person's."""
    found = _SETTLED_BY.fullmatch(signed)
    return (found[1], found[2]) if found else None
