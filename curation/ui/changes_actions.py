"""What can be done on the Changes page, and what each key does there."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from curation.domain.change import Change, ChangeState
from curation.domain.experiment import OpenExperiment
from curation.domain.merge import Side
from curation.domain.person import Person
from curation.domain.plural import plural
from curation.errors import CurationError
from curation.services import changes, conflicts, publish
from curation.services.changes import ChangeLists
from curation.services.conflicts import ThreeSides
from curation.services.publish import PublishReport
from curation.services.workspace import Workspace
from curation.ui import bar, keys, revision, session, shell
from curation.ui.actions import COMMIT, Action
from curation.ui.bar import Event
from curation.ui.changes_view import COMMENT_FIELD, COMMENT_ON, Look, in_order, place_words
from curation.ui.conflict_view import ANEW_FIELD, Choice, current_place, open_places
from curation.ui.moments import short_day

UNSENT = "Nothing was approved: your comment is written but not sent. Send it with M, or empty it."
NEEDS_COMMENT = "To ask for changes, write here what should change, then press Esc and A."
_PUBLISH = "publish"


@dataclass(frozen=True, kw_only=True)
class Desk:
    """What the page works on: the lists, the chosen change, its conflict, what freezes the set."""

    workspace: Workspace
    person: Person
    lists: ChangeLists
    chosen: Change | None
    sides: ThreeSides | None
    frozen: tuple[OpenExperiment, ...]


def look() -> Look:
    """Return how changes are looked at in this session."""
    return Look(st.session_state.get(keys.VIEW, Look.FIELDS))


def choices(change: Change) -> dict[str, Choice]:
    """Return what was chosen for the change's newest patch set."""
    slot = f"{change.id}:{change.latest.number}"
    return dict(st.session_state.get(keys.CHOICES, {}).get(slot, {}))


def _choose(change: Change, place: str, choice: Choice) -> None:
    """Remember a choice."""
    kept = dict(st.session_state.get(keys.CHOICES, {}))
    slot = f"{change.id}:{change.latest.number}"
    kept[slot] = {**kept.get(slot, {}), place: choice}
    st.session_state[keys.CHOICES] = kept


def asking() -> bool:
    """Return whether the page asks before it publishes."""
    return st.session_state.get(keys.PANEL) == _PUBLISH


def select(number: str) -> None:
    """Choose a change and write it into the address."""
    if st.query_params.get("change") != number:
        st.query_params["change"] = number
        st.session_state[keys.VIEW] = Look.FIELDS


def act(event: Event, desk: Desk) -> None:
    """Do what a key or a press asks for."""
    try:
        if event.act == "select":
            select(event.arg)
        elif event.act in {"next", "previous"}:
            _step(desk, 1 if event.act == "next" else -1)
        elif event.act in {"publish", "publish_not"}:
            _publish(event, desk)
        elif desk.chosen is not None and event.act in revision.ACTS:
            revision.act(event, desk.workspace, desk.chosen, person=desk.person)
        elif desk.chosen is not None:
            _act_on(event, desk, desk.chosen)
        else:
            shell.followed(event)
    except CurationError as problem:
        bar.refuse(str(problem))


def _act_on(event: Event, desk: Desk, change: Change) -> None:
    """Do what is asked of the chosen change."""
    match event.act:
        case "approve":
            _approve(event, desk, change)
        case "ask" | "comment":
            _write(event, desk, change)
        case "look":
            st.session_state[keys.VIEW] = Look(event.arg) if event.arg else _other(look())
        case "open" if change.answer_id:
            shell.go("review", answer=change.answer_id)
        case "withdraw":
            _withdraw(desk, change)
        case "choose" | "theirs" | "mine" | "anew" if desk.sides is not None:
            choice, _, place = (event.arg or event.act).partition(":")
            place = place or current_place(desk.sides, choices(change))
            if choice == Choice.ANEW and not conflicts.can_be_written_anew(desk.sides, place):
                bar.refuse(f"{place_words(place)} is chosen from the two sides: 1 or 2.")
            else:
                _choose(change, place, Choice(choice))
        case "save" if desk.sides is not None:
            _save(event, desk, change, desk.sides)
        case _:
            shell.followed(event)


def _other(way: Look) -> Look:
    """Return the way that F turns to."""
    return Look.FIELDS if way is Look.FILE else Look.FILE


