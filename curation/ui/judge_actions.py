"""What can be done on the Judge page, and what each key does there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import streamlit as st

from curation.domain.person import Person
from curation.domain.trends import Trends
from curation.errors import CurationError
from curation.services import spot_check
from curation.services.agreement import judge_reports
from curation.services.agreement_report import JudgeReport
from curation.services.judge_blindness import seen_disagreements
from curation.services.spot_check import Said, SpotRequest, Standing
from curation.services.spot_questions import SCALE_WORDS
from curation.services.trends import trends
from curation.services.workspace import Workspace
from curation.ui import bar, keys, session, shell
from curation.ui.actions import Action
from curation.ui.bar import Event
from curation.ui.judge_view import JudgeLook, row_id
from curation.ui.queue_actions import toggle_judge

JUDGE, SPOT = "judge", "spot"
ITEMS = 30
LATEST_WEEKS = 12
NOTHING = "No judge has scored anything yet."


@dataclass(frozen=True, kw_only=True)
class Bench:
    """What the page works on: every judge against people, how they went, the chosen one."""

    reports: tuple[JudgeReport, ...]
    trends: Trends
    chosen: JudgeReport | None


@st.cache_data(ttl=20, show_spinner="Comparing judges with people …", max_entries=8)
def _compared(
    where: str,  # noqa: ARG001 - the key
    person: str,  # noqa: ARG001 - the key
    _workspace: Workspace,
    _person: Person | None,
) -> tuple[tuple[JudgeReport, ...], Trends]:
    """Return every judge against people, counted anew after a while."""
    return judge_reports(_workspace, person=_person), trends(_workspace)


def bench(workspace: Workspace) -> Bench:
    """Return what the page works on."""
    person = session.person()
    key = person.key if person else ""
    reports, went = _compared(workspace.store.where, key, workspace, person)
    wanted = st.query_params.get(JUDGE, "")
    found = next((one for one in reports if row_id(one) == wanted), None)
    return Bench(reports=reports, trends=went, chosen=found or (reports[0] if reports else None))


def look(workspace: Workspace, at: Bench, report: JudgeReport) -> JudgeLook:
    """Return what is shown of the chosen judge."""
    weeks = [
        week
        for week in at.trends.metrics
        if (week.judge, week.metric, week.prompt_version) == report.key
    ]
    failures = [week for week in at.trends.failures if week.judge == report.judge]
    return JudgeLook(
        report=report,
        seen=seen_disagreements(
            workspace,
            report.disagreements,
            person=session.person(),
            now=session.now(),
            show_judge=bool(st.session_state.get(keys.JUDGE_SHOWN)),
        ),
        weeks=tuple(weeks[-LATEST_WEEKS:]),
        failures=tuple(failures[-LATEST_WEEKS:]),
    )


def spot_number() -> int | None:
    """Return the spot check of the address."""
    text = st.query_params.get(SPOT, "")
    return int(text) if text.isdecimal() and len(text) < 10 else None


def act(event: Event, workspace: Workspace) -> None:
    """Do what a key or a press asks for; a refusal stays on the page."""
    try:
        _act(event, workspace)
    except CurationError as problem:
        bar.refuse(str(problem))


def _act(event: Event, workspace: Workspace) -> None:
    match event.act:
        case "select":
            _choose(event.arg)
        case "next" | "previous":
            _step(bench(workspace), 1 if event.act == "next" else -1)
        case "judge":
            toggle_judge()
        case "open":
            shell.go("review", answer=event.arg)
        case "begin" | "ties":
            _begin(workspace, ties=event.act == "ties")
        case "spot":
            st.query_params[SPOT] = event.arg
        case "leave":
            st.query_params.pop(SPOT, None)
        case "level_0" | "level_1" | "level_2":
            _label(event, workspace)
        case "back":
            _take_back(workspace)
        case _:
            shell.followed(event)


def _choose(name: str) -> None:
    st.query_params[JUDGE] = name


def _step(at: Bench, by: int) -> None:
    """Choose the judge before or after the chosen one."""
    if at.chosen is None:
        return
    names = [row_id(one) for one in at.reports]
    place = names.index(row_id(at.chosen)) + by
    _choose(names[min(max(place, 0), len(names) - 1)])


def _begin(workspace: Workspace, *, ties: bool) -> None:
    """Begin a spot check of the chosen judge, or go on with one."""
    chosen = bench(workspace).chosen
    if chosen is None:
        bar.refuse(f"Nothing was drawn: {NOTHING}")
        return
    request = SpotRequest(n=ITEMS, judge=chosen.judge, metric=chosen.metric, ties=ties)
    where = spot_check.begin(workspace, request, person=session.acting_person(), now=session.now())
    st.query_params[SPOT] = str(where.check.number)


def _label(event: Event, workspace: Workspace) -> None:
    """Store the person's word on the item that the key was pressed for."""
    number = spot_number()
    if number is None or not event.arg.isdecimal():
        return
    position = int(event.arg)
    said = Said(
        position=position,
        level=int(event.act.removeprefix("level_")),
        seconds=_seconds(number, position, session.now()),
    )
    where = spot_check.label_items(
        workspace, number, [said], person=session.acting_person(), now=session.now()
    )
    if where.finished:
        _compared.clear()


