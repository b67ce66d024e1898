"""The rules of a case: its form, and what a case needs to count (design.md section 3)."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from curation.domain.case import (
    Answerable,
    Case,
    CaseStatus,
    Fact,
    FactRole,
    Origin,
    is_case_id,
)
from curation.domain.finding import Check
from curation.domain.policy import Policy

_SHA256 = re.compile(r"[0-9a-f]{64}")
_ITEM_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}")


def form_problems(case: Case) -> tuple[str, ...]:
    """Return what is wrong with the form of a case, a clause each."""
    return (
        *_id_problems(case),
        *_item_id_problems(case),
        *_reference_problems(case),
        *_field_problems(case),
        *_status_problems(case),
    )


def _id_problems(case: Case) -> Iterator[str]:
    if not is_case_id(case.id):
        yield (
            f"the id {case.id!r} is not 2 to 63 small letters, digits and hyphens, "
            "beginning with a letter or digit, or is the name of a device"
        )


def _item_id_problems(case: Case) -> Iterator[str]:
    ids = [fact.id for _, fact in case.facts.each]
    ids += [item.id for item in case.declines]
    ids += [item.id for item in case.evidence]
    for item_id, number in Counter(ids).items():
        if number > 1:
            yield f"the id {item_id!r} is used {number} times"
        if _ITEM_ID.fullmatch(item_id) is None:
            yield f"{item_id!r} is not an id of a fact, a decline or an evidence item"
    for item in case.evidence:
        if not item.group.strip():
            yield f"evidence {item.id} has no group"


def _reference_problems(case: Case) -> Iterator[str]:
    """Yield references to facts and evidence that do not exist, or that go in a circle."""
    evidence = {item.id for item in case.evidence}
    facts = {fact.id: fact for _, fact in case.facts.each}
    for fact in facts.values():
        for name in fact.evidence:
            if name not in evidence:
                yield f"fact {fact.id} names the evidence {name!r}, which is not there"
        for name in fact.from_:
            if name not in facts:
                yield f"fact {fact.id} follows from {name!r}, which is not a fact"
        if _follows_from_itself(fact, facts):
            yield f"fact {fact.id} follows from itself"


def _follows_from_itself(fact: Fact, facts: dict[str, Fact]) -> bool:
    seen: set[str] = set()
    waiting = list(fact.from_)
    while waiting:
        name = waiting.pop()
        if name == fact.id:
            return True
        if name in facts and name not in seen:
            seen.add(name)
            waiting.extend(facts[name].from_)
    return False


def _field_problems(case: Case) -> Iterator[str]:
    if not math.isfinite(case.weight) or not 0 < case.weight <= 100:
        yield f"the weight {case.weight} is not above 0 and at most 100"
    if case.category is not None and case.answerable is not Answerable.UNANSWERABLE:
        yield "only an unanswerable case names its category; others take it from their evidence"
    for fact in (*case.facts.required, *case.facts.optional, *case.facts.forbidden):
        if fact.from_ and fact.role is not FactRole.CONCLUSION:
            yield f"fact {fact.id} follows from other facts but is not a conclusion"
    for item in case.evidence:
        if item.chunk_sha256 is not None and _SHA256.fullmatch(item.chunk_sha256) is None:
            yield f"evidence {item.id} has a chunk_sha256 that is not 64 hex digits"


def _status_problems(case: Case) -> Iterator[str]:
    if case.status is CaseStatus.RETIRED and case.retired is None:
        yield "it is retired without a reason"
    if case.status is CaseStatus.ACTIVE and case.retired is not None:
        yield "it is active and yet has a reason for being retired"
    successor = case.retired.superseded_by if case.retired else None
    if successor is not None and (successor == case.id or not is_case_id(successor)):
        yield f"{successor!r} cannot supersede it"


class Problem(NamedTuple):
    """What a case lacks to count: the name of the rule and a clause for people."""

    rule: str
    message: str


def content_problems(case: Case, policy: Policy | None) -> tuple[str, ...]:
    """Return what an active case lacks to count, a clause each; nothing for a retired one.

    Args:
        case: the case.
        policy: whose slices and question types the case may use; None: any.
    """
    return tuple(problem.message for problem in named_content_problems(case, policy))


def named_content_problems(case: Case, policy: Policy | None) -> tuple[Problem, ...]:
    """Return what `content_problems` does, with the names of the rules."""
    if case.status is CaseStatus.RETIRED:
        return ()
    return (
        *_text_problems(case),
        *_evidence_problems(case),
        *_fact_problems(case),
        *(_policy_problems(case, policy) if policy else ()),
    )


def _text_problems(case: Case) -> Iterator[Problem]:
    if not case.question.strip():
        yield Problem(Check.QUESTION_MISSING, "the question is empty")
    if not case.reference.strip() and case.answerable is not Answerable.UNANSWERABLE:
        yield Problem(Check.REFERENCE_MISSING, "the reference is empty")
    for fact in (*case.facts.required, *case.facts.optional, *case.facts.forbidden):
        if not fact.text.strip():
            yield Problem(Check.FACTS_MISSING, f"fact {fact.id} is empty")
    for line in case.declines:
        if not line.text.strip():
            yield Problem(Check.FACTS_MISSING, f"decline {line.id} is empty")


def _evidence_problems(case: Case) -> Iterator[Problem]:
    needed = case.answerable in {Answerable.ANSWERABLE, Answerable.PARTIAL}
    if needed and not case.gold:
        message = f"the evidence is missing: a case that is {case.answerable} needs a gold passage"
        yield Problem(Check.EVIDENCE_MISSING, message)


def _fact_problems(case: Case) -> Iterator[Problem]:
    facts = case.facts
    if case.answerable is Answerable.UNANSWERABLE:
        if facts.required:
            message = "an unanswerable case has no required facts"
            yield Problem(Check.REQUIRED_ON_UNANSWERABLE, message)
    elif not _imported(case):
        if not facts.required and not facts.forbidden:
            message = "the facts are missing: a case needs a required or a forbidden one"
            yield Problem(Check.FACTS_MISSING, message)
        elif case.answerable is Answerable.PARTIAL and not facts.required:
            message = "a partial case needs a required fact for the part that can be answered"
            yield Problem(Check.FACTS_MISSING, message)
    allowed = _spellings((*facts.required, *facts.optional))
    for fact in facts.forbidden:
        if _spellings([fact]) & allowed:
            message = f"the forbidden fact {fact.id} stands in the required or optional ones too"
            yield Problem(Check.FORBIDDEN_EQUALS_REQUIRED, message)


def _imported(case: Case) -> bool:
    return case.provenance.origin is Origin.IMPORTED


def _spellings(facts: Iterable[Fact]) -> set[str]:
    return {
        " ".join(unicodedata.normalize("NFKC", text).casefold().split())
        for fact in facts
        for text in (fact.text, *fact.any_of)
    }


def _policy_problems(case: Case, policy: Policy) -> Iterator[Problem]:
    if case.slice not in policy.slices:
        yield Problem(Check.UNKNOWN_SLICE, f"golden.toml has no slice {case.slice!r}")
    if case.question_type not in policy.question_types:
        message = f"golden.toml has no question type {case.question_type!r}"
        yield Problem("unknown_question_type", message)
