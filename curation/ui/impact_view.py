"""What a change does to the baseline's stored outputs, as the approver reads it."""

from collections.abc import Iterable

from curation.domain.change import Change
from curation.evaluation.impact import Impact, ImpactRow
from curation.evaluation.rows import NONE, figure
from curation.metrics.metric import Metric
from curation.ui.experiments_view import number_words
from curation.ui.tree import Child, Node, node

_ALWAYS = frozenset({Metric.RECALL, Metric.FAITHFULNESS, Metric.REQUIRED_RECALL})
_LEAST = 0.0005  # what three decimals show
_COLUMNS = ("Metric", "Before", "After", "Δ", "Scored")


def draw_impact(impact: Impact | None, change: Change) -> list[Child]:
    """Return the sentence on the case, then what moved; overall first, then by slice.

    Of a closed change nothing is foreseen any more.
    """
    head = node("h3", "Impact")
    if change.state.closed:
        return []
    if not any(file.path.startswith("cases/") for file in change.latest.files):
        return [head, node("p", "This change writes no case.")]
    if impact is None:
        version = change.latest.base_version or "golden/v1"
        return [head, node("p", f"No baseline outputs on {version} yet.")]
    shown = [row for row in impact.rows if row.metric in _ALWAYS or moved(row)]
    slices = {name: [row for row in rows if moved(row)] for name, rows in impact.slices.items()}
    said = impact.sentence if len(change.latest.files) == 1 else ""
    return [
        head,
        *([node("p", said, cls="cur-strong cur-literal")] if said else []),
        _table(shown),
        *(part for name, rows in slices.items() if rows for part in _slice(name, rows)),
        *([] if any(map(moved, impact.rows)) else [node("p", "No number moves.")]),
    ]


def moved(row: ImpactRow) -> bool:
    """Return whether a metric, or the number of cases that it is of, is another one after it."""
    if row.delta is None:
        return row.before is not row.after
    return abs(row.delta) >= _LEAST


def _slice(name: str, rows: Iterable[ImpactRow]) -> list[Child]:
    return [node("h4", f"In {name}", cls="cur-literal"), _table(rows)]


def _table(rows: Iterable[ImpactRow]) -> Node:
    """Return the metrics with before, after, difference, and cases scored of all."""
    return node(
        "table",
        node("thead", node("tr", *(node("th", name, scope="col") for name in _COLUMNS))),
        node("tbody", *(_row(row) for row in rows)),
        cls="cur-table cur-impact",
    )


def _row(row: ImpactRow) -> Node:
    cells = (
        figure(row.metric, row.before),
        figure(row.metric, row.after),
        number_words(row.delta),
        f"{row.n} of {row.total}" if row.total else NONE,
    )
    return node(
        "tr",
        node("th", row.metric.value, scope="row"),
        *(node("td", text, cls="cur-number") for text in cells),
    )
