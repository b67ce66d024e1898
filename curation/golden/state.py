"""The set while a batch of changes is applied to it, one after the other, in memory."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from curation.codec.built import counts
from curation.domain.case import Answerable, Case
from curation.domain.policy import Policy
from curation.golden.mailmap import Mailmap, parse_mailmap

_NAMED = 3


@dataclass(kw_only=True)
class State:
    """Cases, blobs and rules as the next change finds them."""

    cases: dict[str, Case]
    blobs: dict[str, str]
    files: dict[str, str]
    policy: Policy
    mailmaps: dict[str, str]
    removed: frozenset[str] = frozenset()
    """Ids of which the history had a file that is not there any more."""

    def __post_init__(self) -> None:
        active = [case for case in self.cases.values() if counts(case)]
        self.slices = Counter(case.slice for case in active)
        self.unanswerable = sum(map(_is_unanswerable, active))

    @property
    def mailmap(self) -> Mailmap:
        """Who is who; the set's own file has the last word over the repository's."""
        return parse_mailmap("\n".join(self.mailmaps.values()))

    def put(self, case: Case, blob: str) -> None:
        """Write a case."""
        self._count(self.cases.get(case.id), -1)
        self._count(case, 1)
        self.cases[case.id] = case
        self.blobs[case.id] = blob

    def _count(self, case: Case | None, step: int) -> None:
        if case is not None and counts(case):
            self.slices[case.slice] += step
            self.unanswerable += step * _is_unanswerable(case)

    def last_guard(self, old: Case | None, new: Case) -> str | None:
        """Return what would have no case left to guard it if `new` took the place of `old`."""
        if old is None or not counts(old):
            return None
        still = counts(new)
        leaves = not still or new.slice != old.slice
        if leaves and old.slice in self.policy.protected and self.slices[old.slice] == 1:
            return f"it is the last case of the protected slice {old.slice}"
        changes = not still or not _is_unanswerable(new)
        if changes and _is_unanswerable(old) and self.unanswerable == 1:
            return "it is the last unanswerable case"
        return None


def _is_unanswerable(case: Case) -> bool:
    return case.answerable is Answerable.UNANSWERABLE


def names_of(ids: Iterable[str]) -> str:
    """Return `q-0001, q-0002, q-0003 and 4 more`."""
    listed = sorted(ids)
    shown = ", ".join(listed[:_NAMED])
    return shown if len(listed) <= _NAMED else f"{shown} and {len(listed) - _NAMED} more"


def policy_problem(cases: Mapping[str, Case], policy: Policy) -> str | None:
    """Return which active cases a policy has no slice or question type for."""
    active = [case for case in cases.values() if counts(case)]
    strays = [case.id for case in active if case.slice not in policy.slices]
    if strays:
        return f"{names_of(strays)} would be in a slice that it does not have"
    strays = [case.id for case in active if case.question_type not in policy.question_types]
    if strays:
        return f"{names_of(strays)} would be of a question type that it does not have"
    return None
