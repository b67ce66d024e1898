"""The results of an experiment as they are drawn: headlines, gate, slices, flipped cases."""

from collections.abc import Sequence

from curation.domain.experiment import Decision, Experiment, ExperimentResult
from curation.domain.gate import GateOutcome, GateReason, GateResult
from curation.domain.plural import plural
from curation.evaluation.compare import Comparison, Delta
from curation.evaluation.rows import NONE, Row, comparison_rows, figure
from curation.evaluation.wording import signed
from curation.metrics.metric import Metric, display_name
from curation.services.experiment_view import ExperimentView, FlippedCase, SideAnswer
from curation.ui.experiments_view import number_words, worst_words
from curation.ui.tree import Child, Node, node

HEADLINES = ((Metric.RECALL, "Retrieval"), (Metric.FAITHFULNESS, "Generation"))
NOT_RECORDED = "Nothing is recorded yet."
NO_NUMBERS = "The numbers of its cases cannot be read; the record at the left can."
_MARKS = {
    GateOutcome.FAIL: ("✕ Fails: ", "cur-bad"),
    GateOutcome.UNDECIDED: ("? Undecided: ", ""),
    GateOutcome.PASS: ("✓ ", ""),
}


def draw_headlines(result: ExperimentResult, comparison: Comparison | None) -> list[Child]:
    """Return the two headline deltas, each with both values and its noise, never blended."""
    return [
        node(
            "div",
            *(_headline(metric, name, result, comparison) for metric, name in HEADLINES),
            cls="cur-headlines",
        ),
        *(node("p", f"Worst slice: {words}.", cls="cur-small") for words in _worst(result)),
    ]


def _worst(result: ExperimentResult) -> list[str]:
    return [words.removesuffix(".") for words in worst_words(result.worst)]


def _headline(
    metric: Metric, name: str, result: ExperimentResult, comparison: Comparison | None
) -> Node:
    """Return one headline: its delta in large, the values and the noise beneath."""
    deltas = result.deltas
    value = deltas.retrieval if metric is Metric.RECALL else deltas.generation
    before, after = result.baseline.get(metric.value), result.candidate.get(metric.value)
    known = delta_of(comparison, metric)
    return node(
        "div",
        node("div", f"{name}, {display_name(metric, result.k)}", cls="cur-small cur-strong"),
        node("div", f"Δ {number_words(value)}", cls="cur-large"),
        node("div", f"{figure(metric, before)} → {figure(metric, after)}", cls="cur-number-left"),
        node("div", noise_words(known) or "No interval is known.", cls="cur-small"),
        cls="cur-card",
    )


def delta_of(comparison: Comparison | None, metric: Metric) -> Delta | None:
    """Return the overall delta of a metric."""
    found = comparison.deltas if comparison else ()
    return next((delta for delta in found if delta.metric is metric), None)


def noise_words(delta: Delta | None) -> str:
    """Return how sure a delta is: its interval, or counts where n is too small for one."""
    noise = delta.uncertainty if delta else None
    if delta is None or noise is None:
        return ""
    moved = f"n = {noise.n}, {noise.gained} better, {noise.lost} worse"
    if noise.interval is not None:
        low, high = signed(noise.interval.low), signed(noise.interval.high)
        label = "beyond noise" if noise.interval.beyond_noise else "within noise"
        return f"95 % interval [{low}, {high}], {label}; {moved}"
    return f"{moved}; {noise.note}" if noise.note and (noise.gained or noise.lost) else moved


def draw_gate(gate: GateResult) -> list[Child]:
    """Return the gate's one line, then each reason, the warnings and what was held."""
    good = "cur-good" if gate.result is GateOutcome.PASS else "cur-strong"
    mark = {GateOutcome.PASS: "✓ ", GateOutcome.FAIL: "✕ ", GateOutcome.UNDECIDED: "? "}
    return [
        node("h3", "Gate"),
        node("p", mark[gate.result] + gate.text, cls=f"cur-gate cur-literal {good}"),
        *(_reason(reason) for reason in gate.reasons),
        *(node("p", node("strong", "△ "), told, cls="cur-literal") for told in gate.warnings),
        *_held(gate),
    ]


