"""What can be done on the Settle page, and what each key does there."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from curation.domain.adjudication import Contest
from curation.domain.person import Person
from curation.errors import CurationError
from curation.services import adjudication
from curation.services.source_answer import source_answer
from curation.services.workspace import Workspace
from curation.ui import bar, session, shell
from curation.ui.actions import Action
from curation.ui.bar import Event
from curation.ui.settle_view import REASON, Sides, reason_slot, stand_act

CHOSEN = "answer"
NEEDS_REASON = "Write here why it stands, then press Esc and the key again."
_ORDINALS = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True, kw_only=True)
class Bench:
    """What the page works on: the pairs, the chosen one, and why it is not this person's."""

    workspace: Workspace
    person: Person
    contests: tuple[Contest, ...]
    chosen: Contest | None
    why_off: str | None


def bench() -> Bench:
    """Return what the page works on now."""
    workspace, person = session.workspace(), session.acting_person()
    found = adjudication.contests(workspace, person)
    wanted = st.query_params.get(CHOSEN, "")
    chosen = next((one for one in found if one.answer_id == wanted), next(iter(found), None))
    why = adjudication.why_not_settled_by(workspace, chosen, person) if chosen else None
    return Bench(workspace=workspace, person=person, contests=found, chosen=chosen, why_off=why)


def sides(at: Bench) -> Sides | None:
    """Return the chosen pair with everything that is shown of it."""
    if at.chosen is None:
        return None
    return Sides(
        contest=at.chosen,
        answer=source_answer(at.workspace, at.chosen.answer_id),
        proposed=adjudication.proposals(at.workspace, at.chosen),
        zone=session.zone(),
        may=at.why_off is None,
    )


def act(event: Event, at: Bench) -> None:
    """Do what a key or a press asks for; a refusal stays on the page."""
    try:
        _act(event, at)
    except CurationError as problem:
        bar.refuse(str(problem))


def _act(event: Event, at: Bench) -> None:
    match event.act:
        case "select":
            st.query_params[CHOSEN] = event.arg
        case "next" | "previous":
            _step(at, 1 if event.act == "next" else -1)
        case "open" if at.chosen is not None:
            shell.go("review", answer=at.chosen.answer_id)
        case "take_back" if event.arg:
            adjudication.take_back(at.workspace, event.arg, person=at.person)
            st.query_params[CHOSEN] = event.arg
            bar.say("Taken back: both verdicts are open again, with what was withdrawn.")
        case _ if event.act.startswith("stand_"):
            _stand(event, at)
        case _:
            shell.followed(event)


def _stand(event: Event, at: Bench) -> None:
    """Let the verdict stand that the key was pressed for, and go on to the next pair."""
    answer_id, _, whose = event.arg.rpartition(" ")
    done = adjudication.let_stand(
        at.workspace,
        answer_id,
        whose,
        person=at.person,
        reason=event.fields.get(REASON, ""),
        now=session.now(),
    )
    bar.sent(reason_slot(answer_id))
    bar.say(f"{adjudication.settled_words(done)} Z: take back.")
    left = [one for one in at.contests if one.is_open and one.answer_id != answer_id]
    st.query_params[CHOSEN] = left[0].answer_id if left else answer_id


def _step(at: Bench, by: int) -> None:
    """Choose the pair before or after the chosen one."""
    if at.chosen is None:
        return
    names = [one.answer_id for one in at.contests]
    place = names.index(at.chosen.answer_id) + by
    st.query_params[CHOSEN] = names[min(max(place, 0), len(names) - 1)]


def actions(at: Bench) -> list[Action]:
    """Return what can be done, and in words why some of it cannot be done now."""
    several = len(at.contests) > 1
    return [
        *(_stand_actions(at, at.chosen) if at.chosen is not None else ()),
        Action(act="next", label="Next", keys=("n",), off=None if several else "No other pair."),
        Action(act="previous", label="Previous", keys=("p",), shown=False),
        Action(
            act="open",
            label="Open answer",
            keys=("o",),
            off=None if at.chosen else "Nothing was opened: the list is empty.",
        ),
        _back_action(at),
        *shell.page_keys(),
    ]


def _stand_actions(at: Bench, contest: Contest) -> list[Action]:
    """Return an action for each verdict; the press names whose it was."""
    off = at.why_off
    if not contest.is_open:
        off = "This pair is settled. Z takes that back."
    return [
        Action(
            act=stand_act(place),
            label=f"Let the {_ORDINALS[place - 1]} stand",
            keys=(str(place),),
            off=off,
            arg=f"{contest.answer_id} {one.review.person.key}",
            needs=REASON if off is None else "",
            needs_said=NEEDS_REASON,
        )
        for place, one in enumerate(contest.given, start=1)
        if place <= len(_ORDINALS)
    ]


def _back_action(at: Bench) -> Action:
    """Return the taking back of the chosen pair's settlement, else of the person's last one."""
    last = last_settled(at.contests, at.person, at.chosen)
    return Action(
        act="take_back",
        label="Take back",
        keys=("z",),
        off=None if last else "Nothing was taken back: you have settled nothing.",
        arg=last or "",
    )


def last_settled(contests: Sequence[Contest], person: Person, chosen: Contest | None) -> str | None:
    """Return the answer whose settlement by this person is the one to take back."""
    mine = {
        one.answer_id: one.settled.at
        for one in contests
        if one.settled is not None and one.settled.person.key == person.key
    }
    if chosen is not None and chosen.answer_id in mine:
        return chosen.answer_id
    return max(mine, key=mine.__getitem__, default=None)
