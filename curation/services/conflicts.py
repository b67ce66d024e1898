"""A change whose case changed underneath: the three sides, and what a person chose of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from curation.codec import loads
from curation.domain.case import Case, FactKind
from curation.domain.change import Change, ChangeState
from curation.domain.merge import Merge, Side, merge_cases, resolve
from curation.domain.person import Person, Role
from curation.golden import blob_text
from curation.services import changes, golden_set
from curation.services.cases import CaseFile
from curation.services.errors import ChangeClosedError
from curation.services.workspace import Workspace


@dataclass(frozen=True, kw_only=True)
class ThreeSides:
    """The merge of a change with what happened to its case, and who did that in which version."""

    merge: Merge
    base_version: str | None
    their_version: str | None
    their_author: Person | None


def is_author(change: Change, person: Person) -> bool:
    """Return whether the person uploaded a patch set of the change."""
    return any(author.key == person.key for author in change.authors)


def three_sides(workspace: Workspace, change: Change) -> ThreeSides | None:
    """Return the three sides of a change in conflict; None when there is nothing to choose from.

    There is nothing to choose when it is in no conflict, or is no edit of a case that both have.
    """
    if change.state is not ChangeState.CONFLICT or change.latest.base_blob is None:
        return None
    golden = golden_set.browse(workspace)
    mine = changes.case_of(change.latest)
    theirs = golden.cases.get(change.case_id or "")
    if mine is None or theirs is None:
        return None
    base = loads(blob_text(workspace.golden, change.latest.base_blob).encode("utf-8"), "the base")
    newest = next(iter(golden_set.history(workspace, theirs.id)), None)
    return ThreeSides(
        merge=merge_cases(base, theirs, mine),
        base_version=change.latest.base_version,
        their_version=newest.version if newest else None,
        their_author=newest.author if newest else None,
    )


def can_be_written_anew(sides: ThreeSides, place: str) -> bool:
    """Return whether a place in conflict holds words that can be written anew."""
    conflict = next(one for one in sides.merge.conflicts if one.place == place)
    if place.startswith("facts."):
        return True
    return all(isinstance(value, str) for value in (conflict.theirs, conflict.mine))


def resolve_conflict(
    workspace: Workspace,
    change_id: str,
    *,
    choices: Mapping[str, Side],
    anew: Mapping[str, str],
    person: Person,
    now: datetime,
) -> Change:
    """Store what was chosen as the next patch set, on the case as it is now.

    Args:
        workspace: the store and the golden set.
        change_id: uuid or number.
        choices: a side for each place in conflict that is not written anew.
        anew: the words for each place that is written anew.
        person: who chose.
        now: when.

    Raises:
        ChangeClosedError: the change is in no conflict any more.
        BlockedError, UnexplainedError: the checks found something in the chosen case.
    """
    change = changes.get(workspace, change_id, viewer=person)
    if not is_author(change, person):
        workspace.require(person, Role.ADMIN, "Resolving somebody else's conflict")
    sides = three_sides(workspace, change)
    if sides is None:
        raise ChangeClosedError(change.shown_number, change.state.value)
    case = chosen_case(sides.merge, choices, anew)
    file = CaseFile(
        document=case.model_dump(mode="json", by_alias=True),
        where=f"change {change.shown_number}",
        reason=change.latest.reason,
        acks=change.latest.acks,
    )
    blob = golden_set.browse(workspace).blobs.get(case.id)
    changed, _ = golden_set.propose_case(
        workspace, file, person=person, now=now, change_id=change.id, base_blob=blob
    )
    return changed


def chosen_case(merge: Merge, choices: Mapping[str, Side], anew: Mapping[str, str]) -> Case:
    """Return the merged case with a side, or words written anew, at each place in conflict."""
    sides = dict(choices)
    for place in anew:
        gone = next(c for c in merge.conflicts if c.place == place).mine is None
        sides[place] = Side.THEIRS if gone else Side.MINE
    case = resolve(merge, sides)
    for place, text in anew.items():
        case = _written(case, place, text)
    return case


def _written(case: Case, place: str, text: str) -> Case:
    """Return the case with other words at one place."""
    if not place.startswith("facts."):
        return case.model_copy(update={place: text})
    fact_id = place.removeprefix("facts.")
    lists = {
        kind.value: tuple(
            fact.model_copy(update={"text": text}) if fact.id == fact_id else fact
            for fact in case.facts.of(kind)
        )
        for kind in FactKind
    }
    return case.model_copy(update={"facts": case.facts.model_copy(update=lists)})
