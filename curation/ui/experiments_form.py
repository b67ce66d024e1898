"""The forms of an experiment: begin, record, close."""

from collections.abc import Sequence

from curation.domain.change import Change
from curation.domain.experiment import Decision, Experiment, OpenExperiment
from curation.domain.gate import GateOutcome
from curation.store.runs import KeptRun
from curation.ui.changes_view import title as change_title
from curation.ui.tree import Child, Node, node

COMPONENT, HYPOTHESIS, VERSION, CONTINUES = (
    f"begin.{name}" for name in ("component", "hypothesis", "version", "continues")
)
CANDIDATE, BASELINE = "record.candidate", "record.baseline"
PATH, KEPT = "path", "kept"
DECISION, WHY, OVERRIDE = (f"close.{name}" for name in ("decision", "why", "override"))
NO_CHOICE = ""


def _choice(
    name: str, label: str, options: Sequence[tuple[str, str]], *, focus: bool = False
) -> Node:
    """Return a list to choose from; the first option is chosen."""
    slot = name.replace(".", "-")
    return node(
        "div",
        node("label", label, for_=slot),
        node(
            "select",
            *(node("option", text, value=value) for value, text in options),
            id=slot,
            data_field=name,
            data_focus=focus or None,
        ),
    )


def _text(name: str, label: str, keep: str, *, rows: int = 2) -> Node:
    """Return a field for text, kept in the browser until it is sent."""
    slot = name.replace(".", "-")
    return node(
        "div",
        node("label", label, for_=slot),
        node("textarea", id=slot, rows=rows, data_field=name, data_keep=keep),
    )


def _line(name: str, label: str, keep: str) -> Node:
    """Return a field for one line."""
    slot = name.replace(".", "-")
    return node(
        "div",
        node("label", label, for_=slot),
        node("input", id=slot, type="text", data_field=name, data_keep=keep),
    )


def draw_begin(components: Sequence[str], versions: Sequence[str], voided: Sequence[str]) -> Node:
    """Return the form that opens an experiment; the newest version is the first choice."""
    named = [(name, name) for name in versions]
    shown = [(NO_CHOICE, "Choose the one component that changes"), *((c, c) for c in components)]
    continued = [(NO_CHOICE, "none"), *((name, name) for name in voided)]
    return node(
        "section",
        node("h2", "Begin an experiment"),
        node("p", "One component, one hypothesis, one version. It freezes the golden set."),
        node(
            "div",
            _choice(COMPONENT, "Component", shown, focus=True),
            _choice(VERSION, "Measured on", named),
            *([_choice(CONTINUES, "Continues", continued)] if voided else []),
            cls="cur-form-row",
        ),
        _text(HYPOTHESIS, "Hypothesis: what becomes better, and why", HYPOTHESIS),
        cls="cur-tour cur-form",
        aria_label="Begin an experiment",
    )


def draw_record(experiment: Experiment, runs: Sequence[KeptRun]) -> list[Child]:
    """Return the form that records a run: one that is kept here, or a file of outputs."""
    needs_baseline = experiment.baseline is None
    return [
        node("h3", f"Record a result with {experiment.id}"),
        *_run_fields(experiment, CANDIDATE, "Candidate", runs, focus=True),
        *(_run_fields(experiment, BASELINE, "Baseline", runs) if needs_baseline else []),
        *([node("p", _against(experiment), cls="cur-small")] if not needs_baseline else []),
    ]


def _against(experiment: Experiment) -> str:
    pinned = experiment.baseline
    return f"It is measured against {(pinned and pinned.pipeline) or 'the pinned baseline'}."


def _run_fields(
    experiment: Experiment, name: str, label: str, runs: Sequence[KeptRun], *, focus: bool = False
) -> list[Child]:
    """Return where a run is chosen or named."""
    offered = [(run.sha256, _run_words(run)) for run in runs]
    first = (NO_CHOICE, f"Choose a run on {experiment.version}, or name a file below")
    return [
        _choice(f"{name}.{KEPT}", f"{label}: a run that is kept", [first, *offered], focus=focus),
        _line(
            f"{name}.{PATH}",
            f"{label}: or a file of outputs on this machine",
            keep_slot(experiment, name),
        ),
    ]


def _run_words(run: KeptRun) -> str:
    """Return `kestrel-rag 1.5 · 25 outputs · 0a1b2c3d4e5f`."""
    name = run.pipeline or "a pipeline without a name"
    return f"{name} · {run.outputs} outputs · {run.sha256[:12]}"


def keep_slot(experiment: Experiment, name: str) -> str:
    """Return the name under which the browser keeps what was typed for an experiment."""
    return f"{experiment.id}-{name}"


def draw_close(
    experiment: Experiment,
    *,
    may_override: bool,
    waiting: Sequence[Change],
    others: Sequence[OpenExperiment],
) -> list[Child]:
    """Return the form that ends an experiment, and what can be published then."""
    result = experiment.latest
    passes = result is not None and result.gate.result is GateOutcome.PASS
    decisions = [
        (NO_CHOICE, "Choose a decision"),
        (Decision.PROMOTE.value, "promote: the candidate becomes the baseline"),
        (Decision.REJECT.value, "reject: the baseline stays, the numbers are kept"),
        (Decision.VOID.value, "void: the numbers count for nothing"),
    ]
    against = "Override: why promote against the gate (kept, and listed by the audit)"
    override = [_text(OVERRIDE, against, keep_slot(experiment, OVERRIDE))]
    return [
        node("h3", f"Close {experiment.id}"),
        _choice(DECISION, "Decision", decisions, focus=True),
        _text(WHY, "Why, in your own words", keep_slot(experiment, WHY)),
        *(override if may_override and not passes else []),
        *_publishable(waiting, others),
    ]


def _publishable(waiting: Sequence[Change], others: Sequence[OpenExperiment]) -> list[Child]:
    """Return what waits for the thaw."""
    if others:
        names = ", ".join(one.id for one in others)
        return [node("p", f"The golden set stays frozen then by {names}.")]
    if not waiting:
        return [node("p", "Nothing is approved yet, so nothing can be published then.")]
    return [
        node("p", "Can be published then:"),
        node("ul", *(node("li", change_title(one), cls="cur-literal") for one in waiting)),
    ]
