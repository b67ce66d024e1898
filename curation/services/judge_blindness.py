"""Which disagreements a person may see: a judge's score stays hidden until their own word is in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from curation.domain.person import Person
from curation.services.agreement_report import Disagreement
from curation.services.workspace import Workspace
from curation.store.reviews import mark_all_not_blind, reviewed_by
from curation.store.spot_checks import labelled_by


@dataclass(frozen=True, kw_only=True)
class Seen:
    """The disagreements that a person may see, and how many are left out."""

    shown: tuple[Disagreement, ...] = ()
    hidden: int = 0


def seen_disagreements(
    workspace: Workspace,
    disagreements: Sequence[Disagreement],
    *,
    person: Person | None,
    now: datetime,
    show_judge: bool = False,
) -> Seen:
    """Return what a person may see of where a judge and people differ.

    Answers that the person gave a verdict or a label of their own on are shown. The others only
    when asked for; the person's reviews of those answers then do not count as blind.
    """
    if show_judge:
        answers = {one.answer_id for one in disagreements}
        mark_seen(workspace, answers, person=person, now=now)
        return Seen(shown=tuple(disagreements))
    mine = own_answers(workspace, person)
    shown = tuple(one for one in disagreements if one.answer_id in mine)
    return Seen(shown=shown, hidden=len(disagreements) - len(shown))


def mark_seen(
    workspace: Workspace, answer_ids: Iterable[str], *, person: Person | None, now: datetime
) -> None:
    """Remember that a person saw what the judge says of these answers."""
    answers = sorted(set(answer_ids))
    if person is not None and answers:
        with workspace.store.writing() as session:
            mark_all_not_blind(session, answers, person, now=now)


def own_answers(workspace: Workspace, person: Person | None) -> frozenset[str]:
    """Return the answers that a person gave a verdict or a label on."""
    if person is None:
        return frozenset()
    with workspace.store.reading() as session:
        return reviewed_by(session, person) | labelled_by(session, person)
