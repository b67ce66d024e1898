"""The log of experiments as it is drawn, and what opened one of them."""

from collections.abc import Sequence
from datetime import datetime, tzinfo

from curation.domain.experiment import Baseline, Experiment, SliceDelta, WorstSlices
from curation.domain.plural import plural
from curation.evaluation.rows import NONE
from curation.evaluation.wording import signed
from curation.services.baselines import BaselineState
from curation.services.experiments import LogRow, is_overdue
from curation.ui.moments import day, day_and_clock
from curation.ui.tree import Child, Node, button, node

LOG = "experiments"
COLUMNS = (
    "Id",
    "Date",
    "State",
    "Component",
    "Hypothesis",
    "On",
    "Δ retrieval",
    "Δ generation",
    "Worst slice",
    "Decision",
)
EMPTY = "No experiments yet. Begin one to measure a change of the pipeline."


def number_words(value: float | None) -> str:
    """Return a delta with its sign and three decimals; a dash where there is none."""
    return NONE if value is None else signed(value)


def worst_words(worst: WorstSlices) -> tuple[str, ...]:
    """Return the worst slice of each headline; protected ones say so."""
    sides = (("retrieval", worst.retrieval), ("generation", worst.generation))
    return tuple(f"{name} {_worst(found)}" for name, found in sides if found is not None)


def _worst(found: SliceDelta) -> str:
    protected = ", protected" if found.protected else ""
    return f"{found.slice} {signed(found.delta)} (n {found.n}{protected})"


def draw_log(rows: Sequence[LogRow], zone: tzinfo, *, focus: bool = True) -> list[Child]:
    """Return the log, newest first: one stop in the focus order, the first unless a form is."""
    if not rows:
        begin = node("p", button("Begin an experiment", "begin", key="B"), cls="cur-offers")
        return [node("div", node("p", EMPTY, role="status"), begin, cls="cur-empty")]
    return [
        node(
            "div",
            node(
                "div",
                *(node("span", name, role="columnheader") for name in COLUMNS),
                cls="cur-row cur-head",
                role="row",
            ),
            *(_row(row, zone) for row in reversed(rows)),
            cls="cur-list cur-experiments",
            id="experiments-list",
            role="grid",
            tabindex=0,
            aria_label="Experiments, newest first",
            data_list=LOG,
            data_double="open",
            data_focus=focus or None,
        )
    ]


def _row(row: LogRow, zone: tzinfo) -> Node:
    """Return one experiment; a number that is missing is a dash."""
    worst = worst_words(row.worst)
    cells: tuple[tuple[Sequence[Child], str], ...] = (
        ((row.id,), "cur-strong"),
        ((day(row.date, zone) if row.date else NONE,), ""),
        ((row.state,), ""),
        ((row.component or NONE,), ""),
        ((row.hypothesis or NONE,), "cur-cut-two cur-literal"),
        ((row.version or NONE,), ""),
        ((number_words(row.retrieval),), "cur-number"),
        ((number_words(row.generation),), "cur-number"),
        ([node("span", words) for words in worst] or (NONE,), "cur-stack"),
        ((row.decision or NONE,), ""),
    )
    return node(
        "div",
        *(node("span", *parts, cls=cls, role="gridcell") for parts, cls in cells),
        cls="cur-row",
        id=f"experiment-{row.id}",
        role="row",
        aria_selected="false",
        title=row.hypothesis,
        data_row=row.id,
    )


def draw_baseline(state: BaselineState | None) -> Node:
    """Return what candidates are measured against now."""
    if state is None or state.baseline is None:
        said = "No baseline yet: the first record brings the outputs of the present pipeline."
        return node("p", said, cls="cur-counts")
    baseline = state.baseline
    parts = [f"Baseline: {baseline_name(baseline)} on {baseline.version}"]
    if baseline.experiment:
        parts.append(f", promoted by {baseline.experiment}")
    parts.append(".")
    if state.stale:
        parts.append(f" It is stale: run it on {state.newest}.")
    elif not state.outputs_kept:
        parts.append(" Its raw outputs are not kept here.")
    return node("p", "".join(parts), cls="cur-counts cur-literal")


def baseline_name(baseline: Baseline) -> str:
    """Return the pipeline of a baseline."""
    return baseline.pipeline or "a pipeline without a name"


def title(experiment: Experiment) -> str:
    """Return `exp-007 · chunker · golden/v12 · open`."""
    ended = experiment.decision.value if experiment.decision else experiment.state.value
    return f"{experiment.id} · {experiment.component} · {experiment.version} · {ended}"


def draw_overdue(experiment: Experiment, max_days: int, now: datetime) -> list[Child]:
    """Return that an experiment is open for too long, if it is."""
    if not is_overdue(experiment, max_days, now=now):
        return []
    said = f"Open for longer than {plural(max_days, 'day')}. Close it, or an admin may void it."
    return [node("p", said, cls="cur-banner", role="note")]


def draw_opening(experiment: Experiment, zone: tzinfo) -> list[Child]:
    """Return what was fixed when the experiment was opened, and how it ended."""
    pinned = experiment.baseline
    against = f"{baseline_name(pinned)} on {pinned.version}" if pinned else NONE
    result = experiment.latest
    rows = [
        ("Hypothesis", experiment.hypothesis),
        ("Opened", _who_when(experiment.opened_by, day_and_clock(experiment.opened_at, zone))),
        ("Measures", f"{experiment.version}, commit {experiment.commit[:12]}"),
        ("Cases", f"tree {experiment.cases_tree[:12]}, policy {experiment.policy_blob[:12]}"),
        ("Against", against),
        ("Candidate", (result.pipeline or "a pipeline without a name") if result else NONE),
        ("Component", _component(experiment)),
    ]
    if experiment.continues:
        rows.append(("Continues", experiment.continues))
    if experiment.decision is not None and experiment.closed_at is not None:
        when = day_and_clock(experiment.closed_at, zone)
        rows.append(("Decision", experiment.decision.value))
        rows.append(("Why", experiment.why or NONE))
        rows.append(("Closed", _who_when(experiment.closed_by or "", when)))
    if experiment.override is not None:
        rows.append(("Against the gate", experiment.override.why))
    return [node("dl", *(_pair(name, said) for name, said in rows), cls="cur-pairs cur-tight")]


def _component(experiment: Experiment) -> str:
    """Return what was to change, and how far the newest result proves that it alone did."""
    if experiment.latest is None:
        return experiment.component
    said = experiment.latest.component.removeprefix("component: ")
    named = said.startswith(experiment.component)
    return said if named else f"{experiment.component}: {said}"


def _who_when(person: str, when: str) -> str:
    """Return `Ana Ruiz, 26 Nov, 14:02`."""
    return f"{person.partition(' <')[0]}, {when}"


def _pair(name: str, said: str) -> Node:
    return node("div", node("dt", name), node("dd", said, cls="cur-literal"))
