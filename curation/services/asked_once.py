"""One question has one case: what was approved is looked at again before it is a second one."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from curation.codec import loads
from curation.domain.case import Case
from curation.domain.change import Change, ChangeKind
from curation.evaluation.drafting import question_key
from curation.golden import GoldenSet

_BRINGS_A_CASE = frozenset({ChangeKind.ADD, ChangeKind.RESTORE})


@dataclass(frozen=True)
class Asked:
    """What two active cases may not share: the question with its last turns, and the version."""

    key: str
    doc_version: str | None

    @classmethod
    def by(cls, case: Case) -> Self:
        """Return what a case asks."""
        return cls(question_key(case), case.doc_version)


def second_cases(golden: GoldenSet, changes: Iterable[Change]) -> dict[str, str]:
    """Return by change id which case asks the same already: of the set, or of an earlier change.

    The checks told each author of the cases that there were then; others came since. An import
    tells of its own, and an edit asks what its case asked before.
    """
    asked = {Asked.by(case): case.id for case in golden.active}
    found: dict[str, str] = {}
    for change in changes:
        if change.kind not in _BRINGS_A_CASE:
            continue
        (file,) = change.latest.files
        case = loads(file.text.encode("utf-8"), file.path)
        first = asked.setdefault(Asked.by(case), case.id)
        if first != case.id:
            found[change.id] = first
    return found