def _take_back(workspace: Workspace) -> None:
    number = spot_number()
    if number is not None:
        spot_check.take_back(workspace, number, person=session.acting_person())


def shown(number: int, position: int, now: datetime) -> None:
    """Remember since when an item is on the screen."""
    last = st.session_state.get(keys.SPOT_SHOWN)
    if last is None or last[:2] != (number, position):
        st.session_state[keys.SPOT_SHOWN] = (number, position, now)


def _seconds(number: int, position: int, now: datetime) -> float | None:
    """Return how long an item was on the screen; None where another one was."""
    last = st.session_state.get(keys.SPOT_SHOWN)
    if last is None or last[:2] != (number, position):
        return None
    return float((now - last[2]).total_seconds())


def actions(at: Bench, waiting: Sequence[Standing]) -> list[Action]:
    """Return what can be done while no spot check is open."""
    judged = bool(st.session_state.get(keys.JUDGE_SHOWN))
    why = None if at.chosen else f"Nothing was drawn: {NOTHING}"
    ties = at.chosen is not None and bool(at.chosen.ties)
    begun = any(
        at.chosen is not None and one.check.key == at.chosen.key and not one.check.decides
        for one in waiting
    )
    found = [
        Action(
            act="begin",
            label="Go on with the spot check" if begun else f"Spot check of {ITEMS} …",
            keys=("s",),
            off=why,
            primary=True,
            about="Label answers without seeing the judge",
        ),
        Action(act="next", label="Next judge", keys=("n",)),
        Action(act="previous", label="Judge before", keys=("p",)),
        Action(act="judge", label="Hide judge" if judged else "Show judge", keys=("j",)),
    ]
    if ties:
        found.append(Action(act="ties", label="Decide ties", keys=("t",)))
    return [*found, *shell.page_keys()]


def spot_actions(where: Standing) -> list[Action]:
    """Return what can be done inside a spot check."""
    item = where.next
    leave = Action(act="leave", label="Leave, go on later", keys=("x",))
    if item is None:
        return [Action(act="leave", label="Back to the judges", keys=("x",), primary=True)]
    levels = [
        Action(
            act=f"level_{level}",
            label=f"{level} {word}",
            keys=(str(level),),
            arg=str(item.position),
        )
        for level, word in enumerate(SCALE_WORDS)
    ]
    off = None if where.mine else "Nothing was taken back: you have said nothing yet."
    return [*levels, Action(act="back", label="Take back", keys=("z",), off=off), leave]