def _step(desk: Desk, step: int) -> None:
    """Choose the next or previous change of the list."""
    numbers = [change.shown_number for change in in_order(desk.lists)]
    if not numbers:
        return
    here = desk.chosen.shown_number if desk.chosen else ""
    at = numbers.index(here) if here in numbers else -step
    select(numbers[min(max(at + step, 0), len(numbers) - 1)])


def _approve(event: Event, desk: Desk, change: Change) -> None:
    """Approve exactly the patch set that was on the screen."""
    if event.fields.get(COMMENT_FIELD, "").strip():
        bar.refuse(UNSENT)
        return
    shown = int(event.arg) if event.arg.isdigit() else change.latest.number
    done = changes.approve(
        desk.workspace, change.id, person=desk.person, now=session.now(), patch_set=shown
    )
    bar.say(f"Approved patch set {shown} of {change.shown_number}. {_then(desk, done)}")


def _then(desk: Desk, change: Change) -> str:
    """Return what happens with an approved change next."""
    if change.state is not ChangeState.APPROVED:
        return "It needs another approval."
    if desk.frozen:
        names = ", ".join(one.id for one in desk.frozen)
        return f"It can be published when {names} is closed."
    return "G publishes it."


def _write(event: Event, desk: Desk, change: Change) -> None:
    """Store a comment, or ask for changes with it."""
    text = event.fields.get(COMMENT_FIELD, "")
    place = event.fields.get(COMMENT_ON) or None
    store = changes.ask if event.act == "ask" else changes.comment
    store(desk.workspace, change.id, person=desk.person, text=text, now=session.now(), field=place)
    bar.sent(f"comment-{change.shown_number}")
    if event.act == "ask":
        author = change.latest.author.name
        bar.say(f"Asked {author} for changes of {change.shown_number}.")
    else:
        bar.say(f"Commented on {place_words(place)}.")


def _withdraw(desk: Desk, change: Change) -> None:
    """Withdraw the change after asking once."""
    asked = f"withdraw:{change.id}"
    if st.session_state.get(keys.PANEL) != asked:
        st.session_state[keys.PANEL] = asked
        bar.ask(
            f"Withdraw {change.shown_number}? Press Withdraw again to do it: what it proposes is "
            "dropped, and its answer is to review again."
        )
        return
    st.session_state.pop(keys.PANEL)
    changes.withdraw(desk.workspace, change.id, person=desk.person)
    bar.say(f"Withdrawn: {change.shown_number}. Its answer is to review again.")


def _save(event: Event, desk: Desk, change: Change, sides: ThreeSides) -> None:
    """Store the choices of a conflict as the next patch set."""
    chosen = choices(change)
    left = open_places(sides, chosen)
    if left:
        bar.refuse(f"Not saved: {plural(len(left), 'field')} to choose first.")
        return
    anew = {
        place: event.fields.get(f"{ANEW_FIELD}{place}", "")
        for place, choice in chosen.items()
        if choice is Choice.ANEW
    }
    taken = {
        place: Side.THEIRS if choice is Choice.THEIRS else Side.MINE
        for place, choice in chosen.items()
    }
    done = conflicts.resolve_conflict(
        desk.workspace, change.id, choices=taken, anew=anew, person=desk.person, now=session.now()
    )
    bar.say(f"Saved as patch set {done.latest.number}. It waits for a second person.")


def _publish(event: Event, desk: Desk) -> None:
    """Publish what is approved; the first press asks, the second does it."""
    if event.act == "publish_not":
        st.session_state.pop(keys.PANEL, None)
    elif not asking():
        st.session_state[keys.PANEL] = _PUBLISH
    else:
        st.session_state.pop(keys.PANEL)
        report = publish.publish(desk.workspace, person=desk.person, now=session.now())
        (bar.say if report.version else bar.refuse)(published_words(report))


def frozen_words(frozen: Sequence[OpenExperiment], waiting: int) -> str:
    """Return why nothing is published: who opened what when, and how many changes wait."""
    first = frozen[0]
    opened = f", opened by {first.opened_by.partition(' <')[0]}" if first.opened_by else ""
    when = f" on {short_day(first.opened_at, session.zone())}" if first.opened_at else ""
    comma = "," if opened or when else ""
    return (
        f"Not published: {first.id}{opened}{when}{comma} measures {first.version}. "
        f"{plural(waiting, 'change waits', 'changes wait')}."
    )


