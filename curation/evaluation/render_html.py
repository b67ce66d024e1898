"""A gate with its comparison as one self-contained HTML page: no script, nothing loaded."""

from collections.abc import Iterable, Sequence
from html import escape

from curation.domain.gate import GateOutcome, GateReason, GateResult
from curation.domain.visible import shown
from curation.evaluation.compare import Comparison
from curation.evaluation.report import Report
from curation.evaluation.rows import Row, comparison_rows, report_rows, slice_rows

__all__ = ["render_html"]

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --bad: #b3261e; --good: #1b6e3c; }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --good: #7ddc9b; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .75rem; text-align: right; }
th:first-child, td:first-child { text-align: left; }
td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.bad { color: var(--bad); font-weight: 600; } .good { color: var(--good); font-weight: 600; }
li, p, h1 { overflow-wrap: anywhere; }
""".strip()
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_WORDS = {
    GateOutcome.PASS: ("\u2713 passed", "good"),
    GateOutcome.FAIL: ("\u2715 failed", "bad"),
    GateOutcome.UNDECIDED: ("? could not be judged", "bad"),
}


def render_html(
    report: Report, comparison: Comparison | None = None, result: GateResult | None = None
) -> str:
    """Return a page with the decision, its rules, the metrics, the slices and the cases."""
    title = "Evaluation report" if result is None else result.text
    body = [f"<h1>{_text(title)}</h1>", _pins(report)]
    if result is not None:
        body += _gate(result)
    if comparison is None:
        body.append(_table(("metric", "value", "cases"), _report_cells(report)))
    else:
        body += _comparison(comparison)
    body += _list("Worth knowing", _warnings(report, result))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_text(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _text(text: str) -> str:
    return escape(shown(text), quote=True)


def _warnings(report: Report, result: GateResult | None) -> Sequence[str]:
    return report.warnings if result is None else result.warnings


def _pins(report: Report) -> str:
    pins = report.pins
    known = [
        f"{report.n} cases",
        *(
            f"{name} {value}"
            for name, value in (
                ("on", pins.version),
                ("pipeline", pins.pipeline),
                ("commit", pins.commit),
                ("cases tree", pins.cases_tree),
            )
            if value
        ),
        f"k {pins.k}",
        f"hit rule {pins.hit_rule.value}",
    ]
    return f"<p>{_text(' · '.join(known))}</p>"


def _gate(result: GateResult) -> list[str]:
    rules = (*result.reasons, *result.passed)
    rows = "".join(_rule(rule) for rule in rules)
    parts = [f"<h2>Rules of {_text(result.profile.value)}</h2><ul>{rows}</ul>"]
    if result.not_set:
        parts.append(f"<p>Not set: {_text(', '.join(result.not_set))}.</p>")
    return parts


def _rule(reason: GateReason) -> str:
    word, css = _WORDS[reason.outcome]
    return f'<li><span class="{css}">{word}</span> {_text(reason.message)}</li>'


def _report_cells(report: Report) -> list[tuple[str, ...]]:
    return [(row.name, row.value, row.n) for row in report_rows(report)]


def _comparison(comparison: Comparison) -> list[str]:
    parts = ["<h2>All cases</h2>", _delta_table(comparison_rows(comparison))]
    for name, rows in slice_rows(comparison).items():
        parts += [f"<h2>Slice {_text(name)}</h2>", _delta_table(rows)]
    parts += _list("Good to bad", comparison.flips.good_to_bad)
    parts += _list("Bad to good", comparison.flips.bad_to_good)
    return parts


def _list(title: str, lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    items = "".join(f"<li>{_text(line)}</li>" for line in lines)
    return [f"<h2>{_text(title)}</h2><ul>{items}</ul>"]


def _delta_table(rows: Iterable[Row]) -> str:
    head = ("metric", "baseline", "candidate", "Δ", "n", "95 % interval")
    cells = []
    for row in rows:
        worse = "\u25bc " if row.worse else ""
        cells.append((row.name, row.baseline, row.value, worse + row.delta, row.n, row.interval))
    return _table(head, cells)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f'<th scope="col">{_text(cell)}</th>' for cell in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{_text(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
