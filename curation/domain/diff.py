"""What changed between two states of a case: by field, by fact, by evidence item."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from curation.domain.base import Value
from curation.domain.case import Case, Evidence, Fact, FactKind

__all__ = ["CaseDiff", "EvidenceChange", "FactChange", "FieldChange", "ItemChange", "diff_cases"]
_BY_ITEM = frozenset({"facts", "evidence"})
T = TypeVar("T")


class ItemChange(StrEnum):
    """What became of a fact or an evidence item."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


@dataclass(frozen=True, kw_only=True)
class FieldChange:
    """A field of a case with its JSON value before and after; None where there was no case."""

    field: str
    old: Any
    new: Any

    def to_document(self) -> dict[str, Any]:
        """Return the change as a JSON object."""
        return {"field": self.field, "change": "changed", "old": self.old, "new": self.new}


@dataclass(frozen=True, kw_only=True)
class FactChange:
    """What became of a fact; *moved* means that its kind changed, its text perhaps too."""

    fact_id: str
    change: ItemChange
    old_kind: FactKind | None
    new_kind: FactKind | None
    old: Fact | None
    new: Fact | None

    def to_document(self) -> dict[str, Any]:
        """Return the change as a JSON object."""
        return {
            "field": f"facts.{self.fact_id}",
            "change": self.change.value,
            "old_kind": self.old_kind.value if self.old_kind else None,
            "new_kind": self.new_kind.value if self.new_kind else None,
            "old": _json(self.old),
            "new": _json(self.new),
        }


@dataclass(frozen=True, kw_only=True)
class EvidenceChange:
    """What became of an evidence item."""

    evidence_id: str
    change: ItemChange
    old: Evidence | None
    new: Evidence | None

    def to_document(self) -> dict[str, Any]:
        """Return the change as a JSON object."""
        return {
            "field": f"evidence.{self.evidence_id}",
            "change": self.change.value,
            "old": _json(self.old),
            "new": _json(self.new),
        }


@dataclass(frozen=True, kw_only=True)
class CaseDiff:
    """Everything that makes the new state of a case out of the old one.

    `reordered` names the lists whose items stand in another order.
    """

    case_id: str
    added: bool
    removed: bool
    fields: tuple[FieldChange, ...]
    facts: tuple[FactChange, ...]
    evidence: tuple[EvidenceChange, ...]
    reordered: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The changed fields by name, `facts` and `evidence` for their items."""
        names = [change.field for change in self.fields]
        names += ["facts"] if self.facts or "facts" in self.reordered else []
        names += ["evidence"] if self.evidence or "evidence" in self.reordered else []
        return tuple(names)

    @property
    def entries(self) -> list[dict[str, Any]]:
        """Every change as a JSON object: fields, then facts, then evidence."""
        fields = [change.to_document() for change in self.fields]
        facts = [change.to_document() for change in self.facts]
        return fields + facts + [change.to_document() for change in self.evidence]

    def to_document(self) -> dict[str, Any]:
        """Return the diff as a JSON object."""
        return {
            "case_id": self.case_id,
            "added": self.added,
            "removed": self.removed,
            "fields": [change.to_document() for change in self.fields],
            "facts": [change.to_document() for change in self.facts],
            "evidence": [change.to_document() for change in self.evidence],
            "reordered": list(self.reordered),
        }


def _json(value: Value | None) -> dict[str, Any] | None:
    return None if value is None else value.model_dump(mode="json")


def diff_cases(old: Case | None, new: Case | None) -> CaseDiff:
    """Return what changed; None stands for a case that was not there, or is gone."""
    last = new or old
    if last is None:
        raise ValueError("there is nothing to compare")
    facts = tuple(_fact_changes(old, new))
    evidence = tuple(_evidence_changes(old, new))
    return CaseDiff(
        case_id=last.id,
        added=old is None,
        removed=new is None,
        fields=tuple(_field_changes(old, new)),
        facts=facts,
        evidence=evidence,
        reordered=tuple(_reordered(old, new)),
    )


def _field_changes(old: Case | None, new: Case | None) -> Iterator[FieldChange]:
    before, after = _json(old) or {}, _json(new) or {}
    for field in after or before:
        if field not in _BY_ITEM and (not (before and after) or before[field] != after[field]):
            yield FieldChange(field=field, old=before.get(field), new=after.get(field))


def _facts_by_id(case: Case | None) -> dict[str, tuple[FactKind, Fact]]:
    return {fact.id: (kind, fact) for kind, fact in case.facts.each} if case else {}


def _fact_changes(old: Case | None, new: Case | None) -> Iterator[FactChange]:
    before, after = _facts_by_id(old), _facts_by_id(new)
    for fact_id in _in_order(before, after):
        a, b = before.get(fact_id), after.get(fact_id)
        if a != b:
            yield FactChange(
                fact_id=fact_id,
                change=_moved_or(_item_change(a, b), a, b),
                old_kind=a[0] if a else None,
                new_kind=b[0] if b else None,
                old=a[1] if a else None,
                new=b[1] if b else None,
            )


def _moved_or(
    change: ItemChange, a: tuple[FactKind, Fact] | None, b: tuple[FactKind, Fact] | None
) -> ItemChange:
    return ItemChange.MOVED if a and b and a[0] is not b[0] else change


def _evidence_changes(old: Case | None, new: Case | None) -> Iterator[EvidenceChange]:
    before = {item.id: item for item in old.evidence} if old else {}
    after = {item.id: item for item in new.evidence} if new else {}
    for evidence_id in _in_order(before, after):
        a, b = before.get(evidence_id), after.get(evidence_id)
        if a != b:
            yield EvidenceChange(evidence_id=evidence_id, change=_item_change(a, b), old=a, new=b)


def _item_change(old: object | None, new: object | None) -> ItemChange:
    if old is None:
        return ItemChange.ADDED
    return ItemChange.REMOVED if new is None else ItemChange.CHANGED


def _in_order(before: Mapping[str, T], after: Mapping[str, T]) -> list[str]:
    """Return the ids in the order of the new state, those that went at the end."""
    return [*after, *(key for key in before if key not in after)]


def _reordered(old: Case | None, new: Case | None) -> Iterator[str]:
    """Yield the lists whose items that stayed come in another order."""
    if old is None or new is None:
        return
    for kind in FactKind:
        before = [fact.id for fact in old.facts.of(kind)]
        after = [fact.id for fact in new.facts.of(kind)]
        if _kept(before, after) != _kept(after, before):
            yield "facts"
            break
    before = [item.id for item in old.evidence]
    after = [item.id for item in new.evidence]
    if _kept(before, after) != _kept(after, before):
        yield "evidence"


def _kept(ids: Sequence[str], others: Sequence[str]) -> list[str]:
    return [item for item in ids if item in others]
