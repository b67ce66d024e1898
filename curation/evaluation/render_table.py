"""A report, or a comparison, as aligned plain text."""

from collections.abc import Sequence

from curation.domain.visible import shown
from curation.evaluation.compare import Comparison
from curation.evaluation.report import Report
from curation.evaluation.rows import Row, comparison_rows, report_rows, slice_rows

__all__ = ["render_comparison_table", "render_report_table"]


def render_report_table(report: Report) -> str:
    """Return the metrics of a report, one a line."""
    rows = [("metric", "value", "cases")]
    rows += [(row.name, row.value, row.n) for row in report_rows(report)]
    notes = [shown(warning) for warning in report.warnings]
    return "\n".join([_headline(report), *_aligned(rows), *notes]) + "\n"


def _headline(report: Report) -> str:
    version = report.pins.version or "no version"
    return f"{shown(version)} · {report.n} cases · hit rule {report.pins.hit_rule.value}"


def render_comparison_table(comparison: Comparison) -> str:
    """Return two reports in two columns with their deltas, then the slices."""
    lines = _block(comparison_rows(comparison))
    for name, rows in slice_rows(comparison).items():
        lines += ["", shown(name), *_block(rows)]
    flips = comparison.flips
    for label, names in (
        ("good to bad", flips.good_to_bad),
        ("bad to good", flips.bad_to_good),
    ):
        if names:
            lines.append(f"{label}: {', '.join(names)}")
    lines += [shown(warning) for warning in comparison.warnings]
    return "\n".join(lines) + "\n"


def _block(rows: Sequence[Row]) -> list[str]:
    table = [("metric", "baseline", "candidate", "Δ", "n", "95 % interval")]
    table += [(r.name, r.baseline, r.value, r.delta, r.n, r.interval) for r in rows]
    return _aligned(table)


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return the rows with the first column to the left and the others to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
