"""Undo of picks and edits: the exact inverse, and gentle where something was typed since."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from curation.domain.case import FactKind
from curation.domain.review import Draft


@dataclass(frozen=True, kw_only=True)
class Step:
    """One act on a draft: what was before it and after it, and the fact touched before."""

    before: Draft
    after: Draft
    touched: str | None = None


class _Named(Protocol):
    @property
    def id(self) -> str:
        """The name that the item keeps."""


Item = TypeVar("Item", bound=_Named)


def revert(step: Step, current: Draft) -> Draft:
    """Return the draft without what the step did; what changed since then stays.

    Where nothing changed since, this is exactly the draft before the step.
    """
    changed = {
        name: getattr(step.before, name)
        for name in Draft.model_fields
        if getattr(step.before, name) != getattr(step.after, name)
    }
    updates = {
        name: before
        for name, before in changed.items()
        if getattr(current, name) == getattr(step.after, name)
    }
    left = changed.keys() - updates.keys()
    if "facts" in left:
        updates["facts"] = current.facts.model_copy(
            update={
                kind.value: _reverted(
                    step.before.facts.of(kind), step.after.facts.of(kind), current.facts.of(kind)
                )
                for kind in FactKind
            }
        )
    if "evidence" in left:
        updates["evidence"] = _reverted(step.before.evidence, step.after.evidence, current.evidence)
    return current.model_copy(update=updates)


def _reverted(
    before: Sequence[Item], after: Sequence[Item], current: Sequence[Item]
) -> tuple[Item, ...]:
    """Return a list without what a step added, with what it removed, with what it changed."""
    was = {item.id: item for item in before}
    became = {item.id: item for item in after}
    listed = [
        was[item.id] if item.id in was and became.get(item.id) == item else item
        for item in current
        if item.id in was or item.id not in became
    ]
    for place, item in enumerate(before):
        if item.id not in became and all(other.id != item.id for other in listed):
            listed.insert(min(place, len(listed)), item)
    return tuple(listed)
