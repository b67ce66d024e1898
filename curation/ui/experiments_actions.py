"""What can be done on the Experiments page, and what each key does there."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import streamlit as st

from curation.domain.change import Change
from curation.domain.experiment import Decision, Experiment, ExperimentState, OpenExperiment
from curation.domain.person import Person, Role
from curation.domain.plural import plural
from curation.errors import CurationError
from curation.golden import Closing, Opening
from curation.services import experiments, publish
from curation.services.changes import ChangeLists
from curation.services.evaluation import Outputs, find_outputs
from curation.services.experiments import Closed, LogRow
from curation.services.people import role_of
from curation.services.workspace import Workspace
from curation.ui import bar, keys, session, shell
from curation.ui.actions import COMMIT, Action
from curation.ui.bar import Event
from curation.ui.changes_actions import published_words
from curation.ui.experiments_form import (
    BASELINE,
    CANDIDATE,
    COMPONENT,
    CONTINUES,
    DECISION,
    HYPOTHESIS,
    KEPT,
    OVERRIDE,
    PATH,
    VERSION,
    WHY,
    keep_slot,
)
from curation.ui.experiments_view import LOG

PARAMETER = "experiment"
NO_COMPONENT = "No experiment was opened: choose the one component that changes."
NO_HYPOTHESIS = "No experiment was opened: write what becomes better, and why."
NO_DECISION = "Nothing was closed: choose a decision first."
NO_REASON = "Nothing was closed: write why, in your own words."
NO_RUN = "Nothing was recorded: choose a run that is kept, or name a file of outputs."
NOTHING_CHOSEN = "No experiment is chosen."


class Panel(StrEnum):
    """What is asked on the page."""

    BEGIN = "begin"
    RECORD = "record"
    CLOSE = "close"
    PUBLISH = "publish"


@dataclass(frozen=True, kw_only=True)
class Bench:
    """What the page works on: the log, the opened experiment, what waits, what freezes the set."""

    workspace: Workspace
    person: Person
    rows: tuple[LogRow, ...]
    chosen: Experiment | None
    lists: ChangeLists
    frozen: tuple[OpenExperiment, ...]
    published: bool

    @property
    def waiting(self) -> tuple[Change, ...]:
        """The approved changes, in the order in which they are published."""
        return tuple(reversed(self.lists.approved))

    @property
    def may_override(self) -> bool:
        """Whether the person may promote against the gate."""
        return role_of(self.workspace.settings, self.person).covers(Role.ADMIN)


def panel() -> Panel | None:
    """Return what is asked."""
    asked = st.session_state.get(keys.PANEL)
    return Panel(asked) if isinstance(asked, str) and asked in set(Panel) else None


def close_panel() -> None:
    """Ask nothing any more; what was typed stays in the browser."""
    st.session_state.pop(keys.PANEL, None)


def show_one(experiment_id: str, ask: Panel | None = None) -> None:
    """Open an experiment, perhaps with a form, and write it into the address."""
    st.query_params[PARAMETER] = experiment_id
    close_panel()
    if ask is not None:
        st.session_state[keys.PANEL] = ask


def show_log() -> None:
    """Go back to the log."""
    st.query_params.pop(PARAMETER, None)
    close_panel()


def act(event: Event, bench: Bench) -> None:
    """Do what a key or a press asks for; a refusal is said and what was typed stays."""
    try:
        _act(event, bench)
    except CurationError as problem:
        bar.refuse(str(problem))


def _act(event: Event, bench: Bench) -> None:
    match event.act:
        case "begin":
            show_log()
            st.session_state[keys.PANEL] = Panel.BEGIN
        case "begin_now":
            _begin(event.fields, bench)
        case "open":
            show_one(event.arg or event.rows.get(LOG, ""))
        case "next" | "previous":
            _step(bench, 1 if event.act == "next" else -1)
        case "record" | "close":
            _ask(event, bench)
        case "record_now" | "close_now" if bench.chosen is not None:
            write = _record if event.act == "record_now" else _close
            write(event.fields, bench, bench.chosen)
        case "publish":
            _publish(bench)
        case "not_now" | "publish_not":
            close_panel()
        case "log":
            show_log()
        case _:
            shell.followed(event)


def _step(bench: Bench, step: int) -> None:
    """Open the next older or newer experiment."""
    ids = [row.id for row in reversed(bench.rows)]
    if bench.chosen is not None and bench.chosen.id in ids:
        at = ids.index(bench.chosen.id) + step
        show_one(ids[min(max(at, 0), len(ids) - 1)])


def _ask(event: Event, bench: Bench) -> None:
    """Open the form that records or closes: of the opened experiment, or of the row."""
    wanted = bench.chosen.id if bench.chosen else event.rows.get(LOG, "")
    row = next((row for row in bench.rows if row.id == wanted), None)
    if row is None:
        bar.refuse(NOTHING_CHOSEN)
    elif row.state == ExperimentState.CLOSED.value:
        bar.refuse(closed_words(row.id))
    else:
        show_one(row.id, Panel(event.act))


def closed_words(experiment_id: str) -> str:
    """Return why nothing more can be done with an experiment."""
    return f"{experiment_id} is closed. Its record stays as it is."


def _begin(fields: Mapping[str, str], bench: Bench) -> None:
    """Open an experiment from the form."""
    component, hypothesis = fields.get(COMPONENT, ""), fields.get(HYPOTHESIS, "").strip()
    if not component or not hypothesis:
        bar.refuse(NO_HYPOTHESIS if component else NO_COMPONENT)
        return
    opening = Opening(
        component=component,
        hypothesis=hypothesis,
        version=fields.get(VERSION) or None,
        continues=fields.get(CONTINUES) or None,
    )
    done = experiments.open_(bench.workspace, opening, person=bench.person, now=session.now())
    bar.sent(HYPOTHESIS)
    show_one(done.experiment.id)
    bar.say(
        f"{done.experiment.id} ({done.experiment.component}) is open on "
        f"{done.experiment.version}. The golden set is frozen until it is closed. "
        f"{done.worktree_note}".rstrip()
    )


def _record(fields: Mapping[str, str], bench: Bench, experiment: Experiment) -> None:
    """Record the runs that the form names."""
    candidate = _outputs(fields, bench, CANDIDATE)
    baseline = _outputs(fields, bench, BASELINE)
    if candidate is None:
        bar.refuse(NO_RUN)
        return
    done = experiments.record(
        bench.workspace,
        experiment.id,
        candidate,
        baseline=baseline,
        person=bench.person,
        now=session.now(),
    )
    for name in (CANDIDATE, BASELINE):
        bar.sent(keep_slot(experiment, name))
    close_panel()
    result = done.experiment.latest
    gate = f" {result.gate.text}" if result else ""
    bar.say(f"Recorded with {experiment.id}:{gate}")


def _outputs(fields: Mapping[str, str], bench: Bench, name: str) -> Outputs | None:
    """Return the outputs that the form names; a file goes before a run that is kept."""
    wanted = fields.get(f"{name}.{PATH}", "").strip() or fields.get(f"{name}.{KEPT}", "")
    return find_outputs(bench.workspace, wanted) if wanted else None


def _close(fields: Mapping[str, str], bench: Bench, experiment: Experiment) -> None:
    """Close the experiment as the form says."""
    decision, why = fields.get(DECISION, ""), fields.get(WHY, "").strip()
    if not decision or not why:
        bar.refuse(NO_REASON if decision else NO_DECISION)
        return
    chosen = Decision(decision)
    override = fields.get(OVERRIDE, "").strip() if chosen is Decision.PROMOTE else ""
    closing = Closing(decision=chosen, why=why, override=override or None)
    done = experiments.close(
        bench.workspace, experiment.id, closing, person=bench.person, now=session.now()
    )
    for name in (WHY, OVERRIDE):
        bar.sent(keep_slot(experiment, name))
    close_panel()
    bar.say(closed_said(done))


def closed_said(done: Closed) -> str:
    """Return how an experiment ended and what can be published now."""
    experiment = done.written.experiment
    decision = experiment.decision.value if experiment.decision else ""
    said = [f"{experiment.id} is closed: {decision}."]
    if done.written.baseline is not None:
        said.append(f"The baseline is now {done.written.baseline.pipeline or 'the candidate'}.")
    if done.still_frozen_by:
        names = ", ".join(one.id for one in done.still_frozen_by)
        said.append(f"The golden set is still frozen by {names}.")
    elif done.publishable:
        waiting = plural(len(done.publishable), "approved change")
        said.append(f"{waiting} can be published now: G publishes.")
    if done.written.worktree_note:
        said.append(done.written.worktree_note)
    return " ".join(said)


def _publish(bench: Bench) -> None:
    """Publish what is approved; the first press asks, the second does it."""
    if panel() is not Panel.PUBLISH:
        st.session_state[keys.PANEL] = Panel.PUBLISH
    else:
        close_panel()
        report = publish.publish(bench.workspace, person=bench.person, now=session.now())
        (bar.say if report.version else bar.refuse)(published_words(report))


def actions(bench: Bench) -> list[Action]:
    """Return what can be done, and in words why some of it cannot be done now."""
    asked = panel()
    return [
        *_asked_actions(asked),
        *_page_actions(bench, asked),
        _publish_action(bench, asked),
    ]


_COMMITS = {
    Panel.BEGIN: ("begin_now", "Begin experiment"),
    Panel.RECORD: ("record_now", "Record result"),
    Panel.CLOSE: ("close_now", "Close experiment"),
}


def _asked_actions(asked: Panel | None) -> list[Action]:
    """Return what ends a form."""
    if asked is None:
        return []
    if asked is Panel.PUBLISH:
        return [Action(act="not_now", label="Not now", keys=("Escape",))]
    name, label = _COMMITS[asked]
    return [
        Action(act=name, label=label, keys=(COMMIT,), primary=True),
        Action(act="not_now", label="Close the form", keys=("Escape",)),
    ]


def _page_actions(bench: Bench, asked: Panel | None) -> list[Action]:
    """Return what can be done in the log or with the opened experiment."""
    one = bench.chosen
    gone = closed_words(one.id) if one and one.state is ExperimentState.CLOSED else None
    gone = gone or (None if bench.rows else NOTHING_CHOSEN)
    nothing = None if bench.rows else "No experiment was begun yet."
    several = None if len(bench.rows) > 1 else "There is no other experiment."
    back = () if asked else ("Escape",)
    shown = asked is None  # a form leaves room for what ends it; the keys stay
    where = (
        [
            Action(act="log", label="All experiments", keys=back, shown=shown),
            Action(act="next", label="Older", keys=("n",), off=several, shown=shown),
            Action(act="previous", label="Newer", keys=("p",), off=several, shown=shown),
        ]
        if one
        else [
            Action(act="open", label="Open selected", keys=("o", "Enter"), off=nothing, shown=shown)
        ]
    )
    return [
        *where,
        Action(act="record", label="Record a result …", keys=("u",), off=gone, shown=shown),
        Action(act="close", label="Close …", keys=("l",), off=gone, shown=shown),
        Action(
            act="begin",
            label="Begin an experiment …",
            keys=("b",),
            shown=shown,
            off=None
            if bench.published
            else "Nothing can be measured before a version is published.",
        ),
    ]


def _publish_action(bench: Bench, asked: Panel | None) -> Action:
    """Return the publishing of everything that is approved."""
    number = len(bench.waiting)
    why = None if number else "Nothing is approved yet."
    if bench.frozen and number:
        opened = " and ".join(one.id for one in bench.frozen)
        why = f"off: {opened} {'is' if len(bench.frozen) == 1 else 'are'} open."
    label = f"Publish {number} approved" + ("" if asked is Panel.PUBLISH else " …")
    return Action(act="publish", label=label, keys=("g",), off=why)
