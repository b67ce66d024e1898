"""Facts that a newer version of their document made wrong, and the edit that puts them right."""

import re
from collections.abc import Mapping, Sequence

from curation.domain.base import Value
from curation.domain.case import Case, Evidence, Fact, FactRole, ForbiddenFact
from curation.evaluation.succession import NewerValue, ValueChange
from curation.metrics import quantities

__all__ = ["Outdated", "OutdatedFact", "outdated"]


class OutdatedFact(Value):
    """A required fact that holds an older version's value, and what it would say now."""

    fact_id: str
    text: str
    old: str
    new: str
    value_of: str | None
    proposed_text: str


class Outdated(Value):
    """A case with facts that may have become forbidden ones.

    Attributes:
        case_id: the case.
        facts: the facts, each with the older and the newer value.
        newer: for each piece of evidence what the newer version says.
        proposed: the edited case; None where a person has to write it.
        why_not: why nothing is proposed.
    """

    case_id: str
    facts: tuple[OutdatedFact, ...]
    newer: Mapping[str, NewerValue]
    proposed: Case | None
    why_not: str | None = None


def outdated(case: Case, newer: Mapping[str, NewerValue]) -> Outdated | None:
    """Return the facts that hold a value which a newer version replaced, None for none.

    Args:
        case: an active case.
        newer: what a newer version says, by the id of the evidence.
    """
    changed: dict[str, tuple[OutdatedFact, Fact]] = {}
    for item in case.gold:
        if item.id in newer:
            for fact in _proved_by(case, item):
                found = _renewed(fact, item, newer[item.id].changes)
                if found is not None:
                    changed[fact.id] = found
    if not changed:
        return None
    facts = tuple(fact for fact, _ in changed.values())
    follows = [
        fact.id
        for fact in case.facts.required
        if fact.role is FactRole.CONCLUSION and set(fact.from_) & set(changed)
    ]
    if follows:
        why = f"{', '.join(follows)} follows from a fact that changed: decide it and edit the case."
        return Outdated(case_id=case.id, facts=facts, newer=newer, proposed=None, why_not=why)
    proposed = _edited(case, newer, changed)
    return Outdated(case_id=case.id, facts=facts, newer=newer, proposed=proposed)


def _proved_by(case: Case, item: Evidence) -> list[Fact]:
    """Return the required statements that rest on the evidence; all if no fact names any."""
    statements = [f for f in case.facts.required if f.role is FactRole.STATEMENT]
    if not any(fact.evidence for fact in statements):
        return statements
    return [fact for fact in statements if item.id in fact.evidence]


def _renewed(
    fact: Fact, item: Evidence, changes: Sequence[ValueChange]
) -> tuple[OutdatedFact, Fact] | None:
    """Return a fact with the newer value in place of the older one; None if it holds neither."""
    for change in changes:
        text = with_value(fact.text, change)
        if text is None:
            continue
        wordings = [with_value(wording, change) for wording in fact.any_of]
        any_of = tuple(dict.fromkeys(w for w in wordings if w is not None and w != text))
        told = OutdatedFact(
            fact_id=fact.id,
            text=fact.text,
            old=change.old,
            new=change.new,
            value_of=item.doc_version,
            proposed_text=text,
        )
        return told, fact.model_copy(update={"text": text, "any_of": any_of})
    return None


def with_value(text: str, change: ValueChange) -> str | None:
    """Return the text with the newer value wherever it has the older one; None where it has not."""
    spans = [match.span() for match in _written(change.old).finditer(text)]
    if not spans:
        readings = {r for q in quantities(change.old) for r in q.readings}
        spans = [q.span for q in quantities(text) if readings & q.readings]
    if not spans:
        return None
    for start, end in reversed(spans):
        text = text[:start] + change.new + text[end:]
    return text


def _written(value: str) -> re.Pattern[str]:
    """Return the pattern of a value that stands on its own."""
    words = r"\s+".join(map(re.escape, value.split()))
    return re.compile(rf"(?<![\w.,-]){words}(?!\w|[.,-]\d)", re.IGNORECASE)


def _edited(
    case: Case,
    newer: Mapping[str, NewerValue],
    changed: Mapping[str, tuple[OutdatedFact, Fact]],
) -> Case:
    """Return the case with the older values forbidden and the newer ones required and proved."""
    olds = {fact.id: fact for fact in case.facts.required}
    required = tuple(
        changed[fact.id][1] if fact.id in changed else fact for fact in case.facts.required
    )
    kept = tuple(f for f in case.facts.forbidden if not _is_new_value(f, changed))
    names = _new_ids(case, len(changed))
    forbidden = tuple(
        ForbiddenFact(
            id=name, text=olds[told.fact_id].text, any_of=olds[told.fact_id].any_of,
            value_of=told.value_of,
        )
        for name, (told, _) in zip(names, changed.values(), strict=True)
    )  # fmt: skip
    facts = case.facts.model_copy(update={"required": required, "forbidden": (*kept, *forbidden)})
    moved = {i for i in newer if any(i in fact.evidence or not fact.evidence
                                     for _, fact in changed.values())}  # fmt: skip
    return case.model_copy(
        update={
            "facts": facts,
            "evidence": tuple(
                _repicked(item, newer[item.id]) if item.id in moved else item
                for item in case.evidence
            ),
            "reference": _renewed_text(case.reference, changed),
            "other_references": tuple(_renewed_text(t, changed) for t in case.other_references),
        }
    )


def _is_new_value(fact: ForbiddenFact, changed: Mapping[str, tuple[OutdatedFact, Fact]]) -> bool:
    """Return whether a forbidden fact is what is now required."""
    own = {r for q in quantities(fact.text) for r in q.readings} or {fact.text.casefold()}
    for told, _ in changed.values():
        new = {r for q in quantities(told.new) for r in q.readings} or {told.new.casefold()}
        if own == new:
            return True
    return False


def _new_ids(case: Case, count: int) -> list[str]:
    """Return ids that no fact, evidence or line of the case has."""
    used = {fact.id for _, fact in case.facts.each} | {item.id for item in case.evidence}
    used |= {line.id for line in case.declines}
    free = (f"f{number}" for number in range(1, len(used) + count + 1))
    return [name for name in free if name not in used][:count]


def _repicked(item: Evidence, newer: NewerValue) -> Evidence:
    """Return the evidence picked from the newer version."""
    return item.model_copy(
        update={
            "chunk_id": newer.chunk_id,
            "doc_id": newer.doc_id,
            "doc_version": newer.doc_version,
            "quote": newer.quote,
            "chunk_sha256": None,
        }
    )


def _renewed_text(text: str, changed: Mapping[str, tuple[OutdatedFact, Fact]]) -> str:
    """Return a reference with the newer values."""
    for told, _ in changed.values():
        text = with_value(text, ValueChange(old=told.old, new=told.new)) or text
    return text