def published_words(report: PublishReport) -> str:
    """Return what went out and what did not, in words."""
    if report.frozen_by:
        return frozen_words(report.frozen_by, len(report.waiting))
    parts = []
    if report.version:
        parts.append(f"Published {report.version}: {plural(len(report.published), 'change')}.")
    for change in report.conflicts:
        said = change.conflict or "got another number and needs approval again"
        parts.append(f"{change.shown_number}: {said}. Nothing was overwritten.")
    if report.worktree_note:
        parts.append(report.worktree_note)
    return " ".join(parts) or "Not published: nothing is approved."


def actions(desk: Desk) -> list[Action]:
    """Return what can be done, and in words why some of it cannot be done now."""
    change = desk.chosen
    several = len(in_order(desk.lists)) > 1
    return [
        *(_on_change(desk, change) if change is not None else ()),
        Action(act="next", label="Next", keys=("n",), off=None if several else "No other change."),
        Action(act="previous", label="Previous", keys=("p",), shown=False),
        _publish_action(desk),
        *(
            [Action(act="publish_not", label="Not now", keys=("Escape",), about="Do not publish")]
            if asking()
            else []
        ),
    ]


def why_off(desk: Desk, offered: Sequence[Action]) -> str:
    """Return why approving or publishing is off, for the line above the buttons."""
    said = [action.off for action in offered if action.primary and action.off]
    if desk.frozen and desk.lists.approved:
        said.append(f"Publish is off: {', '.join(one.id for one in desk.frozen)} is open.")
    return " ".join(said)


def _on_change(desk: Desk, change: Change) -> list[Action]:
    """Return what can be done with the chosen change."""
    if change.state.closed:
        first: list[Action] = []
    elif desk.sides is not None:
        first = _conflict_actions(desk, change, desk.sides)
    elif revision.is_open(change):
        first = revision.form_actions(change)
    else:
        first = [_approve_action(desk, change)]
    closed = (
        f"Change {change.shown_number} is {change.state.value}." if change.state.closed else None
    )
    return [
        *first,
        Action(
            act="ask",
            label="Ask for changes …",
            keys=("a",),
            off=closed,
            needs=COMMENT_FIELD,
            needs_said=NEEDS_COMMENT,
        ),
        Action(
            act="comment",
            label="Comment",
            keys=("m",),
            shown=False,
            off=closed,
            needs=COMMENT_FIELD,
        ),
        Action(act="look", label="Fields / file", keys=("f",)),
        Action(
            act="open",
            label="Open answer",
            keys=("o",),
            off=None if change.answer_id else "This change came from no answer.",
        ),
        *([] if revision.is_open(change) else revision.offer(change, desk.person)),
        *_withdraw_action(desk, change),
    ]


def _approve_action(desk: Desk, change: Change) -> Action:
    """Return the approval of the newest patch set, off with its reason."""
    why = changes.why_not_approvable(desk.workspace, change, desk.person)
    if why is None and any(a.person.key == desk.person.key for a in change.valid_approvals):
        why = "You approved this patch set already."
    return Action(
        act="approve",
        label=f"Approve patch set {change.latest.number}",
        keys=(COMMIT,),
        primary=True,
        off=why,
        arg=str(change.latest.number),
    )


def _conflict_actions(desk: Desk, change: Change, sides: ThreeSides) -> list[Action]:
    """Return what resolves a conflict."""
    left = len(open_places(sides, choices(change)))
    why = f"{plural(left, 'field')} to choose first." if left else None
    if not conflicts.is_author(change, desk.person):
        why = f"{change.latest.author.name} wrote this change and chooses."
    number = change.latest.number + 1
    return [
        Action(
            act="save",
            label=f"Save my choices as patch set {number}",
            keys=(COMMIT,),
            primary=True,
            off=why,
        ),
        Action(act="theirs", label="Keep theirs", keys=("1",), shown=False),
        Action(act="mine", label="Keep yours", keys=("2",), shown=False),
        Action(act="anew", label="Write it anew", keys=("3",), shown=False),
    ]


def _withdraw_action(desk: Desk, change: Change) -> list[Action]:
    """Return the withdrawal of one's own change."""
    if change.state.closed or not conflicts.is_author(change, desk.person):
        return []
    return [Action(act="withdraw", label="Withdraw …")]


def _publish_action(desk: Desk) -> Action:
    """Return the publishing of everything that is approved."""
    number = len(desk.lists.approved)
    label = f"Publish {number} approved" + ("" if asking() else " …")
    why = None if number else "Nothing is approved yet."
    if desk.frozen and number:
        why = frozen_words(desk.frozen, number)
    return Action(act=_PUBLISH, label=label, keys=("g",), off=why)