def _reason(reason: GateReason) -> Node:
    mark, cls = _MARKS[reason.outcome]
    return node("p", node("strong", mark), reason.message, cls=f"cur-literal {cls}".strip())


def _held(gate: GateResult) -> list[Child]:
    """Return the rules that passed, folded, and those that are not set."""
    parts: list[Child] = []
    if gate.passed:
        held = [_reason(reason) for reason in gate.passed]
        summary = node("summary", f"{plural(len(gate.passed), 'rule')} held")
        parts.append(node("details", summary, *held))
    if gate.not_set:
        parts.append(node("p", f"Not set: {', '.join(gate.not_set)}.", cls="cur-small cur-soft"))
    return parts


def draw_results(view: ExperimentView) -> list[Child]:
    """Return the headlines and the gate of the last result; a void's count for nothing."""
    experiment = view.experiment
    result = experiment.latest
    if result is None:
        return [node("h3", "Results"), node("p", NOT_RECORDED), *_next_step(experiment)]
    void = experiment.decision is Decision.VOID
    several = len(experiment.results)
    parts: list[Child] = [node("h3", f"Result {several}" if several > 1 else "Result")]
    if void:
        parts.append(node("p", "It was closed as void: these numbers count for nothing."))
    return [*parts, *draw_headlines(result, view.comparison), *draw_gate(result.gate)]


def _next_step(experiment: Experiment) -> list[Child]:
    """Return what to do before there are numbers."""
    command = f"curation eval run --version {experiment.version} --target MODULE:FUNCTION"
    what, them = (
        ("the candidate", "it")
        if experiment.baseline is not None
        else ("the present pipeline and the candidate", "both")
    )
    return [
        node("p", f"Run {what} on the pinned version, then record {them} with U:"),
        node("p", command, cls="cur-mono cur-literal"),
    ]


def draw_slices(view: ExperimentView) -> list[Child]:
    """Return each slice with bars of both sides, worst recall first."""
    comparison = view.comparison
    if comparison is None:
        return []
    names = sorted(comparison.slices, key=lambda name: (_order(comparison, name), name))
    shown = [name for _, name in HEADLINES]
    head = ("Slice", "n", *(f"{name}: baseline over candidate" for name in shown))
    return [
        node("h3", "Slices"),
        node(
            "table",
            node("thead", node("tr", *(node("th", name, scope="col") for name in head))),
            node("tbody", *(_slice(view, comparison, name) for name in names)),
            cls="cur-table cur-slices",
        ),
    ]


def _of_slice(comparison: Comparison, name: str, metric: Metric) -> Delta | None:
    return next((d for d in comparison.slices[name] if d.metric is metric), None)


def _order(comparison: Comparison, name: str) -> float:
    delta = _of_slice(comparison, name, Metric.RECALL)
    return 1.0 if delta is None or delta.delta is None else delta.delta


def _slice(view: ExperimentView, comparison: Comparison, name: str) -> Node:
    """Return one slice: its name, the cases scored, both headlines as bars."""
    deltas = [_of_slice(comparison, name, metric) for metric, _ in HEADLINES]
    counts = [str(delta.n) for delta in deltas if delta and delta.n]
    protected = (
        node("span", "protected", cls="cur-small cur-soft") if name in view.protected else ""
    )
    return node(
        "tr",
        node("th", node("span", name, cls="cur-literal"), protected, scope="row", cls="cur-stack"),
        node("td", " and ".join(dict.fromkeys(counts)) or NONE, cls="cur-number"),
        *(node("td", _bars(delta)) for delta in deltas),
    )


def _bars(delta: Delta | None) -> Node:
    """Return both values as bars from 0 to 1, and the difference in figures."""
    if delta is None or delta.baseline is None or delta.candidate is None:
        return node("span", NONE)
    worse = delta.gain is not None and delta.gain < 0
    word = node("span", " ▼ lower", cls="cur-bad") if worse else None
    return node(
        "div",
        _bar("baseline", delta.baseline, "cur-before"),
        _bar("candidate", delta.candidate, "cur-worse" if worse else "cur-after"),
        node("div", "Δ ", number_words(delta.delta), word, cls="cur-small"),
        cls="cur-bars",
    )


