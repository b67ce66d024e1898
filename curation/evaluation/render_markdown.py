"""A gate with its comparison as Markdown, made for the comment on a pull request."""

import re
from collections.abc import Iterable, Sequence

from curation.domain.gate import GateOutcome, GateResult
from curation.domain.visible import shown
from curation.evaluation.compare import Comparison
from curation.evaluation.report import Report
from curation.evaluation.rows import Row, comparison_rows, report_rows, slice_rows

__all__ = ["escape_markdown", "render_markdown", "render_report_markdown"]

_SPECIAL = re.compile(r"([\\`*_\[\]#!|~$@]|:(?=//))")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_MOST_NAMES = 30


def escape_markdown(text: str) -> str:
    """Return a text that Markdown shows as it is: no markup, link, mention, image or HTML."""
    flat = " ".join(shown(text).split())
    safe = "".join(_ENTITIES.get(char, char) for char in flat)
    return _SPECIAL.sub(lambda match: f"&#{ord(match[1])};", safe)


def render_markdown(result: GateResult, comparison: Comparison | None = None) -> str:
    """Return the decision, its reasons, and the metrics with their deltas."""
    parts = [f"### {escape_markdown(result.text)}", *_reasons(result)]
    if comparison is not None:
        parts += _comparison(comparison)
    if result.warnings:
        parts.append(_bullets("Worth knowing", result.warnings))
    if result.not_set:
        parts.append(f"Not set: {escape_markdown(', '.join(result.not_set))}.")
    return "\n\n".join(parts) + "\n"


def render_report_markdown(report: Report) -> str:
    """Return the metrics of one report as Markdown."""
    version = escape_markdown(report.pins.version or "no version")
    rows = [(row.name, row.value, row.n) for row in report_rows(report)]
    parts = [
        f"### {version}: {report.n} cases",
        _table(("metric", "value", "cases"), rows),
    ]
    if report.warnings:
        parts.append(_bullets("Worth knowing", report.warnings))
    return "\n\n".join(parts) + "\n"


def _reasons(result: GateResult) -> list[str]:
    titles = {GateOutcome.FAIL: "Failed", GateOutcome.UNDECIDED: "Could not be judged"}
    return [
        _bullets(title, [r.message for r in result.reasons if r.outcome is outcome])
        for outcome, title in titles.items()
        if any(r.outcome is outcome for r in result.reasons)
    ]


def _bullets(title: str, lines: Iterable[str]) -> str:
    return "\n".join([f"**{title}**", "", *(f"- {escape_markdown(line)}" for line in lines)])


def _comparison(comparison: Comparison) -> list[str]:
    before = escape_markdown(comparison.baseline.version or "no version")
    after = escape_markdown(comparison.candidate.version or "no version")
    parts = [
        f"{comparison.n} cases, baseline on {before}, candidate on {after}.",
        _delta_table(comparison_rows(comparison)),
    ]
    for name, rows in slice_rows(comparison).items():
        title = f"<details><summary>Slice {escape_markdown(name)}</summary>"
        parts += [title, _delta_table(rows), "</details>"]
    flips = comparison.flips
    parts += [
        f"**{label}:** {_names(names)}"
        for label, names in (
            ("Good to bad", flips.good_to_bad),
            ("Bad to good", flips.bad_to_good),
        )
        if names
    ]
    return parts


def _names(names: Sequence[str]) -> str:
    listed = ", ".join(escape_markdown(name) for name in names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    return f"{listed} and {more} more" if more > 0 else listed


def _delta_table(rows: Sequence[Row]) -> str:
    return _table(
        ("metric", "baseline", "candidate", "Δ", "n", "95 % interval"),
        [(r.name, r.baseline, r.value, r.delta, r.n, r.interval) for r in rows],
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *(["---:"] * (len(head) - 1))]]
    lines += [[escape_markdown(cell) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
