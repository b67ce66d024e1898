"""Facts that the matcher was unsure of in an output: which they are, and settling them.

A gate on facts is judged at both ends of what is unsure; where that makes a difference it is
undecided until a person (or a judge) says whether the answer holds the fact.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curation.domain.case import Case
from curation.domain.person import Person, Role
from curation.domain.verdict import Presence
from curation.errors import CurationError, NotFoundError
from curation.evaluation.cases import ScoringCase
from curation.evaluation.run import RunLine
from curation.evaluation.scoring import answer_sha256, score_case
from curation.services.errors import ReasonMissingError
from curation.services.evaluation import Outputs
from curation.services.scoring import hit_rule_for, scoring_for
from curation.services.workspace import Workspace
from curation.services.yardstick import Yardstick
from curation.store.runs import settle as settle_in_store


class NotUnsureError(CurationError):
    """There is nothing to settle about a fact in an output."""

    def __init__(self, case_id: str, fact_id: str) -> None:
        super().__init__(
            f"Nothing was settled: {fact_id} of {case_id} is not unsure in these outputs. "
            "See `curation eval unsure`."
        )


@dataclass(frozen=True, kw_only=True)
class UnsureFact:
    """A fact that cannot be told of one answer."""

    case_id: str
    fact_id: str
    text: str
    question: str
    answer: str
    answer_sha256: str

    def to_document(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return dict(vars(self))


@dataclass(frozen=True, kw_only=True)
class Word:
    """What a person says of a fact in the answers of a run."""

    case_id: str
    fact_id: str
    presence: Presence
    why: str


def unsure_facts(
    workspace: Workspace, yardstick: Yardstick, outputs: Outputs
) -> tuple[UnsureFact, ...]:
    """Return the facts that are unsure in a run and that nobody has settled, by case."""
    run = yardstick.fitted(outputs.run)
    rule = hit_rule_for(workspace, yardstick).rule
    how = scoring_for(workspace, yardstick, [run], rule=rule)
    cases = {case.id: case for case in yardstick.cases}
    found: dict[tuple[str, str, str], UnsureFact] = {}
    for line in run.lines:
        case = cases.get(line.case_id)
        if case is None or line.failed:
            continue
        for fact_id in score_case(case, [line], how).unsure:
            unsure = _unsure(case, line, fact_id)
            found[unsure.case_id, fact_id, unsure.answer_sha256] = unsure
    return tuple(found[key] for key in sorted(found))


def _unsure(case: ScoringCase, line: RunLine, fact_id: str) -> UnsureFact:
    return UnsureFact(
        case_id=case.id,
        fact_id=fact_id,
        text=_text_of(case.case, fact_id),
        question=case.case.question,
        answer=line.answer or "",
        answer_sha256=answer_sha256(line),
    )


def _text_of(case: Case, fact_id: str) -> str:
    texts = {fact.id: fact.text for _, fact in case.facts.each}
    texts |= {line.id: line.text for line in case.declines}
    return texts.get(fact_id, fact_id)


def settle_fact(
    workspace: Workspace,
    yardstick: Yardstick,
    outputs: Outputs,
    word: Word,
    *,
    person: Person,
    now: datetime,
) -> tuple[UnsureFact, ...]:
    """Keep a person's word on a fact; every score of the same answer counts it from then on.

    Raises:
        RoleError: the person is no reviewer.
        ReasonMissingError: there is no reason.
        NotFoundError: the version has no such case.
        NotUnsureError: the fact is not unsure there.
    """
    workspace.require(person, Role.REVIEWER, "Settling a fact")
    if not word.why.strip():
        raise ReasonMissingError("A word on a fact")
    if all(case.id != word.case_id for case in yardstick.cases):
        raise NotFoundError("case", word.case_id, f"See the cases of {yardstick.version}.")
    about = (word.case_id, word.fact_id)
    asked = [
        unsure
        for unsure in unsure_facts(workspace, yardstick, outputs)
        if (unsure.case_id, unsure.fact_id) == about
    ]
    if not asked:
        raise NotUnsureError(*about)
    with workspace.store.writing() as session:
        for unsure in asked:
            settle_in_store(
                session,
                (*about, unsure.answer_sha256),
                word.presence,
                why=word.why.strip(),
                by=str(person),
                now=now,
            )
    return tuple(asked)