def _bar(side: str, value: float, cls: str) -> Node:
    """Return one bar; its length is a class of the style sheet, in hundredths."""
    share = min(max(round(value * 100), 0), 100)
    fill = node("span", cls=f"cur-fill {cls} cur-w{share}")
    return node(
        "div",
        node("span", fill, cls="cur-track", aria_hidden="true"),
        node("span", f"{value:.3f}", cls="cur-bar-value", title=side),
        cls="cur-bar-line",
    )


def draw_metrics(comparison: Comparison | None) -> list[Child]:
    """Return every metric of both sides with its difference, the cases and the noise."""
    if comparison is None:
        return []
    head = ("Metric", "Baseline", "Candidate", "Δ", "n", "95 % interval")
    return [
        node("h3", "All metrics"),
        node(
            "table",
            node("thead", node("tr", *(node("th", name, scope="col") for name in head))),
            node("tbody", *(_metric(row) for row in comparison_rows(comparison))),
            cls="cur-table",
        ),
        *(node("p", told, cls="cur-small cur-literal") for told in comparison.warnings),
    ]


def _metric(row: Row) -> Node:
    worse = " worse" if row.worse else ""
    cells = (row.baseline, row.value, f"{row.delta}{worse}", row.n)
    return node(
        "tr",
        node("th", row.name, scope="row"),
        *(node("td", text, cls="cur-number") for text in cells),
        node("td", row.interval, cls="cur-small"),
    )


def draw_flips(view: ExperimentView) -> list[Child]:
    """Return the cases that went from good to bad, then those that came back."""
    if view.comparison is None:
        return []
    still = len(view.comparison.flips.still_bad)
    return [
        node("h3", f"Good → bad · {len(view.good_to_bad)}"),
        *(_flipped(case) for case in view.good_to_bad),
        *([] if view.good_to_bad else [node("p", "None.")]),
        node("h3", f"Bad → good · {len(view.bad_to_good)}"),
        *(_flipped(case) for case in view.bad_to_good),
        *([] if view.bad_to_good else [node("p", "None.")]),
        node("p", f"{plural(still, 'case')} fail on both sides.", cls="cur-small cur-soft"),
    ]


def _flipped(case: FlippedCase) -> Node:
    """Return one case with both answers side by side."""
    return node(
        "section",
        node("h4", f"{case.id} · {case.slice} · {case.question or ''}", cls="cur-literal"),
        *([_reference(case.reference)] if case.reference else []),
        node(
            "div",
            _side("Baseline", case.baseline),
            _side("Candidate", case.candidate),
            cls="cur-answers",
        ),
        cls="cur-event",
        aria_label=f"{case.id}, both answers",
    )


def _reference(text: str) -> Node:
    return node(
        "p", node("span", "Reference: ", cls="cur-strong"), text, cls="cur-literal cur-small"
    )


def _side(name: str, side: SideAnswer) -> Node:
    """Return what one run answered, and which criteria it failed."""
    answer = side.answer
    body = node("p", answer or "(empty)", cls="cur-literal")
    if answer is None:
        body = node("p", "The answer is not kept here.", cls="cur-soft")
    failed = f"✕ fails {', '.join(side.failing)}" if side.failing else "✓ fails nothing"
    return node(
        "div",
        node("div", f"{name} · {side.outcome or NONE}", cls="cur-small cur-strong"),
        body,
        node("div", failed, cls=f"cur-small {'cur-bad' if side.failing else 'cur-good'}"),
    )


def draw_numbers(view: ExperimentView) -> Sequence[Child]:
    """Return the right pane: slices, flipped cases, every metric."""
    if view.comparison is None:
        said = NO_NUMBERS if view.experiment.results else NOT_RECORDED
        return [node("h2", "Numbers"), node("p", said, role="status")]
    return [
        *draw_slices(view),
        *draw_flips(view),
        *draw_metrics(view.comparison),
    ]
