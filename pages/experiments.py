"""Experiments: the log, one experiment with its numbers and its gate, begin, record, close."""

from datetime import datetime, tzinfo

import streamlit as st

from curation.domain.experiment import Experiment
from curation.errors import CurationError
from curation.services import baselines, changes, evaluation, experiments, golden_set
from curation.services.experiment_view import (
    ExperimentView,
    view_experiment,
    without_numbers,
)
from curation.services.workspace import Workspace
from curation.ui import bar, experiments_actions, experiments_form, guard, session, shell
from curation.ui.banner import frozen_banner
from curation.ui.changes_view import draw_publish
from curation.ui.experiment_results import draw_gate, draw_numbers, draw_results
from curation.ui.experiments_actions import Bench, Panel
from curation.ui.experiments_view import (
    draw_baseline,
    draw_log,
    draw_opening,
    draw_overdue,
    title,
)
from curation.ui.tree import Child, node, pane
from curation.ui.view import view

guard.enter()

PAGE = "experiments"


def chosen_experiment(workspace: Workspace) -> Experiment | None:
    """Return the experiment that the address names.

    A name of none, or of one that cannot be read, is said above the log.
    """
    wanted = st.query_params.get(experiments_actions.PARAMETER)
    if not wanted:
        return None
    try:
        return experiments.show(workspace, wanted)
    except CurationError as problem:
        bar.refuse(str(problem))
        return None


def bench_now() -> Bench:
    """Return what the page works on now."""
    workspace, person = session.workspace(), session.acting_person()
    return Bench(
        workspace=workspace,
        person=person,
        rows=experiments.log(workspace),
        chosen=chosen_experiment(workspace),
        lists=changes.list_for(workspace, person),
        frozen=golden_set.freeze(workspace),
        published=bool(golden_set.versions(workspace)),
    )


@st.cache_resource(show_spinner=False, max_entries=16, ttl=600)
def compared(
    golden: str,  # noqa: ARG001 - the key
    experiment_id: str,  # noqa: ARG001 - the key
    results: int,  # noqa: ARG001 - the key
    closed_at: datetime | None,  # noqa: ARG001 - the key
    _workspace: Workspace,
    _experiment: Experiment,
) -> ExperimentView:
    """Return an experiment with its intervals; what git has of a result never changes."""
    return view_experiment(_workspace, _experiment)


def look_at(workspace: Workspace, one: Experiment) -> ExperimentView:
    """Return the experiment with its numbers; one without readable ones can still be closed."""
    golden = str(workspace.golden.path)
    try:
        return compared(golden, one.id, len(one.results), one.closed_at, workspace, one)
    except CurationError as problem:
        bar.refuse(str(problem))
        return without_numbers(one)


def begin_form(workspace: Workspace) -> Child:
    """Return the form that opens an experiment."""
    newest = [one.version for one in reversed(golden_set.versions(workspace))]
    policy = golden_set.browse(workspace).policy
    voided = [row.id for row in experiments.log(workspace) if row.decision == "void"]
    return experiments_form.draw_begin(policy.components, newest, voided)


def log_body(bench: Bench, zone: tzinfo) -> list[Child]:
    """Return the log, with what candidates are measured against above it."""
    asked = experiments_actions.panel()
    published = bench.published
    baseline = baselines.show_baseline(bench.workspace) if published else None
    return [
        *([begin_form(bench.workspace)] if asked is Panel.BEGIN else []),
        draw_baseline(baseline),
        *draw_log(bench.rows, zone, focus=asked is not Panel.BEGIN),
    ]


def left_body(bench: Bench, shown: ExperimentView, zone: tzinfo) -> list[Child]:
    """Return the experiment, or the form that is open for it below what it decides on."""
    one, asked = shown.experiment, experiments_actions.panel()
    head: list[Child] = [
        node("h2", title(one), cls="cur-literal"),
        *draw_overdue(one, shown.max_days, session.now()),
    ]
    if asked is Panel.RECORD:
        runs = evaluation.runs(bench.workspace, version=one.version)
        return [*head, *experiments_form.draw_record(one, runs), *draw_opening(one, zone)]
    if asked is Panel.CLOSE:
        gate = draw_gate(one.latest.gate) if one.latest else draw_results(shown)
        form = experiments_form.draw_close(
            one,
            may_override=bench.may_override,
            waiting=bench.waiting,
            others=[other for other in bench.frozen if other.id != one.id],
        )
        return [*head, *gate, *form]
    return [*head, *draw_results(shown), node("h3", "Opening"), *draw_opening(one, zone)]


def one_body(bench: Bench, one: Experiment, zone: tzinfo) -> list[Child]:
    """Return one experiment in two panes."""
    shown = look_at(bench.workspace, one)
    asked = experiments_actions.panel() or ""
    left = left_body(bench, shown, zone)
    return [
        node(
            "div",
            pane(f"{one.id}-{asked}", "The experiment", left, focus=not asked),
            pane(f"{one.id}-numbers", "Numbers", draw_numbers(shown)),
            cls="cur-panes cur-halves",
            id="experiment-panes",
        )
    ]


def tree(bench: Bench) -> list[Child]:
    """Return the page: banner, question, log or experiment."""
    zone = session.zone()
    banner = frozen_banner(
        bench.frozen, len(bench.lists.approved), now=session.now(), zone=zone, thaw=True
    )
    asking = experiments_actions.panel() is Panel.PUBLISH
    one = bench.chosen
    return [
        node("h1", "Experiments", cls="cur-hidden"),
        *([banner] if banner else []),
        *([draw_publish(bench.lists)] if asking else []),
        *(log_body(bench, zone) if one is None else one_body(bench, one, zone)),
    ]


def show() -> None:
    """Draw the page."""
    for event in bar.events(PAGE):
        experiments_actions.act(event, bench_now())
    bench = bench_now()
    view(tree(bench), key="pane_experiments")
    bar.show(PAGE, experiments_actions.actions(bench))


with shell.refusing(PAGE):
    show()
